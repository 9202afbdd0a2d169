/* model_read.c: reads a model from JSON. The file is untrusted: every size, index and number is checked. Error messages
 * give the position in the file. docs/model-file.md describes the format. */
#include "base/memory.h"
#include "base/whole_file.h"
#include "io/model_json_parts.h"
#include "prep/transform_pipeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 1000000, MAX_BLOCKS = 100000 };

/* --- inputs and targets --- */

static sg_status read_names(const sg_json_value *list, const char **names, size_t n)
{
    sg_json_value item;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        st = sg_json_item(list, i, JSON_OBJECT, &item);
        if (st == SG_OK) st = sg_json_string(&item, "name", &names[i]);
    }
    return st;
}

static sg_status read_targets(const sg_json_value *list, sg_model *m)
{
    sg_json_value item;
    sg_status st = SG_OK;
    for (size_t o = 0; st == SG_OK && o < m->outputs; o++) {
        st = sg_json_item(list, o, JSON_OBJECT, &item);
        if (st == SG_OK) st = sg_json_number(&item, "mean", &m->mean[o]);
        if (st == SG_OK) st = sg_json_number(&item, "scale", &m->scale[o]);
        if (st == SG_OK) st = sg_json_number(&item, "y0", &m->y0[o]);
        if (st == SG_OK && !(m->scale[o] >= 1e-100)) st = sg_fail(SG_EDATA, "%s.scale must be above 0", item.path);
        if (st == SG_OK && (sg_json_has(&item, "low") || sg_json_has(&item, "high")))
            st = sg_json_range(&item, &m->clip_low[o], &m->clip_high[o]);
    }
    return st;
}

/* Gets the names of all features of an encoder. The caller frees them, even after a failure. */
static sg_status make_feature_names(const sg_encoder *c, const char **names)
{
    for (size_t i = 0; i < c->features; i++)
        if (!(names[i] = sg_encoder_feature_name(c, i))) return sg_fail_out_of_memory("the names of the inputs");
    return SG_OK;
}

/* Creates a model with the names of the inputs and targets. Takes ownership of the encoder, even on failure. */
static sg_status new_named_model(const sg_json_value *inputs, const sg_json_value *targets, sg_encoder *encoder,
                                 sg_model **out)
{
    size_t n = encoder ? encoder->features : sg_json_array_size(inputs), k = sg_json_array_size(targets);
    const char **name = sg_calloc(n, sizeof *name), **target = sg_calloc(k, sizeof *target);
    sg_status st = name && target ? SG_OK : sg_fail(SG_ENOMEM, "%s: out of memory", inputs->path);
    if (st == SG_OK) st = encoder ? make_feature_names(encoder, name) : read_names(inputs, name, n);
    if (st == SG_OK) st = read_names(targets, target, k);
    if (st == SG_OK) st = sg_model_new(name, n, target, k, out);
    for (size_t i = 0; name && encoder && i < n; i++) free((char *)name[i]);
    free(name);
    free(target);
    if (st == SG_OK) (*out)->encoder = encoder;
    else sg_encoder_free(encoder);
    return st;
}

static sg_status read_columns(const sg_json_value *root, sg_model **out)
{
    sg_json_value inputs, targets;
    sg_encoder *encoder = NULL;
    sg_status st = sg_json_array(root, "inputs", 1, MAX_COLUMNS, "items", &inputs);
    if (st == SG_OK) st = sg_json_array(root, "targets", 1, MAX_COLUMNS, "items", &targets);
    if (st == SG_OK) st = sg_model_inputs_read_encoder(&inputs, sg_model_effects_exist(root), &encoder);
    if (st == SG_OK) st = sg_model_effects_read(root, encoder);
    if (st != SG_OK) {
        sg_encoder_free(encoder);
        return st;
    }
    st = new_named_model(&inputs, &targets, encoder, out);
    return st == SG_OK ? read_targets(&targets, *out) : st;
}

/* The antecedents' pipeline must have been read, because its z-score provides means that the file lacks. */
static sg_status read_input_stats(const sg_json_value *root, sg_model *m)
{
    sg_json_value list;
    sg_status st = sg_json_member(root, "inputs", JSON_ARRAY, &list);
    if (st == SG_OK) st = sg_model_inputs_read_stats(&list, m);
    return st == SG_OK ? sg_model_effects_read_ranges(root, m) : st;
}

/* --- transforms --- */

static sg_status read_matrix(const sg_json_value *list, size_t rows, size_t columns, double *out)
{
    sg_json_value row;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < rows; i++) {
        st = sg_json_item(list, i, JSON_ARRAY, &row);
        if (st == SG_OK) st = sg_json_numbers(&row, columns, out + i * columns, 1);
    }
    return st;
}

/* Reads `rows` arrays of 2 to `most` numbers each. Repeats the last number of a shorter array up to `most` numbers. */
static sg_status read_ragged_matrix(const sg_json_value *list, size_t rows, size_t most, double *out)
{
    sg_json_value row;
    sg_status st = sg_json_check_size(list, rows, "arrays");
    for (size_t i = 0; st == SG_OK && i < rows; i++, out += most) {
        st = sg_json_item(list, i, JSON_ARRAY, &row);
        if (st != SG_OK) break;
        size_t n = sg_json_array_size(&row);
        if (n < 2 || n > most) return sg_fail(SG_EDATA, "%s: expected 2 to %zu numbers, got %zu", row.path, most, n);
        st = sg_json_numbers(&row, n, out, 1);
        for (size_t k = n; st == SG_OK && k < most; k++) out[k] = out[n - 1];
    }
    return st;
}

/* Gets the output width of a step, which is its input width or the number of rows of its matrix. */
static sg_status transform_width(const sg_json_value *item, const sg_transform_kind *kind, size_t in, size_t *out)
{
    sg_json_value first;
    *out = in;
    if (kind->values_per_feature) return SG_OK;
    sg_status st = sg_json_array(item, kind->array_name[0], 1, in, "items", &first);
    if (st != SG_OK) return st;
    *out = sg_json_array_size(&first);
    return sg_json_check_matrix(item, kind->array_name[0], *out, in);
}

static sg_status read_transform(const sg_json_value *item, sg_pipeline *v)
{
    const char *name, *wrong;
    size_t width;
    sg_status st = sg_json_string(item, "step", &name);
    if (st != SG_OK) return st;
    const sg_transform_kind *kind = sg_transform_find(name);
    if (!kind) return sg_fail(SG_EDATA, "%s.step: unknown step", item->path);
    st = transform_width(item, kind, v->out, &width);
    if (st != SG_OK) return st;
    sg_transform *s = sg_pipeline_append(v, kind, width);
    if (!s) return sg_fail(SG_ENOMEM, "%s: out of memory", item->path);
    for (int k = 0; st == SG_OK && k < 2 && kind->array_name[k]; k++) {
        sg_json_value array;
        st = sg_json_member(item, kind->array_name[k], JSON_ARRAY, &array);
        if (st != SG_OK) break;
        st = kind->values_per_feature > 1 ? read_ragged_matrix(&array, s->in, kind->values_per_feature, s->parameter[k])
             : kind->values_per_feature   ? sg_json_numbers(&array, s->in, s->parameter[k], 1)
                                          : read_matrix(&array, s->out, s->in, s->parameter[k]);
    }
    if (st == SG_OK && (wrong = kind->validate(s))) st = sg_fail(SG_EDATA, "%s: %s", item->path, wrong);
    return st;
}

static sg_status read_pipeline(const sg_json_value *root, const char *key, sg_pipeline *v)
{
    sg_json_value list;
    sg_status st = sg_json_member(root, key, JSON_ARRAY, &list);
    for (size_t i = 0; st == SG_OK && i < sg_json_array_size(&list); i++) {
        sg_json_value item;
        st = sg_json_item(&list, i, JSON_OBJECT, &item);
        if (st == SG_OK) st = read_transform(&item, v);
    }
    return st;
}

/* Rules must be expressible in original units: consequents must be affine in the inputs, and a quantile transform must
 * apply to single inputs. */
static sg_status check_pipelines(const sg_json_value *root, const sg_model *m)
{
    if (!sg_pipeline_is_affine(m->shared_pipeline ? &m->a : &m->z))
        return sg_fail(SG_EDATA, "%sconsequents can't use the step \"quantile\"; expected consequents_see without it",
                       root->path);
    if (!sg_pipeline_is_affine(&m->a) && !sg_pipeline_is_elementwise(&m->a))
        return sg_fail(SG_EDATA, "%santecedents_see: the steps \"pca\" and \"quantile\" can't be combined", root->path);
    return SG_OK;
}

/* --- blocks --- */

/* Reads the parameters that MF i had before training. */
static sg_status read_initial_mf(const sg_json_value *item, size_t i, sg_block *b)
{
    double p[SG_MF_MAX_PARAMETERS];
    sg_status st = sg_json_member_numbers(item, "before", b->kind->arity, p);
    if (st != SG_OK) return st;
    const char *wrong = b->kind->validate(1, p);
    if (wrong) return sg_fail(SG_EDATA, "%s.before: %s", item->path, wrong);
    for (size_t k = 0; k < b->kind->arity; k++) b->initial_mf[k * b->mfs + i] = p[k];
    return SG_OK;
}

static sg_status read_mf(const sg_json_value *list, size_t i, sg_block *b)
{
    sg_json_value item;
    long input;
    double p[SG_MF_MAX_PARAMETERS];
    sg_status st = sg_json_item(list, i, JSON_OBJECT, &item);
    if (st == SG_OK) st = sg_json_integer(&item, "input", 0, (long)b->inputs - 1, &input);
    for (size_t k = 0; st == SG_OK && k < b->kind->arity; k++) st = sg_json_number(&item, b->kind->parameter[k], &p[k]);
    if (st != SG_OK) return st;
    const char *wrong = b->kind->validate(1, p);
    if (wrong) return sg_fail(SG_EDATA, "%s: %s", item.path, wrong);
    b->input_of[i] = (uint32_t)input;
    sg_mf_put(b, i, p);
    if (b->initial_mf) return read_initial_mf(&item, i, b);
    if (!sg_json_has(&item, "before")) return SG_OK;
    return sg_fail(SG_EDATA, "%s.before: expected in all membership functions of the block or in none", item.path);
}

static sg_status read_conditions(const sg_json_value *rule, size_t r, sg_block *b)
{
    sg_json_value list;
    sg_status st = sg_json_member(rule, "if", JSON_ARRAY, &list);
    for (size_t m = 0; st == SG_OK && m < b->inputs; m++) {
        long mf;
        st = sg_json_item_integer(&list, m, -1, (long)b->mfs - 1, &mf);
        if (st == SG_OK && mf >= 0 && b->input_of[mf] != m)
            st = sg_fail(SG_EDATA, "%s[%zu]: membership function %ld belongs to input %lu, not %zu", list.path, m, mf,
                         (unsigned long)b->input_of[mf], m);
        if (st == SG_OK) b->mf_of[r * b->inputs + m] = (int32_t)mf;
    }
    return st;
}

/* Reads the coverage of a rule, and the centroid and, except in older files, the mean prediction of its rows. */
static sg_status read_rule_stats(const sg_json_value *rule, size_t r, size_t inputs, sg_block *b)
{
    sg_status st = sg_json_number(rule, "share", &b->firing_share[r]);
    if (st == SG_OK && !(b->firing_share[r] >= 0 && b->firing_share[r] <= 1))
        st = sg_fail(SG_EDATA, "%s.share: expected a number from 0 to 1", rule->path);
    if (st == SG_OK) st = sg_json_member_numbers(rule, "mean", inputs, b->centroid + r * inputs);
    if (st != SG_OK) return st;
    if (b->mean_prediction)
        return sg_json_member_numbers(rule, "about", b->outputs, b->mean_prediction + r * b->outputs);
    if (!sg_json_has(rule, "about")) return SG_OK;
    return sg_fail(SG_EDATA, "%s.about: expected in all rules of the block or in none", rule->path);
}

static sg_status read_rule(const sg_json_value *list, size_t r, size_t inputs, sg_block *b)
{
    sg_json_value rule, tilt;
    sg_status st = sg_json_item(list, r, JSON_OBJECT, &rule);
    if (st == SG_OK) st = read_conditions(&rule, r, b);
    if (st == SG_OK && b->rank) {
        st = sg_json_member(&rule, "tilt", JSON_ARRAY, &tilt);
        if (st == SG_OK) st = read_matrix(&tilt, b->rank, b->inputs, b->low_rank + r * b->rank * b->inputs);
    }
    if (st == SG_OK)
        st = sg_json_member_transposed(&rule, "then", b->outputs, b->terms + 1,
                                       b->conseq + r * (b->terms + 1) * b->outputs);
    if (st == SG_OK && b->firing_share) st = read_rule_stats(&rule, r, inputs, b);
    else if (st == SG_OK && sg_json_has(&rule, "share"))
        st = sg_fail(SG_EDATA, "%s.share: expected in all rules of the block or in none", rule.path);
    else if (st == SG_OK && sg_json_has(&rule, "about"))
        st = sg_fail(SG_EDATA, "%s.about: \"share\" is missing; expected both \"about\" and \"share\", or neither",
                     rule.path);
    return st;
}

/* Checks the sizes of the arrays of a rule before the block is allocated. */
static sg_status check_rule(const sg_json_value *rules, size_t r, size_t rank, const sg_model *m)
{
    sg_json_value rule, list;
    sg_status st = sg_json_item(rules, r, JSON_OBJECT, &rule);
    if (st == SG_OK) st = sg_json_member(&rule, "if", JSON_ARRAY, &list);
    if (st == SG_OK) st = sg_json_check_size(&list, m->a.out, "conditions");
    if (st == SG_OK && rank) st = sg_json_check_matrix(&rule, "tilt", rank, m->a.out);
    if (st == SG_OK) st = sg_json_check_matrix(&rule, "then", m->outputs, sg_model_terms(m) + 1);
    if (st != SG_OK || !sg_json_has(&rule, "share")) return st;
    st = sg_json_member(&rule, "mean", JSON_ARRAY, &list);
    return st == SG_OK ? sg_json_check_size(&list, m->features, "numbers") : st;
}

/* Reads the optional member "sees". With "z", the conditions of the block use the consequents' pipeline. */
static sg_status read_antecedent_source(const sg_json_value *item, const sg_model *m, bool *z)
{
    const char *view;
    *z = false;
    if (!sg_json_has(item, "sees")) return SG_OK;
    sg_status st = sg_json_string(item, "sees", &view);
    if (st != SG_OK) return st;
    if (strcmp(view, "z") != 0) return sg_fail(SG_EDATA, "%s.sees: expected \"z\"", item->path);
    if (m->shared_pipeline || !sg_pipeline_is_elementwise(&m->a) || !sg_pipeline_is_elementwise(&m->z))
        return sg_fail(SG_EDATA, "%s.sees: \"z\" requires consequents_see, and the steps must not include \"pca\"",
                       item->path);
    *z = true;
    return SG_OK;
}

static sg_status add_block(const sg_json_value *item, sg_model *m)
{
    const char *name;
    bool sees_z;
    double weight, h;
    long rank;
    sg_json_value mfs, rules;
    sg_status st = sg_json_string(item, "mf", &name);
    if (st == SG_OK) st = sg_json_number(item, "weight", &weight);
    if (st == SG_OK) st = sg_json_number(item, "h", &h);
    if (st == SG_OK) st = sg_json_integer(item, "rank", 0, SG_LOW_RANK_MAX, &rank);
    if (st == SG_OK) st = read_antecedent_source(item, m, &sees_z);
    if (st == SG_OK) st = sg_json_member(item, "mfs", JSON_ARRAY, &mfs);
    if (st == SG_OK) st = sg_json_array(item, "rules", 1, INT32_MAX, "items", &rules);
    if (st != SG_OK) return st;
    const sg_mf_kind *kind = sg_mf_find(name);
    if (!kind) return sg_fail(SG_EDATA, "%s.mf: unknown kind of membership function", item->path);
    if (rank && kind->centre < 0)
        return sg_fail(SG_EDATA, "%s.rank: expected 0, because %s functions have no centre", item->path, kind->name);
    if (!(fabs(weight) <= 1e6)) return sg_fail(SG_EDATA, "%s.weight: expected a number from -1e6 to 1e6", item->path);
    if (!(h > 0 && h <= 1e6)) return sg_fail(SG_EDATA, "%s.h: expected a number above 0 and at most 1e6", item->path);
    for (size_t r = 0; st == SG_OK && r < sg_json_array_size(&rules); r++) st = check_rule(&rules, r, (size_t)rank, m);
    if (st != SG_OK) return st;
    st = sg_model_add_block(m, kind, sg_json_array_size(&mfs), sg_json_array_size(&rules), (size_t)rank);
    if (st != SG_OK) return st;
    m->block[m->blocks - 1].weight = weight;
    m->block[m->blocks - 1].firing_scale = h;
    m->block[m->blocks - 1].sees_z = sees_z;
    return SG_OK;
}

/* Rule statistics are optional, but all rules of a block must have them if the first rule does. */
static sg_status alloc_rule_stats(const sg_json_value *rules, size_t inputs, sg_block *b)
{
    sg_json_value rule;
    sg_status st = sg_json_item(rules, 0, JSON_OBJECT, &rule);
    if (st != SG_OK || !sg_json_has(&rule, "share")) return st;
    bool ok =
        sg_block_alloc_firing_shares(b, inputs) && (!sg_json_has(&rule, "about") || sg_block_alloc_mean_predictions(b));
    return ok ? SG_OK : sg_fail(SG_ENOMEM, "%s: out of memory", rules->path);
}

/* Initial parameters are optional, but all MFs of a block must have them if the first MF does. */
static sg_status alloc_initial_mfs(const sg_json_value *mfs, sg_block *b)
{
    sg_json_value mf;
    if (b->mfs == 0) return SG_OK;
    sg_status st = sg_json_item(mfs, 0, JSON_OBJECT, &mf);
    if (st != SG_OK || !sg_json_has(&mf, "before")) return st;
    return sg_block_save_initial_mfs(b) ? SG_OK : sg_fail(SG_ENOMEM, "%s: out of memory", mfs->path);
}

static sg_status read_block_parameters(const sg_json_value *item, size_t inputs, sg_block *b)
{
    sg_json_value mfs, rules;
    sg_status st = sg_json_member(item, "mfs", JSON_ARRAY, &mfs);
    if (st == SG_OK) st = alloc_initial_mfs(&mfs, b);
    for (size_t i = 0; st == SG_OK && i < b->mfs; i++) st = read_mf(&mfs, i, b);
    if (st == SG_OK) st = sg_json_member(item, "rules", JSON_ARRAY, &rules);
    if (st == SG_OK) st = alloc_rule_stats(&rules, inputs, b);
    for (size_t r = 0; st == SG_OK && r < b->rules; r++) st = read_rule(&rules, r, inputs, b);
    return st;
}

/* Reads the sizes of all blocks and of the additive part, allocates theta, and reads the parameters into it. */
static sg_status read_blocks(const sg_json_value *root, sg_model *m)
{
    sg_json_value list, item;
    size_t least = sg_model_additive_exists(root) ? 0 : 1;
    sg_status st = sg_json_array(root, "blocks", least, MAX_BLOCKS, "items", &list);
    for (size_t i = 0; st == SG_OK && i < sg_json_array_size(&list); i++) {
        st = sg_json_item(&list, i, JSON_OBJECT, &item);
        if (st == SG_OK) st = add_block(&item, m);
    }
    if (st == SG_OK) st = sg_model_additive_read(root, m);
    if (st == SG_OK) st = sg_model_alloc_theta(m);
    if (st == SG_OK) st = sg_model_additive_read_parameters(root, m);
    for (size_t i = 0; st == SG_OK && i < m->blocks; i++) {
        st = sg_json_item(&list, i, JSON_OBJECT, &item);
        if (st == SG_OK) st = read_block_parameters(&item, m->features, &m->block[i]);
    }
    return st;
}

/* --- training record --- */

static sg_status read_point(const sg_json_value *list, size_t i, sg_record *r)
{
    sg_json_value point;
    long iteration;
    sg_status st = sg_json_item(list, i, JSON_ARRAY, &point);
    if (st == SG_OK && sg_json_array_size(&point) != 3)
        st = sg_fail(SG_EDATA, "%s: expected [iteration, train, valid]", point.path);
    if (st == SG_OK) st = sg_json_item_integer(&point, 0, 0, 1L << 53, &iteration);
    if (st != SG_OK) return st;
    const json_t *train = json_array_get(point.value, 1), *valid = json_array_get(point.value, 2);
    bool numbers = (json_is_number(train) || json_is_null(train)) && (json_is_number(valid) || json_is_null(valid));
    if (!numbers) return sg_fail(SG_EDATA, "%s: expected numbers or null", point.path);
    double t = json_is_null(train) ? (double)NAN : json_number_value(train);
    double v = json_is_null(valid) ? (double)NAN : json_number_value(valid);
    if (sg_record_add_point(r, (size_t)iteration, t, v)) return SG_OK;
    return sg_fail(SG_ENOMEM, "%s: out of memory", point.path);
}

static sg_status read_record_entry(const sg_json_value *of, const char *key, const json_t *value, sg_record *r)
{
    char number[SG_NUMBER_BUFFER_SIZE];
    const char *text = json_string_value(value);
    if (json_is_integer(value)) snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value)) sg_number_format_shortest(json_real_value(value), number);
    else if (!text) return sg_fail(SG_EDATA, "%s: the value of \"%.40s\" must be a string or a number", of->path, key);
    if (sg_record_add(r, key, text ? text : number, !text)) return SG_OK;
    return sg_fail(SG_ENOMEM, "%s: out of memory", of->path);
}

/* The record is optional, because a model may be written by hand. */
static sg_status read_record(const sg_json_value *root, sg_record *r)
{
    sg_json_value training, curve;
    const char *key;
    json_t *value;
    if (!sg_json_has(root, "training")) return SG_OK;
    sg_status st = sg_json_member(root, "training", JSON_OBJECT, &training);
    if (st != SG_OK) return st;
    json_object_foreach(training.value, key, value)
    {
        if (strcmp(key, "curve") != 0) st = read_record_entry(&training, key, value, r);
        if (st != SG_OK) return st;
    }
    if (!sg_json_has(&training, "curve")) return SG_OK;
    st = sg_json_member(&training, "curve", JSON_ARRAY, &curve);
    for (size_t i = 0; st == SG_OK && i < sg_json_array_size(&curve); i++) st = read_point(&curve, i, r);
    return st;
}

/* --- whole file --- */

/* Programs that know only format 1 would ignore these members and predict something else. */
static sg_status check_format_1(const sg_json_value *root)
{
    static const char *const newer[] = {"curves", "pairs", "frontier"};
    for (size_t i = 0; i < sizeof newer / sizeof *newer; i++)
        if (sg_json_has(root, newer[i])) return sg_fail(SG_EDATA, "%s%s: expected \"format\": 2", root->path, newer[i]);
    return SG_OK;
}

static sg_status check_kind(const sg_json_value *root)
{
    long format;
    const char *kind = json_string_value(json_object_get(root->value, "kind"));
    if (!kind || strcmp(kind, "sugeno model") != 0)
        return sg_fail(SG_EDATA, "%sthis is not a sugeno model; expected \"kind\": \"sugeno model\"", root->path);
    sg_status st = sg_json_integer(root, "format", 1, 1L << 53, &format);
    if (st == SG_OK && format > 2)
        st = sg_fail(SG_EDATA, "%sformat %ld is newer than this program, which reads formats 1 and 2", root->path,
                     format);
    return st == SG_OK && format == 1 ? check_format_1(root) : st;
}

static sg_status read_root(const sg_json_value *root, sg_model **out)
{
    sg_model *m = NULL;
    sg_status st = check_kind(root);
    if (st == SG_OK) st = read_columns(root, &m);
    if (st == SG_OK) st = read_pipeline(root, "antecedents_see", &m->a);
    if (st == SG_OK) st = read_input_stats(root, m);
    if (st == SG_OK && sg_json_has(root, "consequents_see")) {
        m->shared_pipeline = false;
        st = read_pipeline(root, "consequents_see", &m->z);
    }
    if (st == SG_OK) st = check_pipelines(root, m);
    if (st == SG_OK) st = read_blocks(root, m);
    if (st == SG_OK) st = sg_model_calibration_read(root, m);
    if (st == SG_OK) st = sg_model_frontier_read(root, &m->frontier);
    if (st == SG_OK) st = read_record(root, &m->record);
    if (st == SG_OK) *out = m;
    else sg_model_free(m);
    return st;
}

sg_status sg_model_from_json(const char *text, size_t length, const char *name, sg_model **out)
{
    json_error_t error;
    json_t *value = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!value) {
        char shown[128];
        return sg_fail(SG_EDATA, "%s:%d:%d: this is not a model file: %s", name, error.line, error.column,
                       sg_quote_excerpt(error.text, strlen(error.text), shown, sizeof shown));
    }
    sg_json_value root = {.value = value};
    snprintf(root.path, sizeof root.path, "%.200s: ", name);
    sg_status st = json_is_object(value)
                       ? read_root(&root, out)
                       : sg_fail(SG_EDATA, "%s: this is not a sugeno model; expected a JSON object", name);
    json_decref(value);
    return st;
}

sg_status sg_model_load(const char *path, sg_model **out)
{
    sg_text text = {0};
    sg_status st = sg_file_read(path, &text);
    if (st != SG_OK) return st;
    st = sg_model_from_json(text.bytes, text.length, strcmp(path, "-") == 0 ? "standard input" : path, out);
    sg_text_release(&text);
    return st;
}
