/* mpi_run.c: see mpi_run.h. */
#include "mpi/mpi_run.h"

#include "output/progress_bar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const sg_comm *cli_comm(const cli_command *c) { return c->world ? c->world->comm : NULL; }

bool cli_is_root(const cli_command *c) { return !c->world || c->world->comm->rank == 0; }

int cli_agree_exit_code(const cli_command *c, int code)
{
    return c->world ? cli_exit_code(sg_comm_agree_status(cli_comm(c), cli_exit_code_status(code))) : code;
}

int cli_bcast_exit_code(const cli_command *c, int code)
{
    struct {
        int code;
        char said[1024];
    } lead = {.code = code};
    if (!c->world) return code;
    if (code != CLI_DONE) snprintf(lead.said, sizeof lead.said, "%s", sg_errmsg());
    sg_status st = cli_comm(c)->bcast(cli_comm(c)->self, 0, &lead, sizeof lead);
    if (st != SG_OK) return cli_exit_code(st);
    if (lead.code != CLI_DONE) sg_set_errmsg(lead.said);
    return lead.code;
}

/* --- joining --- */

static const char rank_placeholder[] = "{rank}";

/* A copy with the number in place of each mark; NULL without memory. */
static char *expand_rank(const char *name, size_t rank)
{
    size_t room = strlen(name) + 1, used = 0;
    for (const char *p = name; (p = strstr(p, rank_placeholder)); p += strlen(rank_placeholder)) room += 24;
    char *out = malloc(room);
    while (out) {
        const char *p = strstr(name, rank_placeholder);
        size_t n = p ? (size_t)(p - name) : strlen(name);
        memcpy(out + used, name, n);
        used += n;
        out[used] = '\0';
        if (!p) break;
        used += (size_t)snprintf(out + used, room - used, "%zu", rank);
        name = p + strlen(rank_placeholder);
    }
    return out;
}

static int expand_operands(cli_command *c, size_t rank)
{
    c->rank_operand = calloc(c->operands + 1, sizeof *c->rank_operand);
    if (!c->rank_operand) return cli_error("out of memory");
    for (size_t i = 0; i < c->operands; i++) {
        if (!strstr(c->operand[i], rank_placeholder)) continue;
        if (!(c->rank_operand[i] = expand_rank(c->operand[i], rank))) return cli_error("out of memory");
        c->operand[i] = c->rank_operand[i];
        c->local = true;
    }
    return CLI_DONE;
}

static int expand_valid(cli_command *c, size_t rank)
{
    size_t n, i = 0;
    const sg_option *own = cli_option_table(&n);
    while (strcmp(own[i].name, "valid") != 0) i++;
    if (!c->option_value[i] || !strstr(c->option_value[i], rank_placeholder)) return CLI_DONE;
    char *name = expand_rank(c->option_value[i], rank);
    int code = name ? cli_option_set(c, &own[i], name) : cli_error("out of memory");
    free(name);
    c->local_valid = true;
    return code;
}

/* Each machine's cores are for all members on it. */
static int limit_threads(const cli_command *c)
{
    char number[32];
    if (cli_threads(c) || !c->world->threads) return CLI_DONE;
    snprintf(number, sizeof number, "%zu", c->world->threads);
    return cli_exit_code(sg_options_set(c->options, "threads", number));
}

int cli_setup_ranks(cli_command *c)
{
    c->local = c->local_valid = cli_option_flag(c, "local");
    if (!c->world) return CLI_DONE;
    int code = expand_operands(c, cli_comm(c)->rank);
    if (code == CLI_DONE) code = expand_valid(c, cli_comm(c)->rank);
    if (code == CLI_DONE) code = limit_threads(c);
    if (!cli_is_root(c)) c->quiet = true;
    if (cli_comm(c)->ranks == 1) c->world = NULL; /* as good as none */
    return code;
}

void cli_set_local_files(const cli_command *c, bool local)
{
    if (c->world) sg_options_set_comm(c->options, cli_comm(c), local);
}

/* --- a model --- */

/* As text, which all can read: other machines may not see the file. */
static sg_status bcast_text(const sg_comm *t, char *mine, char **out)
{
    uint64_t n = mine ? strlen(mine) + 1 : 0;
    sg_status st = t->bcast(t->self, 0, &n, sizeof n);
    if (st != SG_OK) return st;
    char *text = mine ? mine : malloc(n);
    if (!text) sg_set_errmsg("out of memory for a model");
    st = sg_comm_agree_status(t, text ? SG_OK : SG_ENOMEM);
    if (st == SG_OK) st = t->bcast(t->self, 0, text, n);
    if (st == SG_OK) *out = text;
    else if (!mine) free(text);
    return st;
}

static sg_status load_and_bcast(const cli_command *c, const char *path, sg_model **out)
{
    const sg_comm *t = cli_comm(c);
    sg_model *m = NULL;
    char *mine = NULL, *text = NULL;
    sg_status st = cli_is_root(c) ? sg_model_load(path, &m) : SG_OK;
    if (st == SG_OK && m) st = sg_model_to_json(m, &mine);
    st = cli_exit_code_status(cli_bcast_exit_code(c, cli_exit_code(st)));
    if (st == SG_OK) st = bcast_text(t, mine, &text);
    if (st == SG_OK) st = sg_comm_agree_status(t, m ? SG_OK : sg_model_from_json(text, strlen(text), path, &m));
    if (text != mine) free(text);
    sg_string_free(mine);
    if (st == SG_OK) *out = m;
    else sg_model_free(m);
    return st;
}

int cli_load_model(const cli_command *c, const char *path, sg_model **out)
{
    return cli_exit_code(c->world ? load_and_bcast(c, path, out) : sg_model_load(path, out));
}

/* --- Ctrl-C --- */

static const double poll_seconds = 0.05;

typedef struct cli_stop_vote {
    uint64_t interval; /* that this member would take; the leader's counts */
    uint64_t stop;
} cli_stop_vote;

sg_status cli_stop_sync_start(cli_stop_sync *p, const cli_command *c, size_t iteration)
{
    *p = (cli_stop_sync){.comm = cli_comm(c), .next_poll = iteration, .interval = 1, .last_poll = cli_now()};
    if (p->comm) p->votes = calloc(p->comm->ranks, sizeof *p->votes);
    if (!p->comm || p->votes) return SG_OK;
    sg_set_errmsg("out of memory");
    return SG_ENOMEM;
}

void cli_stop_sync_end(cli_stop_sync *p) { free(p->votes); }

/* At most doubled, since a beat that came early says little. */
static size_t adapt_interval(cli_stop_sync *p)
{
    double now = cli_now(), took = now - p->last_poll;
    p->last_poll = now;
    if (took * 2 <= poll_seconds) return p->interval < SIZE_MAX / 4 ? p->interval * 2 : p->interval;
    size_t gap = (size_t)((double)p->interval * (poll_seconds / took));
    return gap ? gap : 1;
}

bool cli_stop_sync_poll(cli_stop_sync *p, size_t iteration, sg_status *st)
{
    if (!p->comm) return cli_interrupted();
    if (p->stop || iteration < p->next_poll) return p->stop;
    cli_stop_vote mine = {.interval = adapt_interval(p), .stop = cli_interrupted()};
    *st = sg_comm_allgather(p->comm, &mine, sizeof mine, p->votes);
    for (size_t i = 0; *st == SG_OK && i < p->comm->ranks; i++) p->stop = p->stop || p->votes[i].stop;
    p->interval = (size_t)p->votes[0].interval;
    p->next_poll = iteration + p->interval;
    return p->stop;
}
