/* main.c: runs the unit tests of one folder. Every program test_<folder> links this file.
 *
 * test_<folder>                  runs the tests of all files of the folder
 * test_<folder> NAME [PATTERN]   runs those of test_NAME.c, or only the tests whose names match PATTERN (* and ?) */
#include "test.h"

static test_group *groups; /* in no particular order: constructors add them */

void add_test_group(test_group *group)
{
    group->next = groups;
    groups = group;
}

/* Whether `file` is a path to test_<name>.c. */
static int is_file_of(const char *file, const char *name)
{
    char wanted[256];
    const char *slash = strrchr(file, '/');
    snprintf(wanted, sizeof wanted, "test_%s.c", name);
    return strcmp(slash ? slash + 1 : file, wanted) == 0;
}

int main(int argc, char **argv)
{
    int found = 0, failed = 0;
    if (argc > 2) cmocka_set_test_filter(argv[2]);
    for (test_group *group = groups; group; group = group->next) {
        if (argc > 1 && !is_file_of(group->file, argv[1])) continue;
        found = 1;
        failed |= group->run() != 0;
    }
    if (!found) fprintf(stderr, "%s: no file test_%s.c\n", argv[0], argc > 1 ? argv[1] : "*");
    return failed || !found;
}
