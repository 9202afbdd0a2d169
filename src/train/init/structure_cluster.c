/* structure_cluster.c: the cluster structure, one rule with its own MFs for each cluster of the training rows.
 *
 * Clusters are found in a sample of the transformed rows (clusters.h). MFs have the centres of the clusters, and the
 * widths of the clusters multiplied by --width. */
#include "train/init/structure_table.h"

#include "base/memory.h"
#include "base/random/random.h"
#include "train/fit/even_sample.h"
#include "train/train_config.h"

#include <math.h>
#include <string.h>

enum { DEFAULT_RULES = 16 };
static const double low_rank_scale = 0.1;

static const sg_center_method center_methods[] = {{"kmeans", sg_clusters_kmeans, false},
                                                  {"kmeans-y", sg_clusters_kmeans, true},
                                                  {"fcm", sg_clusters_fcm, false},
                                                  {"tree", sg_clusters_tree, false}};

const char *sg_center_method_name(size_t i)
{
    return i < sizeof center_methods / sizeof *center_methods ? center_methods[i].name : NULL;
}

const sg_center_method *sg_center_method_find(const char *name)
{
    const sg_center_method *method = center_methods;
    while (strcmp(method->name, name) != 0) method++;
    return method;
}

static void release_clusters(sg_clusters *c) { sg_free_all(c->x, c->centre, c->sigma, c->target_mean); }

static bool alloc_clusters(sg_clusters *c)
{
    c->x = sg_calloc(c->rows, (c->width + c->targets) * sizeof *c->x);
    c->centre = sg_calloc(c->k, c->width * sizeof *c->centre);
    c->sigma = sg_calloc(c->k, c->inputs * sizeof *c->sigma);
    c->target_mean = sg_calloc(c->k, c->targets * sizeof *c->target_mean);
    return c->x && c->centre && c->sigma && c->target_mean;
}

typedef struct sample_context {
    const sg_clusters *c;
    const sg_preprocessed *p;
} sample_context;

/* Returns the factor that scales a target so that all targets together weigh as much as all inputs. */
static double target_weight(const sample_context *s, size_t target)
{
    double spread = s->p->target_sigma[target] / s->p->model->scale[target];
    return spread > 0 ? sqrt((double)s->c->inputs / (double)s->c->targets) / spread : 0;
}

/* Copies a row to the sample. If consequents start at ridge regression, its residuals take the place of the targets. */
static void copy_sample_row(void *arg, const sg_chunk_loader *l, double *x)
{
    const sample_context *s = arg;
    const sg_clusters *c = s->c;
    const double *ridge = s->p->ridge;
    size_t terms = ridge ? sg_model_terms(l->model) : 0;
    memcpy(x, l->rows.imputed, c->inputs * sizeof *x);
    for (size_t o = 0; o < c->targets; o++) {
        double residual = l->rows.t[o] - (ridge ? ridge[o] : 0);
        for (size_t k = 0; k < terms; k++) residual -= ridge[(k + 1) * c->targets + o] * l->rows.z[k];
        x[c->width + o] = residual;
        if (c->width > c->inputs) x[c->inputs + o] = l->rows.t[o] * target_weight(s, o);
    }
}

static void place_rules(const sg_clusters *c, double width, sg_block *b)
{
    double p[SG_MF_MAX_PARAMETERS];
    size_t mf = 0;
    for (size_t r = 0; r < c->k; r++)
        for (size_t m = 0; m < c->inputs; m++) {
            double spread = width * c->sigma[r * c->inputs + m];
            if (spread == 0) continue;
            b->kind->init(c->centre[r * c->width + m], spread, 2 * spread, p);
            sg_mf_put(b, mf, p);
            b->input_of[mf] = (uint32_t)m;
            b->mf_of[r * c->inputs + m] = (int32_t)mf++;
        }
    for (size_t r = 0; c->has_target_means && r < c->k; r++)
        memcpy(b->conseq + r * (b->terms + 1) * b->outputs, c->target_mean + r * c->targets,
               c->targets * sizeof *c->target_mean);
}

/* Initialises low-rank terms with small random values, because at 0 their gradient is 0. One width away from the centre
 * in every input, the linear combination of a term is about low_rank_scale. */
static void init_low_rank(const sg_clusters *c, const sg_structure_config *config, sg_block *b)
{
    const double width = config->width, size = low_rank_scale / sqrt((double)c->inputs);
    for (size_t r = 0; r < c->k; r++) {
        sg_random_stream random = sg_random_stream_at(config->seed, SG_RANDOM_LOW_RANK, 0, r);
        for (size_t i = 0; i < b->rank * c->inputs; i++) {
            size_t m = i % c->inputs;
            double normal = sg_random_stream_normal(&random), spread = width * c->sigma[r * c->inputs + m];
            b->low_rank[r * b->rank * c->inputs + i] = spread > 0 ? size * normal / spread : 0;
        }
    }
}

static size_t count_conditions(const sg_clusters *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->k * c->inputs; i++) n += c->sigma[i] > 0;
    return n;
}

static sg_status find_clusters(const sg_structure_config *config, const sg_source *s, const sg_preprocessed *p,
                               sg_clusters *c)
{
    sample_context all = {c, p};
    if (!alloc_clusters(c)) return sg_fail_out_of_memory("clusters");
    for (size_t i = 0; i < c->k * c->inputs; i++) c->sigma[i] = sg_moments_stddev(&p->moments, i % c->inputs);
    sg_status st = sg_train_sample_gather(s, p, copy_sample_row, &all, c->rows, c->width + c->targets, c->x);
    return st == SG_OK ? config->centers->find_clusters(c, config->seed) : st;
}

/* Returns the number of rows to sample: fewer if rows are wide, but several for each rule. */
static size_t sample_rows(const sg_source *s, const sg_clusters *c)
{
    enum { MIN_ROWS = 500, ROWS_PER_RULE = 4, MAX_RULES = 5000 };
    size_t for_rules = ROWS_PER_RULE * (c->k < MAX_RULES ? c->k : MAX_RULES);
    return sg_train_sample_size(s, c->width + c->targets, SG_TRAIN_SAMPLE_CELLS,
                                for_rules > MIN_ROWS ? for_rules : MIN_ROWS);
}

static sg_status build_cluster(const sg_structure_config *config, const sg_source *s, sg_preprocessed *p)
{
    sg_clusters c = {.inputs = p->model->a.out, .targets = p->model->outputs, .k = config->rules};
    if (c.k == 0) c.k = DEFAULT_RULES;
    c.width = c.inputs + (config->centers->with_targets ? c.targets : 0);
    c.rows = sample_rows(s, &c);
    if (c.k > c.rows)
        return sg_fail(SG_EDATA, "%s: %zu clusters need at least as many rows, but the sample has only %zu",
                       sg_source_name(s), c.k, c.rows);
    sg_status st = sg_structure_check_size(config->needs_lse, s, p->model, "", (double)c.k);
    if (st == SG_OK) st = find_clusters(config, s, p, &c);
    if (st == SG_OK) st = sg_structure_add_block(config, p->model, count_conditions(&c), c.k, config->low_rank);
    if (st == SG_OK) place_rules(&c, config->width, &p->model->block[0]);
    if (st == SG_OK) init_low_rank(&c, config, &p->model->block[0]);
    release_clusters(&c);
    return st;
}

const sg_structure sg_structure_cluster = {"cluster", build_cluster, true};
