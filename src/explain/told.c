/* told.c: see told.h. */
#include "explain/told.h"

#include "base/memory.h"
#include "explain/conditions.h"
#include "explain/labels.h"
#include "explain/sentences.h"

#include <stdlib.h>
#include <string.h>

/* Stands before each word that may be on a line of its own. No name has it: a pen writes such characters out. */
static const char apart[] = "\x1f";

/* --- what a pen wrote, as JSON --- */

static void string_of(sg_text *t, const char *from, size_t n, bool first)
{
    sg_text words = {0};
    for (const char *end = from + n; from < end; from++)
        if (*from != *apart) sg_text_bytes(&words, from, 1);
    if (!first) sg_text_add(t, ", ");
    if (words.length) sg_text_json(t, words.bytes);
    t->failed = t->failed || words.failed || !words.length;
    sg_text_release(&words);
}

/* One string a condition: the next one begins with a word that begins with " and ". */
static void split_conditions(sg_text *t, const char *line)
{
    static const char lead[] = "\x1f and ";
    bool first = true;
    size_t length = strcspn(line, "\n");
    sg_text_add(t, "[");
    for (const char *end = line + length; line < end; first = false) {
        const char *next = strstr(line, lead);
        string_of(t, line, (size_t)((next ? next : end) - line), first);
        line = next ? next + strlen(lead) : end;
    }
    sg_text_add(t, "]");
}

static void split_lines(sg_text *t, const char *lines)
{
    bool first = true;
    sg_text_add(t, "[");
    for (; lines && *lines; lines += strcspn(lines, "\n") + 1, first = false)
        string_of(t, lines, strcspn(lines, "\n"), first);
    sg_text_add(t, "]");
}

/* --- rules --- */

/* Before the first rule of a block. */
static size_t rules_before(const sg_model *m, size_t block)
{
    size_t n = 0;
    for (size_t b = 0; b < block; b++) n += m->block[b].rules;
    return n;
}

static sg_status tell_rule(sg_text *t, const sg_units *u, sg_findings *f, const sg_governor *g, bool details)
{
    const sg_model *m = u->model;
    sg_text conditions = {0}, there = {0};
    sg_pen pen = {.text = &conditions, .apart = apart, .indent = ""};
    sg_conditions_words(&pen, u, &m->block[g->block], g->rule, m->blocks > 1);
    pen.text = &there;
    sg_status st = details ? sg_there_words(&pen, f, g) : SG_OK;
    if (conditions.failed || there.failed) st = sg_fail(SG_ENOMEM, "out of memory for rules in words");
    if (st == SG_OK) {
        sg_text_format(t, "[%zu, ", rules_before(m, g->block) + g->rule);
        split_conditions(t, conditions.bytes);
        sg_text_add(t, ", ");
        split_lines(t, there.bytes);
        sg_text_add(t, "]");
    }
    sg_text_release(&conditions);
    sg_text_release(&there);
    return st;
}

static sg_status tell_rules(sg_text *t, const sg_units *u, sg_findings *f, size_t room)
{
    enum { SOME = 64 }; /* are told in detail where all would take too long */
    bool cheap = sg_findings_cheap(f, f->rules);
    sg_text overall = {0};
    sg_pen aside = {.text = &overall, .apart = apart, .indent = ""};
    sg_status st = sg_overall_words(&aside, f); /* where all go is what a rule's own way is held against */
    sg_text_add(t, "\"rules\": [");
    size_t start = t->length;
    for (size_t i = 0; st == SG_OK && i < f->rules && t->length - start < room; i++) {
        if (i) sg_text_add(t, ",\n");
        st = tell_rule(t, u, f, &f->rule[i], cheap || i < SOME);
    }
    sg_text_add(t, "]");
    sg_text_release(&overall);
    return st;
}

/* --- terms --- */

static void tell_term(sg_text *t, const sg_units *u, const sg_block *b, size_t mf, const char *label)
{
    double p[SG_MF_PARAMETERS];
    char place[SG_NUMBER_SIZE];
    sg_units_mf(u, b, mf, p);
    sg_text_format(t, "[%zu, \"%s\", \"%s\"]", mf, label,
                   sg_pen_near(sg_term_place(b->kind, p), b->kind->width(p), place));
}

static void tell_terms(sg_text *t, const sg_units *u)
{
    const sg_block *b = u->model->block;
    size_t n = 0, level;
    sg_text_add(t, "\"terms\": [");
    for (size_t mf = 0; u->model->blocks == 1 && sg_terms_ordered(u, b) && mf < b->mfs; mf++) {
        const char *label = sg_units_level(u, b->input_of[mf], &level) ? NULL : sg_term_label(u, b, mf);
        if (label && n++) sg_text_add(t, ", ");
        if (label) tell_term(t, u, b, mf, label);
    }
    sg_text_add(t, "]");
}

sg_status sg_model_told(const sg_model *m, size_t room, sg_text *t)
{
    sg_units u;
    sg_findings f;
    sg_status st = sg_units_init(&u, m);
    if (st != SG_OK) return st;
    st = sg_findings_init(&f, m);
    sg_text_add(t, "{");
    if (st == SG_OK) st = tell_rules(t, &u, &f, room);
    sg_text_add(t, ",\n");
    if (st == SG_OK) tell_terms(t, &u);
    sg_text_add(t, "}");
    if (st == SG_OK && t->failed) st = sg_fail(SG_ENOMEM, "out of memory for rules in words");
    sg_findings_release(&f);
    sg_units_release(&u);
    return st;
}
