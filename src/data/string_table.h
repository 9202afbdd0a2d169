/* string_table.h: the words of a column, each once, with a code: 0, 1, ... in the order in which they came. */
#ifndef SG_DATA_STRING_TABLE_H
#define SG_DATA_STRING_TABLE_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SG_LEVELS_MAX = 65536,             /* levels of a column ... */
    SG_LEVEL_BYTES_MAX = 1 << 24,      /* ... and the bytes of their texts */
    SG_LEVEL_BYTES_TOTAL_MAX = 1 << 26 /* bytes of memory, about, of all columns of a file */
};

typedef enum sg_intern_result {
    SG_INTERN_FOUND, /* the code is that of a level that was there  */
    SG_INTERN_ADDED,
    SG_INTERN_FULL, /* too many: nothing was added                 */
    SG_INTERN_NO_MEMORY
} sg_intern_result;

/* Zeroed, it holds none. */
typedef struct sg_string_table {
    size_t count;
    sg_text text;   /* of all of them, each NUL-ended                  */
    size_t *offset; /* (count) where a level's text begins             */
    size_t capacity;
    uint32_t *slot;       /* (slots) code + 1 by hash, 0: free               */
    size_t slot_count;    /* a power of two, or 0                            */
    size_t *shared_bytes; /* what the levels of several columns take together, or NULL: that is not counted */
} sg_string_table;

void sg_string_table_release(sg_string_table *l);
/* Of memory, about. */
size_t sg_string_table_bytes(const sg_string_table *l);

/* The code of a text without NUL, which is added where it is new. */
sg_intern_result sg_string_table_intern(sg_string_table *l, const char *text, size_t n, uint32_t *code);
/* The same of a number: its level is the shortest decimal that reads back as it. */
sg_intern_result sg_string_table_intern_number(sg_string_table *l, double value, uint32_t *code);
void sg_level_format_number(double value, char text[SG_NUMBER_BUFFER_SIZE]);

/* NaN where there is no such level. */
double sg_string_table_find(const sg_string_table *l, const char *text, size_t n);
double sg_string_table_find_number(const sg_string_table *l, double value);

/* The i-th level, NULL after the last; valid until one is added. */
const char *sg_string_table_get(const sg_string_table *l, size_t i);

/* Appends a level's text as it is kept: blanks for line ends and other control characters, which would spoil
 * every table that it is printed in. */
void sg_level_sanitize(sg_text *out, const char *text, size_t n);

#endif
