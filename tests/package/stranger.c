/* The smallest program of a stranger: compiled against the installed header, linked with the
 * installed library, and it works. Prints the version of the library that runs. */
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
