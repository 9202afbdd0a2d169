/* additive_folds.c: assigns rows to the folds of additive models. */
#include "train/additive/additive_folds.h"

#include "base/memory.h"
#include "base/splitmix64.h"

#include <stdlib.h>

/* With more groups than this, folds that are assigned by a hash have about the same size. */
enum { MAX_GROUPS = 1024 };

void sg_additive_grouping_release(sg_additive_grouping *g) { sg_group_table_release(&g->table); }

static sg_status fail_no_memory(void) { return sg_fail_out_of_memory("groups of rows"); }

/* Adds rows to the table as long as it has at most MAX_GROUPS groups. */
static sg_status count_rows(sg_additive_grouping *g, const double *row, size_t n, size_t stride)
{
    for (size_t i = 0; i < n && g->table.count <= MAX_GROUPS; i++)
        if (!sg_group_table_add(&g->table, sg_group_key(row + i * stride, g->column, g->columns), 1))
            return fail_no_memory();
    return SG_OK;
}

static sg_status count_groups(sg_additive_grouping *g, const sg_source *rows)
{
    enum { READ_ROWS = 64 };
    double *block = sg_calloc(rows->columns, READ_ROWS * sizeof *block);
    sg_status st = block ? SG_OK : fail_no_memory();
    for (size_t i = 0, n; st == SG_OK && i < rows->rows && g->table.count <= MAX_GROUPS; i += n) {
        n = rows->rows - i < READ_ROWS ? rows->rows - i : READ_ROWS;
        st = rows->read(rows->self, i, n, block);
        if (st == SG_OK) st = count_rows(g, block, n, rows->columns);
    }
    free(block);
    return st;
}

sg_status sg_additive_grouping_init(sg_additive_grouping *g, uint64_t seed, const size_t *column, size_t columns,
                                    const sg_source *rows)
{
    *g = (sg_additive_grouping){.seed = seed, .column = column, .columns = columns};
    sg_status st = count_groups(g, rows);
    if (st == SG_OK && g->table.count <= MAX_GROUPS)
        return sg_group_table_assign_folds(&g->table, SG_ADDITIVE_FOLDS, seed);
    sg_group_table_release(&g->table);
    return st;
}

size_t sg_additive_fold(const sg_additive_grouping *g, const double *row)
{
    uint64_t key = sg_group_key(row, g->column, g->columns);
    const sg_group *found = sg_group_table_find(&g->table, key);
    return found ? found->fold
                 : (size_t)(sg_splitmix64_mix(key + (g->seed + 1) * SG_GOLDEN_RATIO_64) % SG_ADDITIVE_FOLDS);
}
