/* options.h: option values by name, validated against a table of sg_option rows.
 *
 * The table itself is in train/option_table.c, because its choices are names from modules that depend on this one. A
 * value set by the user takes precedence over the preset's value, which takes precedence over the default. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

sg_status sg_options_new_from_table(const sg_option *table, size_t count, const sg_preset *presets, size_t preset_count,
                                    sg_options **out);

/* These functions return the current value of an option. The name must be in the table. */
const char *sg_options_text(const sg_options *o, const char *name);
double sg_options_real(const sg_options *o, const char *name); /* 0 if the value is a word */
size_t sg_options_integer(const sg_options *o, const char *name);
/* Returns the value of an option of type SG_OPTION_BYTES, or SIZE_MAX if it is larger. */
size_t sg_options_bytes(const sg_options *o, const char *name);
bool sg_options_equals(const sg_options *o, const char *name, const char *value);
/* Like sg_list_item, but for the value of an option. */
bool sg_options_list_item(const sg_options *o, const char *name, size_t i, char *buf, size_t size);
/* Copies item i of a comma-separated list to buf, truncated to its size. Returns false if there are too few items. */
bool sg_list_item(const char *list, size_t i, char *buf, size_t size);
/* Returns whether the user set the option. */
bool sg_options_is_set(const sg_options *o, const char *name);

/* Passes a formatted sentence to the notice callback, if there is one. */
__attribute__((format(printf, 2, 3))) void sg_notice(const sg_options *o, const char *format, ...);

/* Returns whether the cancel callback asks to stop reading. `done` rows have been read. o may be NULL. */
bool sg_options_is_cancelled(const sg_options *o, size_t done);

/* Returns the communicator for distributed reading, or NULL if reading is local. *local receives the argument `local`
 * of sg_options_set_comm. o may be NULL. */
const sg_comm *sg_options_comm(const sg_options *o, bool *local);

sg_status sg_options_clone(const sg_options *o, sg_options **out);
