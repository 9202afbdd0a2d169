/* words.c: see words.h. */
#include "words.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

sg_status fail(sg_status st, const char *format, ...)
{
    char sentence[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    sg_set_errmsg(sentence);
    return st;
}

const char *next_word(const char **list, size_t *length)
{
    const char *word = *list + strspn(*list, " ");
    *length = strcspn(word, " ");
    *list = word + *length;
    return *length ? word : NULL;
}

const char *copy_word(const char *word, size_t length, char *buf, size_t size)
{
    snprintf(buf, size, "%.*s", (int)length, word);
    return buf;
}

int has_word(const char *list, const char *word)
{
    const char *w;
    size_t length;
    while ((w = next_word(&list, &length)))
        if (length == strlen(word) && strncmp(w, word, length) == 0) return 1;
    return 0;
}

void text_add(text *t, const char *format, ...)
{
    va_list args, again;
    if (t->failed) return;
    va_start(args, format);
    va_copy(again, args);
    size_t more = (size_t)vsnprintf(NULL, 0, format, again) + 1;
    va_end(again);
    if (t->room - t->length < more) {
        size_t room = 2 * t->room + more;
        char *bytes = realloc(t->bytes, room);
        if (!bytes) t->failed = 1;
        else t->bytes = bytes, t->room = room;
    }
    if (!t->failed) t->length += (size_t)vsnprintf(t->bytes + t->length, more, format, args);
    va_end(args);
}

void text_free(text *t)
{
    free(t->bytes);
    *t = (text){0};
}

sg_status text_save(const text *t, const char *folder, const char *name)
{
    text path = {0};
    sg_atomic_file *o = NULL;
    text_add(&path, "%s/%s", folder, name);
    sg_status st =
        t->failed || path.failed ? fail(SG_ENOMEM, "out of memory for %s", name) : sg_atomic_file_open(path.bytes, &o);
    text_free(&path);
    if (st == SG_OK) st = sg_atomic_file_write(o, t->bytes ? t->bytes : "", t->length);
    if (st == SG_OK) return sg_atomic_file_commit(o);
    sg_atomic_file_free(o);
    return st;
}

sg_status make_folders(const char *path)
{
    char *copy = strdup(path);
    if (!copy) return fail(SG_ENOMEM, "out of memory");
    for (char *p = copy + 1; *p; p++)
        if (*p == '/') {
            *p = '\0';
            mkdir(copy, 0777); /* the last one tells what is wrong */
            *p = '/';
        }
    struct stat s;
    int bad = mkdir(copy, 0777) != 0 && errno != EEXIST;
    sg_status st = bad ? fail(SG_EIO, "%s: %s", path, strerror(errno)) : SG_OK;
    if (!bad && (stat(copy, &s) != 0 || !S_ISDIR(s.st_mode))) st = fail(SG_EIO, "%s: it is not a folder", path);
    free(copy);
    return st;
}
