/* together.c: see together.h. */
#include "together.h"

#include "bar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const sg_team *cli_team(const cli_call *c) { return c->company ? c->company->team : NULL; }

bool cli_leads(const cli_call *c) { return !c->company || c->company->team->rank == 0; }

int cli_agree(const cli_call *c, int code)
{
    return c->company ? cli_check(sg_team_agree(cli_team(c), cli_status(code))) : code;
}

int cli_follow(const cli_call *c, int code)
{
    struct {
        int code;
        char said[1024];
    } lead = {.code = code};
    if (!c->company) return code;
    if (code != CLI_DONE) snprintf(lead.said, sizeof lead.said, "%s", sg_errmsg());
    sg_status st = cli_team(c)->share(cli_team(c)->self, 0, &lead, sizeof lead);
    if (st != SG_OK) return cli_check(st);
    if (lead.code != CLI_DONE) sg_set_errmsg(lead.said);
    return lead.code;
}

/* --- joining --- */

static const char mark[] = "{rank}";

/* A copy with the number in place of each mark; NULL without memory. */
static char *with_rank(const char *name, size_t rank)
{
    size_t room = strlen(name) + 1, used = 0;
    for (const char *p = name; (p = strstr(p, mark)); p += strlen(mark)) room += 24;
    char *out = malloc(room);
    while (out) {
        const char *p = strstr(name, mark);
        size_t n = p ? (size_t)(p - name) : strlen(name);
        memcpy(out + used, name, n);
        used += n;
        out[used] = '\0';
        if (!p) break;
        used += (size_t)snprintf(out + used, room - used, "%zu", rank);
        name = p + strlen(mark);
    }
    return out;
}

static int name_operands(cli_call *c, size_t rank)
{
    c->named = calloc(c->operands + 1, sizeof *c->named);
    if (!c->named) return cli_error("out of memory");
    for (size_t i = 0; i < c->operands; i++) {
        if (!strstr(c->operand[i], mark)) continue;
        if (!(c->named[i] = with_rank(c->operand[i], rank))) return cli_error("out of memory");
        c->operand[i] = c->named[i];
        c->local = true;
    }
    return CLI_DONE;
}

static int name_valid(cli_call *c, size_t rank)
{
    size_t n, i = 0;
    const sg_option *own = cli_own_table(&n);
    while (strcmp(own[i].name, "valid") != 0) i++;
    if (!c->own[i] || !strstr(c->own[i], mark)) return CLI_DONE;
    char *name = with_rank(c->own[i], rank);
    int code = name ? cli_own_set(c, &own[i], name) : cli_error("out of memory");
    free(name);
    c->local_valid = true;
    return code;
}

/* Ranks that read files of their own may keep what they read of them. */
static int name_cache(const cli_call *c, size_t rank)
{
    const char *cache = sg_options_get(c->options, "cache");
    if (!strstr(cache, mark)) return CLI_DONE;
    char *name = with_rank(cache, rank);
    int code = name ? cli_check(sg_options_set(c->options, "cache", name)) : cli_error("out of memory");
    free(name);
    return code;
}

/* Each machine's cores are for all members on it. */
static int limit_threads(const cli_call *c)
{
    char number[32];
    if (cli_threads(c) || !c->company->threads) return CLI_DONE;
    snprintf(number, sizeof number, "%zu", c->company->threads);
    return cli_check(sg_options_set(c->options, "threads", number));
}

int cli_join(cli_call *c)
{
    c->local = c->local_valid = cli_own_flag(c, "local");
    if (!c->company) return CLI_DONE;
    int code = name_operands(c, cli_team(c)->rank);
    if (code == CLI_DONE) code = name_valid(c, cli_team(c)->rank);
    if (code == CLI_DONE) code = name_cache(c, cli_team(c)->rank);
    if (code == CLI_DONE) code = limit_threads(c);
    if (!cli_leads(c)) c->quiet = true;
    if (cli_team(c)->ranks == 1) c->company = NULL; /* as good as none */
    return code;
}

void cli_read_local(const cli_call *c, bool local)
{
    if (c->company) sg_options_team(c->options, cli_team(c), local);
}

/* --- a model --- */

/* As text, which all can read: other machines may not see the file. */
static sg_status share_text(const sg_team *t, char *mine, char **out)
{
    uint64_t n = mine ? strlen(mine) + 1 : 0;
    sg_status st = t->share(t->self, 0, &n, sizeof n);
    if (st != SG_OK) return st;
    char *text = mine ? mine : malloc(n);
    if (!text) sg_set_errmsg("out of memory for a model");
    st = sg_team_agree(t, text ? SG_OK : SG_ENOMEM);
    if (st == SG_OK) st = t->share(t->self, 0, text, n);
    if (st == SG_OK) *out = text;
    else if (!mine) free(text);
    return st;
}

static sg_status load_together(const cli_call *c, const char *path, sg_model **out)
{
    const sg_team *t = cli_team(c);
    sg_model *m = NULL;
    char *mine = NULL, *text = NULL;
    sg_status st = cli_leads(c) ? sg_model_load(path, &m) : SG_OK;
    if (st == SG_OK && m) st = sg_model_to_text(m, &mine);
    st = cli_status(cli_follow(c, cli_check(st)));
    if (st == SG_OK) st = share_text(t, mine, &text);
    if (st == SG_OK) st = sg_team_agree(t, m ? SG_OK : sg_model_from_text(text, strlen(text), path, &m));
    if (text != mine) free(text);
    sg_text_free(mine);
    if (st == SG_OK) *out = m;
    else sg_model_free(m);
    return st;
}

int cli_load(const cli_call *c, const char *path, sg_model **out)
{
    return cli_check(c->company ? load_together(c, path, out) : sg_model_load(path, out));
}

/* --- Ctrl-C --- */

static const double beat_seconds = 0.05;

typedef struct cli_beat {
    uint64_t gap; /* that this member would take; the leader's counts */
    uint64_t stop;
} cli_beat;

sg_status cli_pulse_start(cli_pulse *p, const cli_call *c, size_t iteration)
{
    *p = (cli_pulse){.team = cli_team(c), .next = iteration, .gap = 1, .last = cli_now()};
    if (p->team) p->beats = calloc(p->team->ranks, sizeof *p->beats);
    if (!p->team || p->beats) return SG_OK;
    sg_set_errmsg("out of memory");
    return SG_ENOMEM;
}

void cli_pulse_end(cli_pulse *p) { free(p->beats); }

/* At most doubled, since a beat that came early says little. */
static size_t better_gap(cli_pulse *p)
{
    double now = cli_now(), took = now - p->last;
    p->last = now;
    if (took * 2 <= beat_seconds) return p->gap < SIZE_MAX / 4 ? p->gap * 2 : p->gap;
    size_t gap = (size_t)((double)p->gap * (beat_seconds / took));
    return gap ? gap : 1;
}

bool cli_pulse_stops(cli_pulse *p, size_t iteration, sg_status *st)
{
    if (!p->team) return cli_interrupted();
    if (p->stop || iteration < p->next) return p->stop;
    cli_beat mine = {.gap = better_gap(p), .stop = cli_interrupted()};
    *st = sg_team_all(p->team, &mine, sizeof mine, p->beats);
    for (size_t i = 0; *st == SG_OK && i < p->team->ranks; i++) p->stop = p->stop || p->beats[i].stop;
    p->gap = (size_t)p->beats[0].gap;
    p->next = iteration + p->gap;
    return p->stop;
}
