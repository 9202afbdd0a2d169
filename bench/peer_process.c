/* peer_process.c: starts peers, reads what they offer, and asks them for times. */
#include "peer_process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PEERS = 16, OFFERS = 64 };

typedef struct peer {
    pid_t pid;
    FILE *to, *from;
} peer;

typedef struct offer {
    peer *by;
    char name[32], work[32], case_name[48], precision[8];
} offer;

static struct {
    peer peer[PEERS];
    offer offer[OFFERS];
    size_t peers, offers;
} registry;

static void run_child(const char *command, const char *folder, int in, int out)
{
    char line[4096];
    snprintf(line, sizeof line, "exec %s '%s'", command, folder);
    dup2(in, 0);
    dup2(out, 1);
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
}

static int open_pipes(peer *p, const char *command, const char *folder)
{
    int down[2], up[2];
    /* Later children must not inherit the pipes: a peer ends when the last copy of our end is closed. */
    if (pipe2(down, O_CLOEXEC) != 0 || pipe2(up, O_CLOEXEC) != 0) return 0;
    p->pid = fork();
    if (p->pid < 0) return 0;
    if (p->pid == 0) run_child(command, folder, down[0], up[1]);
    close(down[0]);
    close(up[1]);
    p->to = fdopen(down[1], "w");
    p->from = fdopen(up[0], "r");
    return p->to && p->from;
}

static void stop_peer(peer *p)
{
    if (p->to) fclose(p->to);
    if (p->from) fclose(p->from);
    if (p->pid > 0) waitpid(p->pid, NULL, 0);
    *p = (peer){0};
}

/* Handles one line of a peer's introduction. Returns 1: more lines follow, 0: ready, -1: absent, -2: wrong. */
static int read_offer(peer *p, char *line, const char *command)
{
    char what[32], value[64];
    offer *o = &registry.offer[registry.offers];
    line[strcspn(line, "\n")] = 0;
    if (strcmp(line, "ready") == 0) return 0;
    if (sscanf(line, "note %31s %63[^\n]", what, value) == 2) {
        result_note(what, value);
        return 1;
    }
    if (registry.offers < OFFERS &&
        sscanf(line, "can %31s %31s %47s %7s", o->name, o->work, o->case_name, o->precision) == 4) {
        o->by = p;
        registry.offers++;
        return 1;
    }
    fprintf(stderr, "bench: %s: %s\n", command, line);
    return strncmp(line, "absent", 6) == 0 ? -1 : -2;
}

int peer_start(const char *command, const char *folder)
{
    char line[512];
    int state = -1;
    if (registry.peers == PEERS) return 0;
    peer *p = &registry.peer[registry.peers++];
    size_t offers = registry.offers;
    if (open_pipes(p, command, folder)) {
        while (fgets(line, sizeof line, p->from) && (state = read_offer(p, line, command)) > 0) {}
        if (state == 1) fprintf(stderr, "bench: %s ended early\n", command);
    }
    if (state == 0) return 1;
    if (state == -1) fprintf(stderr, "bench: skipped: %s\n", command);
    stop_peer(p);
    registry.offers = offers;
    return state == -1;
}

static double time_peer(implementation *c)
{
    const offer *o = c->self;
    char line[64];
    if (!o->by->to) return -1;
    fprintf(o->by->to, "%s %s %s %s\n", o->name, o->work, o->case_name, o->precision);
    fflush(o->by->to);
    if (fgets(line, sizeof line, o->by->from)) return strtod(line, NULL);
    fprintf(stderr, "bench: %s gave up at %s %s\n", o->name, o->work, o->case_name);
    stop_peer(o->by);
    return -1;
}

size_t peers_add_offers(const char *work, const char *case_name, implementation *list, size_t space)
{
    size_t n = 0;
    for (size_t i = 0; i < registry.offers && n < space; i++) {
        offer *o = &registry.offer[i];
        if (strcmp(o->work, work) != 0 || strcmp(o->case_name, case_name) != 0) continue;
        list[n] = (implementation){.threads = 1, .run_once = time_peer, .self = o};
        memcpy(list[n].name, o->name, sizeof o->name);
        memcpy(list[n].precision, o->precision, sizeof o->precision);
        n++;
    }
    return n;
}

void peers_stop(void)
{
    for (size_t i = 0; i < registry.peers; i++) stop_peer(&registry.peer[i]);
    registry.peers = registry.offers = 0;
}
