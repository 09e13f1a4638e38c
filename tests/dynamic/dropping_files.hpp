// A file layer of SQLite that forgets what was not synchronised, as a machine without power does.
//
// It stands on the usual one, and notes what every write since the last synchronisation of its file has replaced. After a given number of
// writes and synchronisations it puts a part of that back, chosen at random, and ends the process: writes are undone in any combination,
// whole or from the middle on, as a disk with a cache may write them in any order. Files of states go if their folder was not synchronised
// since they were made: so a test that uses this defines fsync(), which SQLite does not use for them, and calls folder_synchronised().
#pragma once
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copse::test {

class dropping_files {
public:
  /// The default of SQLite in this process from now on. The process ends at the write or synchronisation with this number, counted from 1.
  static void install(std::uint64_t last, unsigned seed) {
    sqlite3_vfs* const usual = sqlite3_vfs_find(nullptr);
    static sqlite3_vfs dropping = *usual;
    state().usual = usual;
    state().left = last;
    state().random.seed(seed);
    dropping.zName = "dropping";
    dropping.szOsFile = static_cast<int>(sizeof(file)) + usual->szOsFile;
    dropping.xOpen = [](sqlite3_vfs*, const char* name, sqlite3_file* opened, int flags, int* out) {
      auto* const made = reinterpret_cast<file*>(opened);
      made->base.pMethods = nullptr;
      if (name != nullptr && std::string_view{name}.find("/state.") != std::string_view::npos && access(name, F_OK) != 0)
        state().made.insert(name);
      const int code = state().usual->xOpen(state().usual, name, inner(opened), flags, out);
      if (code != SQLITE_OK) return code;
      made->name = new std::string{name == nullptr ? "" : name};
      made->base.pMethods = methods(inner(opened)->pMethods->iVersion);
      return code;
    };
    sqlite3_vfs_register(&dropping, 1);
  }
  /// To be called before a folder is synchronised.
  static void folder_synchronised() {
    if (state().usual == nullptr) return;
    count();
    state().made.clear();
  }

private:
  struct file {
    sqlite3_file base;
    std::string* name;
  };
  // Bytes that a write or a truncation replaced.
  struct replaced {
    sqlite3_int64 offset;
    std::string before;
    bool is_truncation;
  };
  struct shared {
    sqlite3_vfs* usual = nullptr;
    std::map<std::string, std::vector<replaced>> unsynchronised;
    std::set<std::string> made;  // files of states that their folder may not have yet
    std::uint64_t left = 0;
    std::mt19937 random;
  };
  static shared& state() {
    static shared all;
    return all;
  }
  static sqlite3_file* inner(sqlite3_file* outer) { return reinterpret_cast<sqlite3_file*>(reinterpret_cast<file*>(outer) + 1); }

  static void count() {
    if (--state().left != 0) return;
    for (const std::string& name : state().made) unlink(name.c_str());
    for (const auto& [name, writes] : state().unsynchronised) {
      const int descriptor = open(name.c_str(), O_RDWR | O_CLOEXEC);
      for (auto at = writes.rbegin(); descriptor >= 0 && at != writes.rend(); ++at) {
        const auto fate = state().random() % 3;
        if (fate == 0) continue;  // it has reached the disk
        const std::size_t kept = fate == 1 || at->is_truncation ? 0 : at->before.size() / 2;
        if (pwrite(descriptor, at->before.data() + kept, at->before.size() - kept, at->offset + static_cast<off_t>(kept)) < 0) _exit(1);
      }
    }
    _exit(0);
  }
  static void note(sqlite3_file* outer, sqlite3_int64 offset, std::size_t length, bool is_truncation) {
    count();
    sqlite3_file* const base = inner(outer);
    sqlite3_int64 size = 0;
    base->pMethods->xFileSize(base, &size);
    const auto there = static_cast<std::size_t>(std::max<sqlite3_int64>(0, size - offset));
    replaced write{offset, std::string(is_truncation ? there : length, '\0'), is_truncation};
    const std::size_t held = std::min(there, write.before.size());  // what was behind the end is zeros again
    if (held != 0) base->pMethods->xRead(base, write.before.data(), static_cast<int>(held), offset);
    state().unsynchronised[*reinterpret_cast<file*>(outer)->name].push_back(std::move(write));
  }

  static const sqlite3_io_methods* methods(int version) {
    static sqlite3_io_methods all{};
    all.iVersion = version;
    all.xClose = [](sqlite3_file* f) {
      const int code = inner(f)->pMethods->xClose(inner(f));
      delete reinterpret_cast<file*>(f)->name;
      return code;
    };
    all.xRead = [](sqlite3_file* f, void* to, int count, sqlite3_int64 at) { return inner(f)->pMethods->xRead(inner(f), to, count, at); };
    all.xWrite = [](sqlite3_file* f, const void* from, int count, sqlite3_int64 at) {
      note(f, at, static_cast<std::size_t>(count), false);
      return inner(f)->pMethods->xWrite(inner(f), from, count, at);
    };
    all.xTruncate = [](sqlite3_file* f, sqlite3_int64 size) {
      note(f, size, 0, true);
      return inner(f)->pMethods->xTruncate(inner(f), size);
    };
    all.xSync = [](sqlite3_file* f, int flags) {
      count();
      state().unsynchronised.erase(*reinterpret_cast<file*>(f)->name);
      return inner(f)->pMethods->xSync(inner(f), flags);
    };
    all.xFileSize = [](sqlite3_file* f, sqlite3_int64* size) { return inner(f)->pMethods->xFileSize(inner(f), size); };
    all.xLock = [](sqlite3_file* f, int kind) { return inner(f)->pMethods->xLock(inner(f), kind); };
    all.xUnlock = [](sqlite3_file* f, int kind) { return inner(f)->pMethods->xUnlock(inner(f), kind); };
    all.xCheckReservedLock = [](sqlite3_file* f, int* held) { return inner(f)->pMethods->xCheckReservedLock(inner(f), held); };
    all.xFileControl = [](sqlite3_file* f, int what, void* value) { return inner(f)->pMethods->xFileControl(inner(f), what, value); };
    all.xSectorSize = [](sqlite3_file* f) { return inner(f)->pMethods->xSectorSize(inner(f)); };
    // Nothing is promised of writes that overlap with others, or of those that a power failure cuts.
    all.xDeviceCharacteristics = [](sqlite3_file*) { return 0; };
    all.xShmMap = [](sqlite3_file* f, int page, int size, int extend, void volatile** at) {
      return inner(f)->pMethods->xShmMap(inner(f), page, size, extend, at);
    };
    all.xShmLock = [](sqlite3_file* f, int offset, int n, int flags) { return inner(f)->pMethods->xShmLock(inner(f), offset, n, flags); };
    all.xShmBarrier = [](sqlite3_file* f) { inner(f)->pMethods->xShmBarrier(inner(f)); };
    all.xShmUnmap = [](sqlite3_file* f, int remove) { return inner(f)->pMethods->xShmUnmap(inner(f), remove); };
    all.xFetch = [](sqlite3_file*, sqlite3_int64, int, void** at) {
      *at = nullptr;
      return SQLITE_OK;
    };
    all.xUnfetch = [](sqlite3_file*, sqlite3_int64, void*) { return SQLITE_OK; };
    return &all;
  }
};

}  // namespace copse::test
