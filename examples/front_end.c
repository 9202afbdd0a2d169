/* front_end.c: section 7 of sugeno.h. Lists the options, prints notices, and suggests a name for a mistyped option. */
#include <sugeno.h>

#include <stdio.h>

static void print_notice(void *arg, const char *sentence)
{
    (void)arg;
    fprintf(stderr, "notice: %s\n", sentence);
}

static void list_options(sg_option_group group)
{
    size_t count;
    const sg_option *table = sg_option_table(&count);
    for (size_t i = 0; i < count; i++)
        if (table[i].group == group)
            printf("--%s %s (default: %s): %s\n", table[i].name, table[i].value_name ? table[i].value_name : "",
                   table[i].default_value, table[i].help);
}

int main(void)
{
    sg_options *options = NULL;
    if (sg_options_new(&options) != SG_OK) {
        fprintf(stderr, "%s\n", sg_errmsg());
        return 1;
    }
    sg_options_on_notice(options, print_notice, NULL);
    list_options(SG_OPTION_GROUP_RUN);
    sg_status st = sg_options_set(options, "presett", "mbgd-rda"); /* fails, and the message suggests "preset" */
    puts(sg_errmsg());
    sg_options_free(options);
    return st != SG_EINVAL;
}
