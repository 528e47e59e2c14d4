// What Realm Core's C interface leaves out, and what its OpenSSL would bring.
#include <cstdint>
#include <cstring>
#include <vector>

#include <realm/disable_sync_to_disk.hpp>
#include <realm/util/sha_crypto.hpp>

// For the whole process, and for good.
extern "C" __attribute__((visibility("default"))) void realm_shim_disable_sync_to_disk(int on)
{
    if (on)
        realm::disable_sync_to_disk();
}

// SHA-1 (FIPS 180-4, 6.1.2) in place of `util/sha_crypto.cpp`, which asks for
// OpenSSL. Only `global_key.cpp` calls it.
namespace realm::util {

static inline uint32_t rotate(uint32_t value, int bits)
{
    return (value << bits) | (value >> (32 - bits));
}

void sha1(const char* in, size_t length, unsigned char* out)
{
    uint32_t hash[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};

    // Every text key of an object goes through here: short ones need no heap.
    const size_t padded = ((length + 8) / 64 + 1) * 64;
    unsigned char stack[256];
    std::vector<unsigned char> heap;
    unsigned char* message = stack;
    if (padded > sizeof stack) {
        heap.resize(padded);
        message = heap.data();
    }
    if (length > 0)
        std::memcpy(message, in, length);
    std::memset(message + length, 0, padded - length);
    message[length] = 0x80;
    const uint64_t bits = uint64_t(length) * 8;
    for (int i = 0; i < 8; i++)
        message[padded - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));

    for (size_t block = 0; block < padded; block += 64) {
        const unsigned char* m = message + block;
        uint32_t w[80];
        for (int i = 0; i < 16; i++)
            w[i] = uint32_t(m[4 * i]) << 24 | uint32_t(m[4 * i + 1]) << 16 | uint32_t(m[4 * i + 2]) << 8 |
                   m[4 * i + 3];
        for (int i = 16; i < 80; i++)
            w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
        uint32_t a = hash[0], b = hash[1], c = hash[2], d = hash[3], e = hash[4];
        for (int i = 0; i < 80; i++) {
            uint32_t f, k;
            if (i < 20) {
                f = (b & c) | (~b & d);
                k = 0x5A827999;
            }
            else if (i < 40) {
                f = b ^ c ^ d;
                k = 0x6ED9EBA1;
            }
            else if (i < 60) {
                f = (b & c) | (b & d) | (c & d);
                k = 0x8F1BBCDC;
            }
            else {
                f = b ^ c ^ d;
                k = 0xCA62C1D6;
            }
            const uint32_t next = rotate(a, 5) + f + e + k + w[i];
            e = d;
            d = c;
            c = rotate(b, 30);
            b = a;
            a = next;
        }
        hash[0] += a;
        hash[1] += b;
        hash[2] += c;
        hash[3] += d;
        hash[4] += e;
    }
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 4; j++)
            out[4 * i + j] = static_cast<unsigned char>(hash[i] >> (24 - 8 * j));
}

} // namespace realm::util
