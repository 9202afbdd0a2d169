/* string_table.h: interns the levels of a column: each distinct text gets a code 0, 1, ... in order of appearance. */
#pragma once

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SG_LEVELS_MAX = 65536,             /* levels per column */
    SG_LEVEL_BYTES_MAX = 1 << 24,      /* bytes of text per column */
    SG_LEVEL_BYTES_TOTAL_MAX = 1 << 26 /* approximate memory of all columns of a file */
};

typedef enum sg_intern_result {
    SG_INTERN_FOUND, /* the text was present */
    SG_INTERN_ADDED,
    SG_INTERN_FULL, /* too many levels: nothing was added */
    SG_INTERN_NO_MEMORY
} sg_intern_result;

/* Zero-initialised, it is empty. */
typedef struct sg_string_table {
    size_t count;
    sg_text text;   /* all texts, NUL-terminated */
    size_t *offset; /* (count) position of each text */
    size_t capacity;
    uint32_t *slot;       /* (slot_count) code + 1 by hash; 0: free */
    size_t slot_count;    /* 0 or a power of two */
    size_t *shared_bytes; /* total memory of the tables of several columns; NULL: not limited */
} sg_string_table;

void sg_string_table_release(sg_string_table *l);
/* Returns the approximate memory use. */
size_t sg_string_table_bytes(const sg_string_table *l);

/* Gets the code of a text, which must not contain NUL, and adds it if it is new. */
sg_intern_result sg_string_table_intern(sg_string_table *l, const char *text, size_t n, uint32_t *code);
/* The same for a number; its text is the shortest decimal that reads back as the same double. */
sg_intern_result sg_string_table_intern_number(sg_string_table *l, double value, uint32_t *code);
void sg_level_format_number(double value, char text[SG_NUMBER_BUFFER_SIZE]);

/* Return the code, or NaN if the text is not in the table. */
double sg_string_table_find(const sg_string_table *l, const char *text, size_t n);
double sg_string_table_find_number(const sg_string_table *l, double value);

/* Returns the text with code i, or NULL. Valid until a text is added. */
const char *sg_string_table_get(const sg_string_table *l, size_t i);

/* Appends a text with blanks in place of control characters, which would spoil tables in which it is printed. */
void sg_level_sanitize(sg_text *out, const char *text, size_t n);
