/* rank_sync.c: makes the ranks of an MPI job agree on exit codes, file names, models and the iteration to stop at. */
#include "mpi/rank_sync.h"

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
        char message[1024];
    } root = {.code = code};
    if (!c->world) return code;
    if (code != CLI_DONE) snprintf(root.message, sizeof root.message, "%s", sg_errmsg());
    sg_status st = cli_comm(c)->bcast(cli_comm(c)->self, 0, &root, sizeof root);
    if (st != SG_OK) return cli_exit_code(st);
    if (root.code != CLI_DONE) sg_set_errmsg(root.message);
    return root.code;
}

/* --- setup --- */

static const char rank_placeholder[] = "{rank}";

/* Returns a copy of name with each placeholder replaced by the rank, or NULL if out of memory. */
static char *expand_rank(const char *name, size_t rank)
{
    size_t size = strlen(name) + 1, used = 0;
    for (const char *p = name; (p = strstr(p, rank_placeholder)); p += strlen(rank_placeholder)) size += 24;
    char *out = malloc(size);
    while (out) {
        const char *p = strstr(name, rank_placeholder);
        size_t n = p ? (size_t)(p - name) : strlen(name);
        memcpy(out + used, name, n);
        used += n;
        out[used] = '\0';
        if (!p) break;
        used += (size_t)snprintf(out + used, size - used, "%zu", rank);
        name = p + strlen(rank_placeholder);
    }
    return out;
}

/* Expands {rank} in the operands and in --valid. A file with {rank} in its name belongs to this rank alone. */
static int expand_ranks(cli_command *c, size_t rank)
{
    c->rank_operand = calloc(c->operands + 2, sizeof *c->rank_operand);
    if (!c->rank_operand) return cli_error("out of memory");
    for (size_t i = 0; i <= c->operands; i++) {
        bool valid = i == c->operands;
        const char *name = valid ? c->settings.valid : c->operand[i];
        if (!strstr(name, rank_placeholder)) continue;
        char *expanded = c->rank_operand[i] = expand_rank(name, rank);
        if (!expanded) return cli_error("out of memory");
        if (valid) c->settings.valid = expanded;
        else c->operand[i] = expanded;
        *(valid ? &c->local_valid : &c->local) = true;
    }
    return CLI_DONE;
}

/* Limits the threads to this rank's share of the cores of its machine, unless --threads is given. */
static int limit_threads(cli_command *c)
{
    char number[32];
    if (c->settings.threads || !c->world->threads) return CLI_DONE;
    snprintf(number, sizeof number, "%zu", c->world->threads);
    int code = cli_exit_code(sg_options_set(c->options, "threads", number));
    return code == CLI_DONE ? cli_settings_read(c) : code;
}

int cli_setup_ranks(cli_command *c)
{
    c->local = c->local_valid = c->settings.local;
    if (!c->world) return CLI_DONE;
    int code = limit_threads(c);
    if (code == CLI_DONE) code = expand_ranks(c, cli_comm(c)->rank);
    if (!cli_is_root(c)) c->quiet = true;
    if (cli_comm(c)->ranks == 1) c->world = NULL;
    return code;
}

void cli_set_local_files(const cli_command *c, bool local)
{
    if (c->world) sg_options_set_comm(c->options, cli_comm(c), local);
}

/* --- models --- */

/* Broadcasts a text from rank 0. On the other ranks, the caller frees *text. */
static sg_status bcast_text(const sg_comm *comm, char **text)
{
    bool root = comm->rank == 0;
    uint64_t n = root ? strlen(*text) + 1 : 0; /* NOLINT(clang-analyzer-core.NonNullParamChecker): rank 0 has it */
    sg_status st = comm->bcast(comm->self, 0, &n, sizeof n);
    if (st != SG_OK) return st;
    if (!root && !(*text = malloc(n))) sg_set_errmsg("out of memory while receiving a model");
    st = sg_comm_agree_status(comm, *text ? SG_OK : SG_ENOMEM);
    return st == SG_OK ? comm->bcast(comm->self, 0, *text, n) : st;
}

/* Loads a model on the root and sends its text, because the file need not be visible on other machines. */
static sg_status load_and_bcast(const cli_command *c, const char *path, sg_model **out)
{
    const sg_comm *comm = cli_comm(c);
    sg_model *m = NULL;
    char *text = NULL;
    sg_status st = cli_is_root(c) ? sg_model_load(path, &m) : SG_OK;
    if (st == SG_OK && m) st = sg_model_to_json(m, &text);
    st = cli_exit_code_status(cli_bcast_exit_code(c, cli_exit_code(st)));
    if (st == SG_OK) st = bcast_text(comm, &text);
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): after bcast_text, every rank has the text */
    if (st == SG_OK) st = sg_comm_agree_status(comm, m ? SG_OK : sg_model_from_json(text, strlen(text), path, &m));
    if (cli_is_root(c)) sg_string_free(text);
    else free(text);
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
    uint64_t interval; /* proposed by this rank; the proposal of the root is used */
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

/* Returns the next interval, which is at most doubled, because the time of a short interval is a poor estimate. */
static size_t adapt_interval(cli_stop_sync *p)
{
    double now = cli_now(), elapsed = now - p->last_poll;
    p->last_poll = now;
    if (elapsed * 2 <= poll_seconds) return p->interval < SIZE_MAX / 4 ? p->interval * 2 : p->interval;
    size_t interval = (size_t)((double)p->interval * (poll_seconds / elapsed));
    return interval ? interval : 1;
}

bool cli_stop_sync_poll(cli_stop_sync *p, size_t iteration, sg_status *st)
{
    if (!p->comm) return cli_interrupted();
    if (p->stop || iteration < p->next_poll) return p->stop;
    cli_stop_vote mine = {.interval = adapt_interval(p), .stop = cli_interrupted()};
    *st = sg_comm_allgather(p->comm, &mine, sizeof mine, p->votes);
    for (size_t i = 0; *st == SG_OK && i < p->comm->ranks; i++) p->stop = p->stop || p->votes[i].stop;
    if (*st != SG_OK) return p->stop;
    p->interval = (size_t)p->votes[0].interval;
    p->next_poll = iteration + p->interval;
    return p->stop;
}
