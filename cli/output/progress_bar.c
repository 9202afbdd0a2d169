/* progress_bar.c: formats and draws the progress bar. */
#include "output/progress_bar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { MIN_TERMINAL = 40, MAX_BAR = 30, MIN_BAR = 8 };

double cli_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cli_progress_bar_start(cli_progress_bar *b, bool quiet)
{
    const char *term = getenv("TERM");
    bool terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
    double now = cli_now();
    /* The delay keeps short operations from showing progress. */
    *b = (cli_progress_bar){.enabled = !quiet,
                            .terminal = terminal,
                            .started = now,
                            .due = now + (terminal ? 0.2 : 2),
                            .noun = "iteration",
                            .train_rmse = NAN,
                            .valid_rmse = NAN};
}

/* --- pieces of text --- */

static void time_text(double seconds, char *buf, size_t size)
{
    if (seconds < 3600) snprintf(buf, size, "%d:%02d", (int)seconds / 60, (int)seconds % 60);
    else if (seconds < 360000) snprintf(buf, size, "%dh%02d", (int)(seconds / 3600), (int)(seconds / 60) % 60);
    else snprintf(buf, size, "days");
}

static void rmse_text(const cli_progress_bar *b, char *buf, size_t size)
{
    *buf = '\0';
    if (!isnan(b->train_rmse)) snprintf(buf, size, "  train %-8.4g", b->train_rmse);
    size_t n = strlen(buf);
    if (!isnan(b->valid_rmse)) snprintf(buf + n, size - n, "  valid %-8.4g", b->valid_rmse);
}

/* Writes "185/500  train 0.0123  valid 0.0145  0:12 left", without the errors if they do not fit. Widths are fixed, so
 * that the text does not move. */
static void format_progress_details(const cli_progress_bar *b, size_t done, size_t planned, size_t width, char buf[160])
{
    char rmse[64], left[16];
    double elapsed = cli_now() - b->started;
    rmse_text(b, rmse, sizeof rmse);
    time_text(elapsed * (double)(planned - done) / (double)(done - b->resumed_at), left, sizeof left);
    int digits = snprintf(NULL, 0, "%zu", planned);
    int n = snprintf(buf, 160, "%*zu/%zu%s  %s left", digits, done, planned, rmse, left);
    if (n < 0 || (size_t)n > width) snprintf(buf, 160, "%*zu/%zu  %s left", digits, done, planned, left);
}

/* --- drawing --- */

static size_t terminal_width(void)
{
    struct winsize w;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col ? w.ws_col : 80; /* 0 means unknown */
}

/* Writes "[=======>           ] ", or "" if there is too little space. */
static void bar_text(double share, size_t room, char buf[MAX_BAR + 4])
{
    *buf = '\0';
    if (room > MAX_BAR) room = MAX_BAR;
    if (room < MIN_BAR) return;
    size_t full = (size_t)(share * (double)room);
    memset(buf, ' ', room + 1);
    memset(buf + 1, '=', full);
    if (full < room) buf[1 + full] = '>';
    buf[0] = '[';
    memcpy(buf + 1 + room, "] ", 3);
}

/* Draws the bar with a single write, which avoids flicker. The bar fills the space that the text leaves. */
static void draw_bar(cli_progress_bar *b, size_t done, size_t planned)
{
    char bar[MAX_BAR + 4], tail[160];
    double share = (double)done / (double)planned;
    size_t width = terminal_width(), head = strlen(" 100% ");
    if (width < MIN_TERMINAL) return;
    format_progress_details(b, done, planned, width - head - 1, tail);
    size_t used = head + strlen("[] ") + strlen(tail) + 1, room = width > used ? width - used : 0;
    bar_text(share, room, bar);
    fprintf(stderr, "\r %3.0f%% %s%s\033[K", 100 * share, bar, tail);
    b->drawn = true;
}

void cli_progress_bar_update(cli_progress_bar *b, size_t done, size_t planned)
{
    double now = b->enabled ? cli_now() : 0;
    char tail[160];
    if (!b->enabled || done <= b->resumed_at || done > planned || now < b->due) return;
    if (b->terminal) draw_bar(b, done, planned);
    else {
        format_progress_details(b, done, planned, sizeof tail, tail);
        fprintf(stderr, "sugeno: %s %s\n", b->noun, tail + strspn(tail, " "));
    }
    b->due = now + (b->terminal ? 0.1 : 10);
}

void cli_progress_bar_step(cli_progress_bar *b, const sg_progress *p)
{
    if (!b->enabled) return;
    if (isnan(b->train_rmse)) b->train_rmse = p->batch_rmse;
    else b->train_rmse += 0.05 * (p->batch_rmse - b->train_rmse);
    if (!isnan(p->valid_rmse)) b->valid_rmse = p->valid_rmse;
    cli_progress_bar_update(b, p->iteration, p->iterations);
}

void cli_progress_bar_end(cli_progress_bar *b)
{
    if (b->drawn) fputs("\r\033[K", stderr);
    b->drawn = false;
}

/* --- tasks --- */

sg_status cli_progress_task_start(cli_progress_task *w, const cli_command *c, const char *noun)
{
    *w = (cli_progress_task){.drawing = ATOMIC_FLAG_INIT, .percent = noun && strstr(noun, "percent")};
    cli_progress_bar_start(&w->bar, c->quiet);
    if (noun) w->bar.noun = noun;
    cli_interrupt_watch();
    return cli_stop_sync_start(&w->stop_sync, c, 0);
}

int cli_progress_task_poll(void *arg, size_t done, size_t planned)
{
    cli_progress_task *w = arg;
    if (!atomic_flag_test_and_set(&w->drawing)) {
        if (w->percent) cli_progress_bar_update(&w->bar, (size_t)((double)done / (double)planned * 100), 100);
        else cli_progress_bar_update(&w->bar, done, planned);
        atomic_flag_clear(&w->drawing);
    }
    return cli_stop_sync_poll(&w->stop_sync, done, &w->sync_status) || w->sync_status != SG_OK;
}

sg_status cli_progress_task_end(cli_progress_task *w, sg_status st)
{
    cli_stop_sync_end(&w->stop_sync);
    cli_progress_bar_end(&w->bar);
    return st == SG_OK ? w->sync_status : st;
}
