/* verify.h: every kernel of this machine against the reference, on the table of cases. */
#ifndef BENCH_VERIFY_H
#define BENCH_VERIFY_H

#include "cases.h"

/* Prints a line for each failure; returns how many. */
int verify_case(const bench_case *c);

#endif
