/* speak.c: sentences on standard error, and the exit codes that go with them. */
#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void say(const char *kind, const char *format, va_list args)
{
    fprintf(stderr, "sugeno: %s", kind);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

int cli_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("", format, args);
    va_end(args);
    return CLI_FAILED;
}

int cli_usage(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("", format, args);
    va_end(args);
    return CLI_USAGE;
}

void cli_notice(const cli_call *c, const char *format, ...)
{
    if (c->quiet) return;
    va_list args;
    va_start(args, format);
    say("notice: ", format, args);
    va_end(args);
}

int cli_check(sg_status st)
{
    if (st == SG_OK) return CLI_DONE;
    cli_error("%s", sg_errmsg());
    return st == SG_EINVAL ? CLI_USAGE : CLI_FAILED;
}

int cli_finish(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    return cli_error("can't write standard output: %s", strerror(errno));
}
