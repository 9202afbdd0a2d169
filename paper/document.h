/* document.h: one text in two forms, Markdown to be checked in and a page to be looked at, with
 * tables that are also files of their own. */
#ifndef PAPER_DOCUMENT_H
#define PAPER_DOCUMENT_H

#include "words.h"

/* A table under construction: cells come one after the other, the header first. */
typedef struct grid {
    size_t columns, cells;
    char **cell;
    int failed;
} grid;
void grid_add(grid *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
void grid_free(grid *g);

typedef struct document {
    const char *folder;
    text markdown, page;
} document;

/* The folder must hold tables/ and figures/. title goes into the page's head. */
void document_open(document *d, const char *folder, const char *title);
/* `code` between backticks, [text](address), nothing else. */
void document_heading(document *d, int level, const char *format, ...) __attribute__((format(printf, 3, 4)));
void document_text(document *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void document_code(document *d, const char *lines);
/* figures/NAME.svg; on the page also figures/NAME-authors.svg. Where there is no such picture, its
 * data and script are named. */
void document_figure(document *d, const char *name, const char *caption);
/* Writes tables/NAME.csv and tables/NAME.md, puts it into the text and frees it. A table
 * without rows is said to be not run. */
sg_status document_table(document *d, const char *name, grid *g);
/* Writes RESULTS.md and index.html, but not after a failure (st, which it then returns); frees what
 * d holds. */
sg_status document_close(document *d, sg_status st);

#endif
