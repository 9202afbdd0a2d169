/* peer.c: see peer.h. */
#include "peer.h"

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
    char who[32], work[32], of[48], precision[8];
} offer;

static struct {
    peer peer[PEERS];
    offer offer[OFFERS];
    size_t peers, offers;
} known;

static void child(const char *command, const char *folder, int in, int out)
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
    /* Closed in later children, too: a peer ends when we close our end, and no one else may hold
     * it. */
    if (pipe2(down, O_CLOEXEC) != 0 || pipe2(up, O_CLOEXEC) != 0) return 0;
    p->pid = fork();
    if (p->pid < 0) return 0;
    if (p->pid == 0) child(command, folder, down[0], up[1]);
    close(down[0]);
    close(up[1]);
    p->to = fdopen(down[1], "w");
    p->from = fdopen(up[0], "r");
    return p->to && p->from;
}

static void hang_up(peer *p)
{
    if (p->to) fclose(p->to);
    if (p->from) fclose(p->from);
    if (p->pid > 0) waitpid(p->pid, NULL, 0);
    *p = (peer){0};
}

/* One line of its introduction: 1 go on, 0 ready, -1 not with us, -2 wrong. */
static int introduce(peer *p, char *line, const char *command)
{
    char what[32], value[64];
    offer *o = &known.offer[known.offers];
    line[strcspn(line, "\n")] = 0;
    if (strcmp(line, "ready") == 0) return 0;
    if (sscanf(line, "note %31s %63[^\n]", what, value) == 2) {
        result_note(what, value);
        return 1;
    }
    if (known.offers < OFFERS && sscanf(line, "can %31s %31s %47s %7s", o->who, o->work, o->of, o->precision) == 4) {
        o->by = p;
        known.offers++;
        return 1;
    }
    fprintf(stderr, "bench: %s: %s\n", command, line);
    return strncmp(line, "absent", 6) == 0 ? -1 : -2;
}

int peer_start(const char *command, const char *folder)
{
    char line[512];
    int state = -1;
    if (known.peers == PEERS) return 0;
    peer *p = &known.peer[known.peers++];
    size_t offers = known.offers;
    if (open_pipes(p, command, folder)) {
        while (fgets(line, sizeof line, p->from) && (state = introduce(p, line, command)) > 0) {}
        if (state == 1) fprintf(stderr, "bench: %s ended early\n", command);
    }
    if (state == 0) return 1;
    if (state == -1) fprintf(stderr, "bench: skipped: %s\n", command);
    hang_up(p);
    known.offers = offers;
    return state == -1;
}

static double ask(contender *c)
{
    const offer *o = c->self;
    char line[64];
    if (!o->by->to) return -1;
    fprintf(o->by->to, "%s %s %s %s\n", o->who, o->work, o->of, o->precision);
    fflush(o->by->to);
    if (fgets(line, sizeof line, o->by->from)) return strtod(line, NULL);
    fprintf(stderr, "bench: %s gave up at %s %s\n", o->who, o->work, o->of);
    hang_up(o->by);
    return -1;
}

size_t peers_join(const char *work, const char *of, contender *list, size_t space)
{
    size_t n = 0;
    for (size_t i = 0; i < known.offers && n < space; i++) {
        offer *o = &known.offer[i];
        if (strcmp(o->work, work) != 0 || strcmp(o->of, of) != 0) continue;
        list[n] = (contender){.threads = 1, .once = ask, .self = o};
        memcpy(list[n].who, o->who, sizeof o->who);
        memcpy(list[n].precision, o->precision, sizeof o->precision);
        n++;
    }
    return n;
}

void peers_end(void)
{
    for (size_t i = 0; i < known.peers; i++) hang_up(&known.peer[i]);
    known.peers = known.offers = 0;
}
