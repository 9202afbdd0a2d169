/* count.c: see count.h. Callgrind is told to collect inside counted() only. */
#include "count.h"

#include "measure.h"
#include "work.h"

#include <stdio.h>
#include <string.h>

typedef struct piece {
    subject s;
    const work *w;
    const char *path;
} piece;

/* Big enough that what happens once is lost in it, small enough for a machine emulated. */
__attribute__((noinline)) size_t counted(piece *p);
__attribute__((noinline)) size_t counted(piece *p)
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

static void tell(size_t examples) { printf("%zu,%s,%s\n", examples, COMPILER, sg_kernel_name()); }

static void count_work(const work *w, const bench_case *c, const char *precision)
{
    piece p = {.w = w};
    subject_init(&p.s, c, precision, SUBJECT_FEW);
    p.w->run(&p.s);
    tell(counted(&p));
    subject_release(&p.s);
}

int count_run(const char *work_name, const char *of, const char *precision)
{
    const work *w = work_find(work_name);
    const bench_case *c = case_find(of);
    if (w && c) count_work(w, c, precision);
    else if (strcmp(work_name, "csv") == 0) {
        piece p = {.path = of};
        tell(counted(&p));
    } else return 0;
    return 1;
}
