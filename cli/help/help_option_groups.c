/* help_option_groups.c: sections of options and example commands, shared by all help formats. */
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
    int group = sections[section].group;
    const sg_option *option;
    for (size_t k = 0; (option = cli_option_at(k)); k++) {
        bool in_section = cli_option_is_cli(option) ? group < 0 : (int)option->group == group;
        if (in_section && (!v || cli_verb_accepts(v, option)) && i-- == 0) return option;
    }
    return NULL;
}

static const struct {
    const char *command, *purpose;
} examples[] = {
    {"sugeno demo -o mg.json", "run the demo and save its model"},
    {"sugeno rules mg.json", "print the rules of the model"},
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
