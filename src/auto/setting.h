/* setting.h: what a search chooses among: factors, each a few levels, each level some options. What the user said
 * stays as it is. */
#ifndef SG_AUTO_SETTING_H
#define SG_AUTO_SETTING_H

#include "base/options.h"

enum { SG_FACTORS = 6, SG_LEVELS = 5, SG_MOST_RULES = 64 };

typedef struct sg_setting {
    unsigned char level[SG_FACTORS];
} sg_setting;

typedef struct sg_choices {
    const sg_options *user;
    bool many;                 /* rows: larger batches, more rules as a rule */
    size_t rules[4];           /* the levels of the first factor */
    size_t levels[SG_FACTORS]; /* 1: nothing to choose           */
} sg_choices;

/* For so many rows. `user` must outlive it. */
sg_choices sg_choices_of(const sg_options *user, size_t rows);
/* One that does well as a rule. */
sg_setting sg_setting_usual(const sg_choices *c);
/* `count` settings in which the levels of each factor occur equally often, each next to each by chance. */
void sg_setting_design(const sg_choices *c, uint64_t seed, size_t count, sg_setting *out);
bool sg_setting_same(const sg_setting *a, const sg_setting *b);

/* The user's options with those of the setting. */
sg_status sg_setting_options(const sg_choices *c, const sg_setting *s, sg_options **out);
/* "16 rules, scale=quantile ..." */
void sg_setting_text(const sg_choices *c, const sg_setting *s, char *out, size_t size);
/* Whether rules may ask for combinations of inputs. */
bool sg_choices_lean(const sg_choices *c);
size_t sg_setting_rules(const sg_choices *c, const sg_setting *s);

#endif
