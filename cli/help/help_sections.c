/* help_sections.c: what all forms of help share. */
#include "help/help.h"

static const struct {
    const char *title;
    int group; /* -1: the command line's own */
} sections[CLI_SECTIONS] = {{"Options", -1},
                            {"Data", SG_OPTION_GROUP_DATA},
                            {"Model", SG_OPTION_GROUP_MODEL},
                            {"Training", SG_OPTION_GROUP_TRAIN},
                            {"Run", SG_OPTION_GROUP_RUN}};

const char *cli_section_title(size_t section) { return sections[section].title; }

const sg_option *cli_section_row(size_t section, const cli_verb *v, size_t i)
{
    size_t n;
    int group = sections[section].group;
    const sg_option *table = group < 0 ? cli_option_table(&n) : sg_option_table(&n);
    for (size_t k = 0; k < n; k++) {
        bool here = group < 0 || (int)table[k].group == group;
        if (here && (!v || cli_verb_accepts(v, &table[k])) && i-- == 0) return &table[k];
    }
    return NULL;
}

static const struct {
    const char *command, *what;
} examples[] = {
    {"sugeno demo -o mg.json", "see it work, and keep the model"},
    {"sugeno rules mg.json", "read its rules"},
    {"sugeno train data.csv -t price -o model.json", "train on your own data"},
    {"sugeno report model.json data.csv", "see it in a browser, and try it"},
    {"sugeno predict model.json new.csv -o out.csv", "use the model"},
    {"sugeno cv data.csv -t price --preset mbgd-rda", "judge a system on your data"},
};

const char *cli_example(size_t i, const char **what)
{
    if (i >= sizeof examples / sizeof *examples) return NULL;
    *what = examples[i].what;
    return examples[i].command;
}
