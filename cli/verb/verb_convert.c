/* verb_convert.c: implements sugeno convert, which writes data in another file format. */
#include "cli.h"
#include "output/json_emit.h"

#include <stdio.h>

/* Reads rows, but fails after Ctrl-C, so that the temporary output file is removed. */
static sg_status read_unless_interrupted(void *self, size_t first, size_t n, double *out)
{
    const sg_source *rows = self;
    sg_status st = cli_check_interrupt();
    return st == SG_OK ? rows->read(rows->self, first, n, out) : st;
}

static const char *forward_level(void *self, size_t column, size_t i)
{
    const sg_source *rows = self;
    return rows->level(rows->self, column, i);
}

static int save_data(const sg_source *rows, const char *path)
{
    sg_source watched = *rows;
    watched.self = (void *)rows;
    watched.read = read_unless_interrupted;
    watched.view = NULL;
    watched.gather = NULL;
    watched.level = rows->level ? forward_level : NULL;
    if (!cli_is_stdout(path)) cli_interrupt_watch();
    return cli_exit_code(sg_source_save(&watched, path));
}

static void print_json(const sg_source *rows, const char *path)
{
    cli_json j = {0};
    cli_json_open(&j, NULL, '{');
    cli_json_count(&j, "rows", rows->rows);
    cli_json_count(&j, "columns", rows->columns);
    cli_json_text(&j, "output", path);
    cli_json_close(&j, '{');
}

int cli_convert(const cli_command *c)
{
    const size_t files = c->operands - 1;
    const char *path = c->operand[files];
    sg_dataset *data = NULL;
    int code = cli_exit_code(sg_source_can_save(path));
    if (code == CLI_DONE) code = cli_check_output_path(c, "", path, files);
    if (code == CLI_DONE) code = cli_open_data(c, 0, files, &data);
    if (code != CLI_DONE) return code;
    sg_source rows = sg_dataset_source(data);
    code = save_data(&rows, path);
    if (code == CLI_DONE && c->json) print_json(&rows, path);
    else if (code == CLI_DONE && !cli_is_stdout(path))
        printf("rows     %zu\ncolumns  %zu\noutput   %s\n", rows.rows, rows.columns, path);
    sg_dataset_free(data);
    return code;
}
