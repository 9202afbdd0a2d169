/* catalogue.c: see catalogue.h. */
#include "catalogue.h"

#include "words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DATASETS, ALGORITHMS, EXPERIMENTS, PUBLISHED, CLAIMS };

const char *const variant_names[VARIANTS] = {"", "unique", "one-hot"};

/* clang-format off */
static const struct {
    const char *file, *columns;
} tables[] = {
    {"datasets.csv", "name label file target features words rows sha256 source citation"},
    {"algorithms.csv", "name label settings"},
    {"experiments.csv", "name datasets variant algorithms preprocessing repeats iterations every"},
    {"published.csv", "dataset algorithm rmse_50 rmse_100 rmse_250 rmse_500 seconds"},
    {"claims.csv", "kind name place sentence question a b number of how"},
};
/* clang-format on */

static sg_status read_sheet(const char *folder, size_t i, sheet *out)
{
    text path = {0};
    text_add(&path, "%s/%s", folder, tables[i].file);
    sg_status st = path.failed ? fail(SG_ENOMEM, "out of memory") : sheet_read(path.bytes, out);
    if (st == SG_OK) st = sheet_expect(out, tables[i].columns);
    text_free(&path);
    return st;
}

static sg_status read_datasets(catalogue *c)
{
    const sheet *s = &c->sheet[DATASETS];
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < s->rows; i++) {
        dataset *d = &c->dataset[c->datasets++];
        *d = (dataset){
            .name = sheet_get(s, i, "name"),
            .label = sheet_get(s, i, "label"),
            .file = sheet_get(s, i, "file"),
            .target = sheet_get(s, i, "target"),
            .features = sheet_get(s, i, "features"),
            .words = sheet_get(s, i, "words"),
            .sha256 = sheet_get(s, i, "sha256"),
            .source = sheet_get(s, i, "source"),
            .citation = sheet_get(s, i, "citation"),
        };
        st = sheet_count(s, i, "rows", &d->rows);
    }
    return st;
}

static void read_algorithms(catalogue *c)
{
    const sheet *s = &c->sheet[ALGORITHMS];
    for (size_t i = 0; i < s->rows; i++)
        c->algorithm[c->algorithms++] =
            (algorithm){sheet_get(s, i, "name"), sheet_get(s, i, "label"), sheet_get(s, i, "settings")};
}

static sg_status known(const sheet *s, size_t row, const char *column, const sheet *of)
{
    const char *list = sheet_get(s, row, column), *word;
    size_t length;
    if (strcmp(list, "*") == 0) return SG_OK;
    while ((word = next_word(&list, &length))) {
        size_t i = 0;
        while (i < of->rows &&
               (strlen(sheet_get(of, i, "name")) != length || strncmp(sheet_get(of, i, "name"), word, length) != 0))
            i++;
        if (i == of->rows)
            return fail(SG_EDATA, "%s:%zu: %s has no \"%.*s\"", s->path, row + 2, of->path, (int)length, word);
    }
    return SG_OK;
}

static int only_words(const char *list, const char *of)
{
    const char *word;
    size_t length;
    char name[32];
    while ((word = next_word(&list, &length)))
        if (!has_word(of, copy_word(word, length, name, sizeof name))) return 0;
    return 1;
}

static sg_status read_experiment(catalogue *c, size_t i)
{
    const sheet *s = &c->sheet[EXPERIMENTS];
    const char *kind = sheet_get(s, i, "variant");
    experiment *e = &c->experiment[c->experiments++];
    *e = (experiment){
        .name = sheet_get(s, i, "name"),
        .datasets = sheet_get(s, i, "datasets"),
        .algorithms = sheet_get(s, i, "algorithms"),
        .preprocessing = sheet_get(s, i, "preprocessing"),
    };
    while (e->variant < VARIANTS && strcmp(kind, variant_names[e->variant]) != 0) e->variant++;
    if (e->variant == VARIANTS) return fail(SG_EDATA, "%s:%zu: no variant is called \"%s\"", s->path, i + 2, kind);
    sg_status st = sheet_count(s, i, "repeats", &e->repeats);
    if (st == SG_OK) st = sheet_count(s, i, "iterations", &e->iterations);
    if (st == SG_OK) st = sheet_count(s, i, "every", &e->every);
    if (st == SG_OK) st = known(s, i, "datasets", &c->sheet[DATASETS]);
    if (st == SG_OK) st = known(s, i, "algorithms", &c->sheet[ALGORITHMS]);
    if (st == SG_OK && (!*e->preprocessing || only_words(e->preprocessing, "ours authors") == 0))
        st = fail(SG_EDATA, "%s:%zu: preprocessing is ours, authors or both, not \"%s\"", s->path, i + 2,
                  e->preprocessing);
    return st;
}

sg_status catalogue_read(const char *folder, catalogue *c)
{
    sg_status st = SG_OK;
    *c = (catalogue){0};
    for (size_t i = 0; st == SG_OK && i < sizeof tables / sizeof *tables; i++) st = read_sheet(folder, i, &c->sheet[i]);
    if (st != SG_OK) return st;
    c->dataset = calloc(c->sheet[DATASETS].rows + 1, sizeof *c->dataset);
    c->algorithm = calloc(c->sheet[ALGORITHMS].rows + 1, sizeof *c->algorithm);
    c->experiment = calloc(c->sheet[EXPERIMENTS].rows + 1, sizeof *c->experiment);
    if (!c->dataset || !c->algorithm || !c->experiment) return fail(SG_ENOMEM, "out of memory");
    st = read_datasets(c);
    read_algorithms(c);
    for (size_t i = 0; st == SG_OK && i < c->sheet[EXPERIMENTS].rows; i++) st = read_experiment(c, i);
    return st;
}

void catalogue_free(catalogue *c)
{
    for (size_t i = 0; i < c->datasets; i++)
        for (size_t v = 0; v < VARIANTS; v++) sg_table_free(c->dataset[i].table[v]);
    free(c->dataset);
    free(c->algorithm);
    free(c->experiment);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) sheet_free(&c->sheet[i]);
    *c = (catalogue){0};
}

const algorithm *catalogue_algorithm(const catalogue *c, const char *name)
{
    for (size_t i = 0; i < c->algorithms; i++)
        if (strcmp(c->algorithm[i].name, name) == 0) return &c->algorithm[i];
    return NULL;
}

double catalogue_published(const catalogue *c, const char *data, const char *by, const char *what)
{
    const sheet *s = &c->sheet[PUBLISHED];
    for (size_t i = 0; i < s->rows; i++)
        if (strcmp(sheet_get(s, i, "dataset"), data) == 0 && strcmp(sheet_get(s, i, "algorithm"), by) == 0) {
            const char *value = sheet_get(s, i, what);
            if (*value) return strtod(value, NULL);
        }
    return NAN;
}

const sheet *catalogue_claims(const catalogue *c) { return &c->sheet[CLAIMS]; }
