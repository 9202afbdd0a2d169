/* shard_scatter.c: distributes rows that only rank 0 can read: broadcasts the schema, then sends the rows. */
#include "data/distributed/shard_source.h"

#include "comm/collectives.h"
#include "data/distributed/row_transfer.h"
#include "data/distributed/schema_wire.h"
#include "data/table.h"

#include <stdlib.h>
#include <string.h>

static sg_status send_table(const sg_comm *comm, const sg_source *all)
{
    sg_row_transfer transfer;
    sg_status st = sg_comm_agree_status(comm, sg_row_transfer_init(&transfer, comm, all->columns));
    for (size_t to = 1; st == SG_OK && to < comm->ranks; to++)
        st = sg_row_transfer_send(&transfer, to, all, sg_comm_shard_begin(all->rows, to, comm->ranks),
                                  sg_comm_shard_begin(all->rows, to + 1, comm->ranks));
    if (st == SG_OK) st = transfer.status;
    sg_row_transfer_release(&transfer);
    return st;
}

/* Moves the levels of the schema and the received rows into a table. */
static sg_status make_table(const char *file, sg_schema *schema, sg_row_transfer *from, sg_table **out)
{
    sg_npy *npy = NULL;
    sg_string_table *levels = schema->levels;
    double *values = from->values;
    if (from->spill) {
        sg_status st = sg_spill_file_finish(from->spill, schema->names, &npy);
        from->spill = NULL;
        if (st != SG_OK) return st;
    }
    schema->levels = NULL;
    from->values = NULL;
    return npy ? sg_table_adopt_file(file, schema->names, schema->columns, 0, npy, levels, out)
               : sg_table_adopt(file, schema->names, schema->columns, 0, values, levels, from->received, out);
}

/* `text` is the file name, followed by the schema. */
static sg_status receive_table(const sg_comm *comm, const char *text, size_t columns, size_t rows, size_t memory,
                               sg_table **out)
{
    sg_schema schema;
    sg_row_transfer transfer;
    sg_status st = sg_schema_decode(text + strlen(text) + 1, columns, &schema);
    sg_status init = sg_row_transfer_init(&transfer, comm, columns);
    if (st == SG_OK) st = init;
    if (st == SG_OK) st = sg_row_transfer_reserve(&transfer, text, schema.names, rows, memory);
    st = sg_comm_agree_status(comm, st);
    if (st == SG_OK) st = sg_row_transfer_receive(&transfer, 0, rows);
    if (st == SG_OK) st = transfer.status;
    if (st == SG_OK) st = make_table(text, &schema, &transfer, out);
    sg_row_transfer_release(&transfer);
    sg_schema_release(&schema);
    return st;
}

sg_status sg_shard_scatter(const sg_comm *comm, const sg_source *all, size_t memory, sg_row_range *range,
                           sg_table **out)
{
    uint64_t shape[2] = {all ? all->rows : 0, all ? all->columns : 0};
    sg_text schema = {0};
    void *text = NULL;
    sg_table *received = NULL;
    if (all) sg_text_append_bytes(&schema, sg_source_name(all), strlen(sg_source_name(all)) + 1);
    sg_status st = sg_comm_agree_status(comm, all ? sg_schema_encode(all, &schema) : SG_OK);
    if (st == SG_OK) st = sg_comm_bcast(comm, 0, shape, sizeof shape);
    if (st == SG_OK) st = sg_shard_bcast_bytes(comm, 0, schema.bytes, schema.length, &text, NULL);
    if (st == SG_OK) {
        *range = sg_row_range_split(comm, (size_t)shape[0]);
        st = all ? send_table(comm, all) : receive_table(comm, text, (size_t)shape[1], range->count, memory, &received);
        st = sg_comm_agree_status_verbatim(comm, st); /* the message of a read error need not name rank 0 */
    }
    free(text);
    sg_text_release(&schema);
    if (st == SG_OK && received) *out = received;
    else sg_table_free(received);
    return st;
}
