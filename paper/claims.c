/* claims.c: see claims.h. What each question of the table means: claim_kinds.h. */
#include "claims.h"

#include "claim_kinds.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

const char *const verdict_names[VERDICTS] = {"holds", "within the spread", "does not hold",
                                             "not evaluated"};

/* clang-format off */
static const struct {
    const char *name;
    claim_ask *ask;
    claim_check *check;
} questions[] = {
    {"smaller", ask_smaller, NULL},
    {"clearly-smaller", ask_clearly_smaller, NULL},
    {"largest", ask_largest, NULL},
    {"not-larger", ask_not_larger, NULL},
    {"not-clear", ask_not_clear, NULL},
    {"comparable", ask_comparable, NULL},
    {"one-is-best", ask_one_is_best, NULL},
    {"faster", ask_faster, NULL},
    {"not-later", ask_not_later, NULL},
    {"train-smaller", ask_train_smaller, NULL},
    {"rougher", ask_rougher, NULL},
    {"rises-and-falls", ask_rises_and_falls, NULL},
    {"rate-smaller", ask_rate_smaller, NULL},
    {"rate-falls", ask_rate_falls, NULL},
    {"only-one", NULL, check_only_one},
    {"worst-case", NULL, check_worst_case},
    {"parameters", NULL, check_parameters},
    {"time", NULL, check_time},
    {"grid", NULL, check_grid},
    {"one-hot", NULL, check_one_hot},
    {"svr-time", NULL, check_svr_time},
};
/* clang-format on */

static sg_status read_claim(const sheet *s, size_t row, claim *out)
{
    const char *question = sheet_get(s, row, "question"), *how = sheet_get(s, row, "how");
    size_t q = 0, n = sizeof questions / sizeof *questions;
    while (q < n && strcmp(questions[q].name, question) != 0) q++;
    if (q == n)
        return fail(SG_EDATA, "%s:%zu: there is no question \"%s\"", s->path, row + 2, question);
    *out = (claim){
        .place = sheet_get(s, row, "place"),
        .sentence = sheet_get(s, row, "sentence"),
        .ask = questions[q].ask,
        .check = questions[q].check,
        .a = sheet_get(s, row, "a"),
        .b = sheet_get(s, row, "b"),
        .number = strtoul(sheet_get(s, row, "number"), NULL, 10),
        .of = strtoul(sheet_get(s, row, "of"), NULL, 10),
        .flags =
            (strcmp(how, "exactly") == 0 ? EXACTLY : 0) | (strcmp(how, "once") == 0 ? ONCE : 0),
    };
    if (strcmp(sheet_get(s, row, "kind"), "ablation") == 0) out->flags |= ABLATION;
    return SG_OK;
}

sg_status claims_read(const catalogue *c, claim **out, size_t *count)
{
    const sheet *s = catalogue_claims(c);
    claim *claims = calloc(s->rows + 1, sizeof *claims);
    sg_status st = claims ? SG_OK : fail(SG_ENOMEM, "out of memory");
    for (size_t i = 0; st == SG_OK && i < s->rows; i++) st = read_claim(s, i, &claims[i]);
    if (st != SG_OK) {
        free(claims);
        return st;
    }
    *out = claims;
    *count = s->rows;
    return SG_OK;
}
