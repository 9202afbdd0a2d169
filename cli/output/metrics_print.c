/* metrics_print.c: prints metrics as rows of a table and as JSON. */
#include "output/metrics_print.h"

#include <stdio.h>

void cli_metrics_json(cli_json *j, const sg_metrics *m)
{
    cli_json_number(j, "rmse", m->rmse);
    cli_json_number(j, "mae", m->mae);
    cli_json_number(j, "r2", m->r2);
}

void cli_metrics_header(void) { printf("%-16s %12s %12s %12s %10s\n", "", "rmse", "mae", "r2", "rows"); }

void cli_metrics_row(const char *name, const sg_metrics *m)
{
    cli_print_escaped(stdout, name, 16);
    printf(" %12.6g %12.6g %12.6g", m->rmse, m->mae, m->r2);
    if (m->rows) printf(" %10zu", m->rows);
    putchar('\n');
}
