/* input.h: bytes from a file, standard input, a gzip file or memory. */
#ifndef SG_DATA_INPUT_H
#define SG_DATA_INPUT_H

#include "base/status.h"

#include <stdbool.h>

typedef struct sg_input sg_input;

/* "-" is standard input. gzip is recognised by its first bytes, whatever the file is called. */
sg_status sg_input_open(const char *path, sg_input **out);
/* The bytes must outlive the input; name stands for the file in messages. */
sg_status sg_input_memory(const char *bytes, size_t n, const char *name, sg_input **out);
void sg_input_close(sg_input *in);

/* What messages call it. */
const char *sg_input_name(const sg_input *in);

enum { SG_INPUT_HEAD = 65536 };
/* The first SG_INPUT_HEAD bytes, less what was skipped, without taking them; *whole where nothing
 * follows. A newline stands behind the last. To be asked before any read. */
sg_status sg_input_head(sg_input *in, const char **bytes, size_t *n, bool *whole);
/* Takes n bytes that the head showed. */
void sg_input_skip(sg_input *in, size_t n);

/* How many bytes were read or skipped, and how many are left: 0 where that is not known; of a gzip
 * file a guess. */
size_t sg_input_taken(const sg_input *in);
size_t sg_input_left(const sg_input *in);

/* Behind a multiple of so many bytes of memory the kernel reads several times as fast on some
 * processors. */
enum { SG_INPUT_ALIGN = 64 };
/* The next `room` bytes; fewer only at the end of the input. Fails there if the file was changed since it was opened.
 */
sg_status sg_input_read(sg_input *in, char *to, size_t room, size_t *got);

#endif
