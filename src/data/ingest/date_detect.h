/* date_detect.h: detects text that looks like a date. */
#ifndef SG_DATA_INGEST_DATE_DETECT_H
#define SG_DATA_INGEST_DATE_DETECT_H

#include <stdbool.h>
#include <stddef.h>

/* Recognises 2019-08-31, 2019/8/31, 31/8/2019, 8/31/19, 31.8.2019 and 31-08-2019, optionally with a time of day and a
 * time zone: 2019-08-31T17:05:33.25Z, 31.8.2019 17:05, 8/31/2019 5:05 PM, 2019-08-31 17:05 +02:00. */
bool sg_looks_like_date(const char *text, size_t n);

#endif
