/* message.c: error messages, notices and exit codes.
 *
 * An error message is stored in the library (sg_set_errmsg) and printed at the end of the program, because with several
 * ranks it is not known earlier which of them prints it. */
#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int cli_fail(int code, const char *format, ...)
{
    char sentence[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    sg_set_errmsg(sentence);
    return code;
}

void cli_notice(const cli_command *c, const char *format, ...)
{
    if (c->quiet) return;
    char sentence[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    fputs("sugeno: notice: ", stderr);
    cli_print_escaped(stderr, sentence, 0);
    fputc('\n', stderr);
}

sg_status cli_exit_code_status(int code)
{
    if (code == CLI_DONE) return SG_OK;
    return code == CLI_USAGE ? SG_EINVAL : SG_EIO;
}

int cli_flush(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    return cli_error("can't write to standard output: %s", strerror(errno));
}

void cli_print_error(int code)
{
    if (code != CLI_DONE && *sg_errmsg()) fprintf(stderr, "sugeno: %s\n", sg_errmsg());
}

/* The message is printed before the flush, which may fail with a message of its own. */
int cli_finish(int code)
{
    cli_print_error(code);
    int flushed = cli_flush(CLI_DONE);
    cli_print_error(flushed);
    return flushed == CLI_DONE ? code : flushed;
}

sg_status cli_check_interrupt(void)
{
    if (!cli_interrupted()) return SG_OK;
    sg_set_errmsg("interrupted; no file was written");
    return SG_EIO;
}
