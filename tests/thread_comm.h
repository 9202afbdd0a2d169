/* thread_comm.h: an sg_comm whose ranks are threads of one process, for tests of distributed code. It is stricter than
 * MPI. A send waits until the message is received. Size and kind (send or broadcast) of a message must match. Waiting
 * for a rank that has ended, or for more than a minute, is an error. */
#pragma once

#include "test.h"

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

enum { TEAM_MOST = 16, TEAM_PATIENCE = 60 /* seconds */ };

/* A message from one member to another. */
typedef struct team_slot {
    const void *bytes;
    size_t n;
    char kind; /* 0: no message, 's': send, 'b': broadcast */
} team_slot;

typedef struct team_room {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    team_slot slot[TEAM_MOST][TEAM_MOST]; /* from, to */
    bool gone[TEAM_MOST];
} team_room;

/* The function that every member runs. It must not use assertions because cmocka supports them in the main thread only.
 */
typedef sg_status team_fn(const sg_comm *team, void *arg);

typedef struct team_result {
    sg_status status;
    char said[1024]; /* the error message if it failed */
} team_result;

typedef struct team_member {
    sg_comm team;
    team_room *room;
    team_fn *run;
    void *arg;
    team_result *result;
} team_member;

static inline sg_status team_says(const char *what, size_t me, size_t other)
{
    char said[128];
    snprintf(said, sizeof said, "team: member %zu, member %zu: %s", me, other, what);
    sg_set_errmsg(said);
    return SG_EIO;
}

/* Waits until the slot is full or empty. The caller holds the lock. */
static inline sg_status team_wait(team_room *r, const team_slot *s, bool full, size_t me, size_t other)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += TEAM_PATIENCE;
    while ((s->kind != 0) != full) {
        if (r->gone[other]) return team_says("has ended", me, other);
        if (pthread_cond_timedwait(&r->changed, &r->lock, &until)) return team_says("does not answer", me, other);
    }
    return SG_OK;
}

static inline sg_status team_put(team_member *m, size_t to, const void *bytes, size_t n, char kind)
{
    team_room *r = m->room;
    size_t me = m->team.rank;
    if (to >= m->team.ranks || to == me) return team_says("no such member to send to", me, to);
    team_slot *s = &r->slot[me][to];
    pthread_mutex_lock(&r->lock);
    sg_status st = team_wait(r, s, false, me, to);
    if (st == SG_OK) {
        *s = (team_slot){bytes, n, kind};
        pthread_cond_broadcast(&r->changed);
        st = team_wait(r, s, false, me, to);
    }
    pthread_mutex_unlock(&r->lock);
    return st;
}

static inline sg_status team_take(team_member *m, size_t from, void *bytes, size_t n, char kind)
{
    team_room *r = m->room;
    size_t me = m->team.rank;
    if (from >= m->team.ranks || from == me) return team_says("no such member to receive from", me, from);
    team_slot *s = &r->slot[from][me];
    pthread_mutex_lock(&r->lock);
    sg_status st = team_wait(r, s, true, me, from);
    if (st == SG_OK && s->kind != kind) st = team_says("a send met a broadcast", me, from);
    if (st == SG_OK && s->n != n) st = team_says("a message of a different size", me, from);
    if (st == SG_OK && n) memcpy(bytes, s->bytes, n);
    if (st == SG_OK) s->kind = 0;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
    return st;
}

static inline sg_status team_send(void *self, size_t to, const void *bytes, size_t n)
{
    return team_put(self, to, bytes, n, 's');
}

static inline sg_status team_receive(void *self, size_t from, void *bytes, size_t n)
{
    return team_take(self, from, bytes, n, 's');
}

static inline sg_status team_broadcast(void *self, size_t from, void *bytes, size_t n)
{
    team_member *m = self;
    if (m->team.rank != from) return team_take(m, from, bytes, n, 'b');
    sg_status st = SG_OK;
    for (size_t to = 0; st == SG_OK && to < m->team.ranks; to++)
        if (to != from) st = team_put(m, to, bytes, n, 'b');
    return st;
}

static inline void *team_thread(void *arg)
{
    team_member *m = arg;
    m->result->status = m->run(&m->team, m->arg);
    if (m->result->status != SG_OK) snprintf(m->result->said, sizeof m->result->said, "%s", sg_errmsg());
    pthread_mutex_lock(&m->room->lock);
    m->room->gone[m->team.rank] = true;
    pthread_cond_broadcast(&m->room->changed);
    pthread_mutex_unlock(&m->room->lock);
    return NULL;
}

/* Calls run(team, arg) in one thread per member and waits for all. Stores how each one ended in result[ranks]. */
static inline void team_run(size_t ranks, team_fn *run, void *arg, team_result *result)
{
    team_room room = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    team_member member[TEAM_MOST];
    pthread_t thread[TEAM_MOST];
    assert_true(ranks <= TEAM_MOST);
    for (size_t i = 0; i < ranks; i++) {
        result[i] = (team_result){SG_OK, ""};
        member[i] = (team_member){.team = {.self = &member[i],
                                           .rank = i,
                                           .ranks = ranks,
                                           .send = team_send,
                                           .recv = team_receive,
                                           .bcast = team_broadcast},
                                  .room = &room,
                                  .run = run,
                                  .arg = arg,
                                  .result = &result[i]};
    }
    for (size_t i = 0; i < ranks; i++) assert_int_equal(pthread_create(&thread[i], NULL, team_thread, &member[i]), 0);
    for (size_t i = 0; i < ranks; i++) pthread_join(thread[i], NULL);
}

/* The same, but fails the test if a member fails. */
static inline void team_check(size_t ranks, team_fn *run, void *arg)
{
    team_result result[TEAM_MOST];
    team_run(ranks, run, arg, result);
    for (size_t i = 0; i < ranks; i++)
        if (result[i].status != SG_OK) fail_msg("member %zu of %zu: %s", i, ranks, result[i].said);
}
