/* coding.c: see coding.h. */
#include "prep/coding.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- making and freeing --- */

static void release(sg_coded *in)
{
    for (size_t i = 0; in->level && i < in->levels; i++) free(in->level[i]);
    free(in->level);
    free(in->value);
    free(in->name);
}

sg_coding *sg_coding_new(void) { return sg_alloc(1, sizeof(sg_coding)); }

void sg_coding_free(sg_coding *c)
{
    if (!c) return;
    for (size_t i = 0; i < c->inputs; i++) release(&c->input[i]);
    for (size_t i = 0; i < c->effects; i++) sg_effect_release(&c->effect[i]);
    free(c->input);
    free(c->effect);
    free(c);
}

sg_coding *sg_coding_copy(const sg_coding *c)
{
    sg_coding *copy = sg_coding_new();
    sg_status st = copy ? SG_OK : SG_ENOMEM;
    for (size_t i = 0; st == SG_OK && i < c->inputs; i++) {
        const sg_coded *in = &c->input[i];
        st = in->levels ? sg_coding_category(copy, in->name, (const char *const *)in->level, in->levels, in->pooled)
                        : sg_coding_number(copy, in->name);
    }
    for (size_t i = 0; st == SG_OK && i < c->effects; i++) {
        sg_effect e;
        st = sg_effect_copy(&c->effect[i], &e) ? sg_coding_effect(copy, &e) : SG_ENOMEM;
    }
    if (st == SG_OK) return copy;
    sg_coding_free(copy);
    return NULL;
}

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for the levels of categories"); }

size_t sg_coded_features(const sg_coded *in) { return in->levels ? in->levels + in->pooled : 1; }

size_t sg_coding_categories(const sg_coding *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->inputs; i++) n += c->input[i].levels > 0;
    return n;
}

/* Takes the input over, also on failure. */
static sg_status append(sg_coding *c, sg_coded in)
{
    if (!in.name || !sg_grow(&c->input, &c->room, c->inputs + 1, sizeof *c->input)) {
        release(&in);
        return no_memory();
    }
    in.first = c->features;
    c->input[c->inputs++] = in;
    c->features += sg_coded_features(&in);
    return SG_OK;
}

sg_status sg_coding_number(sg_coding *c, const char *name) { return append(c, (sg_coded){.name = sg_copy(name)}); }

sg_status sg_coding_effect(sg_coding *c, sg_effect *e)
{
    if (!sg_grow(&c->effect, &c->effect_room, c->effects + 1, sizeof *c->effect)) {
        sg_effect_release(e);
        return sg_fail(SG_ENOMEM, "out of memory for an effect");
    }
    c->effect[c->effects++] = *e;
    c->features++;
    return SG_OK;
}

/* The number that a text is, or NaN. */
static double number_of(const char *text)
{
    double value;
    return sg_number_parse(text, strlen(text), &value) == SG_NUMBER_OK ? value + 0.0 : (double)NAN; /* -0 is 0 */
}

/* Its shortest form where it is a number, so that 1, 1.0 and 1e0 are one level. */
static char *form_of(const char *text, double value)
{
    char buf[SG_NUMBER_SIZE];
    return sg_copy(isnan(value) ? text : sg_number_shortest(value, buf));
}

static sg_status add_level(sg_coded *in, const char *text)
{
    char shown[64];
    double value = number_of(text);
    size_t twin = isnan(value) ? sg_coded_text(in, text) : sg_coded_value(in, value);
    if (twin < in->levels)
        return sg_fail(SG_EDATA, "the level \"%s\" is there twice",
                       sg_quotable(text, strlen(text), shown, sizeof shown));
    in->value[in->levels] = value;
    in->level[in->levels] = form_of(text, value);
    return in->level[in->levels++] ? SG_OK : no_memory();
}

sg_status sg_coding_category(sg_coding *c, const char *name, const char *const *level, size_t levels, bool pooled)
{
    if (levels == 0 || levels + pooled > SG_CODED_MOST)
        return sg_fail(SG_EDATA, "expected 1 to %d levels, not %zu", SG_CODED_MOST - pooled, levels);
    sg_coded in = {.name = sg_copy(name),
                   .level = sg_alloc(levels, sizeof *in.level),
                   .value = sg_alloc(levels, sizeof *in.value),
                   .pooled = pooled};
    sg_status st = in.name && in.level && in.value ? SG_OK : no_memory();
    for (size_t i = 0; st == SG_OK && i < levels; i++) st = add_level(&in, level[i]);
    if (st == SG_OK) return append(c, in);
    release(&in);
    return st;
}

/* --- choosing levels by their counts --- */

typedef struct counted {
    const char *text;
    double value; /* or NaN */
    size_t rows;
} counted;

/* Numbers by value before words by bytes. */
static int by_level(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    bool words = isnan(x->value), other = isnan(y->value);
    if (words != other) return words - other;
    return words ? strcmp(x->text, y->text) : (x->value > y->value) - (x->value < y->value);
}

static int by_rows(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    return x->rows != y->rows ? (x->rows < y->rows) - (x->rows > y->rows) : by_level(a, b);
}

/* Those that occur, sorted, texts of one number together. */
static size_t gather(const sg_level_count *count, size_t n, counted *to)
{
    size_t found = 0, kept = 0;
    for (size_t i = 0; i < n; i++)
        if (count[i].rows) to[found++] = (counted){count[i].text, number_of(count[i].text), count[i].rows};
    if (found) qsort(to, found, sizeof *to, by_level);
    for (size_t i = 0; i < found; i++) {
        if (kept && by_level(&to[kept - 1], &to[i]) == 0) to[kept - 1].rows += to[i].rows;
        else to[kept++] = to[i];
    }
    return kept;
}

sg_status sg_coding_counted(sg_coding *c, const char *name, const sg_level_count *count, size_t n)
{
    const char *text[SG_CODED_MOST];
    counted *list = sg_alloc(n, sizeof *list);
    if (!list) return no_memory();
    size_t found = gather(count, n, list);
    bool pooled = found > SG_CODED_MOST;
    if (pooled) {
        qsort(list, found, sizeof *list, by_rows);
        found = SG_CODED_MOST - 1;
        qsort(list, found, sizeof *list, by_level);
    }
    for (size_t i = 0; i < found; i++) text[i] = list[i].text;
    sg_status st = sg_coding_category(c, name, text, found, pooled);
    free(list);
    return st;
}

/* --- leaving features out --- */

/* Of one category. */
static void keep_levels(sg_coded *in, const bool *keep)
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

/* Whether there is anything left of an input. */
static bool stays(const sg_coded *in, const bool *keep)
{
    for (size_t i = 0; i < (in->levels ? in->levels : 1); i++)
        if (keep[in->first + i]) return true;
    return false;
}

/* What comes after the inputs; before them, since it knows them by their old numbers. */
static void keep_effects(sg_coding *c, const bool *keep)
{
    size_t kept = 0, plain = sg_coding_plain(c);
    for (size_t i = 0; i < c->effects; i++) {
        sg_effect *e = &c->effect[i];
        size_t before = 0;
        for (size_t k = 0; k < e->input; k++) before += stays(&c->input[k], keep);
        e->input = before;
        if (keep[plain + i]) c->effect[kept++] = *e;
        else sg_effect_release(e);
    }
    c->effects = kept;
}

void sg_coding_keep(sg_coding *c, const bool *keep)
{
    size_t kept = 0;
    keep_effects(c, keep);
    c->features = 0;
    for (size_t i = 0; i < c->inputs; i++) {
        sg_coded *in = &c->input[i];
        if (!stays(in, keep)) {
            release(in);
            continue;
        }
        if (in->levels) keep_levels(in, keep + in->first);
        in->first = c->features;
        c->features += sg_coded_features(in);
        c->input[kept++] = *in;
    }
    c->inputs = kept;
    c->features += c->effects;
}

/* --- from levels to features --- */

size_t sg_coded_text(const sg_coded *in, const char *text)
{
    double value = number_of(text);
    if (!isnan(value)) return sg_coded_value(in, value);
    size_t i = 0;
    while (i < in->levels && strcmp(in->level[i], text) != 0) i++;
    return i;
}

size_t sg_coded_value(const sg_coded *in, double value)
{
    size_t i = 0;
    while (i < in->levels && in->value[i] != value) i++;
    return i;
}

void sg_coded_put(const sg_coded *in, double level, double *feature)
{
    size_t n = sg_coded_features(in);
    bool hit = in->pooled && !isnan(level);
    for (size_t i = 0; i < in->levels; i++) {
        feature[i] = isnan(level) ? (double)NAN : level == (double)i;
        hit = hit && level != (double)i;
    }
    if (n > in->levels) feature[n - 1] = isnan(level) ? (double)NAN : hit;
}

void sg_coding_apply(const sg_coding *c, const double *x, double *feature)
{
    for (size_t i = 0; i < c->inputs; i++) {
        const sg_coded *in = &c->input[i];
        if (in->levels) sg_coded_put(in, x[i], feature + in->first);
        else feature[in->first] = x[i];
    }
    for (size_t i = 0; i < c->effects; i++)
        feature[sg_coding_plain(c) + i] = sg_effect_at(&c->effect[i], x[c->effect[i].input]);
}

/* --- names --- */

const sg_coded *sg_coding_of(const sg_coding *c, size_t feature)
{
    size_t low = 0, high = c->inputs, plain = sg_coding_plain(c);
    if (feature >= plain) return &c->input[c->effect[feature - plain].input];
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (c->input[middle].first <= feature) low = middle;
        else high = middle;
    }
    return &c->input[low];
}

char *sg_coded_level(const sg_coded *in, size_t i)
{
    if (i < in->levels) return sg_copy(in->level[i]);
    sg_text name = {0};
    sg_text_add(&name, "other");
    while (!name.failed && sg_coded_text(in, name.bytes) < in->levels) {
        sg_text longer = {0};
        sg_text_format(&longer, "any %s", name.bytes);
        sg_text_release(&name);
        name = longer;
    }
    if (!name.failed) return name.bytes;
    sg_text_release(&name);
    return NULL;
}

char *sg_coding_feature(const sg_coding *c, size_t feature)
{
    const sg_coded *in = sg_coding_of(c, feature);
    bool effect = feature >= sg_coding_plain(c);
    if (!in->levels && !effect) return sg_copy(in->name);
    sg_text name = {0};
    char *level = effect ? NULL : sg_coded_level(in, feature - in->first);
    if (effect) sg_text_format(&name, "effect of %s", in->name);
    if (level) sg_text_format(&name, "%s is %s", in->name, level);
    bool ok = (level || effect) && !name.failed;
    free(level);
    if (ok) return name.bytes;
    sg_text_release(&name);
    return NULL;
}

/* FNV-1a, with the end of each text. */
static uint64_t mix(uint64_t h, const char *text)
{
    do h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
    while (*text++);
    return h;
}

uint64_t sg_coding_hash(const sg_coding *c)
{
    uint64_t h = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < c->inputs; i++) {
        const sg_coded *in = &c->input[i];
        h = mix(h, in->name);
        for (size_t k = 0; k < in->levels; k++) h = mix(h, in->level[k]);
        h = mix(h, in->pooled ? "+" : "");
    }
    for (size_t i = 0; i < c->effects; i++) h = mix(h, c->input[c->effect[i].input].name);
    return h;
}
