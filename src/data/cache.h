/* cache.h: rows that were read from files once, kept in a .npy file for the next time (--cache FILE).
 *
 * Behind the rows, where NumPy does not look, stand the key (what was read and how), words of categories, names of
 * columns left out, notices, and a checksum of the rows; then one line that tells a file of ours:
 *
 *     sugeno cache LENGTH CHECKSUM     of what stands before it, behind the rows; both hexadecimal */
#ifndef SG_DATA_CACHE_H
#define SG_DATA_CACHE_H

#include "data/csv.h"
#include "data/table.h"

/* What the rows depend on: paths, sizes and times of the files, and what `how` says of reading them. Fails for what
 * can't be looked at again. */
sg_status sg_cache_key(const char *const *paths, size_t count, const sg_csv_how *how, sg_text *key);

/* Of a team whose members judge their files together: the key tells those of all of them, too. Collective. */
sg_status sg_cache_key_of_team(const sg_team *t, sg_text *key);

/* The rows, if the file is there and has this key; else *out is NULL, and whoever listens is told why, unless there
 * is no file. Fails where the file is none of ours. origin: what messages call the rows. Collective for a team
 * (how->team): all members get their rows, or none. */
sg_status sg_cache_load(const char *path, const char *key, const char *origin, const sg_csv_how *how, sg_table **out);

/* Appends a sentence that is to be heard again with the rows. */
void sg_cache_notice(sg_text *notices, const char *sentence);
/* Of a table whose rows lie in a file beside the path (how->beside): the file gets its name. notices may be "". */
sg_status sg_cache_keep(sg_table *t, const char *path, const char *key, const char *notices);

#endif
