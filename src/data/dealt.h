/* dealt.h: rows that one member of a team can read, given to the others. */
#ifndef SG_DATA_DEALT_H
#define SG_DATA_DEALT_H

#include "data/member.h"

/* Member 0 has all rows, the others none yet (all NULL): each gets the rows of its share as a table with the
 * same columns, in a file where they take more than `memory` bytes; member 0 gets none, but its share. All members get
 * the same status. */
sg_status sg_dealt(const sg_team *t, const sg_source *all, size_t memory, sg_share *share, sg_table **out);

#endif
