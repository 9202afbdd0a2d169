/* count.h: one piece of work in a function of its own, for callgrind to count. */
#ifndef BENCH_COUNT_H
#define BENCH_COUNT_H

/* WORK, CASE and PRECISION as in the tables, or "csv" and a file. Prints the number of examples
 * that counted() works on, compiler and kernel; 0 where there is no such work. */
int count_run(const char *work, const char *of, const char *precision);

#endif
