/* html_report_rules.c: splits the text of rules into JSON strings for the HTML report. */
#include "explain/rules/html_report_rules.h"

#include "base/json_append.h"
#include "explain/global/trends_text.h"
#include "explain/rules/mf_labels.h"
#include "explain/rules/rules_text.h"

#include <string.h>

/* The marker before each word that may start a line. The text writer escapes it in names. */
static const char break_marker[] = "\x1f";

/* --- strings --- */

/* Appends n bytes, without markers, as a JSON string. */
static void add_json_string(sg_text *t, const char *from, size_t n, bool first)
{
    sg_text words = {0};
    for (const char *end = from + n; from < end; from++)
        if (*from != *break_marker) sg_text_append_bytes(&words, from, 1);
    if (!first) sg_text_append(t, ", ");
    if (words.length) sg_text_append_json(t, words.bytes);
    t->failed = t->failed || words.failed || !words.length;
    sg_text_release(&words);
}

/* Splits a line into conditions, at words that begin with " and ". */
static void split_conditions(sg_text *t, const char *line)
{
    static const char lead[] = "\x1f and ";
    bool first = true;
    size_t length = strcspn(line, "\n");
    sg_text_append(t, "[");
    for (const char *end = line + length; line < end; first = false) {
        const char *next = strstr(line, lead);
        add_json_string(t, line, (size_t)((next ? next : end) - line), first);
        line = next ? next + strlen(lead) : end;
    }
    sg_text_append(t, "]");
}

static void split_lines(sg_text *t, const char *lines)
{
    bool first = true;
    sg_text_append(t, "[");
    for (; lines && *lines; lines += strcspn(lines, "\n") + 1, first = false)
        add_json_string(t, lines, strcspn(lines, "\n"), first);
    sg_text_append(t, "]");
}

/* --- rules --- */

/* Returns the index of the first rule of a block among all rules. */
static size_t first_rule_index(const sg_model *m, size_t block)
{
    size_t n = 0;
    for (size_t b = 0; b < block; b++) n += m->block[b].rules;
    return n;
}

static sg_status add_rule(sg_text *t, const sg_original_units *u, sg_centroid_pd *f, const sg_ranked_rule *g,
                          bool details)
{
    const sg_model *m = u->model;
    sg_text conditions = {0}, trends = {0};
    sg_text_writer writer = {.text = &conditions, .break_marker = break_marker, .indent = ""};
    sg_conditions_text(&writer, u, &m->block[g->block], g->rule, m->blocks > 1);
    writer.text = &trends;
    sg_status st = details && !f->model->additive ? sg_rule_trends_text(&writer, f, g) : SG_OK;
    if (conditions.failed || trends.failed) st = sg_fail_out_of_memory("the description of rules");
    if (st == SG_OK) {
        sg_text_append_format(t, "[%zu, ", first_rule_index(m, g->block) + g->rule);
        split_conditions(t, conditions.bytes);
        sg_text_append(t, ", ");
        split_lines(t, trends.bytes);
        sg_text_append(t, "]");
    }
    sg_text_release(&conditions);
    sg_text_release(&trends);
    return st;
}

static sg_status add_rules(sg_text *t, const sg_original_units *u, sg_centroid_pd *f, size_t max_bytes)
{
    enum { DETAILED_RULES = 64 }; /* rules that get trends if the trends of all rules would take too long */
    bool cheap = sg_centroid_pd_affords_rules(f, f->rules);
    sg_text unused = {0};
    sg_text_writer writer = {.text = &unused, .break_marker = break_marker, .indent = ""};
    sg_status st = sg_global_trends_text(&writer, f); /* sets the trends that those of rules are compared with */
    sg_text_append(t, "\"rules\": [");
    size_t start = t->length;
    for (size_t i = 0; st == SG_OK && i < f->rules && t->length - start < max_bytes; i++) {
        if (i) sg_text_append(t, ",\n");
        st = add_rule(t, u, f, &f->ranked[i], cheap || i < DETAILED_RULES);
    }
    sg_text_append(t, "]");
    sg_text_release(&unused);
    return st;
}

/* --- labelled MFs --- */

static void add_mf(sg_text *t, const sg_original_units *u, const sg_block *b, size_t mf, const char *label)
{
    double p[SG_MF_MAX_PARAMETERS];
    char location[SG_NUMBER_BUFFER_SIZE];
    sg_original_units_mf(u, b, mf, p);
    sg_json_append(t, "[%zu, %s, %s]", mf, label,
                   sg_format_to_resolution(sg_mf_location(b->kind, p), b->kind->width(p), location));
}

static void add_mfs(sg_text *t, const sg_original_units *u)
{
    const sg_block *b = u->model->block;
    size_t n = 0, level;
    sg_text_append(t, "\"terms\": [");
    for (size_t mf = 0; u->model->blocks == 1 && sg_mf_labels_are_unique(u, b) && mf < b->mfs; mf++) {
        const char *label = sg_original_units_category(u, b->input_of[mf], &level) ? NULL : sg_mf_label(u, b, mf);
        if (label && n++) sg_text_append(t, ", ");
        if (label) add_mf(t, u, b, mf, label);
    }
    sg_text_append(t, "]");
}

sg_status sg_report_rules_json(const sg_model *m, size_t max_bytes, sg_text *t)
{
    sg_original_units u;
    sg_centroid_pd f;
    sg_status st = sg_original_units_init(&u, m);
    if (st != SG_OK) return st;
    st = sg_centroid_pd_init(&f, m);
    sg_text_append(t, "{");
    if (st == SG_OK) st = add_rules(t, &u, &f, max_bytes);
    sg_text_append(t, ",\n");
    if (st == SG_OK) add_mfs(t, &u);
    sg_text_append(t, "}");
    if (st == SG_OK && t->failed) st = sg_fail_out_of_memory("the description of rules");
    sg_centroid_pd_release(&f);
    sg_original_units_release(&u);
    return st;
}
