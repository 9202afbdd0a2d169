/* help_json.c: prints the tables of verbs, options and presets as JSON. */
#include "help/help.h"
#include "output/json_emit.h"

/* Writes an entry of the array of verbs or of presets. */
static void emit_entry(cli_json *j, const char *name, const char *key, const char *value, const char *help)
{
    cli_json_open(j, NULL, '{');
    cli_json_text(j, "name", name);
    cli_json_text(j, key, value);
    cli_json_text(j, "help", help);
    cli_json_close(j, '{');
}

static void emit_option(cli_json *j, const sg_option *option)
{
    char choice[32];
    const char *name;
    bool number = option->type == SG_OPTION_INTEGER || option->type == SG_OPTION_REAL ||
                  option->type == SG_OPTION_INTEGER_LIST || option->type == SG_OPTION_BYTES;
    cli_json_open(j, NULL, '{');
    cli_json_text(j, "name", option->name);
    cli_json_text(j, "default", option->default_value);
    if (number) cli_json_number(j, "low", option->low);
    if (number) cli_json_number(j, "high", option->high);
    if (option->type == SG_OPTION_CHOICE) {
        cli_json_open(j, "choices", '[');
        for (size_t i = 0; (name = sg_option_choice(option, i, choice, sizeof choice)); i++)
            cli_json_text(j, NULL, name);
        cli_json_close(j, '[');
    }
    cli_json_text(j, "help", option->help);
    cli_json_close(j, '{');
}

void cli_help_json(void)
{
    size_t verbs, presets;
    const cli_verb *verb = cli_verbs(&verbs);
    const sg_preset *preset = sg_preset_table(&presets);
    const sg_option *option;
    cli_json j = {0};
    cli_json_open(&j, NULL, '{');
    cli_json_text(&j, "version", sg_version());
    cli_json_open(&j, "verbs", '[');
    for (size_t i = 0; i < verbs; i++) emit_entry(&j, verb[i].name, "operands", verb[i].operands, verb[i].summary);
    cli_json_close(&j, '[');
    cli_json_open(&j, "options", '[');
    for (size_t s = 0; s < CLI_SECTIONS; s++)
        for (size_t i = 0; (option = cli_section_option(s, NULL, i)); i++) emit_option(&j, option);
    cli_json_close(&j, '[');
    cli_json_open(&j, "presets", '[');
    for (size_t i = 0; i < presets; i++) emit_entry(&j, preset[i].name, "settings", preset[i].settings, preset[i].help);
    cli_json_close(&j, '[');
    cli_json_close(&j, '{');
}
