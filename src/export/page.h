/* page.h: the report's page, which cmake/page.cmake makes of web/. What a report shows goes between the two parts. */
#ifndef SG_EXPORT_PAGE_H
#define SG_EXPORT_PAGE_H

#include <stddef.h>

extern const unsigned char sg_page_head[], sg_page_tail[];
extern const size_t sg_page_head_length, sg_page_tail_length;

#endif
