/* sha256.c: SHA-256 as FIPS 180-4 writes it (sections 4.1.2, 5.1.1 and 6.2), block by block. */
#include "sha256.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, LENGTH_AT = 56 };

typedef struct sha256 {
    uint32_t h[8];
    uint64_t bytes;             /* so far */
    unsigned char block[BLOCK]; /* its first bytes % BLOCK are filled */
} sha256;

static const sha256 start = {
    .h = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};

/* clang-format off */
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
/* clang-format on */

static uint32_t turn(uint32_t x, int n) { return x >> n | x << (32 - n); }

/* The message schedule W_0..W_63 of a block. */
static void schedule(const unsigned char *b, uint32_t W[64])
{
    for (int t = 0; t < 16; t++, b += 4)
        W[t] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    for (int t = 16; t < 64; t++) {
        uint32_t s0 = turn(W[t - 15], 7) ^ turn(W[t - 15], 18) ^ W[t - 15] >> 3;
        uint32_t s1 = turn(W[t - 2], 17) ^ turn(W[t - 2], 19) ^ W[t - 2] >> 10;
        W[t] = s1 + W[t - 7] + s0 + W[t - 16];
    }
}

/* The letters a..h of the standard are v[0]..v[7]. */
static void take_block(sha256 *s)
{
    uint32_t W[64], v[8];
    schedule(s->block, W);
    memcpy(v, s->h, sizeof v);
    for (int t = 0; t < 64; t++) {
        uint32_t S1 = turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25);
        uint32_t S0 = turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        uint32_t T1 = v[7] + S1 + choice + K[t] + W[t];
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += T1;
        v[0] = T1 + S0 + majority;
    }
    for (int i = 0; i < 8; i++) s->h[i] += v[i];
}

static void add(sha256 *s, const void *bytes, size_t n)
{
    const unsigned char *from = bytes;
    while (n) {
        size_t used = s->bytes % BLOCK, part = BLOCK - used < n ? BLOCK - used : n;
        memcpy(s->block + used, from, part);
        s->bytes += part;
        from += part;
        n -= part;
        if (used + part == BLOCK) take_block(s);
    }
}

/* A one bit, zeros up to the last eight bytes of a block, there the length in bits. */
static void finish(sha256 *s, char hex[65])
{
    uint64_t bits = s->bytes * 8;
    unsigned char length[8];
    for (int i = 0; i < 8; i++) length[i] = (unsigned char)(bits >> (56 - 8 * i));
    add(s, "\x80", 1);
    while (s->bytes % BLOCK != LENGTH_AT) add(s, "", 1);
    add(s, length, sizeof length);
    for (int i = 0; i < 8; i++) snprintf(hex + 8 * i, 9, "%08lx", (unsigned long)s->h[i]);
}

void sha256_text(const char *bytes, size_t n, char hex[65])
{
    sha256 s = start;
    add(&s, bytes, n);
    finish(&s, hex);
}

static sg_status fail_read(const char *path)
{
    char sentence[512];
    snprintf(sentence, sizeof sentence, "can't read %s: %s", path, strerror(errno));
    sg_set_errmsg(sentence);
    return SG_EIO;
}

sg_status sha256_file(const char *path, char hex[65])
{
    char part[8192];
    sha256 s = start;
    FILE *file = fopen(path, "rb");
    if (!file) return fail_read(path);
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;) add(&s, part, n);
    sg_status st = ferror(file) ? fail_read(path) : SG_OK;
    fclose(file);
    if (st == SG_OK) finish(&s, hex);
    return st;
}
