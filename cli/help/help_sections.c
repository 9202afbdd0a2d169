/* help_sections.c: sections of options and example commands, shared by all help formats. */
#include "help/help.h"

static const struct {
    const char *title;
    int group; /* -1: options of the command line */
} sections[CLI_SECTIONS] = {{"Options", -1},
                            {"Data", SG_OPTION_GROUP_DATA},
                            {"Model", SG_OPTION_GROUP_MODEL},
                            {"Training", SG_OPTION_GROUP_TRAIN},
                            {"Run", SG_OPTION_GROUP_RUN}};

const char *cli_section_title(size_t section) { return sections[section].title; }

const sg_option *cli_section_option(size_t section, const cli_verb *v, size_t i)
{
    size_t n;
    int group = sections[section].group;
    const sg_option *table = group < 0 ? cli_option_table(&n) : sg_option_table(&n);
    for (size_t k = 0; k < n; k++) {
        bool in_section = group < 0 || (int)table[k].group == group;
        if (in_section && (!v || cli_verb_accepts(v, &table[k])) && i-- == 0) return &table[k];
    }
    return NULL;
}

static const struct {
    const char *command, *purpose;
} examples[] = {
    {"sugeno demo -o mg.json", "run the demo and save its model"},
    {"sugeno rules mg.json", "print its rules"},
    {"sugeno train data.csv -t price -o model.json", "train on your own data"},
    {"sugeno report model.json data.csv", "explore the model in a browser"},
    {"sugeno predict model.json new.csv -o out.csv", "predict new rows"},
    {"sugeno cv data.csv -t price --preset mbgd-rda", "cross-validate a preset"},
};

const char *cli_example(size_t i, const char **purpose)
{
    if (i >= sizeof examples / sizeof *examples) return NULL;
    *purpose = examples[i].purpose;
    return examples[i].command;
}
