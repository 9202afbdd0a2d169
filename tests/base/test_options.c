/* test_options.c: option values: types and bounds, presets, suggestions, configuration files.
 * labels: memory */
#include "base/options.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

/* --- A table with a row of every type --- */

static const char *kind_name(size_t i)
{
    static const char *const names[] = {"round", "pointed", "flat"};
    return i < 3 ? names[i] : NULL;
}

static const char *preset_name(size_t i)
{
    static const char *const names[] = {"plain", "fancy"};
    return i < 2 ? names[i] : NULL;
}

static const sg_option rows[] = {
    {"preset", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "plain", 0, 0, NULL, preset_name, "NAME", ""},
    {"flag", SG_OPTION_FLAG, SG_OPTION_GROUP_RUN, "no", 0, 0, NULL, NULL, NULL, ""},
    {"whole", SG_OPTION_INTEGER, SG_OPTION_GROUP_TRAIN, "7", -3, 4e9, NULL, NULL, "N", ""},
    {"real", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "2.385", 1e-12, 1e6, NULL, NULL, "X", ""},
    {"signed", SG_OPTION_REAL, SG_OPTION_GROUP_TRAIN, "0", -1, 1, NULL, NULL, "X", ""},
    {"counts", SG_OPTION_INTEGER_LIST, SG_OPTION_GROUP_MODEL, "2", 1, 1000, NULL, NULL, "N[,N...]", ""},
    {"kind", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "flat", 0, 0, NULL, kind_name, "NAME", ""},
    {"scale", SG_OPTION_CHOICE, SG_OPTION_GROUP_MODEL, "none", 0, 0, "zscore|quantile|none", NULL, "NAME", ""},
    {"size", SG_OPTION_BYTES, SG_OPTION_GROUP_RUN, "3kB", 1024, 1125899906842624.0, NULL, NULL, "SIZE", ""},
    {"text", SG_OPTION_TEXT, SG_OPTION_GROUP_DATA, "", 0, 0, NULL, NULL, "TEXT", ""},
};
static const sg_preset presets[] = {
    {"plain", "", ""},
    {"fancy", "whole=11 real=0.125 kind=round", ""},
};

static sg_options *own_options(void)
{
    sg_options *o;
    check(sg_options_new_from_table(rows, sizeof rows / sizeof *rows, presets, 2, &o));
    return o;
}

typedef struct setting {
    const char *name, *value, *expected; /* the stored value, or a part of the error message */
} setting;

static void takes_and_tidies(void **state)
{
    static const setting cases[] = {
        {"flag", "yes", "yes"},
        {"flag", "true", "yes"},
        {"flag", "1", "yes"},
        {"flag", "no", "no"},
        {"flag", "false", "no"},
        {"flag", "0", "no"},
        {"size", "1024", "1kB"},
        {"size", "0.5m", "512kB"},
        {"whole", "-3", "-3"},
        {"whole", "-0", "0"},
        {"whole", "+12", "12"},
        {"whole", "4e9", "4000000000"},
        {"whole", "4000000000", "4000000000"},
        {"whole", "123.0", "123"},
        {"real", "1e-2", "0.01"},
        {"real", "0.0100", "0.01"},
        {"real", "1E-12", "1e-12"},
        {"real", "1000000", "1000000"},
        {"signed", "-0.0", "0"},
        {"signed", "-1", "-1"},
        {"counts", "3", "3"},
        {"counts", "3,1e2,1000", "3,100,1000"},
        {"kind", "pointed", "pointed"},
        {"scale", "zscore", "zscore"},
        {"scale", "none", "none"},
        {"text", "", ""},
        {"text", " a,b\t", " a,b\t"},
    };
    sg_options *o = own_options();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check(sg_options_set(o, cases[i].name, cases[i].value));
        assert_string_equal(sg_options_get(o, cases[i].name), cases[i].expected);
        assert_true(sg_options_equals(o, cases[i].name, cases[i].expected));
    }
    sg_options_free(o);
}

/* A rejected value leaves the old one unchanged. */
static void refuses(void **state)
{
    static const setting cases[] = {
        {"flag", "maybe", "--flag: expected yes or no, got \"maybe\""},
        {"flag", "", "--flag: expected yes or no"},
        {"size", "1000", "--size: expected a size from 1kB to 1024TB, such as 256MB, got \"1000\""},
        {"size", "2000TB", "--size: expected a size"},
        {"size", "5X", "--size: expected a size"},
        {"whole", "-4", "--whole: expected a whole number from -3 to 4000000000, got \"-4\""},
        {"whole", "4000000001", "--whole: expected a whole number"},
        {"whole", "2.5", "--whole: expected a whole number"},
        {"whole", "", "got \"\""},
        {"whole", "12x", "got \"12x\""},
        {"whole", "nan", "--whole"},
        {"whole", "0x10", "--whole"},
        {"real", "0", "--real: expected a number from 1e-12 to 1000000, got \"0\""},
        {"real", "1000000.0000001", "--real: expected a number"},
        {"real", "-2.385", "--real"},
        {"real", "inf", "--real"},
        {"real", "1e400", "--real"},
        {"real", "1,5", "--real"},
        {"real", "bad\nline\x80", "got \"bad?line?\""},
        {"counts", "0", "--counts: expected whole numbers from 1 to 1000, got \"0\""},
        {"counts", "2,,3", "--counts"},
        {"counts", "2,", "--counts"},
        {"counts", "", "--counts"},
        {"counts", "2, 3", "--counts"},
        {"counts", "2,1001", "--counts"},
        {"kind", "ruond", "--kind: unknown value \"ruond\"; did you mean \"round\"?"},
        {"kind", "triangular", "--kind: unknown value \"triangular\"; expected one of round, pointed, flat"},
        {"scale", "zcore", "did you mean \"zscore\"?"},
        {"scale", "zscore|none", "--scale: unknown value"},
        {"scale", "", "expected one of zscore, quantile, none"},
        {"preset", "fancier", "did you mean \"fancy\"?"},
        {"preset", "x", "expected one of plain, fancy"},
        {"wohle", "3", "unknown option --wohle; did you mean --whole?"},
        {"zzzzzzzz", "3", "unknown option --zzzzzzzz"},
        {"", "3", "unknown option --"},
    };
    sg_options *o = own_options();
    (void)state;
    check(sg_options_set(o, "whole", "5"));
    check(sg_options_set(o, "kind", "round"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_fails(sg_options_set(o, cases[i].name, cases[i].value), SG_EINVAL, cases[i].expected);
    assert_null(strstr(sg_errmsg(), "did you mean"));
    assert_string_equal(sg_options_get(o, "whole"), "5");
    assert_string_equal(sg_options_get(o, "kind"), "round");
    assert_string_equal(sg_options_get(o, "real"), "2.385");
    sg_options_free(o);
}

static void set_beats_preset_beats_default(void **state)
{
    sg_options *o = own_options();
    (void)state;
    check(sg_options_set(o, "whole", "3"));
    check(sg_options_set(o, "preset", "fancy"));
    assert_string_equal(sg_options_get(o, "whole"), "3");
    assert_string_equal(sg_options_get(o, "real"), "0.125");
    assert_string_equal(sg_options_get(o, "kind"), "round");
    assert_string_equal(sg_options_get(o, "counts"), "2");
    assert_true(sg_options_is_set(o, "whole") && sg_options_is_set(o, "preset"));
    assert_false(sg_options_is_set(o, "real") || sg_options_is_set(o, "counts"));
    assert_false(sg_options_is_set(o, "nothing"));
    check(sg_options_set(o, "preset", "plain")); /* removes the values of the other preset */
    assert_string_equal(sg_options_get(o, "real"), "2.385");
    assert_string_equal(sg_options_get(o, "kind"), "flat");
    assert_string_equal(sg_options_get(o, "whole"), "3");
    assert_null(sg_options_get(o, "nothing"));
    sg_options_free(o);
    sg_options_free(NULL);
}

static void reads_numbers(void **state)
{
    sg_options *o = own_options();
    (void)state;
    assert_true(sg_options_real(o, "real") == 2.385);
    assert_int_equal(sg_options_integer(o, "whole"), 7);
    check(sg_options_set(o, "whole", "4e9"));
    assert_true(sg_options_integer(o, "whole") == 4000000000u);
    sg_options_free(o);
}

static void takes_lists_apart(void **state)
{
    char buf[8];
    sg_options *o = own_options();
    (void)state;
    assert_false(sg_options_list_item(o, "text", 0, buf, sizeof buf));
    assert_true(sg_options_list_item(o, "counts", 0, buf, sizeof buf));
    assert_string_equal(buf, "2");
    assert_false(sg_options_list_item(o, "counts", 1, buf, sizeof buf));
    check(sg_options_set(o, "counts", "3,14,159"));
    assert_true(sg_options_list_item(o, "counts", 1, buf, sizeof buf));
    assert_string_equal(buf, "14");
    assert_true(sg_options_list_item(o, "counts", 2, buf, sizeof buf));
    assert_string_equal(buf, "159");
    assert_false(sg_options_list_item(o, "counts", 3, buf, sizeof buf));
    check(sg_options_set(o, "text", "a,,temperature"));
    assert_true(sg_options_list_item(o, "text", 1, buf, sizeof buf));
    assert_string_equal(buf, "");
    assert_true(sg_options_list_item(o, "text", 2, buf, sizeof buf));
    assert_string_equal(buf, "tempera"); /* truncated to the buffer */
    sg_options_free(o);
}

static void clones(void **state)
{
    sg_options *o = own_options(), *copy;
    (void)state;
    check(sg_options_set(o, "preset", "fancy"));
    check(sg_options_set(o, "text", "u,v"));
    check(sg_options_set(o, "real", "0.75"));
    check(sg_options_clone(o, &copy));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_string_equal(sg_options_get(copy, rows[i].name), sg_options_get(o, rows[i].name));
        assert_int_equal(sg_options_is_set(copy, rows[i].name), sg_options_is_set(o, rows[i].name));
    }
    check(sg_options_set(copy, "real", "0.5"));
    assert_string_equal(sg_options_get(o, "real"), "0.75");
    sg_options_free(o);
    assert_string_equal(sg_options_get(copy, "text"), "u,v");
    sg_options_free(copy);
}

static void lists_choices(void **state)
{
    char buf[64], small[4];
    (void)state;
    assert_string_equal(sg_option_choice(&rows[6], 1, buf, sizeof buf), "pointed");
    assert_null(sg_option_choice(&rows[6], 3, buf, sizeof buf));
    assert_string_equal(sg_option_choice(&rows[7], 0, buf, sizeof buf), "zscore");
    assert_string_equal(sg_option_choice(&rows[7], 2, buf, sizeof buf), "none");
    assert_null(sg_option_choice(&rows[7], 3, buf, sizeof buf));
    assert_string_equal(sg_option_choice(&rows[7], 1, small, sizeof small), "qua");
    assert_null(sg_option_choice(&rows[2], 0, buf, sizeof buf));
}

static void listen(void *arg, const char *sentence) { snprintf(arg, 64, "%s", sentence); }

static void notices_reach_the_listener(void **state)
{
    char heard[64] = "";
    sg_options *o = own_options();
    (void)state;
    sg_notice(NULL, "nobody %d", 1);
    sg_notice(o, "nobody %d", 2);
    sg_options_on_notice(o, listen, heard);
    sg_notice(o, "column \"%s\" is constant", "x7");
    assert_string_equal(heard, "column \"x7\" is constant");
    sg_options_free(o);
}

/* --- The library's table --- */

static void defaults_pass_their_own_check(void **state)
{
    size_t n;
    const sg_option *table = sg_option_table(&n);
    sg_options *o;
    (void)state;
    check(sg_options_new(&o));
    assert_true(n > 20);
    for (size_t i = 0; i < n; i++) {
        char kept[64];
        snprintf(kept, sizeof kept, "%s", sg_options_get(o, table[i].name));
        assert_true(table[i].name[0] && table[i].help[0]);
        check(sg_options_set(o, table[i].name, kept));
        assert_string_equal(sg_options_get(o, table[i].name), kept); /* otherwise model files would differ */
    }
    sg_options_free(o);
}

static void bounds_are_inside_and_beyond_is_not(void **state)
{
    size_t n, seen = 0;
    const sg_option *table = sg_option_table(&n);
    sg_options *o;
    (void)state;
    check(sg_options_new(&o));
    for (size_t i = 0; i < n; i++) {
        const sg_option *row = &table[i];
        char text[64];
        if (row->type == SG_OPTION_CHOICE || row->type == SG_OPTION_TEXT || row->type == SG_OPTION_FLAG) continue;
        seen++;
        check(sg_options_set(o, row->name, sg_number_format(row->low, text)));
        check(sg_options_set(o, row->name, sg_number_format(row->high, text)));
        bool real = row->type == SG_OPTION_REAL;
        sg_number_format(real ? nextafter(row->low, -INFINITY) : row->low - 1, text);
        check_fails(sg_options_set(o, row->name, text), SG_EINVAL, row->name);
        sg_number_format(real ? nextafter(row->high, INFINITY) : row->high + 1, text);
        check_fails(sg_options_set(o, row->name, text), SG_EINVAL, row->name);
    }
    assert_true(seen > 10);
    sg_options_free(o);
}

static void every_choice_is_taken(void **state)
{
    size_t n;
    const sg_option *table = sg_option_table(&n);
    sg_options *o;
    (void)state;
    check(sg_options_new(&o));
    for (size_t i = 0; i < n; i++) {
        char buf[64];
        const char *name;
        size_t k = 0;
        if (table[i].type != SG_OPTION_CHOICE) continue;
        for (; (name = sg_option_choice(&table[i], k, buf, sizeof buf)); k++)
            check(sg_options_set(o, table[i].name, name));
        assert_true(k >= 2);
    }
    sg_options_free(o);
}

/* All settings of a preset are active, in canonical form. */
static void every_preset_applies(void **state)
{
    size_t n, settings = 0;
    const sg_preset *table = sg_preset_table(&n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        sg_options *o, *by_hand;
        char copy[256], *rest = copy, *pair;
        check(sg_options_new(&o));
        check(sg_options_new(&by_hand));
        check(sg_options_set(o, "preset", table[i].name));
        snprintf(copy, sizeof copy, "%s", table[i].settings);
        while ((pair = strsep(&rest, " "))) {
            char *name = strsep(&pair, "=");
            if (!*name) continue;
            check(sg_options_set(by_hand, name, pair));
            assert_string_equal(sg_options_get(o, name), sg_options_get(by_hand, name));
            assert_false(sg_options_is_set(o, name));
            settings++;
        }
        sg_options_free(o);
        sg_options_free(by_hand);
    }
    assert_true(n >= 14 && settings > 30);
}

static void names_what_was_meant(void **state)
{
    static const setting cases[] = {
        {"kep", "0.5", "did you mean --keep?"},
        {"iter", "5", "did you mean --iters?"},
        {"optm", "sgd", "did you mean --optim?"},
        {"optim", "adam1", "did you mean \"adam\"?"},
        {"mf", "gaus", "did you mean \"gauss\"?"},
        {"preset", "mbgd-rad", "did you mean \"mbgd-r"},
        {"structure", "gird", "did you mean \"grid\"?"},
        {"precision", "f16", "did you mean \"f64\"? (choices: f64, f32)"},
        {"precision", "double", "expected one of f64, f32"},
    };
    sg_options *o;
    (void)state;
    check(sg_options_new(&o));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_fails(sg_options_set(o, cases[i].name, cases[i].value), SG_EINVAL, cases[i].expected);
    sg_options_free(o);
}

static void suggests(void **state)
{
    static const char *const names[] = {"train", "predict", "eval", "cv", "rules", "info", NULL};
    static const char *const none[] = {NULL};
    static const struct {
        const char *typed, *meant;
    } cases[] = {
        {"train", "train"},    {"trian", "train"}, {"tarin", "train"}, {"pred", NULL},
        {"predit", "predict"}, {"c", NULL},        {"rulez", "rules"}, {"frobnicate", NULL},
        {"in", NULL},          {"evl", "eval"},    {"", NULL},         {"quantum", NULL},
    };
    char longest[200];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *got = sg_suggest(cases[i].typed, names);
        if (!cases[i].meant ? got != NULL : !got || strcmp(got, cases[i].meant) != 0)
            fail_msg("%s: %s", cases[i].typed, got ? got : "nothing");
    }
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_null(sg_suggest(longest, names));
    assert_null(sg_suggest("train", none));
}

/* --- Configuration files --- */

static char path[] = "/tmp/sugeno-options-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? 1 : close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void write_file(const char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void reads_files(void **state)
{
    static const char text[] = "# what I like\n"
                               "\n"
                               "  real=0.375   # trailing\n"
                               "\twhole = 19\t\r\n"
                               "counts = 3,4\r\n"
                               "   \r\n"
                               "#kind = round\n"
                               "text = a = b, c d \n"
                               "preset = fancy";
    sg_options *o = own_options();
    (void)state;
    write_file(text, sizeof text - 1);
    check(sg_options_read(o, path, NULL, NULL));
    assert_string_equal(sg_options_get(o, "real"), "0.375"); /* overrides the preset */
    assert_string_equal(sg_options_get(o, "whole"), "19");
    assert_string_equal(sg_options_get(o, "counts"), "3,4");
    assert_string_equal(sg_options_get(o, "kind"), "round"); /* the preset's: the line is a comment */
    assert_string_equal(sg_options_get(o, "text"), "a = b, c d");
    check(sg_options_set(o, "whole", "20"));
    assert_string_equal(sg_options_get(o, "whole"), "20");
    write_file("", 0);
    check(sg_options_read(o, path, NULL, NULL));
    sg_options_free(o);
}

static void names_the_line(void **state)
{
    static const struct {
        const char *text;
        size_t length;
        const char *sentence;
    } cases[] = {
#define LINE(text, sentence) {text, sizeof text - 1, sentence}
        LINE("real = 1\nrael = 2\n", ":2: unknown option --rael; did you mean --real?"),
        LINE("\n\n\nreal\n", ":4: expected \"name = value\""),
        LINE("real = 1\r\nreal = -1\r\n", ":2: --real: expected a number"),
        LINE("whole = 3\n = 4\n", ":2: unknown option"),
        LINE("whole =\n", ":1: --whole: expected a whole number"),
        LINE("preset = fncy", ":1: --preset: unknown value \"fncy\"; did you mean \"fancy\"?"),
        LINE("whole = 3\0\n", "NUL byte"),
        LINE("\x7f"
             "ELF\x02\x01\x01 stuff\n",
             ":1: expected"),
#undef LINE
    };
    sg_options *o = own_options();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_file(cases[i].text, cases[i].length);
        check_fails(sg_options_read(o, path, NULL, NULL), SG_EINVAL, cases[i].sentence);
        assert_ptr_equal(strstr(sg_errmsg(), path), sg_errmsg());
    }
    check_fails(sg_options_read(o, "/nowhere/at/all", NULL, NULL), SG_EIO, "/nowhere/at/all");
    check_fails(sg_options_read(o, "/tmp", NULL, NULL), SG_EIO, "/tmp");
    sg_options_free(o);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(takes_and_tidies),
    cmocka_unit_test(refuses),
    cmocka_unit_test(set_beats_preset_beats_default),
    cmocka_unit_test(reads_numbers),
    cmocka_unit_test(takes_lists_apart),
    cmocka_unit_test(clones),
    cmocka_unit_test(lists_choices),
    cmocka_unit_test(notices_reach_the_listener),
    cmocka_unit_test(defaults_pass_their_own_check),
    cmocka_unit_test(bounds_are_inside_and_beyond_is_not),
    cmocka_unit_test(every_choice_is_taken),
    cmocka_unit_test(every_preset_applies),
    cmocka_unit_test(names_what_was_meant),
    cmocka_unit_test(suggests),
    cmocka_unit_test(reads_files),
    cmocka_unit_test(names_the_line),
};
TEST_GROUP(tests, make_file, remove_file)
