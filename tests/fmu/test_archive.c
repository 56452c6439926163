/* What an FMU is packed into: checksums and sizes of a stored zip, and texts in XML. */
#define _POSIX_C_SOURCE 200809L
#include "unit.h"

#include "fmu/fmu_private.h"
#include "scratch_file.h"
#include <drystone/fmu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The check value of CRC-32/ISO-HDLC, and the checksum of nothing. */
static void the_checksum_is_that_of_zip(void **state) {
    (void)state;
    assert_true(dry_fmu_crc("123456789", 9) == 0xCBF43926ul);
    assert_true(dry_fmu_crc("", 0) == 0);
}

/* An archive takes 30 and 46 bytes for each file, its name twice, its bytes, and 22 at the end; its
 * largest size is 2^32 - 2. */
static void an_archive_has_less_than_4_GB(void **state) {
    (void)state;
    char name[] = "ab";
    const size_t most = (size_t)0xFFFFFFFEu - 22 - 30 - 46 - 2 * 2;
    struct dry_fmu__file file = {.name = name, .length = most};
    dry_fmu__files files = {.file = &file, .n = 1};
    assert_true(dry_fmu__zip_fits(&files));
    file.length++;
    assert_false(dry_fmu__zip_fits(&files));
}

static void is_written(const char *text, const char *expected) {
    char found[80] = "";
    FILE *stream = fmemopen(found, sizeof found, "w");
    assert_non_null(stream);
    dry_fmu__put_text(text, stream);
    fclose(stream);
    assert_string_equal(found, expected);
}

/* The ends of what UTF-8 may encode (RFC 3629) and XML 1.0 has; what is outside becomes ?. */
static void texts_are_letters_of_xml(void **state) {
    (void)state;
    is_written("a<b>&\"'", "a&#60;b&#62;&#38;&#34;&#39;");
    is_written("\t\n", "&#9;&#10;");
    is_written("\x01", "?");
    is_written("\xC2\x80 \xDF\xBF", "\xC2\x80 \xDF\xBF");
    is_written("\xC1\xBF", "??");
    is_written("\xE0\xA0\x80 \xED\x9F\xBF", "\xE0\xA0\x80 \xED\x9F\xBF");
    is_written("\xE0\x9F\xBF", "???");
    is_written("\xED\xA0\x80", "???"); /* a surrogate */
    is_written("\xEF\xBF\xBD", "\xEF\xBF\xBD");
    is_written("\xEF\xBF\xBE", "???");
    is_written("\xF0\x90\x80\x80 \xF4\x8F\xBF\xBF", "\xF0\x90\x80\x80 \xF4\x8F\xBF\xBF");
    is_written("\xF0\x8F\xBF\xBF", "????");
    is_written("\xF4\x90\x80\x80", "????");
    is_written("\xC3", "?"); /* the text ends in a letter */
}

/* Whether the archive has a file whose name begins so. */
static bool has_file(const char *data, size_t length, const char *name) {
    const size_t n = strlen(name);
    for (size_t at = 0; at + 30 + n < length; at++)
        if (memcmp(data + at, "PK\x03\x04", 4) == 0 && memcmp(data + at + 30, name, n) == 0)
            return true;
    return false;
}

/* An archive of the model of tests/fmu/first.dry; the caller frees it. */
static char *archive(const dry_fmu_options *options, size_t *length) {
    char path[1024], *data = NULL;
    snprintf(path, sizeof path, "%s", scratch_file("archive-XXXXXX"));
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    char *text;
    size_t n;
    dry_error error = {0};
    is_ok(dry_file_read(DRY_SOURCE_DIR "/tests/fmu/first.dry", 0, &text, &n, &error), &error);
    dry_model *model = dry_model_compile("first.dry", text, n, NULL);
    assert_true(model && dry_model_ok(model));
    const dry_status status = dry_fmu_write(model, options, path, NULL, &error);
    if (status == DRY_OK) is_ok(dry_file_read(path, 0, &data, length, &error), &error);
    unlink(path);
    dry_model_free(model);
    free(text);
    return data;
}

/* Without a compiler there is no object for this computer: sources alone need none. */
static void sources_alone_need_no_compiler(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        size_t length = 0;
        setenv("CC", "/nowhere/cc", 1);
        const dry_fmu_options whole = {.version = version},
                              sources = {.version = version, .only_sources = true};
        assert_null(archive(&whole, &length));
        char *data = archive(&sources, &length);
        unsetenv("CC");
        assert_non_null(data);
        assert_true(has_file(data, length, "modelDescription.xml"));
        assert_true(has_file(data, length, "sources/"));
        assert_false(has_file(data, length, "binaries/"));
        free(data);
    }
}

/* The name of an FMU's files and functions is a name of C, and has room for what is added. */
static void is_identified(const char *name, const char *expected) {
    char found[DRY_FMU__NAME];
    dry_fmu__identify(name, found);
    assert_string_equal(found, expected);
}

static void names_become_names_of_C(void **state) {
    char longest[200], found[DRY_FMU__NAME];
    (void)state;
    is_identified("door", "door");
    is_identified("six-axis robot, v2", "six_axis_robot__v2");
    is_identified("3d", "model_3d");
    is_identified("", "model_");
    is_identified(NULL, "model_");
    is_identified("Zz09", "Zz09");
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    dry_fmu__identify(longest, found);
    assert_true(strlen(found) + strlen("_eq.h") < DRY_FMU__NAME);
    assert_true(strlen(found) >= 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checksum_is_that_of_zip),
        cmocka_unit_test(an_archive_has_less_than_4_GB),
        cmocka_unit_test(texts_are_letters_of_xml),
        cmocka_unit_test(names_become_names_of_C),
        cmocka_unit_test(sources_alone_need_no_compiler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
