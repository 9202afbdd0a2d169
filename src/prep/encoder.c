/* encoder.c: one-hot encoding of categorical inputs, and the effect features that follow them. */
#include "prep/encoder.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- creating and freeing --- */

static void release_input(sg_encoded_input *in)
{
    for (size_t i = 0; in->level && i < in->levels; i++) free(in->level[i]);
    sg_free_all(in->level, in->value, in->name);
}

sg_encoder *sg_encoder_new(void) { return sg_calloc(1, sizeof(sg_encoder)); }

void sg_encoder_free(sg_encoder *c)
{
    if (!c) return;
    for (size_t i = 0; i < c->inputs; i++) release_input(&c->input[i]);
    for (size_t i = 0; i < c->effects; i++) sg_effect_release(&c->effect[i]);
    sg_free_all(c->input, c->effect, c);
}

sg_encoder *sg_encoder_copy(const sg_encoder *c)
{
    sg_encoder *copy = sg_encoder_new();
    sg_status st = copy ? SG_OK : SG_ENOMEM;
    for (size_t i = 0; st == SG_OK && i < c->inputs; i++) {
        const sg_encoded_input *in = &c->input[i];
        st = in->levels
                 ? sg_encoder_add_category(copy, in->name, (const char *const *)in->level, in->levels, in->pooled)
                 : sg_encoder_add_number(copy, in->name);
    }
    for (size_t i = 0; st == SG_OK && i < c->effects; i++) {
        sg_effect e;
        st = sg_effect_copy(&c->effect[i], &e) ? sg_encoder_add_effect(copy, &e) : SG_ENOMEM;
    }
    if (st == SG_OK) return copy;
    sg_encoder_free(copy);
    return NULL;
}

size_t sg_encoded_input_features(const sg_encoded_input *in) { return in->levels ? in->levels + in->pooled : 1; }

size_t sg_encoder_category_count(const sg_encoder *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->inputs; i++) n += c->input[i].levels > 0;
    return n;
}

/* Appends an input and takes ownership of it, even on failure. */
static sg_status append_input(sg_encoder *c, sg_encoded_input in)
{
    if (!in.name || !sg_array_reserve(&c->input, &c->capacity, c->inputs + 1, sizeof *c->input)) {
        release_input(&in);
        return sg_fail_out_of_memory("the levels of a categorical input");
    }
    in.first_feature = c->features;
    c->input[c->inputs++] = in;
    c->features += sg_encoded_input_features(&in);
    return SG_OK;
}

sg_status sg_encoder_add_number(sg_encoder *c, const char *name)
{
    return append_input(c, (sg_encoded_input){.name = sg_strdup(name)});
}

sg_status sg_encoder_add_effect(sg_encoder *c, sg_effect *e)
{
    if (!sg_array_reserve(&c->effect, &c->effect_capacity, c->effects + 1, sizeof *c->effect)) {
        sg_effect_release(e);
        return sg_fail_out_of_memory("an effect");
    }
    c->effect[c->effects++] = *e;
    c->features++;
    return SG_OK;
}

/* Returns the number that the text represents, or NaN if it is not a number. */
static double parse_number(const char *text)
{
    double value;
    return sg_number_parse(text, strlen(text), &value) == SG_NUMBER_OK ? value + 0.0 : (double)NAN; /* -0 is 0 */
}

/* Returns a copy of the text. Numbers take their shortest form, so that 1, 1.0 and 1e0 are the same level. */
static char *canonical_level(const char *text, double value)
{
    char buf[SG_NUMBER_BUFFER_SIZE];
    return sg_strdup(isnan(value) ? text : sg_number_format_shortest(value, buf));
}

static sg_status add_level(sg_encoded_input *in, const char *text)
{
    char shown[64];
    double value = parse_number(text);
    size_t existing = isnan(value) ? sg_encoded_input_find_text(in, text) : sg_encoded_input_find_value(in, value);
    if (existing < in->levels)
        return sg_fail(SG_EDATA, "the level \"%s\" is repeated",
                       sg_quote_excerpt(text, strlen(text), shown, sizeof shown));
    in->value[in->levels] = value;
    in->level[in->levels] = canonical_level(text, value);
    return in->level[in->levels++] ? SG_OK : sg_fail_out_of_memory("the levels of a categorical input");
}

sg_status sg_encoder_add_category(sg_encoder *c, const char *name, const char *const *level, size_t levels, bool pooled)
{
    if (levels == 0 || levels + pooled > SG_ONE_HOT_MAX)
        return sg_fail(SG_EDATA, "expected 1 to %d levels, got %zu", SG_ONE_HOT_MAX - pooled, levels);
    sg_encoded_input in = {.name = sg_strdup(name),
                           .level = sg_calloc(levels, sizeof *in.level),
                           .value = sg_calloc(levels, sizeof *in.value),
                           .pooled = pooled};
    sg_status st = in.name && in.level && in.value ? SG_OK : sg_fail_out_of_memory("the levels of a categorical input");
    for (size_t i = 0; st == SG_OK && i < levels; i++) st = add_level(&in, level[i]);
    if (st == SG_OK) return append_input(c, in);
    release_input(&in);
    return st;
}

/* --- selecting levels by frequency --- */

typedef struct counted_level {
    const char *text;
    double value; /* NaN if the text is not a number */
    size_t rows;
} counted_level;

/* Compares levels. Numbers sort by value and precede words, which sort by bytes. */
static int by_level(const void *a, const void *b)
{
    const counted_level *x = a, *y = b;
    bool words = isnan(x->value), other = isnan(y->value);
    if (words != other) return words - other;
    return words ? strcmp(x->text, y->text) : (x->value > y->value) - (x->value < y->value);
}

static int by_frequency(const void *a, const void *b)
{
    const counted_level *x = a, *y = b;
    return x->rows != y->rows ? (x->rows < y->rows) - (x->rows > y->rows) : by_level(a, b);
}

/* Lists the levels that occur, sorted, and merges texts that represent the same number. Returns the number of
 * levels. */
static size_t collect_levels(const sg_level_count *count, size_t n, counted_level *to)
{
    size_t found = 0, kept = 0;
    for (size_t i = 0; i < n; i++)
        if (count[i].rows) to[found++] = (counted_level){count[i].text, parse_number(count[i].text), count[i].rows};
    if (found) qsort(to, found, sizeof *to, by_level);
    for (size_t i = 0; i < found; i++) {
        if (kept && by_level(&to[kept - 1], &to[i]) == 0) to[kept - 1].rows += to[i].rows;
        else to[kept++] = to[i];
    }
    return kept;
}

sg_status sg_encoder_add_counted_category(sg_encoder *c, const char *name, const sg_level_count *count, size_t n)
{
    const char *text[SG_ONE_HOT_MAX];
    counted_level *list = sg_calloc(n, sizeof *list);
    if (!list) return sg_fail_out_of_memory("the levels of a categorical input");
    size_t found = collect_levels(count, n, list);
    bool pooled = found > SG_ONE_HOT_MAX;
    if (pooled) {
        qsort(list, found, sizeof *list, by_frequency);
        found = SG_ONE_HOT_MAX - 1;
        qsort(list, found, sizeof *list, by_level);
    }
    for (size_t i = 0; i < found; i++) text[i] = list[i].text;
    sg_status st = sg_encoder_add_category(c, name, text, found, pooled);
    free(list);
    return st;
}

/* --- dropping features --- */

static void select_levels(sg_encoded_input *in, const bool *keep)
{
    size_t kept = 0;
    in->pooled = in->pooled && keep[in->levels];
    for (size_t i = 0; i < in->levels; i++) {
        in->value[kept] = in->value[i];
        if (keep[i]) in->level[kept++] = in->level[i];
        else free(in->level[i]);
    }
    in->levels = kept;
}

/* Returns whether the input has a feature that is kept. The pooled level alone does not keep an input. */
static bool is_input_kept(const sg_encoded_input *in, const bool *keep)
{
    for (size_t i = 0; i < (in->levels ? in->levels : 1); i++)
        if (keep[in->first_feature + i]) return true;
    return false;
}

/* Must run before the inputs are compacted, because effects refer to inputs by their old indices. */
static void select_effects(sg_encoder *c, const bool *keep)
{
    size_t kept = 0, plain = sg_encoder_base_features(c);
    for (size_t i = 0; i < c->effects; i++) {
        sg_effect *e = &c->effect[i];
        size_t before = 0;
        for (size_t k = 0; k < e->input; k++) before += is_input_kept(&c->input[k], keep);
        e->input = before;
        if (keep[plain + i]) c->effect[kept++] = *e;
        else sg_effect_release(e);
    }
    c->effects = kept;
}

void sg_encoder_select_features(sg_encoder *c, const bool *keep)
{
    size_t kept = 0;
    select_effects(c, keep);
    c->features = 0;
    for (size_t i = 0; i < c->inputs; i++) {
        sg_encoded_input *in = &c->input[i];
        if (!is_input_kept(in, keep)) {
            release_input(in);
            continue;
        }
        if (in->levels) select_levels(in, keep + in->first_feature);
        in->first_feature = c->features;
        c->features += sg_encoded_input_features(in);
        c->input[kept++] = *in;
    }
    c->inputs = kept;
    c->features += c->effects;
}

/* --- encoding --- */

size_t sg_encoded_input_find_text(const sg_encoded_input *in, const char *text)
{
    double value = parse_number(text);
    if (!isnan(value)) return sg_encoded_input_find_value(in, value);
    size_t i = 0;
    while (i < in->levels && strcmp(in->level[i], text) != 0) i++;
    return i;
}

size_t sg_encoded_input_find_value(const sg_encoded_input *in, double value)
{
    size_t i = 0;
    while (i < in->levels && in->value[i] != value) i++;
    return i;
}

void sg_encoded_input_one_hot(const sg_encoded_input *in, double level, double *feature)
{
    size_t n = sg_encoded_input_features(in);
    bool hit = in->pooled && !isnan(level);
    for (size_t i = 0; i < in->levels; i++) {
        feature[i] = isnan(level) ? (double)NAN : level == (double)i;
        hit = hit && level != (double)i;
    }
    if (n > in->levels) feature[n - 1] = isnan(level) ? (double)NAN : hit;
}

void sg_encoder_apply(const sg_encoder *c, const double *x, double *feature)
{
    for (size_t i = 0; i < c->inputs; i++) {
        const sg_encoded_input *in = &c->input[i];
        if (in->levels) sg_encoded_input_one_hot(in, x[i], feature + in->first_feature);
        else feature[in->first_feature] = x[i];
    }
    for (size_t i = 0; i < c->effects; i++)
        feature[sg_encoder_base_features(c) + i] = sg_effect_eval(&c->effect[i], x[c->effect[i].input]);
}

/* --- names --- */

const sg_encoded_input *sg_encoder_feature_input(const sg_encoder *c, size_t feature)
{
    size_t low = 0, high = c->inputs, plain = sg_encoder_base_features(c);
    if (feature >= plain) return &c->input[c->effect[feature - plain].input];
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (c->input[middle].first_feature <= feature) low = middle;
        else high = middle;
    }
    return &c->input[low];
}

char *sg_encoded_input_level_name(const sg_encoded_input *in, size_t i)
{
    if (i < in->levels) return sg_strdup(in->level[i]);
    sg_text name = {0};
    sg_text_append(&name, "other");
    while (!name.failed && sg_encoded_input_find_text(in, name.bytes) < in->levels) {
        sg_text longer = {0};
        sg_text_append_format(&longer, "any %s", name.bytes);
        sg_text_release(&name);
        name = longer;
    }
    if (!name.failed) return name.bytes;
    sg_text_release(&name);
    return NULL;
}

char *sg_encoder_feature_name(const sg_encoder *c, size_t feature)
{
    const sg_encoded_input *in = sg_encoder_feature_input(c, feature);
    bool effect = feature >= sg_encoder_base_features(c);
    if (!in->levels && !effect) return sg_strdup(in->name);
    sg_text name = {0};
    char *level = effect ? NULL : sg_encoded_input_level_name(in, feature - in->first_feature);
    if (effect) sg_text_append_format(&name, "effect of %s", in->name);
    if (level) sg_text_append_format(&name, "%s is %s", in->name, level);
    bool ok = (level || effect) && !name.failed;
    free(level);
    if (ok) return name.bytes;
    sg_text_release(&name);
    return NULL;
}

/* Updates an FNV-1a hash with the text, including its terminating NUL. */
static uint64_t hash_text(uint64_t h, const char *text)
{
    do h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
    while (*text++);
    return h;
}

uint64_t sg_encoder_hash(const sg_encoder *c)
{
    uint64_t h = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < c->inputs; i++) {
        const sg_encoded_input *in = &c->input[i];
        h = hash_text(h, in->name);
        for (size_t k = 0; k < in->levels; k++) h = hash_text(h, in->level[k]);
        h = hash_text(h, in->pooled ? "+" : "");
    }
    for (size_t i = 0; i < c->effects; i++) h = hash_text(h, c->input[c->effect[i].input].name);
    return h;
}
