/* words.h: the few things about text and files that every file here needs. */
#ifndef PAPER_WORDS_H
#define PAPER_WORDS_H

#include "sugeno.h"

/* Stores the sentence for sg_errmsg and returns the status. */
sg_status fail(sg_status st, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The next word of a list separated by spaces, or NULL; moves *list behind it. */
const char *next_word(const char **list, size_t *length);
/* Copies a word into buf (cut where it is too long) and returns it. */
const char *copy_word(const char *word, size_t length, char *buf, size_t size);
int has_word(const char *list, const char *word);

/* Text that grows. One failed allocation is remembered in failed and everything after it ignored,
 * so that a caller asks once, at the end. */
typedef struct text {
    char *bytes; /* always ends with '\0', but NULL while empty */
    size_t length, room;
    int failed;
} text;
void text_add(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_free(text *t);
/* Writes it to the file, whole or not at all. */
sg_status text_save(const text *t, const char *folder, const char *name);

/* Makes the folder and those above it. */
sg_status make_folders(const char *path);

#endif
