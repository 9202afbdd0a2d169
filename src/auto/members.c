/* members.c: see members.h. */
#include "auto/members.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* One training. */
typedef struct seat {
    size_t candidate, seed;
    sg_member member;
} seat;

typedef struct hall {
    sg_search *search;
    const sg_source *rows;
    seat *seat;
} hall;

static sg_status fill_seat(void *arg, size_t i, size_t worker)
{
    const hall *h = arg;
    sg_search *s = h->search;
    seat *at = &h->seat[i];
    (void)worker;
    return sg_candidate_again(&s->final[at->candidate], &s->ground, h->rows, at->seed, &s->watch, &at->member);
}

static bool has_effects(const sg_candidate *c) { return !c->trees && *sg_options_text(c->options, "effects"); }

/* Rules differ from seed to seed by much, trees by little. */
static size_t seeds_of(const sg_candidate *c, size_t seeds) { return c->trees || has_effects(c) ? 1 : seeds; }

/* One model has one table of effects, and each training its own: the candidate that counts most stands for all of
 * these. */
static void share_effects(const sg_search *s, double *weight)
{
    size_t first = s->finals;
    double sum = 0;
    for (size_t i = 0; i < s->finals; i++) {
        if (!has_effects(&s->final[i])) continue;
        if (first == s->finals || weight[i] > weight[first]) first = i;
        sum += weight[i];
    }
    for (size_t i = 0; i < s->finals; i++)
        if (has_effects(&s->final[i])) weight[i] = i == first ? sum : 0;
}

sg_status sg_members_train(sg_search *s, const sg_source *rows, size_t seeds, sg_committee *out)
{
    size_t n = 0, most = s->finals * (seeds > 1 ? seeds : 1);
    hall h = {.search = s, .rows = rows, .seat = sg_alloc(most, sizeof *h.seat)};
    double weight[SG_CANDIDATES];
    if (!h.seat) return sg_fail(SG_ENOMEM, "out of memory for a committee");
    memcpy(weight, s->weight, sizeof weight);
    if (s->plan.ensemble) share_effects(s, weight);
    for (size_t i = 0; i < s->finals; i++)
        for (size_t k = 0, last = seeds_of(&s->final[i], seeds); weight[i] > 0 && k < last; k++) {
            h.seat[n].candidate = i;
            h.seat[n].seed = k;
            h.seat[n++].member.weight = weight[i] / (double)last;
        }
    sg_status st = sg_pool_run_long(rows->team ? NULL : s->pool, n, fill_seat, &h);
    for (size_t i = 0; i < n; i++) {
        sg_status added = sg_committee_add(out, &h.seat[i].member);
        if (st == SG_OK) st = added;
    }
    free(h.seat);
    return st;
}
