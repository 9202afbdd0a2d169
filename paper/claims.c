/* claims.c: see claims.h. What each question of the table means: claim_kinds.h. */
#include "claims.h"

#include "claim_kinds.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

const char *const verdict_names[VERDICTS] = {"holds", "within the spread", "does not hold", "not evaluated"};

/* clang-format off */
static const struct {
    const char *name;
    claim_ask *ask;
    claim_check *check;
} questions[] = {
    {"smaller", ask_smaller, NULL},
    {"largest", ask_largest, NULL},
    {"not-larger", ask_not_larger, NULL},
    {"comparable", ask_comparable, NULL},
    {"one-is-best", ask_one_is_best, NULL},
    {"faster", ask_faster, NULL},
    {"much-sooner", ask_much_sooner, NULL},
    {"not-later", ask_not_later, NULL},
    {"below", ask_below, NULL},
    {"train-smaller", ask_train_smaller, NULL},
    {"oscillates", ask_oscillates, NULL},
    {"rises-and-falls", ask_rises_and_falls, NULL},
    {"rate-smaller", ask_rate_smaller, NULL},
    {"rate-falls", ask_rate_falls, NULL},
    {"time", ask_time, NULL},
    {"train-time", ask_train_time, NULL},
    {"only-one", NULL, check_only_one},
    {"worst-case", NULL, check_worst_case},
    {"parameters", NULL, check_parameters},
    {"grid", NULL, check_grid},
    {"one-hot", NULL, check_one_hot},
    {"svr-time", NULL, check_svr_time},
};
/* clang-format on */

/* Every word of a and b must be an algorithm, but for the questions that read them otherwise. */
static sg_status check_names(const catalogue *c, const sheet *s, size_t row, const char *column)
{
    const char *list = sheet_get(s, row, column), *question = sheet_get(s, row, "question"), *word;
    size_t length;
    char name[64];
    if (strcmp(question, "grid") == 0 || strcmp(question, "one-hot") == 0) return SG_OK;
    while ((word = next_word(&list, &length)))
        if (!catalogue_algorithm(c, copy_word(word, length, name, sizeof name)))
            return fail(SG_EDATA, "%s:%zu: there is no algorithm \"%s\"", s->path, row + 2, name);
    return SG_OK;
}

static sg_status read_word(const sheet *s, size_t row, const char *column, const char *const *words, size_t n, int *out)
{
    const char *value = sheet_get(s, row, column);
    size_t i = 0;
    while (i < n && strcmp(words[i], value) != 0) i++;
    if (i == n) return fail(SG_EDATA, "%s:%zu: %s can't be \"%s\"", s->path, row + 2, column, value);
    *out = (int)i;
    return SG_OK;
}

static sg_status read_claim(const catalogue *c, const sheet *s, size_t row, claim *out)
{
    static const char *const kinds[] = {"claim", "ablation", "variant"}, *const hows[] = {"", "exactly", "once"};
    const char *question = sheet_get(s, row, "question");
    int kind = 0, how = 0;
    size_t q = 0, n = sizeof questions / sizeof *questions;
    while (q < n && strcmp(questions[q].name, question) != 0) q++;
    sg_status st = q < n ? read_word(s, row, "kind", kinds, 3, &kind)
                         : fail(SG_EDATA, "%s:%zu: there is no question \"%s\"", s->path, row + 2, question);
    if (st == SG_OK) st = read_word(s, row, "how", hows, 3, &how);
    if (st == SG_OK) st = check_names(c, s, row, "a");
    if (st == SG_OK) st = check_names(c, s, row, "b");
    if (st != SG_OK) return st;
    *out = (claim){
        .name = sheet_get(s, row, "name"),
        .place = sheet_get(s, row, "place"),
        .sentence = sheet_get(s, row, "sentence"),
        .ask = questions[q].ask,
        .check = questions[q].check,
        .a = sheet_get(s, row, "a"),
        .b = sheet_get(s, row, "b"),
        .flags =
            (kind == 1 ? ABLATION : 0) | (kind == 2 ? VARIANT : 0) | (how == 1 ? EXACTLY : 0) | (how == 2 ? ONCE : 0),
    };
    st = sheet_count(s, row, "number", &out->number);
    if (st == SG_OK) st = sheet_count(s, row, "of", &out->of);
    return st;
}

sg_status claims_read(const catalogue *c, claim **out, size_t *count)
{
    const sheet *s = catalogue_claims(c);
    claim *claims = calloc(s->rows + 1, sizeof *claims);
    sg_status st = claims ? SG_OK : fail(SG_ENOMEM, "out of memory");
    for (size_t i = 0; st == SG_OK && i < s->rows; i++) st = read_claim(c, s, i, &claims[i]);
    if (st != SG_OK) {
        free(claims);
        return st;
    }
    *out = claims;
    *count = s->rows;
    return SG_OK;
}
