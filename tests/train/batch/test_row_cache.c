/* labels: arithmetic memory */
/* test_row_cache.c: cached training rows have the same bits as rows that are read for every batch, and both equal
 * the transformed table. */
#include "kernel_test_support.h"

#include "train/batch_gradient.h"

enum { ROWS = 1300, INPUTS = 5, COLUMNS = INPUTS + 4 };

typedef struct variant {
    const char *grid; /* MFs of each input                                   */
    size_t outputs;
    size_t terms; /* width of the view z; 0: z is a                      */
    bool weighted;
    size_t batch; /* 0: all rows                                         */
    const char *precision;
    bool gaps; /* a quarter of the inputs is missing                  */
} variant;

static const variant variants[] = {
    {"22222", 1, 0, false, 64, "f64", 0}, {"22222", 1, 0, false, 64, "f32", 0}, {"22222", 1, 0, true, 64, "f64", 0},
    {"22222", 2, 0, false, 61, "f64", 0}, {"22222", 3, 2, true, 700, "f64", 0}, {"22222", 1, 3, false, 0, "f32", 0},
    {"22222", 2, 4, true, 0, "f64", 0},   {"22222", 1, 0, true, 3, "f32", 0},   {"22222", 3, 0, true, 513, "f32", 0},
    {"22222", 1, 0, false, 64, "f64", 1}, {"22222", 3, 2, true, 700, "f64", 1}, {"22222", 2, 0, true, 0, "f32", 1},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

typedef struct fixture {
    sg_table *table;
    sg_source source;
    sg_column_roles roles;
    sg_model *model;
    sg_batch batch;
    sg_dropout drop;
    sg_gradient gradient;
} fixture;

/* Inputs and targets are in mixed order; the last column is the weight. */
static sg_table *random_table(bool gaps, sg_random_stream *s)
{
    static const char *const names[COLUMNS] = {"p", "a", "b", "q", "c", "d", "r", "e", "w"};
    static double v[ROWS * COLUMNS];
    sg_table *t;
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        v[i] = i % COLUMNS == COLUMNS - 1 ? draw(s, 0.2, 2.3) : draw(s, -1.7, 1.9);
    for (size_t i = 0; gaps && i < ROWS * COLUMNS; i++) /* inputs are a to e */
        if (names[i % COLUMNS][0] <= 'e' && sg_random_stream_below(s, 4) == 0) v[i] = NAN;
    check(sg_table_new(names, COLUMNS, v, ROWS, &t));
    return t;
}

static void add_zscore(sg_pipeline *v, sg_random_stream *s)
{
    sg_transform *z = sg_pipeline_append(v, &sg_transform_zscore, v->out);
    assert_non_null(z);
    for (size_t i = 0; i < v->out; i++) {
        z->parameter[0][i] = draw(s, -0.4, 0.3);
        z->parameter[1][i] = draw(s, 0.6, 1.7);
    }
}

static sg_model *random_system(const variant *x, sg_random_stream *s)
{
    shape sh = shape_of(x->grid, "gauss", x->outputs, x->terms);
    sg_model *m = new_model(&sh, s);
    for (size_t i = 0; i < INPUTS; i++) m->feature_mean[i] = draw(s, -0.6, 0.5);
    add_zscore(&m->a, s);
    if (x->terms) add_zscore(&m->z, s);
    for (size_t o = 0; o < x->outputs; o++) {
        m->mean[o] = draw(s, -0.3, 0.4);
        m->scale[o] = draw(s, 0.7, 1.9);
    }
    add_random_block(m, &sh, s);
    check(sg_model_alloc_theta(m));
    random_parameters(m, s);
    return m;
}

static void set_up(fixture *f, const variant *x)
{
    static char *inputs[] = {"a", "b", "c", "d", "e"}, *outputs[] = {"p", "q", "r"};
    sg_random_stream s = sg_random_stream_at(71, SG_RANDOM_SYNTHETIC_DATA, 0, (uint64_t)(x - variants));
    f->table = random_table(x->gaps, &s);
    f->source = sg_table_source(f->table);
    check(
        sg_column_roles_by_name(&f->source, inputs, INPUTS, outputs, x->outputs, x->weighted ? "w" : NULL, &f->roles));
    f->model = random_system(x, &s);
    check(sg_batch_init(&f->batch, ROWS, x->batch));
    f->drop = (sg_dropout){sg_dropout_find("rule"), 0.7, 3};
    check(
        sg_gradient_init(&f->gradient, f->model, &f->source, &f->roles, 1.37, &f->drop, &f->batch, x->precision, NULL));
}

static void tear_down(fixture *f)
{
    sg_gradient_release(&f->gradient);
    sg_batch_release(&f->batch);
    sg_model_free(f->model);
    sg_column_roles_release(&f->roles);
    sg_table_free(f->table);
}

/* Empties the cache, as if there were no memory for it. */
static void forget_rows(sg_gradient *g)
{
    const sg_vector_ops *tools = g->worker[0].engine.ops;
    free(g->cache.row);
    g->cache.row = NULL;
    sg_chunk_loader_release(&g->worker[0].loader);
    check(sg_row_cache_open_loader(&g->cache, tools, &g->worker[0].loader));
}

static void both_ways_give_the_same_bits(void **state)
{
    (void)state;
    for (size_t k = 0; k < VARIANTS; k++) {
        fixture kept, read;
        set_up(&kept, &variants[k]);
        set_up(&read, &variants[k]);
        forget_rows(&read.gradient);
        assert_true(kept.gradient.cache.row && !read.gradient.cache.row);
        for (uint32_t i = 1; i <= 4; i++) {
            sg_batch_draw(&kept.batch, 5, i);
            sg_batch_draw(&read.batch, 5, i);
            check(sg_gradient_run(&kept.gradient, i));
            check(sg_gradient_run(&read.gradient, i));
            size_t bytes = kept.gradient.length * sizeof(double);
            if (memcmp(sg_gradient_theta(&kept.gradient), sg_gradient_theta(&read.gradient), bytes) != 0)
                fail_msg("variant %zu, iteration %u", k, i);
        }
        tear_down(&kept);
        tear_down(&read);
    }
}

/* Compares row i of the chunk with row `number` of the table. */
static void check_row(const fixture *f, const variant *x, const sg_chunk_loader *t, size_t i, size_t number)
{
    const double *row = sg_table_values(f->table) + number * COLUMNS;
    double in[INPUTS], a[INPUTS], z[INPUTS], scratch[4 * INPUTS];
    for (size_t k = 0; k < INPUTS; k++) {
        double cell = row[f->roles.input[k]];
        bool missing = t->chunk.missing && t->chunk.missing[k * SG_PITCH + i] > 0;
        assert_int_equal(missing, isnan(cell));
        in[k] = missing ? f->model->feature_mean[k] : cell;
    }
    sg_pipeline_apply(&f->model->a, in, a, scratch);
    sg_pipeline_apply(x->terms ? &f->model->z : &f->model->a, in, z, scratch);
    for (size_t k = 0; k < INPUTS; k++) assert_true(t->chunk.a[k * SG_PITCH + i] == a[k]);
    for (size_t k = 0; k < (x->terms ? x->terms : INPUTS); k++) assert_true(t->chunk.z[k * SG_PITCH + i] == z[k]);
    for (size_t o = 0; o < x->outputs; o++)
        assert_close(t->t[o * SG_PITCH + i], (row[f->roles.target[o]] - f->model->mean[o]) / f->model->scale[o], 1e-15);
    assert_true(t->w[i] == (x->weighted ? row[COLUMNS - 1] * 1.37 : 1));
}

static void rows_are_the_tables(void **state)
{
    size_t index[SG_CHUNK];
    (void)state;
    for (size_t i = 0; i < SG_CHUNK; i++) index[i] = i * 761 % ROWS;
    for (size_t k = 0; k < VARIANTS; k++) {
        fixture f;
        set_up(&f, &variants[k]);
        for (size_t n = 1; n <= SG_CHUNK; n += 21)
            for (int way = 0; way < 2; way++) {
                sg_chunk_loader *t = &f.gradient.worker[0].loader;
                check(sg_row_cache_load(&f.gradient.cache, way ? index : NULL, way ? 0 : 1000, n, t));
                assert_int_equal(t->chunk.n, n);
                for (size_t i = 0; i < n; i++) check_row(&f, &variants[k], t, i, way ? index[i] : 1000 + i);
            }
        tear_down(&f);
    }
}

/* One row more than fits is not cached. */
static void few_enough_are_kept(void **state)
{
    const size_t bytes = ROWS * 8 * sizeof(double); /* five inputs, a target, padded to a multiple of 4 */
    fixture f;
    sg_row_cache k;
    (void)state;
    set_up(&f, &variants[0]);
    const sg_vector_ops *tools = f.gradient.worker[0].engine.ops;
    check(sg_row_cache_init(&k, f.model, &f.source, &f.roles, 1, tools, bytes));
    assert_non_null(k.row);
    assert_int_equal((uintptr_t)k.row % 64, 0);
    sg_row_cache_release(&k);
    check(sg_row_cache_init(&k, f.model, &f.source, &f.roles, 1, tools, bytes - 1));
    assert_null(k.row);
    sg_row_cache_release(&k);
    tear_down(&f);
}

static sg_status broken_read(void *self, size_t first, size_t n, double *out)
{
    (void)self;
    (void)n;
    (void)out;
    return first ? sg_model_load("no/such/file", NULL) : SG_OK;
}

static void failures_arrive(void **state)
{
    fixture f;
    sg_row_cache k;
    (void)state;
    set_up(&f, &variants[0]);
    sg_source broken = f.source;
    broken.read = broken_read;
    check_fails(sg_row_cache_init(&k, f.model, &broken, &f.roles, 1, f.gradient.worker[0].engine.ops, SIZE_MAX), SG_EIO,
                "no/such/file");
    tear_down(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(both_ways_give_the_same_bits),
    cmocka_unit_test(rows_are_the_tables),
    cmocka_unit_test(few_enough_are_kept),
    cmocka_unit_test(failures_arrive),
};
TEST_GROUP(tests, NULL, NULL)
