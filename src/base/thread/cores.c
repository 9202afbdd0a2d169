/* cores.c: see cores.h. */
#include "base/thread/cores.h"

#include <sched.h>
#include <unistd.h>

static size_t count_online_cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (size_t)n;
}

#if defined(__linux__)
/* What taskset, a container or a batch system left to us; sysconf counts the whole machine. */
size_t sg_core_count(void)
{
    cpu_set_t set; /* of 1024 cores: with more the call fails */
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : count_online_cores();
}

int sg_core_current(void) { return sched_getcpu(); }
#else
size_t sg_core_count(void) { return count_online_cores(); }
int sg_core_current(void) { return -1; }
#endif
