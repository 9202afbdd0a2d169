/* help_json.c: the tables of verbs, options and presets, for programs. */
#include "help/help.h"
#include "output/json_emit.h"

#include <stdio.h>

static void emit_verbs(cli_json *j)
{
    size_t n;
    const cli_verb *v = cli_verbs(&n);
    cli_json_open(j, "verbs", '[');
    for (size_t i = 0; i < n; i++) {
        cli_json_open(j, NULL, '{');
        cli_json_text(j, "name", v[i].name);
        cli_json_text(j, "operands", v[i].operands);
        cli_json_text(j, "help", v[i].summary);
        cli_json_close(j, '{');
    }
    cli_json_close(j, '[');
}

static void emit_option(cli_json *j, const sg_option *row)
{
    char one[32];
    const char *name;
    bool number = row->type == SG_OPTION_INTEGER || row->type == SG_OPTION_REAL ||
                  row->type == SG_OPTION_INTEGER_LIST || row->type == SG_OPTION_BYTES;
    cli_json_open(j, NULL, '{');
    cli_json_text(j, "name", row->name);
    cli_json_text(j, "default", row->default_value);
    if (number) cli_json_number(j, "low", row->low);
    if (number) cli_json_number(j, "high", row->high);
    if (row->type == SG_OPTION_CHOICE) {
        cli_json_open(j, "choices", '[');
        for (size_t i = 0; (name = sg_option_choice(row, i, one, sizeof one)); i++) cli_json_text(j, NULL, name);
        cli_json_close(j, '[');
    }
    cli_json_text(j, "help", row->help);
    cli_json_close(j, '{');
}

static void emit_options(cli_json *j)
{
    const sg_option *row;
    cli_json_open(j, "options", '[');
    for (size_t s = 0; s < CLI_SECTIONS; s++)
        for (size_t i = 0; (row = cli_section_row(s, NULL, i)); i++) emit_option(j, row);
    cli_json_close(j, '[');
}

static void emit_presets(cli_json *j)
{
    size_t n;
    const sg_preset *preset = sg_preset_table(&n);
    cli_json_open(j, "presets", '[');
    for (size_t i = 0; i < n; i++) {
        cli_json_open(j, NULL, '{');
        cli_json_text(j, "name", preset[i].name);
        cli_json_text(j, "settings", preset[i].settings);
        cli_json_text(j, "help", preset[i].help);
        cli_json_close(j, '{');
    }
    cli_json_close(j, '[');
}

void cli_help_json(void)
{
    cli_json j = {0};
    cli_json_open(&j, NULL, '{');
    cli_json_text(&j, "version", sg_version());
    emit_verbs(&j);
    emit_options(&j);
    emit_presets(&j);
    cli_json_close(&j, '{');
    putchar('\n');
}
