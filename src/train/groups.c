/* groups.c: see groups.h. */
#include "train/groups.h"

#include "base/memory.h"
#include "base/mix.h"
#include "base/random.h"
#include "base/team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for groups of rows"); }

/* --- the table --- */

uint64_t sg_group_key(const double *row, const size_t *columns, size_t count)
{
    uint64_t key = 0, bits;
    for (size_t i = 0; i < count; i++) {
        double cell = row[columns[i]];
        cell = isnan(cell) ? (double)NAN : cell + 0.0;
        memcpy(&bits, &cell, sizeof bits);
        key = sg_mix((key ^ bits) + SG_GOLDEN);
    }
    return key;
}

/* Where the key is, or would be. */
static sg_group *find(const sg_groups *g, uint64_t key)
{
    size_t i = key & (g->places - 1);
    while (g->place[i].rows && g->place[i].key != key) i = (i + 1) & (g->places - 1);
    return &g->place[i];
}

static bool widen(sg_groups *g)
{
    sg_groups wider = {.count = g->count, .places = g->places ? 2 * g->places : 64};
    if (!(wider.place = sg_alloc(wider.places, sizeof *wider.place))) return false;
    for (size_t i = 0; i < g->places; i++)
        if (g->place[i].rows) *find(&wider, g->place[i].key) = g->place[i];
    free(g->place);
    *g = wider;
    return true;
}

bool sg_groups_add(sg_groups *g, uint64_t key, size_t rows)
{
    if (2 * g->count >= g->places && !widen(g)) return false;
    sg_group *p = find(g, key);
    g->count += p->rows == 0;
    p->key = key;
    p->rows += rows;
    return true;
}

const sg_group *sg_groups_find(const sg_groups *g, uint64_t key)
{
    const sg_group *p = g->places ? find(g, key) : NULL;
    return p && p->rows ? p : NULL;
}

void sg_groups_release(sg_groups *g)
{
    free(g->place);
    *g = (sg_groups){0};
}

/* --- those of a team --- */

/* The groups of one member, which all hear. */
static sg_status hear(const sg_team *team, size_t from, const sg_groups *mine, sg_groups *all)
{
    size_t n = mine->count;
    sg_status st = sg_team_share(team, from, &n, sizeof n);
    sg_group *list = st == SG_OK ? sg_alloc(n, sizeof *list) : NULL;
    if (!list) return st == SG_OK ? no_memory() : st;
    for (size_t i = 0, k = 0; sg_team_rank(team) == from && i < mine->places; i++)
        if (mine->place[i].rows) list[k++] = mine->place[i];
    st = sg_team_share(team, from, list, n * sizeof *list);
    for (size_t i = 0; st == SG_OK && i < n; i++)
        if (!sg_groups_add(all, list[i].key, list[i].rows)) st = no_memory();
    free(list);
    return st;
}

sg_status sg_groups_unite(sg_groups *g, const sg_team *team)
{
    sg_groups all = {0};
    sg_status st = SG_OK;
    if (!team) return SG_OK;
    for (size_t i = 0; st == SG_OK && i < team->ranks; i++) st = hear(team, i, g, &all);
    sg_groups_release(g);
    *g = all;
    return st;
}

/* --- dealing --- */

typedef struct card {
    sg_group *group;
    uint64_t order; /* by the seed */
} card;

static int compare(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int by_turn(const void *a, const void *b)
{
    const card *p = a, *q = b;
    if (p->group->rows != q->group->rows) return compare(q->group->rows, p->group->rows);
    if (p->order != q->order) return compare(p->order, q->order);
    return compare(p->group->key, q->group->key);
}

static void shuffle(const sg_groups *g, uint64_t seed, card *cards)
{
    size_t n = 0;
    for (size_t i = 0; i < g->places; i++) {
        if (!g->place[i].rows) continue;
        sg_words w = sg_random(seed, SG_RANDOM_FOLDS, 0, g->place[i].key, 0);
        cards[n++] = (card){&g->place[i], (uint64_t)w.word[0] << 32 | w.word[1]};
    }
    qsort(cards, n, sizeof *cards, by_turn);
}

typedef struct pile {
    size_t rows, fold;
} pile;

static bool is_lower(const pile *a, const pile *b)
{
    return a->rows != b->rows ? a->rows < b->rows : a->fold < b->fold;
}

/* A heap with the lowest on top, which has grown. */
static void sink(pile *heap, size_t k)
{
    for (size_t i = 0, least;; i = least) {
        least = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < k; child++)
            if (is_lower(&heap[child], &heap[least])) least = child;
        if (least == i) return;
        pile grown = heap[i];
        heap[i] = heap[least];
        heap[least] = grown;
    }
}

sg_status sg_groups_deal(sg_groups *g, size_t k, uint64_t seed)
{
    card *cards = sg_alloc(g->count, sizeof *cards);
    pile *heap = sg_alloc(k, sizeof *heap);
    bool room = cards && heap;
    if (room) shuffle(g, seed, cards);
    for (size_t i = 0; room && i < k; i++) heap[i].fold = i;
    for (size_t i = 0; room && i < g->count; i++) {
        cards[i].group->fold = heap[0].fold;
        heap[0].rows += cards[i].group->rows;
        sink(heap, k);
    }
    free(cards);
    free(heap);
    return room ? SG_OK : no_memory();
}
