/* test_sha256.c: SHA-256 against the examples of FIPS 180-4 and at the edges of its padding.
 * labels: memory */
#include "../paper/sha256.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

enum { MILLION = 1000000 };

/* The text, repeated. */
static const struct {
    const char *text;
    size_t times;
    const char *hex;
} cases[] = {
    {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1, /* 448 bits */
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"a", MILLION, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    {"a", 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
    {"a", 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
    {"a", 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
    {"a", 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
    {"a", 65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
    {"a", 119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
    {"a", 120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
};

/* Exactly as long as the message, so that valgrind sees a byte too far. */
static char *message_of(size_t i, size_t *n)
{
    size_t length = strlen(cases[i].text);
    *n = length * cases[i].times;
    char *message = malloc(*n ? *n : 1);
    assert_non_null(message);
    for (size_t k = 0; k < cases[i].times; k++) memcpy(message + k * length, cases[i].text, length);
    return message;
}

static void digests_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char hex[65];
        size_t n;
        char *message = message_of(i, &n);
        sha256_text(message, n, hex);
        assert_string_equal(hex, cases[i].hex);
        free(message);
    }
}

static void digests_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char hex[65], path[] = "/tmp/sugeno-sha256-XXXXXX";
        size_t n;
        char *message = message_of(i, &n);
        int fd = mkstemp(path);
        assert_true(fd >= 0);
        assert_int_equal(write(fd, message, n), n);
        close(fd);
        free(message);
        sg_status st = sha256_file(path, hex);
        unlink(path);
        check(st);
        assert_string_equal(hex, cases[i].hex);
    }
}

static void refuses_what_it_cannot_read(void **state)
{
    (void)state;
    char hex[65] = "as it was";
    check_fails(sha256_file("/tmp/no such/file", hex), SG_EIO, "can't read /tmp/no such/file: ");
    check_fails(sha256_file("/tmp", hex), SG_EIO, "can't read /tmp: ");
    assert_string_equal(hex, "as it was");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(digests_texts),
    cmocka_unit_test(digests_files),
    cmocka_unit_test(refuses_what_it_cannot_read),
};
TEST_GROUP(tests, NULL, NULL)
