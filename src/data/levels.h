/* levels.h: the words of a column, each once, with a code: 0, 1, ... in the order in which they came. */
#ifndef SG_DATA_LEVELS_H
#define SG_DATA_LEVELS_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SG_LEVELS_MOST = 65536,    /* levels of a column ... */
    SG_LEVELS_BYTES = 1 << 24, /* ... and the bytes of their texts */
    SG_LEVELS_ALL = 1 << 26    /* bytes of memory, about, of all columns of a file */
};

typedef enum sg_leveled {
    SG_LEVEL_KNOWN, /* the code is that of a level that was there  */
    SG_LEVEL_NEW,
    SG_LEVEL_FULL, /* too many: nothing was added                 */
    SG_LEVEL_NO_MEMORY
} sg_leveled;

/* Zeroed, it holds none. */
typedef struct sg_levels {
    size_t count;
    sg_text text;  /* of all of them, each NUL-ended                  */
    size_t *start; /* (count) where a level's text begins             */
    size_t room;
    uint32_t *slot; /* (slots) code + 1 by hash, 0: free               */
    size_t slots;   /* a power of two, or 0                            */
    size_t *all;    /* what the levels of several columns take together, or NULL: that is not counted */
} sg_levels;

void sg_levels_release(sg_levels *l);
/* Of memory, about. */
size_t sg_levels_bytes(const sg_levels *l);

/* The code of a text without NUL, which is added where it is new. */
sg_leveled sg_levels_add(sg_levels *l, const char *text, size_t n, uint32_t *code);
/* The same of a number: its level is the shortest decimal that reads back as it. */
sg_leveled sg_levels_add_number(sg_levels *l, double value, uint32_t *code);
void sg_level_number(double value, char text[SG_NUMBER_SIZE]);

/* NaN where there is no such level. */
double sg_levels_find(const sg_levels *l, const char *text, size_t n);
double sg_levels_find_number(const sg_levels *l, double value);

/* The i-th level, NULL after the last; valid until one is added. */
const char *sg_levels_text(const sg_levels *l, size_t i);

/* Appends a level's text as it is kept: blanks for line ends and other control characters, which would spoil
 * every table that it is printed in. */
void sg_level_plain(sg_text *out, const char *text, size_t n);

#endif
