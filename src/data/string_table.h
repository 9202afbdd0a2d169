/* string_table.h: interns the levels of a column: distinct texts get the codes 0, 1, ... in order of appearance. */
#pragma once

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SG_LEVELS_MAX = 65536,             /* levels per column */
    SG_LEVEL_BYTES_MAX = 1 << 24,      /* bytes of text per column */
    SG_LEVEL_BYTES_TOTAL_MAX = 1 << 26 /* approximate bytes of memory for all columns of a file */
};

typedef enum sg_intern_result {
    SG_INTERN_FOUND, /* the text was already present */
    SG_INTERN_ADDED,
    SG_INTERN_FULL, /* there are too many levels; nothing was added */
    SG_INTERN_NO_MEMORY
} sg_intern_result;

/* A zero-initialised table is empty. */
typedef struct sg_string_table {
    size_t count;
    sg_text text;   /* all texts, NUL-terminated */
    size_t *offset; /* (count) position of each text */
    size_t capacity;
    uint32_t *slot;       /* (slot_count) code + 1, placed by hash; 0 if free */
    size_t slot_count;    /* 0 or a power of two */
    size_t *shared_bytes; /* memory used by several tables that share a limit; NULL for no shared limit */
} sg_string_table;

void sg_string_table_release(sg_string_table *l);
/* Returns the approximate memory use in bytes. */
size_t sg_string_table_bytes(const sg_string_table *l);

/* Gets the code of a text and adds the text if it is new. The text must not contain NUL. */
sg_intern_result sg_string_table_intern(sg_string_table *l, const char *text, size_t n, uint32_t *code);
/* Intern a number, or only format it, as the shortest decimal that reads back as the same double. */
sg_intern_result sg_string_table_intern_number(sg_string_table *l, double value, uint32_t *code);
void sg_level_format_number(double value, char text[SG_NUMBER_BUFFER_SIZE]);

/* Return the code of a text or number, or NaN if it is not in the table. */
double sg_string_table_find(const sg_string_table *l, const char *text, size_t n);
double sg_string_table_find_number(const sg_string_table *l, double value);

/* Returns the text with code i, or NULL if there is none. The result is valid until a text is added. */
const char *sg_string_table_get(const sg_string_table *l, size_t i);

/* Appends a text with blanks in place of control characters, which would spoil the tables in which it is printed. */
void sg_level_sanitize(sg_text *out, const char *text, size_t n);
