/* page_template.h: the HTML page of a report, built from web/ by cmake/page.cmake. Data go between head and tail. */
#pragma once

#include <stddef.h>

extern const unsigned char sg_page_head[], sg_page_tail[];
extern const size_t sg_page_head_length, sg_page_tail_length;
