/* Any bytes at all as the text of a document that an editor has open, and as a message: every
 * request at some places is answered, and every answer is JSON. For libFuzzer: `make fuzz`. */
#include "../lsp/session.h"

#include <stdint.h>

enum { MOST_BYTES = 4096, PLACES = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > MOST_BYTES) return -1;
    session s;
    begin_session(&s);
    set_text(&s, (const char *)data, size, true, 0, 0, 0);
    for (int i = 0; i < PLACES; i++)
        ask_everything(&s, i * 3, size ? data[(size_t)i * size / PLACES] % 60 : 0);
    if (s.answers < 1 + 5 * PLACES) abort();
    set_text(&s, (const char *)data, size / 2, false, (int)(size % 7), 1, 5);
    ask_everything(&s, 1, 2);
    dry_lsp__take(&s.server, (const char *)data, size);
    if (s.wrong) abort();
    dry_lsp__free(&s.server);
    return 0;
}
