/* count_instructions.h: runs one piece of work in a function of its own, for callgrind to count instructions. */
#pragma once

/* Takes WORK, CASE and PRECISION of the tables, or "csv" and a file. Prints the number of examples that counted()
 * processes, the compiler and the kernel. Returns 0 if there is no such work. */
int count_run(const char *work, const char *case_name, const char *precision);
