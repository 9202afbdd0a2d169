/* read_options.c: parses the options of data files. No other file of src/data reads options by name. */
#include "data/read_options.h"

#include "base/options.h"

#include <string.h>

static sg_header_mode parse_header(const char *text)
{
    return !strcmp(text, "yes") ? SG_HEADER_YES : !strcmp(text, "no") ? SG_HEADER_NO : SG_HEADER_AUTO;
}

static char parse_delimiter(const char *text)
{
    return !strcmp(text, "comma") ? ',' : !strcmp(text, "semicolon") ? ';' : !strcmp(text, "tab") ? '\t' : '\0';
}

sg_read_options sg_read_options_from(const sg_options *o)
{
    if (!o) return (sg_read_options){0};
    return (sg_read_options){.header = parse_header(sg_options_text(o, "header")),
                             .delimiter = parse_delimiter(sg_options_text(o, "delimiter")),
                             .ignore = sg_options_text(o, "ignore"),
                             .categorical = sg_options_text(o, "categorical"),
                             .numeric = sg_options_text(o, "numeric"),
                             .group = sg_options_text(o, "group"),
                             .missing = sg_options_text(o, "missing"),
                             .weights = sg_options_get(o, "weights"),
                             .notify = o};
}

size_t sg_memory_limit(const sg_options *o)
{
    return o && sg_options_get(o, "memory") ? sg_options_bytes(o, "memory") : (size_t)256 << 20;
}
