/* byte_reader.h: bytes from a file, standard input, a gzip file or memory. */
#ifndef SG_DATA_INGEST_BYTE_READER_H
#define SG_DATA_INGEST_BYTE_READER_H

#include "base/status.h"

#include <stdbool.h>

typedef struct sg_byte_reader sg_byte_reader;

/* "-" is standard input. gzip is recognised by its first bytes, whatever the file is called. */
sg_status sg_byte_reader_open(const char *path, sg_byte_reader **out);
/* The bytes must outlive the input; name stands for the file in messages. */
sg_status sg_byte_reader_open_memory(const char *bytes, size_t n, const char *name, sg_byte_reader **out);
void sg_byte_reader_close(sg_byte_reader *in);

/* What messages call it. */
const char *sg_byte_reader_name(const sg_byte_reader *in);

enum { SG_BYTE_READER_PEEK = 65536 };
/* The first SG_BYTE_READER_PEEK bytes, less what was skipped, without taking them; *whole where nothing
 * follows. A newline stands behind the last. To be asked before any read. */
sg_status sg_byte_reader_peek(sg_byte_reader *in, const char **bytes, size_t *n, bool *whole);
/* Takes n bytes that the head showed. */
void sg_byte_reader_skip(sg_byte_reader *in, size_t n);

/* How many bytes were read or skipped, and how many are left: 0 where that is not known; of a gzip
 * file a guess. */
size_t sg_byte_reader_consumed(const sg_byte_reader *in);
size_t sg_byte_reader_remaining(const sg_byte_reader *in);

/* Behind a multiple of so many bytes of memory the kernel reads several times as fast on some
 * processors. */
enum { SG_BYTE_READER_ALIGN = 64 };
/* The next `room` bytes; fewer only at the end of the input. Fails there if the file was changed since it was opened.
 */
sg_status sg_byte_reader_read(sg_byte_reader *in, char *to, size_t room, size_t *got);

#endif
