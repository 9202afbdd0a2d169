/* options.h: values of options by name, checked against a table of rows (sg_option).
 *
 * The machinery knows no row: the table stands in train/option_table.c, which may name the kinds
 * of the modules below it. A value that was set beats the preset's, which beats the default. */
#ifndef SG_BASE_OPTIONS_H
#define SG_BASE_OPTIONS_H

#include "base/status.h"

#include <stdbool.h>

sg_status sg_options_new_from_table(const sg_option *table, size_t count, const sg_preset *presets, size_t preset_count,
                                    sg_options **out);

/* Values in force. The name must be in the table. */
const char *sg_options_text(const sg_options *o, const char *name);
double sg_options_real(const sg_options *o, const char *name); /* 0 where it is a word */
size_t sg_options_integer(const sg_options *o, const char *name);
/* Of a SIZE. */
size_t sg_options_bytes(const sg_options *o, const char *name);
bool sg_options_equals(const sg_options *o, const char *name, const char *value);
/* The i-th of a COUNTS or a comma-separated TEXT option: false after the last. */
bool sg_options_list_item(const sg_options *o, const char *name, size_t i, char *buf, size_t size);
/* Copies item i of a comma-separated list to buf, cut to its size. Returns false after the last item. */
bool sg_list_item(const char *list, size_t i, char *buf, size_t size);
/* True where the user, not preset or default, said it. */
bool sg_options_is_set(const sg_options *o, const char *name);

/* A sentence for whoever listens. */
__attribute__((format(printf, 2, 3))) void sg_notice(const sg_options *o, const char *format, ...);

/* Whether whoever waits wants the reading to end, which has come to the row `done`; o may be NULL. */
bool sg_options_is_cancelled(const sg_options *o, size_t done);

/* The team that reads files, or NULL where there is one reader only; o may be NULL. */
const sg_comm *sg_options_comm(const sg_options *o, bool *local);

sg_status sg_options_clone(const sg_options *o, sg_options **out);

#endif
