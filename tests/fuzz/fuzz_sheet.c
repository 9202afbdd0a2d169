/* fuzz_sheet.c: any bytes through the reader of paper's tables. What it accepts is written again with every
 * field quoted, and must be read as the same fields. */
#include "../../paper/sheet.h"
#include "../../paper/words.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void write_again(const sheet *s, text *out)
{
    for (size_t i = 0; i < (s->rows + 1) * s->columns; i++) {
        text_add(out, "\"");
        for (const char *c = s->field[i]; *c; c++) text_add(out, *c == '"' ? "\"%c" : "%c", *c);
        text_add(out, (i + 1) % s->columns ? "\"," : "\"\n");
    }
    assert(!out->failed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = calloc(size + 1, 1);
    sheet s = {0}, again = {0};
    text copy = {0};
    assert(bytes);
    memcpy(bytes, data, size);
    if (sheet_parse(bytes, "fuzz", &s) == SG_OK) {
        write_again(&s, &copy);
        assert(sheet_parse(copy.bytes, "again", &again) == SG_OK);
        assert(again.rows == s.rows && again.columns == s.columns && s.columns > 0);
        for (size_t i = 0; i < (s.rows + 1) * s.columns; i++) assert(strcmp(s.field[i], again.field[i]) == 0);
        assert(*sheet_get(&s, s.rows, s.field[0]) == '\0'); /* behind the last row */
    } else assert(strncmp(sg_errmsg(), "fuzz", 4) == 0);
    sheet_free(&s);
    sheet_free(&again);
    text_free(&copy);
    free(bytes);
    return 0;
}
