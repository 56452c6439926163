/* sha256: the digest of FIPS 180-4, by which the cache identifies its entries. */
#include "native_private.h"
#include <stdint.h>
#include <string.h>

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void expand(const unsigned char *block, uint32_t W[64]) {
    for (int i = 0; i < 16; i++)
        W[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        const uint32_t a = W[i - 15], b = W[i - 2];
        W[i] = W[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + W[i - 7] +
               (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
}

static void compress(uint32_t H[8], const unsigned char *block) {
    uint32_t W[64], s[8];
    expand(block, W);
    memcpy(s, H, sizeof s);
    for (int i = 0; i < 64; i++) {
        const uint32_t a = s[0], e = s[4];
        const uint32_t T1 = s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
                            ((e & s[5]) ^ (~e & s[6])) + K[i] + W[i];
        const uint32_t T2 =
            (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += T1;
        s[0] = T1 + T2;
    }
    for (int i = 0; i < 8; i++) H[i] += s[i];
}

/* Adds the rest of the data, a bit 1, zeros, and the length in bits: one block or two. */
static void finish(uint32_t H[8], const unsigned char *rest, size_t n, uint64_t length) {
    unsigned char last[128] = {0};
    const size_t blocks = n < 56 ? 1 : 2;
    if (n) memcpy(last, rest, n);
    last[n] = 0x80;
    for (int i = 0; i < 8; i++)
        last[64 * blocks - 1 - (size_t)i] = (unsigned char)(length * 8 >> 8 * i);
    for (size_t i = 0; i < blocks; i++) compress(H, last + 64 * i);
}

void dry_digest(const void *data, size_t length, char hex[DRY_DIGEST_SIZE]) {
    uint32_t H[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const unsigned char *bytes = data;
    const size_t whole = length / 64;
    for (size_t i = 0; i < whole; i++) compress(H, bytes + 64 * i);
    finish(H, bytes ? bytes + 64 * whole : bytes, length % 64, length);
    for (int i = 0; i < 8; i++) snprintf(hex + 8 * i, 9, "%08x", (unsigned)H[i]);
}
