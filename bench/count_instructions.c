/* count_instructions.c: the function counted(), in which callgrind is told to collect. */
#include "count_instructions.h"

#include "benchmarks.h"
#include "workload.h"

#include <stdio.h>
#include <string.h>

typedef struct counted_work {
    fixture s;
    const workload *w;
    const char *path;
} counted_work;

/* Enough examples to make fixed costs negligible, and few enough for an emulated machine. */
__attribute__((noinline)) size_t counted(counted_work *p);
__attribute__((noinline)) size_t counted(counted_work *p)
{
    size_t examples = 0;
    if (p->w) {
        while (examples < 512) examples += p->w->run(&p->s);
        return examples;
    }
    sg_table *t;
    must(sg_table_read(p->path, NULL, NULL, 0, &t));
    examples = sg_table_rows(t) * sg_table_columns(t);
    sg_table_free(t);
    return examples;
}

static void print_count(size_t examples) { printf("%zu,%s,%s\n", examples, COMPILER, sg_kernel_name()); }

static void count_work(const workload *w, const bench_case *c, const char *precision)
{
    counted_work p = {.w = w};
    fixture_init(&p.s, c, precision, FIXTURE_FEW_ROWS);
    p.w->run(&p.s);
    print_count(counted(&p));
    fixture_release(&p.s);
}

int count_run(const char *work_name, const char *case_name, const char *precision)
{
    const workload *w = workload_find(work_name);
    const bench_case *c = case_find(case_name);
    if (w && c) count_work(w, c, precision);
    else if (strcmp(work_name, "csv") == 0) {
        counted_work p = {.path = case_name};
        print_count(counted(&p));
    } else return 0;
    return 1;
}
