// A C interface over MMKV's C++ one: what the adapter calls, and no more.
//
// No exception leaves it. `h` is an instance that kv_open gave and kv_close
// has not taken back; keys are bytes of any value, not empty.
#include "MMBuffer.h"
#include "MMKV.h"
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

using namespace mmkv;

namespace {

MMKV *at(void *h) { return static_cast<MMKV *>(h); }

std::string_view view(const char *k, size_t kl) { return {k, kl}; }

bool g_recover = false;

MMKVRecoverStrategic on_error(const std::string &, MMKVErrorType) {
    return g_recover ? OnErrorRecover : OnErrorDiscard;
}

constexpr int64_t FAILED = -2;
constexpr int64_t MISSING = -1;

} // namespace

#pragma GCC visibility push(default)
extern "C" {

const char *kv_version(void) { return MMKV_VERSION; }

// Once per process, before anything else. MMKV writes no log: it would go to
// standard output.
int kv_init(const char *root) noexcept {
    try {
        MMKV::initializeMMKV(root, MMKVLogNone);
        MMKV::registerErrorHandler(on_error);
        return 1;
    } catch (...) {
        return 0;
    }
}

// What is done with a file whose checksum is wrong: kept as far as it can be
// read, or emptied (MMKV's own default). For all instances opened afterwards.
void kv_on_error(int recover) noexcept { g_recover = recover != 0; }

// Null where it cannot be opened. `capacity` is MMKV's expected capacity.
void *kv_open(const char *id, const char *root, size_t capacity) noexcept {
    try {
        std::string directory = root;
        return MMKV::mmkvWithID(id, MMKV_SINGLE_PROCESS, nullptr, &directory, capacity);
    } catch (...) {
        return nullptr;
    }
}

int kv_compare_before_set(void *h) noexcept { return at(h)->enableCompareBeforeSet(); }

// 1, or 0 where MMKV refuses it.
int kv_set(void *h, const char *k, size_t kl, const void *v, size_t vl) noexcept {
    try {
        return at(h)->set(MMBuffer(const_cast<void *>(v), vl, MMBufferNoCopy), view(k, kl));
    } catch (...) {
        return 0;
    }
}

// Copies at most `cap` bytes; the value's length, MISSING or FAILED.
int64_t kv_get(void *h, const char *k, size_t kl, void *buf, size_t cap) noexcept {
    try {
        MMBuffer value;
        if (!at(h)->getBytes(view(k, kl), value)) {
            return at(h)->containsKey(view(k, kl)) ? FAILED : MISSING;
        }
        memcpy(buf, value.getPtr(), std::min(value.length(), cap));
        return static_cast<int64_t>(value.length());
    } catch (...) {
        return FAILED;
    }
}

// The same for a key that is there, without MMKV's copy in between.
int64_t kv_read(void *h, const char *k, size_t kl, void *buf, size_t cap) noexcept {
    try {
        auto size = static_cast<int32_t>(std::min(cap, static_cast<size_t>(INT32_MAX)));
        int32_t length = at(h)->writeValueToBuffer(view(k, kl), buf, size);
        return length >= 0 ? length : kv_get(h, k, kl, buf, cap);
    } catch (...) {
        return FAILED;
    }
}

int kv_contains(void *h, const char *k, size_t kl) noexcept {
    try {
        return at(h)->containsKey(view(k, kl));
    } catch (...) {
        return 0;
    }
}

// 0 where the key is there afterwards.
int kv_remove(void *h, const char *k, size_t kl) noexcept {
    try {
        return at(h)->removeValueForKey(view(k, kl)) || !at(h)->containsKey(view(k, kl));
    } catch (...) {
        return 0;
    }
}

// Shows all keys; their number, or FAILED.
int64_t kv_keys(void *h, void (*show)(void *user, const char *k, size_t kl), void *user) noexcept {
    try {
        auto keys = at(h)->allKeys();
        for (const auto &key : keys) {
            show(user, key.data(), key.size());
        }
        return static_cast<int64_t>(keys.size());
    } catch (...) {
        return FAILED;
    }
}

size_t kv_count(void *h) noexcept { return at(h)->count(); }
size_t kv_actual_size(void *h) noexcept { return at(h)->actualSize(); }
void kv_sync(void *h, int wait) noexcept { at(h)->sync(wait ? MMKV_SYNC : MMKV_ASYNC); }
void kv_trim(void *h) noexcept { at(h)->trim(); }
void kv_close(void *h) noexcept { at(h)->close(); }
}
#pragma GCC visibility pop
