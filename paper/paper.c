/* paper.c: every experiment of the paper, re-done by one command.
 *
 *     paper --data FOLDER [--out FOLDER] ...
 *
 * What is run stands in the tables beside this file. Finished parts are kept in the output folder
 * and not computed again; figures, tables and claims are made from them at the end. */
#include "claims.h"
#include "dataset.h"
#include "interrupt.h"
#include "report.h"
#include "results.h"
#include "resume.h"
#include "svr.h"
#include "words.h"
#include "workers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct settings {
    const char *data, *tables, *out, *check, *publish;
    size_t threads;
    limits limits;
} settings;

static const char usage[] =
    "usage: paper --data FOLDER [options]        (make paper DATA=FOLDER)\n"
    "\n"
    "Re-does the experiments of the paper on its ten datasets and says what holds.\n"
    "\n"
    "  --data FOLDER           the datasets, as CSV files\n"
    "  --out FOLDER            curves, figures, tables, claims; finished parts are kept there and\n"
    "                          not computed again (default: paper-results)\n"
    "  --tables FOLDER         what is run: datasets.csv, algorithms.csv, experiments.csv,\n"
    "                          published.csv, claims.csv (default: paper)\n"
    "  --check FILE            compare with this results.csv; exit 1 where a number differs\n"
    "  --publish FOLDER        also write RESULTS.md, its figures and results.csv there\n"
    "  --threads N             trainings side by side (default: one for each core)\n"
    "  --experiments NAMES     only these, separated by spaces; so, too:\n"
    "  --datasets NAMES  --algorithms NAMES  --preprocessing ours|authors\n";

static sg_status parse_count(const char *name, const char *value, size_t *out)
{
    char *end;
    unsigned long n = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || n == 0 || n > 1000)
        return fail(SG_EINVAL, "%s takes a whole number from 1 to 1000, not \"%s\"", name, value);
    *out = n;
    return SG_OK;
}

static int limited(const limits *l) { return l->experiments || l->datasets || l->algorithms || l->preprocessing; }

/* clang-format off */
static sg_status parse(int argc, char **argv, settings *s)
{
    const struct {
        const char *name, **words;
    } flags[] = {
        {"--data", &s->data}, {"--out", &s->out}, {"--tables", &s->tables},
        {"--check", &s->check}, {"--publish", &s->publish},
        {"--experiments", &s->limits.experiments}, {"--datasets", &s->limits.datasets},
        {"--algorithms", &s->limits.algorithms}, {"--preprocessing", &s->limits.preprocessing},
    };
    /* clang-format on */
    sg_status st = SG_OK;
    for (int i = 1; st == SG_OK && i < argc; i += 2) {
        size_t f = 0, n = sizeof flags / sizeof *flags;
        int threads = strcmp(argv[i], "--threads") == 0;
        while (f < n && strcmp(argv[i], flags[f].name) != 0) f++;
        if (f == n && !threads) return fail(SG_EINVAL, "there is no option %s; see paper --help", argv[i]);
        if (i + 1 == argc) return fail(SG_EINVAL, "%s takes a value", argv[i]);
        if (threads) st = parse_count(argv[i], argv[i + 1], &s->threads);
        else *flags[f].words = argv[i + 1];
    }
    if (st == SG_OK && (!s->data || !*s->data))
        st = fail(SG_EINVAL, "name the folder of the datasets: make paper DATA=FOLDER");
    if (st == SG_OK && s->publish && limited(&s->limits))
        st = fail(SG_EINVAL, "only a whole run is published: --publish goes without limits");
    return st;
}

static void say(const char *sentence) { fprintf(stderr, "paper: %s\n", sentence); }

/* Opens what is wanted; what is missing is said, and left out. *others: files that are not the ones
 * that the checked-in results were made with. */
static sg_status open_datasets(catalogue *c, const char *folder, int (*wanted)[VARIANTS], size_t *others)
{
    size_t found = 0;
    *others = 0;
    for (size_t i = 0; i < c->datasets; i++) {
        dataset *d = &c->dataset[i];
        if (!wanted[i][AS_IT_IS]) continue;
        sg_status st = dataset_open(d, folder, wanted[i]);
        if (st == SG_ENOMEM) return st;
        if (st != SG_OK) {
            fprintf(stderr, "paper: %s. It is left out; the others go on.\n", sg_errmsg());
            continue;
        }
        found++;
        if (strcmp(d->found, d->sha256) == 0) continue;
        ++*others;
        fprintf(stderr,
                "paper: %s/%s is not the file that the checked-in results were made with "
                "(sha256 %s, not %s)\n",
                folder, d->file, d->found, d->sha256);
    }
    return found ? SG_OK : fail(SG_EIO, "%s holds none of the datasets", folder);
}

/* Reads all tables, also those that are needed only at the end: an hour later is late. */
static sg_status read_tables(const settings *s, catalogue *c)
{
    claim *claims = NULL;
    sheet check = {0};
    size_t n;
    sg_status st = catalogue_read(s->tables, c);
    if (st == SG_OK) st = claims_read(c, &claims, &n);
    if (st == SG_OK && s->check) st = sheet_read(s->check, &check);
    free(claims);
    sheet_free(&check);
    return st;
}

static sg_status prepare(const settings *s, catalogue *c, plan *p)
{
    int(*wanted)[VARIANTS] = calloc(c->datasets + 1, sizeof *wanted);
    size_t others = 0;
    sg_status st = wanted ? plan_make(c, &s->limits, p, wanted) : fail(SG_ENOMEM, "out of memory");
    if (st == SG_OK) st = make_folders(s->out);
    if (st == SG_OK) st = open_datasets(c, s->data, wanted, &others);
    free(wanted);
    if (st == SG_OK) st = resume_plan(p, s->out);
    if (st == SG_OK && !svr_library() && p->left_out)
        say("this build has no LIBSVM (libsvm-dev): support vector regression is left out");
    if (st == SG_OK && s->publish && (p->left_out || others))
        st = fail(SG_EDATA, "not published: %zu of its parts can't be run, %zu files are others", p->left_out, others);
    return st;
}

static sg_status run(const settings *s, catalogue *c, plan *p, int *code)
{
    int stopped = 0, drawn = 0;
    sg_status st = read_tables(s, c);
    if (st == SG_OK) st = prepare(s, c, p);
    if (st == SG_OK) st = workers_run(p, s->out, s->threads, &stopped);
    if (st != SG_OK || stopped) {
        *code = 1;
        return st;
    }
    st = report_write(c, p, s->out, &drawn);
    if (st == SG_OK) st = results_write(p, s->out);
    if (st == SG_OK && s->publish && !drawn) st = fail(SG_EIO, "not published: there is no gnuplot");
    if (st == SG_OK && s->publish) st = report_publish(s->out, s->publish);
    if (st == SG_OK) printf("%s/index.html\n", s->out);
    if (st == SG_OK && s->check) st = results_check(p, s->check, !limited(&s->limits), code);
    return st;
}

int main(int argc, char **argv)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    settings s = {.tables = "paper", .out = "paper-results", .threads = cores > 0 ? (size_t)cores : 1};
    catalogue c = {0};
    plan p = {0};
    int code = 0;
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(usage, stdout);
        return fflush(stdout) == 0 ? 0 : 1;
    }
    if (parse(argc, argv, &s) != SG_OK) {
        say(sg_errmsg());
        return 2;
    }
    cli_interrupt_watch();
    sg_status st = run(&s, &c, &p, &code);
    if (st != SG_OK) {
        say(sg_errmsg());
        code = st == SG_EINVAL ? 2 : 1;
    }
    plan_free(&p);
    catalogue_free(&c);
    return code;
}
