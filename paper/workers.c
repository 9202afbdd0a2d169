/* workers.c: see workers.h. */
#include "workers.h"

#include "interrupt.h"
#include "output/progress_bar.h"
#include "resume.h"
#include "trial.h"
#include "words.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COST_UNIT = 1000000 };

typedef struct job {
    cell *c;
    size_t repeat;
} job;

typedef struct team {
    plan *plan;
    const char *folder;
    job *job;
    size_t jobs;
    size_t *left; /* repeats to go, for each cell of the plan */
    atomic_size_t next, cost;
    atomic_int stop;
    pthread_mutex_t lock; /* of all that follows, and of left */
    pthread_cond_t quiet;
    size_t running;
    sg_status status;
    char sentence[1024];
} team;

static int tell(void *arg, size_t cost)
{
    team *t = arg;
    atomic_fetch_add(&t->cost, cost);
    return atomic_load(&t->stop);
}

/* One at a time writes the list of what is finished. */
static void done(team *t, cell *c, sg_status st)
{
    char sentence[sizeof t->sentence];
    snprintf(sentence, sizeof sentence, "%s: %s", c->name, st == SG_OK ? "" : sg_errmsg());
    pthread_mutex_lock(&t->lock);
    if (st == SG_OK && --t->left[c - t->plan->cell] == 0) {
        st = cell_save(c, t->folder);
        if (st == SG_OK) {
            c->finished = 1;
            st = resume_note(t->plan, t->folder);
        }
        if (st != SG_OK) snprintf(sentence, sizeof sentence, "%s", sg_errmsg());
    }
    if (st != SG_OK && t->status == SG_OK) {
        t->status = st;
        memcpy(t->sentence, sentence, sizeof sentence);
        atomic_store(&t->stop, 1);
    }
    pthread_mutex_unlock(&t->lock);
}

static void *work(void *arg)
{
    team *t = arg;
    size_t i;
    while (!atomic_load(&t->stop) && (i = atomic_fetch_add(&t->next, 1)) < t->jobs) {
        int stopped = 0;
        sg_status st = trial_run(t->job[i].c, t->job[i].repeat, tell, t, &stopped);
        if (!stopped) done(t, t->job[i].c, st);
    }
    pthread_mutex_lock(&t->lock);
    t->running--;
    pthread_cond_signal(&t->quiet);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static void wait_a_moment(team *t)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_cond_timedwait(&t->quiet, &t->lock, &until);
}

static void say_stopped(cli_progress_bar *bar)
{
    cli_progress_bar_end(bar);
    fputs("paper: stopped; the same command goes on with what is not finished\n", stderr);
}

/* Draws the bar and hears Ctrl-C until nobody works any more. LIBSVM can't be told to stop: who is in
 * there is left behind. Nothing is lost by that, since nobody saves while we hold the lock. */
static void watch(team *t, size_t total)
{
    cli_progress_bar bar;
    double asked = 0;
    cli_progress_bar_start(&bar, 0);
    bar.program = "paper";
    bar.noun = "million examples";
    pthread_mutex_lock(&t->lock);
    while (t->running > 0) {
        wait_a_moment(t);
        if (cli_interrupted()) {
            atomic_store(&t->stop, 1);
            if (asked == 0) asked = cli_now();
            if (t->running > 0 && cli_now() > asked + 2) {
                say_stopped(&bar);
                _exit(1);
            }
        }
        cli_progress_bar_show(&bar, atomic_load(&t->cost) / COST_UNIT, total / COST_UNIT);
    }
    pthread_mutex_unlock(&t->lock);
    if (asked != 0) say_stopped(&bar);
    cli_progress_bar_end(&bar);
}

static size_t list_jobs(team *t)
{
    size_t total = 0;
    for (size_t i = 0; i < t->plan->cells; i++) {
        cell *c = &t->plan->cell[i];
        if (c->finished) continue;
        memset(c->seconds, 0, 2 * c->repeats * sizeof *c->seconds);
        t->left[i] = c->repeats;
        for (size_t r = 0; r < c->repeats; r++) t->job[t->jobs++] = (job){c, r};
        total += c->repeats * trial_cost(c);
    }
    return total;
}

static size_t most_jobs(const plan *p)
{
    size_t n = 1;
    for (size_t i = 0; i < p->cells; i++) n += p->cell[i].repeats;
    return n;
}

sg_status workers_run(plan *p, const char *folder, size_t threads, int *stopped)
{
    team t = {.plan = p, .folder = folder};
    pthread_t *thread = calloc(threads, sizeof *thread);
    size_t started = 0;
    t.job = calloc(most_jobs(p), sizeof *t.job);
    t.left = calloc(p->cells + 1, sizeof *t.left);
    if (!thread || !t.job || !t.left) t.status = fail(SG_ENOMEM, "out of memory");
    pthread_mutex_init(&t.lock, NULL);
    pthread_cond_init(&t.quiet, NULL);
    if (t.status == SG_OK) {
        size_t total = list_jobs(&t);
        t.running = threads;
        while (started < threads && pthread_create(&thread[started], NULL, work, &t) == 0) started++;
        pthread_mutex_lock(&t.lock);
        t.running -= threads - started;
        pthread_mutex_unlock(&t.lock);
        if (started == 0) t.status = fail(SG_ENOMEM, "no thread can be started");
        watch(&t, total);
        for (size_t i = 0; i < started; i++) pthread_join(thread[i], NULL);
        if (*t.sentence) sg_set_errmsg(t.sentence);
    }
    pthread_cond_destroy(&t.quiet);
    pthread_mutex_destroy(&t.lock);
    free(thread);
    free(t.job);
    free(t.left);
    *stopped = t.status == SG_OK && cli_interrupted();
    return t.status;
}
