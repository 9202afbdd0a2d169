/* sheet.h: a small CSV file of words: a header and rows, commas, double quotes where a field needs
 * them. The tables that say what is run are such files. */
#ifndef PAPER_SHEET_H
#define PAPER_SHEET_H

#include "sugeno.h"

typedef struct sheet {
    char *path, *text;
    size_t rows, columns;
    char **field; /* (1 + rows, columns), the header first; all of them point into text */
} sheet;

/* *out is to be freed with sheet_free, also where it is {0}. */
sg_status sheet_read(const char *path, sheet *out);
/* The same from memory; name stands in messages. */
sg_status sheet_parse(const char *bytes, const char *name, sheet *out);
void sheet_free(sheet *s);
/* The field of a row (from 0) under a column's name; "" where there is none. */
const char *sheet_get(const sheet *s, size_t row, const char *column);
/* A positive whole number under that name. */
sg_status sheet_count(const sheet *s, size_t row, const char *column, size_t *out);
/* Fails with a sentence that names the file where one of the columns (by spaces) is missing. */
sg_status sheet_expect(const sheet *s, const char *columns);

#endif
