/* team_view.c: see team_view.h. Member 0 shows what it sees; the others compare. */
#include "data/team_view.h"

#include "base/memory.h"
#include "base/team.h"
#include "base/text.h"
#include "data/heading.h"

#include <stdlib.h>
#include <string.h>

/* Member 0's bytes on all members, freed with free(). The failure of one is that of all. */
static sg_status show(const sg_team *t, const void *mine, size_t n, void **out)
{
    uint64_t size = n;
    void *theirs = NULL;
    sg_status st = sg_team_share(t, 0, &size, sizeof size);
    if (st != SG_OK) return st;
    theirs = sg_alloc((size_t)size, 1);
    st = sg_team_agree(t, theirs ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for what rank 0 sees"));
    if (st == SG_OK && t->rank == 0 && n) memcpy(theirs, mine, n); /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
    if (st == SG_OK) st = sg_team_share(t, 0, theirs, (size_t)size);
    if (st == SG_OK) *out = theirs;
    else free(theirs);
    return st;
}

/* --- columns --- */

static sg_status other_name(const sg_team *t, const sg_source *mine, size_t i, const char *theirs)
{
    char a[128], b[128];
    return sg_fail(
        SG_EDATA,
        "column %zu of %s is \"%s\" for rank %zu, and \"%s\" for rank 0; --ignore leaves a column out for all", i + 1,
        sg_source_name(mine), sg_quotable(mine->names[i], strlen(mine->names[i]), a, sizeof a), t->rank,
        sg_quotable(theirs, strlen(theirs), b, sizeof b));
}

/* Of a column: the same, in the same order. */
static bool same_levels(const sg_source *mine, size_t column, const sg_levels *theirs)
{
    const char *text;
    size_t i = 0;
    for (; mine->level && (text = mine->level(mine->self, column, i)); i++)
        if (!theirs || i >= theirs->count || strcmp(text, sg_levels_text(theirs, i)) != 0) return false;
    return i == (theirs ? theirs->count : 0);
}

static sg_status compare_columns(const sg_team *t, const sg_source *mine, bool levels, const sg_heading *theirs)
{
    char shown[128];
    for (size_t i = 0; i < mine->columns; i++) {
        if (strcmp(mine->names[i], theirs->names[i]) != 0) return other_name(t, mine, i, theirs->names[i]);
        if (levels && !same_levels(mine, i, theirs->levels ? &theirs->levels[i] : NULL))
            return sg_fail(SG_EDATA, "rank %zu sees other categories in column \"%s\" of %s than rank 0", t->rank,
                           sg_quotable(mine->names[i], strlen(mine->names[i]), shown, sizeof shown),
                           sg_source_name(mine));
    }
    return SG_OK;
}

static sg_status compare_headings(const sg_team *t, const sg_source *mine, bool levels, const char *theirs,
                                  size_t columns)
{
    sg_heading heading;
    if (mine->columns != columns)
        return sg_fail(SG_EDATA,
                       "rank %zu sees %zu columns in %s, rank 0 sees %zu; --ignore leaves a column out for all",
                       t->rank, mine->columns, sg_source_name(mine), columns);
    sg_status st = sg_heading_read(theirs, columns, &heading);
    if (st == SG_OK) st = compare_columns(t, mine, levels, &heading);
    sg_heading_release(&heading);
    return st;
}

sg_status sg_team_same_columns(const sg_team *t, const sg_source *mine, bool levels)
{
    sg_text names = {0};
    uint64_t columns = mine->columns;
    void *theirs = NULL;
    sg_status st = sg_team_agree(t, sg_heading_write(mine, &names));
    if (st == SG_OK) st = sg_team_share(t, 0, &columns, sizeof columns);
    if (st == SG_OK) st = show(t, names.bytes, names.length, &theirs);
    if (st == SG_OK) st = sg_team_agree_said(t, compare_headings(t, mine, levels, theirs, (size_t)columns));
    free(theirs);
    sg_text_release(&names);
    return st;
}

/* --- rows --- */

static sg_status compare_rows(const sg_team *t, const sg_source *files, size_t count, const uint64_t *theirs)
{
    for (size_t i = 0; i < count; i++)
        if (files[i].rows != theirs[i])
            return sg_fail(SG_EDATA, "rank %zu sees %zu rows in %s, rank 0 sees %zu", t->rank, files[i].rows,
                           sg_source_name(&files[i]), (size_t)theirs[i]);
    return SG_OK;
}

static sg_status compare_files(const sg_team *t, const sg_source *files, size_t count, uint64_t *rows)
{
    uint64_t theirs = count;
    sg_status st = sg_team_share(t, 0, &theirs, sizeof theirs);
    if (st != SG_OK) return st;
    st = theirs == count ? SG_OK
                         : sg_fail(SG_EDATA, "rank %zu reads %zu files, rank 0 %zu", t->rank, count, (size_t)theirs);
    st = sg_team_agree_said(t, st);
    for (size_t i = 0; st == SG_OK && i < count; i++)
        rows[i] = files[i].rows; /* NOLINT(clang-analyzer-core.NullDereference) */
    if (st == SG_OK) st = sg_team_share(t, 0, rows, count * sizeof *rows);
    return st == SG_OK ? sg_team_agree_said(t, compare_rows(t, files, count, rows)) : st;
}

sg_status sg_team_same_rows(const sg_team *t, const sg_source *files, size_t count)
{
    uint64_t *rows = sg_alloc(count, sizeof *rows);
    sg_status st = sg_team_agree(t, rows ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for %zu files", count));
    if (st == SG_OK) st = compare_files(t, files, count, rows);
    free(rows);
    return st;
}

/* --- values --- */

/* Rows of a file that are looked at, from its first to its last. */
enum { LOOKS = 9 };

static size_t row_of_look(const sg_source *file, size_t i)
{
    size_t last = file->rows - 1, steps = LOOKS - 1;
    return last / steps * i + last % steps * i / steps;
}

static uint64_t digest_of(const double *value, size_t n)
{
    uint64_t digest = 0, bits;
    for (size_t i = 0; i < n; i++) {
        memcpy(&bits, &value[i], sizeof bits);
        digest = (digest ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
        digest ^= digest >> 32;
    }
    return digest;
}

static sg_status look_at(const sg_source *file, uint64_t digest[LOOKS])
{
    double *row = sg_alloc(file->columns, sizeof *row);
    sg_status st = row ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for a row");
    for (size_t i = 0; st == SG_OK && file->rows && i < LOOKS; i++) {
        st = file->read(file->self, row_of_look(file, i), 1, row);
        if (st == SG_OK) digest[i] = digest_of(row, file->columns);
    }
    free(row);
    return st;
}

static sg_status compare_values(const sg_team *t, const sg_source *files, size_t looks, const uint64_t *mine,
                                const uint64_t *theirs)
{
    for (size_t i = 0; i < looks; i++)
        if (mine[i] != theirs[i]) /* NOLINT(clang-analyzer-core.NullDereference): agreed on */
            return sg_fail(SG_EDATA, "rank %zu sees other values in row %zu of %s than rank 0", t->rank,
                           row_of_look(&files[i / LOOKS], i % LOOKS) + 1, sg_source_name(&files[i / LOOKS]));
    return SG_OK;
}

sg_status sg_team_same_values(const sg_team *t, const sg_source *files, size_t count)
{
    uint64_t *mine = sg_alloc(count, LOOKS * sizeof *mine);
    void *theirs = NULL;
    sg_status st = mine ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for %zu files", count);
    for (size_t i = 0; st == SG_OK && i < count; i++) st = look_at(&files[i], mine + i * LOOKS);
    st = sg_team_agree(t, st);
    if (st == SG_OK) st = show(t, mine, count * LOOKS * sizeof *mine, &theirs);
    if (st == SG_OK) st = sg_team_agree_said(t, compare_values(t, files, count * LOOKS, mine, theirs));
    free(theirs);
    free(mine);
    return st;
}

/* --- whose --- */

sg_share sg_share_out(const sg_team *t, size_t rows)
{
    size_t first = sg_team_boundary(rows, t->rank, t->ranks);
    return (sg_share){
        .team = t, .rows = rows, .first = first, .here = sg_team_boundary(rows, t->rank + 1, t->ranks) - first};
}

sg_status sg_share_own(const sg_team *t, size_t mine, sg_share *out)
{
    uint64_t *all = sg_alloc(t->ranks, sizeof *all), own = mine, sum = 0;
    sg_status st = sg_team_agree(t, all ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for %zu ranks", t->ranks));
    if (st == SG_OK) st = sg_team_all(t, &own, sizeof own, all);
    for (size_t i = 0; st == SG_OK && i < t->ranks; i++) {
        if (all[i] > SIZE_MAX / 2 - sum)
            st = sg_fail(
                SG_EDATA,
                "the ranks have more rows than can be counted"); /* NOLINT(clang-analyzer-core.NullDereference) */
        if (i == t->rank) *out = (sg_share){.team = t, .first = (size_t)sum, .here = mine};
        sum += all[i];
    }
    out->rows = (size_t)sum;
    free(all);
    return st;
}
