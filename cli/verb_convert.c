/* verb_convert.c: data from one format to another. */
#include "cli.h"
#include "json_emit.h"

#include <stdio.h>
#include <string.h>

/* Reading that ends with Ctrl-C, so that no unfinished file is left beside the target. */
static sg_status read_on(void *self, size_t first, size_t n, double *out)
{
    const sg_source *rows = self;
    if (!cli_interrupted()) return rows->read(rows->self, first, n, out);
    sg_set_errmsg("interrupted: nothing was written");
    return SG_EIO;
}

static const char *level_of(void *self, size_t column, size_t i)
{
    const sg_source *rows = self;
    return rows->level(rows->self, column, i);
}

static int save(const sg_source *rows, const char *path)
{
    sg_source watched = *rows;
    watched.self = (void *)rows;
    watched.read = read_on;
    watched.look = NULL;
    watched.gather = NULL;
    watched.level = rows->level ? level_of : NULL;
    if (strcmp(path, "-") != 0) cli_interrupt_watch();
    return cli_check(sg_data_save(&watched, path));
}

static void as_json(const sg_source *rows, const char *path)
{
    cli_json j = {0};
    cli_json_open(&j, NULL, '{');
    cli_json_count(&j, "rows", rows->rows);
    cli_json_count(&j, "columns", rows->columns);
    cli_json_text(&j, "output", path);
    cli_json_close(&j, '{');
    putchar('\n');
}

int cli_convert(const cli_call *c)
{
    const size_t files = c->operands - 1;
    const char *path = c->operand[files];
    sg_data *data = NULL;
    int code = cli_check(sg_data_can_save(path));
    if (code == CLI_DONE) code = cli_check_written(c, "", path, files);
    if (code == CLI_DONE) code = cli_read(c, 0, files, &data);
    if (code != CLI_DONE) return code;
    sg_source rows = sg_data_source(data);
    code = save(&rows, path);
    if (code == CLI_DONE && c->json) as_json(&rows, path);
    else if (code == CLI_DONE && strcmp(path, "-") != 0)
        printf("rows     %zu\ncolumns  %zu\noutput   %s\n", rows.rows, rows.columns, path);
    sg_data_free(data);
    return code;
}
