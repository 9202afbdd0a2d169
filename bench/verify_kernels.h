/* verify_kernels.h: compares every kernel of this machine with the reference, on all cases. */
#pragma once

#include "benchmark_cases.h"

/* Prints a line for each failure. Returns the number of failures. */
int verify_case(const bench_case *c);
