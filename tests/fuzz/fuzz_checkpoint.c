/* fuzz_checkpoint.c: resumes training from any bytes. If the first byte is even, the rest is the whole file. If it is
 * odd, the rest replaces part of the state in a valid checkpoint, at the offset in the next two bytes, with a correct
 * checksum. If the checkpoint is accepted, training must continue, and the model must survive writing and reading. */
#include "sugeno.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

enum { MOST = 1 << 16, PLANNED = 12, MADE = 7 };

typedef struct fixture {
    sg_options *options;
    sg_source rows;
    int fd;
    char path[32];
    uint8_t saved[MOST]; /* a valid checkpoint */
    size_t size, state;  /* state: offset of the first byte after the header */
} fixture;

static void write_file(const fixture *f, const uint8_t *bytes, size_t n)
{
    assert(ftruncate(f->fd, 0) == 0 && pwrite(f->fd, bytes, n, 0) == (ssize_t)n);
}

static void save_one(fixture *f, sg_table *table)
{
    static const char name[] = "/tmp/sugeno-fuzz-checkpoint-%ld";
    char path[64];
    sg_trainer *t;
    sg_progress p;
    snprintf(path, sizeof path, name, (long)getpid());
    f->rows = sg_table_source(table);
    assert(sg_trainer_new(f->options, &f->rows, NULL, &t) == SG_OK);
    for (int k = 0; k < MADE; k++) assert(sg_trainer_step(t, &p) == SG_OK);
    assert(sg_trainer_save(t, path) == SG_OK);
    sg_trainer_free(t);
    FILE *in = fopen(path, "rb");
    assert(in);
    f->size = fread(f->saved, 1, MOST, in);
    fclose(in);
    unlink(path);
    f->state = (size_t)((uint8_t *)strstr((char *)f->saved, "\n\n") + 2 - f->saved);
    assert(f->size < MOST && f->state < f->size);
}

/* Created once because the fuzzer calls this a million times. */
static fixture *made(void)
{
    static fixture f;
    static sg_table *table;
    if (table) return &f;
    assert(sg_table_generate("friedman", 30, 1, &table) == SG_OK && sg_options_new(&f.options) == SG_OK);
    assert(sg_options_set(f.options, "preset", "mbgd-rda") == SG_OK);
    assert(sg_options_set(f.options, "rules", "2") == SG_OK);
    assert(sg_options_set(f.options, "iters", "12") == SG_OK);
    assert(sg_options_set(f.options, "patience", "5") == SG_OK);
    assert(sg_options_set(f.options, "valid-fraction", "0.3") == SG_OK);
    f.fd = memfd_create("checkpoint", 0);
    snprintf(f.path, sizeof f.path, "/proc/self/fd/%d", f.fd);
    save_one(&f, table);
    return &f;
}

static void put_forgery(const fixture *f, const uint8_t *data, size_t size)
{
    static uint8_t file[MOST];
    size_t room = f->size - f->state - 4, from = size < 2 ? 0 : (data[0] + 256u * data[1]) % room;
    size_t n = size < 2 ? 0 : size - 2;
    memcpy(file, f->saved, f->size);
    memcpy(file + f->state + from, data + (n ? 2 : 0), n < room - from ? n : room - from);
    uint32_t sum = (uint32_t)crc32_z(0, file + f->state, room);
    memcpy(file + f->size - 4, &sum, sizeof sum);
    write_file(f, file, f->size);
}

static void train_on(sg_trainer *t)
{
    sg_progress p = sg_trainer_progress(t);
    sg_model *m, *again;
    char *text;
    assert(p.iterations == PLANNED && p.iteration <= PLANNED);
    while (p.more && sg_trainer_step(t, &p) == SG_OK) assert(p.iteration <= PLANNED);
    assert(sg_trainer_model(t, &m) == SG_OK && sg_model_to_json(m, &text) == SG_OK);
    if (sg_model_from_json(text, strlen(text), "again", &again) != SG_OK) {
        fprintf(stderr, "%s\n", sg_errmsg());
        assert(0);
    }
    sg_string_free(text);
    sg_model_free(m);
    sg_model_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fixture *f = made();
    sg_trainer *t = NULL;
    if (size == 0) return 0;
    if (data[0] % 2) put_forgery(f, data + 1, size - 1);
    else write_file(f, data + 1, size - 1);
    sg_status st = sg_trainer_resume(f->path, f->options, &f->rows, NULL, &t);
    if (st == SG_OK) train_on(t);
    else assert(st == SG_EDATA && !t && strncmp(sg_errmsg(), f->path, strlen(f->path)) == 0);
    sg_trainer_free(t);
    return 0;
}
