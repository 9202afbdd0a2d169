/* verify.h: compares every kernel of this machine with the reference, on all cases. */
#ifndef BENCH_VERIFY_H
#define BENCH_VERIFY_H

#include "cases.h"

/* Prints a line for each failure. Returns the number of failures. */
int verify_case(const bench_case *c);

#endif
