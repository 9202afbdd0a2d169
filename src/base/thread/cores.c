/* cores.c: the processor cores that this process may use. */
#include "base/thread/cores.h"

#include <sched.h>
#include <unistd.h>

static size_t count_online_cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (size_t)n;
}

#if defined(__linux__)
/* Respects the limits of taskset, containers and batch systems; sysconf would count all cores of the machine. */
size_t sg_core_count(void)
{
    cpu_set_t set; /* room for 1024 cores; the call fails if there are more */
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : count_online_cores();
}

int sg_core_current(void) { return sched_getcpu(); }
#else
size_t sg_core_count(void) { return count_online_cores(); }
int sg_core_current(void) { return -1; }
#endif
