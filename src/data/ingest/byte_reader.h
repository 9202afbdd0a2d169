/* byte_reader.h: reads bytes from a file, gzip file, standard input or memory. */
#pragma once

#include "data/read_options.h"

#include <stdbool.h>

typedef struct sg_byte_reader sg_byte_reader;

/* Opens a file, or standard input if path is "-". gzip data is detected by its first bytes. */
sg_status sg_byte_reader_open(const char *path, sg_byte_reader **out);
/* Reads from memory. The bytes must outlive the reader. name is used in messages. */
sg_status sg_byte_reader_open_memory(const char *bytes, size_t n, const char *name, sg_byte_reader **out);
void sg_byte_reader_close(sg_byte_reader *in);

/* Returns the name of the input for messages. */
const char *sg_byte_reader_name(const sg_byte_reader *in);

enum { SG_BYTE_READER_PEEK = 65536 };
/* Gets the first SG_BYTE_READER_PEEK bytes, except skipped ones, without consuming them. A newline follows them. *whole
 * is true if they are the rest of the input. Must be called before any read. */
sg_status sg_byte_reader_peek(sg_byte_reader *in, const char **bytes, size_t *n, bool *whole);
/* Consumes n of the bytes that peek returned. */
void sg_byte_reader_skip(sg_byte_reader *in, size_t n);

/* Return how many bytes were consumed, and how many remain: 0 if that is unknown, an estimate for gzip files. */
size_t sg_byte_reader_consumed(const sg_byte_reader *in);
size_t sg_byte_reader_remaining(const sg_byte_reader *in);

enum {
    SG_BYTE_READER_ALIGN = 64,    /* reads into memory with this alignment are several times as fast on some CPUs */
    SG_READ_BLOCK_BYTES = 1 << 18 /* default number of bytes to read at a time */
};
/* Reads the next `room` bytes, or fewer at the end of the input. Fails at the end if the file was changed since it was
 * opened. */
sg_status sg_byte_reader_read(sg_byte_reader *in, char *to, size_t room, size_t *got);

/* A window over an input, for parsers that need a whole line or record at a time. */
enum { SG_WINDOW_PADDING = 8, SG_WINDOW_BYTES_MAX = 1 << 27 };
typedef struct sg_byte_window {
    sg_byte_reader *in;
    char *bytes;
    size_t capacity;
    const char *at, *end; /* unread bytes, followed by SG_WINDOW_PADDING newlines */
    bool at_eof;          /* the input has no bytes after `end` */
} sg_byte_window;

/* Creates an empty window that reads `block` bytes at a time, or a default if 0. The input must outlive the window. */
sg_status sg_byte_window_init(sg_byte_window *w, sg_byte_reader *in, size_t block);
void sg_byte_window_release(sg_byte_window *w);
/* Moves the unread bytes to the start of the window and reads more after them. Doubles the window if it is full, but
 * fails if it already has SG_WINDOW_BYTES_MAX bytes; the message names the given line and column. */
sg_status sg_byte_window_refill(sg_byte_window *w, size_t line, size_t column);
