/* structure_cluster.c: rules that own their MFs, one rule a group of the training rows.
 *
 * Groups are found in a sample of the transformed rows (clusters.h). Centres of MFs are those of the groups, widths the
 * inputs' standard deviations or the groups' own, times --width. */
#include "train/structure.h"

#include "base/memory.h"
#include "base/random.h"
#include "train/clusters.h"
#include "train/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL = 16 };
static const double lean = 0.1;

static const struct way {
    const char *name;
    sg_status (*find)(sg_clusters *c, uint64_t seed);
    bool with_targets; /* distances count them, too */
} ways[] = {{"kmeans", sg_clusters_kmeans, false},
            {"kmeans-y", sg_clusters_kmeans, true},
            {"fcm", sg_clusters_fcm, false},
            {"tree", sg_clusters_tree, false}};

const char *sg_centres_name(size_t i) { return i < sizeof ways / sizeof *ways ? ways[i].name : NULL; }

static const struct way *way_of(const sg_options *o)
{
    const struct way *w = ways;
    while (!sg_options_is(o, "centres", w->name)) w++;
    return w;
}

static void release(sg_clusters *c)
{
    free(c->x);
    free(c->centre);
    free(c->spread);
    free(c->level);
}

static bool make_room(sg_clusters *c)
{
    c->x = sg_alloc(c->rows, (c->width + c->targets) * sizeof *c->x);
    c->centre = sg_alloc(c->k, c->width * sizeof *c->centre);
    c->spread = sg_alloc(c->k, c->inputs * sizeof *c->spread);
    c->level = sg_alloc(c->k, c->targets * sizeof *c->level);
    return c->x && c->centre && c->spread && c->level;
}

typedef struct sample {
    const sg_clusters *c;
    const sg_prepared *p;
} sample;

/* What targets are multiplied by, so that all of them together count for as much as the inputs. */
static double weight_of(const sample *s, size_t target)
{
    double spread = s->p->spread[target] / s->p->model->scale[target];
    return spread > 0 ? sqrt((double)s->c->inputs / (double)s->c->targets) / spread : 0;
}

/* Targets are what is left of them where consequents start at ridge regression. */
static void keep(void *arg, const sg_rows *rows, double *x)
{
    const sample *s = arg;
    const sg_clusters *c = s->c;
    const double *ridge = s->p->ridge;
    size_t terms = ridge ? sg_model_terms(rows->model) : 0;
    memcpy(x, rows->filled, c->inputs * sizeof *x);
    for (size_t o = 0; o < c->targets; o++) {
        double left = rows->t[o] - (ridge ? ridge[o] : 0);
        for (size_t k = 0; k < terms; k++) left -= ridge[(k + 1) * c->targets + o] * rows->z[k];
        x[c->width + o] = left;
        if (c->width > c->inputs) x[c->inputs + o] = rows->t[o] * weight_of(s, o);
    }
}

static void place_rules(const sg_clusters *c, double width, sg_block *b)
{
    double p[SG_MF_PARAMETERS];
    size_t mf = 0;
    for (size_t r = 0; r < c->k; r++)
        for (size_t m = 0; m < c->inputs; m++) {
            double spread = width * c->spread[r * c->inputs + m];
            if (spread == 0) continue;
            b->kind->start(c->centre[r * c->width + m], spread, 2 * spread, p);
            sg_mf_put(b, mf, p);
            b->input_of[mf] = (uint32_t)m;
            b->mf_of[r * c->inputs + m] = (int32_t)mf++;
        }
    for (size_t r = 0; c->levels && r < c->k; r++)
        memcpy(b->conseq + r * (b->terms + 1) * b->outputs, c->level + r * c->targets, c->targets * sizeof *c->level);
}

/* Combinations of inputs start at random, since those of 0 would learn nothing, and as little beside the conditions:
 * for a row that is as far off as the rule is wide, in all inputs, the sum is about `lean`. */
static void lean_rules(const sg_clusters *c, const sg_options *o, sg_block *b)
{
    const double width = sg_options_number(o, "width"), size = lean / sqrt((double)c->inputs);
    for (size_t r = 0; r < c->k; r++) {
        sg_stream random = sg_stream_at((uint64_t)sg_options_number(o, "seed"), SG_RANDOM_TILT, 0, r);
        for (size_t i = 0; i < b->rank * c->inputs; i++) {
            size_t m = i % c->inputs;
            double normal = sg_stream_normal(&random), spread = width * c->spread[r * c->inputs + m];
            b->tilt[r * b->rank * c->inputs + i] = spread > 0 ? size * normal / spread : 0;
        }
    }
}

static size_t conditions(const sg_clusters *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->k * c->inputs; i++) n += c->spread[i] > 0;
    return n;
}

static sg_status find(const sg_options *o, const sg_source *s, const sg_prepared *p, sg_clusters *c)
{
    sample all = {c, p};
    if (!make_room(c)) return sg_fail(SG_ENOMEM, "out of memory for clusters");
    for (size_t i = 0; i < c->k * c->inputs; i++) c->spread[i] = sg_moments_deviation(&p->seen, i % c->inputs);
    sg_status st = sg_sample_take(s, p, keep, &all, c->rows, c->width + c->targets, c->x);
    return st == SG_OK ? way_of(o)->find(c, (uint64_t)sg_options_number(o, "seed")) : st;
}

/* Of wide rows fewer; but some for each rule, which is as wide. */
static size_t rows_for(const sg_source *s, const sg_clusters *c)
{
    enum { FEWEST = 500, OF_RULE = 4, MANY = 5000 };
    size_t of_rules = c->k < MANY ? OF_RULE * c->k : OF_RULE * MANY;
    return sg_sample_rows(s, c->width + c->targets, SG_SAMPLE_CELLS, of_rules > FEWEST ? of_rules : FEWEST);
}

static sg_status build(const sg_options *o, const sg_source *s, sg_prepared *p)
{
    sg_clusters c = {.inputs = p->model->a.out, .targets = p->model->outputs, .k = sg_options_size(o, "rules")};
    if (c.k == 0) c.k = USUAL;
    c.width = c.inputs + (way_of(o)->with_targets ? c.targets : 0);
    c.rows = rows_for(s, &c);
    if (c.k > c.rows)
        return sg_fail(SG_EDATA, "%s: %zu clusters need at least as many rows; %zu are looked at", sg_source_name(s),
                       c.k, c.rows);
    sg_status st = sg_structure_fits(o, s, p->model, "", (double)c.k);
    if (st == SG_OK) st = find(o, s, p, &c);
    if (st == SG_OK) st = sg_structure_room(o, p->model, conditions(&c), c.k, sg_options_size(o, "low-rank"));
    if (st == SG_OK) place_rules(&c, sg_options_number(o, "width"), &p->model->block[0]);
    if (st == SG_OK) lean_rules(&c, o, &p->model->block[0]);
    release(&c);
    return st;
}

const sg_structure sg_structure_cluster = {"cluster", build, true};
