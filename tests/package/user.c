/* user.c: the smallest program that uses the installed header and library. Prints the version of the library. */
#include <stdio.h>
#include <string.h>
#include <sugeno.h>

int main(void)
{
    sg_options *o = NULL;
    if (sg_options_new(&o) != SG_OK) {
        fprintf(stderr, "%s\n", sg_errmsg());
        return 1;
    }
    sg_options_free(o);
    puts(sg_version());
    return strcmp(sg_version(), SG_VERSION) == 0 ? 0 : 1;
}
