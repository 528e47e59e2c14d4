// A C interface over MMKV's C++ one.
#include "MMKV.h"
#include "MMBuffer.h"
#include <cstring>
#include <cstdlib>
#include <string>
#include <vector>
using namespace mmkv;
#pragma GCC visibility push(default)
extern "C" {
const char *kv_version(void) { return MMKV_VERSION; }
void kv_init(const char *root, int level) { MMKV::initializeMMKV(root, (MMKVLogLevel) level); }
void *kv_open(const char *id, const char *root, int mode, const char *crypt, size_t cap) {
    std::string r, c; if (root) r = root; if (crypt) c = crypt;
    return MMKV::mmkvWithID(id, (MMKVMode) mode, crypt ? &c : nullptr, root ? &r : nullptr, cap);
}
int kv_set(void *h, const char *k, size_t kl, const void *v, size_t vl) { return ((MMKV *) h)->set(MMBuffer((void *) v, vl, MMBufferNoCopy), std::string(k, kl)); }
int kv_set_str(void *h, const char *k, size_t kl, const char *v, size_t vl) { return ((MMKV *) h)->set(std::string(v, vl), std::string(k, kl)); }
int64_t kv_get(void *h, const char *k, size_t kl, void **out) { MMBuffer b; if (!((MMKV *) h)->getBytes(std::string(k, kl), b)) { *out = nullptr; return -1; } void *p = malloc(b.length() ? b.length() : 1); memcpy(p, b.getPtr(), b.length()); *out = p; return (int64_t) b.length(); }
int64_t kv_get_into(void *h, const char *k, size_t kl, void *buf, size_t cap) { MMBuffer b; if (!((MMKV *) h)->getBytes(std::string(k, kl), b)) return -1; size_t n = b.length() < cap ? b.length() : cap; memcpy(buf, b.getPtr(), n); return (int64_t) b.length(); }
void kv_free(void *p) { free(p); }
void kv_remove(void *h, const char *k, size_t kl) { ((MMKV *) h)->removeValueForKey(std::string(k, kl)); }
int kv_contains(void *h, const char *k, size_t kl) { return ((MMKV *) h)->containsKey(std::string(k, kl)); }
typedef void (*kv_cb)(void *u, const char *k, size_t kl);
size_t kv_all_keys(void *h, kv_cb cb, void *u) { auto v = ((MMKV *) h)->allKeys(); for (auto &s : v) cb(u, s.data(), s.size()); return v.size(); }
size_t kv_count(void *h) { return ((MMKV *) h)->count(); }
size_t kv_total(void *h) { return ((MMKV *) h)->totalSize(); }
size_t kv_actual(void *h) { return ((MMKV *) h)->actualSize(); }
void kv_sync(void *h, int sync) { ((MMKV *) h)->sync((SyncFlag) (bool) sync); }
void kv_trim(void *h) { ((MMKV *) h)->trim(); }
void kv_clear_all(void *h) { ((MMKV *) h)->clearAll(); }
void kv_clear_memory(void *h) { ((MMKV *) h)->clearMemoryCache(); }
void kv_close(void *h) { ((MMKV *) h)->close(); }
void kv_on_exit(void) { MMKV::onExit(); }
}
#pragma GCC visibility pop
