/* hyperparams.c: see hyperparams.h. */
#include "auto/search/hyperparams.h"

#include "base/random/random.h"

#include <stdio.h>
#include <string.h>

/* The first is the number of rules. */
static const char *const factor[SG_SEARCH_FACTORS][SG_FACTOR_MAX_LEVELS + 1] = {
    {"rules", "rules", "rules", "rules"},
    {"scale=zscore", "scale=quantile"},
    {"centres=kmeans-y width=1 firing=product", "centres=kmeans-y width=0.5 firing=mean",
     "centres=fcm width=1 firing=product", "centres=fcm width=0.5 firing=mean", "centres=tree width=2 firing=product"},
    {"l2=0.0001", "l2=0.001", "l2=0.01", "l2=0.1"},
    {"noise=0", "noise=0.05", "noise=0.1", "noise=0.2"},
    {"drop=none keep=1", "drop=rule keep=0.7", "drop=rule keep=0.5"},
};
enum { LARGE_ROWS = 20000 };
static const sg_hyperparams default_hyperparams = {{2, 0, 0, 2, 1, 0}};

/* The next "name=value" of *text; false after the last. */
static bool next_pair(const char **text, char *name, char *value)
{
    int used = 0;
    if (sscanf(*text, " %31[^=]=%31s%n", name, value, &used) != 2) return false;
    *text += used;
    return true;
}

/* Whether the user said all that the factor decides. */
static bool is_user_decided(const sg_options *user, size_t f)
{
    char name[32], value[32];
    const char *text = factor[f][0];
    while (next_pair(&text, name, value))
        if (!sg_options_is_set(user, name)) return false;
    return true;
}

/* Some structures have no rules to place, and components no ranks. */
static bool factor_applies(const sg_options *user, size_t f)
{
    bool cluster = sg_options_equals(user, "structure", "cluster");
    if (f == 0 || f == 2) return cluster;
    if (f == 1) return sg_options_integer(user, "pca") == 0 && !sg_options_equals(user, "scale", "none");
    return true;
}

/* An eighth of the most, a quarter, a half, all; eight rows for a rule at least. */
static size_t find_rule_levels(sg_search_space *c, size_t rows)
{
    size_t budget = sg_options_integer(c->user, "rules"), most = budget ? budget : SG_SEARCH_MAX_RULES, n = 0;
    for (size_t part = 8; part; part /= 2) {
        size_t rules = most / part;
        if (rules >= 2 && rules <= rows / 8) c->rules[n++] = rules;
    }
    if (n == 0) c->rules[n++] = most < rows / 8 ? most : rows / 8;
    return n;
}

sg_search_space sg_search_space_init(const sg_options *user, size_t rows)
{
    sg_search_space c = {.user = user, .is_large = rows > LARGE_ROWS};
    for (size_t f = 0; f < SG_SEARCH_FACTORS; f++) {
        while (factor[f][c.level_count[f]]) c.level_count[f]++;
        if (!factor_applies(user, f) || (f && is_user_decided(user, f))) c.level_count[f] = 1;
    }
    size_t n = find_rule_levels(&c, rows);
    if (c.level_count[0] > 1) c.level_count[0] = n;
    return c;
}

sg_hyperparams sg_hyperparams_default(const sg_search_space *c)
{
    sg_hyperparams s = default_hyperparams;
    if (c->is_large) s.level[0] = SG_FACTOR_MAX_LEVELS;
    for (size_t f = 0; f < SG_SEARCH_FACTORS; f++)
        if (s.level[f] >= c->level_count[f]) s.level[f] = (unsigned char)(c->level_count[f] - 1);
    return s;
}

void sg_hyperparams_design(const sg_search_space *c, uint64_t seed, size_t count, sg_hyperparams *out)
{
    for (size_t f = 0; f < SG_SEARCH_FACTORS; f++) {
        sg_random_stream stream = sg_random_stream_at(seed, SG_RANDOM_SEARCH_SPACE, (uint32_t)f, 0);
        for (size_t i = 0; i < count; i++) out[i].level[f] = (unsigned char)(i % c->level_count[f]);
        for (size_t i = count; i > 1; i--) {
            size_t j = (size_t)sg_random_stream_below(&stream, i);
            unsigned char level = out[i - 1].level[f];
            out[i - 1].level[f] = out[j].level[f];
            out[j].level[f] = level;
        }
    }
}

bool sg_hyperparams_equal(const sg_hyperparams *a, const sg_hyperparams *b) { return memcmp(a, b, sizeof *a) == 0; }

bool sg_search_space_allows_low_rank(const sg_search_space *c)
{
    bool bells = sg_options_equals(c->user, "mf", "gauss") || sg_options_equals(c->user, "mf", "gauss-a");
    return bells && sg_options_equals(c->user, "structure", "cluster") && !sg_options_is_set(c->user, "low-rank");
}

size_t sg_hyperparams_rules(const sg_search_space *c, const sg_hyperparams *s) { return c->rules[s->level[0]]; }

static sg_status set_unless_given(const sg_search_space *c, const char *name, const char *value, sg_options *o)
{
    return sg_options_is_set(c->user, name) ? SG_OK : sg_options_set(o, name, value);
}

sg_status sg_hyperparams_to_options(const sg_search_space *c, const sg_hyperparams *s, sg_options **out)
{
    char name[32], value[32];
    sg_options *o;
    sg_status st = sg_options_clone(c->user, &o);
    if (st != SG_OK) return st;
    for (size_t f = 1; st == SG_OK && f < SG_SEARCH_FACTORS; f++) {
        const char *text = factor[f][s->level[f]];
        while (st == SG_OK && factor_applies(c->user, f) && next_pair(&text, name, value))
            st = set_unless_given(c, name, value, o);
    }
    snprintf(value, sizeof value, "%zu", sg_hyperparams_rules(c, s));
    if (st == SG_OK && factor_applies(c->user, 0)) st = sg_options_set(o, "rules", value);
    if (st == SG_OK && c->is_large) st = set_unless_given(c, "batch", "256", o);
    if (st == SG_OK) st = sg_options_set(o, "threads", "1");
    if (st == SG_OK) *out = o;
    else sg_options_free(o);
    return st;
}

void sg_hyperparams_format(const sg_search_space *c, const sg_hyperparams *s, char *out, size_t size)
{
    char name[32], value[32];
    int used = factor_applies(c->user, 0) ? snprintf(out, size, "rules=%zu", sg_hyperparams_rules(c, s)) : 0;
    for (size_t f = 1; f < SG_SEARCH_FACTORS; f++) {
        const char *text = factor[f][s->level[f]];
        while (factor_applies(c->user, f) && next_pair(&text, name, value)) {
            if (used < 0 || (size_t)used >= size) return;
            if (sg_options_is_set(c->user, name) || strcmp(name, "width") == 0) continue;
            used += snprintf(out + used, size - (size_t)used, "%s%s=%s", used ? " " : "", name, value);
        }
    }
}
