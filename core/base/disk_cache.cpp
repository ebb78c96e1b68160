// SPDX-License-Identifier: MIT
#include "base/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/environment.h"
#include "base/error.h"
#include "base/log.h"

namespace arr {
namespace {

constexpr char magic[8] = {'A', 'R', 'R', 'C', 'A', 'C', 'H', 'E'};
constexpr uint64_t format = 3;
constexpr const char* limit_variable = "ARR_CACHE_BYTES";
constexpr int64_t usual_limit = int64_t{512} << 20;  // per folder; the least recently used go first

struct Header {
  char magic[8];
  uint64_t format, key_bytes, value_bytes;
  uint8_t digest[32];  // of key and value: detects damage; permissions keep attackers out
};

struct Counters {
  std::atomic<int64_t> hits{0}, misses{0}, stored{0}, refused{0};
};
Counters& counters() {
  static Counters all;
  return all;
}

struct File {  // a descriptor, closed by the destructor
  int fd;
  explicit File(int f) : fd(f) {}
  ~File() {
    if (fd >= 0) close(fd);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
};

std::string base_path() {
  std::string path = environment("ARR_CACHE_DIR");
  if (!path.empty()) return path;
  path = environment("XDG_CACHE_HOME");
  if (!path.empty()) return path + "/arr";
  path = environment("HOME");
  return path.empty() ? path : path + "/.cache/arr";
}

// The error of the last one; 0 if it exists.
int make_directories(const std::string& path) {
  for (size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    mkdir(path.substr(0, slash).c_str(), 0700);
  return mkdir(path.c_str(), 0700) == 0 || errno == EEXIST ? 0 : errno;
}

// The user who must own a file or directory that is read.
enum class Owner { self, root };
uid_t id_of(Owner owner) { return owner == Owner::self ? geteuid() : 0; }

// Opens a directory and checks it through the descriptor, so that no path is resolved twice. made: the error
// of creating it, which is more useful than that it is missing; path: the whole path, for messages.
int open_directory(int at, const char* name, const std::string& path, Owner owner, int made,
                   std::string& reason) {
  const int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) {
    const int error = errno;
    reason = text("cache directory ", path, ": ",
                  error == ENOTDIR || error == ELOOP ? "a symbolic link or no directory"
                  : error == ENOENT && made != 0     ? text("cannot be made: ", std::strerror(made))
                                                     : std::string(std::strerror(error)));
    return -1;
  }
  struct stat info {};
  if (fstat(fd, &info) == 0 && info.st_uid == id_of(owner) && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0)
    return fd;
  reason = text("cache directory ", path, ": owned or writable by others");
  close(fd);
  return -1;
}

bool read_exactly(int fd, void* to, size_t n) {
  auto* p = static_cast<char*>(to);
  while (n > 0) {
    const ssize_t got = read(fd, p, n);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    p += got;
    n -= static_cast<size_t>(got);
  }
  return true;
}

bool write_exactly(int fd, const void* from, size_t n) {
  const auto* p = static_cast<const char*>(from);
  errno = 0;
  while (n > 0) {
    const ssize_t put = write(fd, p, n);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    p += put;
    n -= static_cast<size_t>(put);
  }
  return true;
}

bool is_plain_file_of(const struct stat& info, Owner owner) {
  // The descriptor has no link if another process has replaced the entry since it was opened.
  return S_ISREG(info.st_mode) && info.st_uid == id_of(owner) && info.st_nlink <= 1 &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// Compares the text of the key.
Digest digest_of(const CacheKey& key, std::string_view value) {
  const Digest name = key.digest();
  Sha256 hash;
  hash.add({reinterpret_cast<const char*>(name.data()), name.size()});
  hash.add(value);
  return hash.finish();
}

std::string entry_of(const CacheKey& key, std::string_view value) {
  Header header{};
  std::memcpy(header.magic, magic, sizeof magic);
  header.format = format;
  header.key_bytes = key.text().size();
  header.value_bytes = value.size();
  const Digest digest = digest_of(key, value);
  std::memcpy(header.digest, digest.data(), digest.size());
  std::string entry;
  entry.reserve(sizeof header + key.text().size() + value.size());
  entry.append(reinterpret_cast<const char*>(&header), sizeof header).append(key.text()).append(value);
  return entry;
}

// The value in the entry; nullopt if it is damaged or has another key.
std::optional<std::string> value_of(std::string entry, const CacheKey& made_of) {
  const std::string& key = made_of.text();
  Header header{};
  if (entry.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, entry.data(), sizeof header);
  const uint64_t rest = entry.size() - sizeof header;
  if (std::memcmp(header.magic, magic, sizeof magic) != 0 || header.format != format ||
      header.key_bytes != key.size() || header.key_bytes > rest || header.value_bytes != rest - key.size() ||
      entry.compare(sizeof header, key.size(), key) != 0)
    return std::nullopt;
  entry.erase(0, sizeof header + key.size());
  const Digest digest = digest_of(made_of, entry);
  if (std::memcmp(header.digest, digest.data(), digest.size()) != 0) return std::nullopt;
  return entry;
}

std::optional<std::string> read_entry(int fd, Owner owner, const CacheKey& key) {
  struct stat info {};
  if (fstat(fd, &info) != 0 || !is_plain_file_of(info, owner) || info.st_size > max_entry_bytes)
    return std::nullopt;
  std::string entry(static_cast<size_t>(info.st_size), '\0');
  if (!read_exactly(fd, entry.data(), entry.size())) return std::nullopt;
  return value_of(std::move(entry), key);
}

// The value, or nullopt. *bad: there is an entry that must not be used.
std::optional<std::string> find(int directory, Owner owner, const CacheKey& key, bool* bad) {
  if (directory < 0) return std::nullopt;
  const std::string name = DiskCache::entry_name(key);
  const File file(openat(directory, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  *bad = file.fd < 0 && errno != ENOENT;
  if (file.fd < 0) return std::nullopt;
  std::optional<std::string> value = read_entry(file.fd, owner, key);
  *bad = !value;
  if (*bad) return std::nullopt;
  if (owner == Owner::self) futimens(file.fd, nullptr);  // by time of last use
  return value;
}

struct Entry {
  std::string name;
  off_t bytes;
  timespec used;
};

// The entries of a folder, including incomplete ones.
std::vector<Entry> entries_of(int directory) {
  std::vector<Entry> entries;
  const int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* stream = copy < 0 ? nullptr : fdopendir(copy);
  if (stream == nullptr) return entries;
  while (const dirent* item = readdir(stream)) {
    struct stat info {};
    if (fstatat(directory, item->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode)) continue;
    entries.push_back({item->d_name, info.st_size, info.st_mtim});
  }
  closedir(stream);
  return entries;
}

int64_t total_of(const std::vector<Entry>& entries) {
  int64_t total = 0;
  for (const Entry& e : entries) total += e.bytes;
  return total;
}

// Removes the least recently used entries until three quarters of the limit are left.
void trim(int directory, int64_t limit) {
  std::vector<Entry> entries = entries_of(directory);
  int64_t total = total_of(entries);
  if (total <= limit) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
  });
  for (const Entry& entry : entries) {
    if (total <= limit / 4 * 3) break;
    if (unlinkat(directory, entry.name.c_str(), 0) == 0) total -= entry.bytes;
  }
}

// The folder of a cache of this user, created if it does not exist.
int open_own(const char* folder, std::string& reason) {
  const std::string base = base_path();
  if (base.empty() || base[0] != '/') {
    reason = base.empty() ? "no cache directory: neither ARR_CACHE_DIR nor HOME is set"
                          : text("cache directory ", base, ": not an absolute path");
    return -1;
  }
  int made = make_directories(base);
  const File outer(open_directory(AT_FDCWD, base.c_str(), base, Owner::self, made, reason));
  if (outer.fd < 0) return -1;
  made = mkdirat(outer.fd, folder, 0700) == 0 ? 0 : errno;
  return open_directory(outer.fd, folder, base + "/" + folder, Owner::self, made, reason);
}

int open_shared(const char* folder) {
  const std::string base = environment("ARR_CACHE_SHARED");
  if (base.empty()) return -1;
  std::string reason = text(base, ": not an absolute path");
  int fd = -1;
  if (base[0] == '/') {
    const File outer(open_directory(AT_FDCWD, base.c_str(), base, Owner::root, 0, reason));
    if (outer.fd >= 0) fd = open_directory(outer.fd, folder, base + "/" + folder, Owner::root, 0, reason);
  }
  if (fd < 0) log_line(log_level::warning, "ARR_CACHE_SHARED: ", reason);
  return fd;
}

// Writes the file under another name and renames it, so that it appears complete or not at all. There is no
// fsync: the digest reveals a file that a power failure has damaged. Returns the error number, or 0.
int write_entry(int directory, const std::string& name, const std::string& temporary,
                std::string_view entry) {
  int error = 0;
  {
    const File file(
        openat(directory, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (file.fd < 0) return errno;
    if (!write_exactly(file.fd, entry.data(), entry.size())) error = errno != 0 ? errno : ENOSPC;
  }
  if (error == 0 && renameat(directory, temporary.c_str(), directory, name.c_str()) != 0) error = errno;
  if (error != 0) unlinkat(directory, temporary.c_str(), 0);
  return error;
}

}  // namespace

void CacheKey::add(std::string_view field) {
  const uint64_t bytes = field.size();
  text_.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  text_ += field;
  hash_.add_field(field);
}

CacheCounts cache_counts() noexcept {
  const Counters& c = counters();
  return {c.hits, c.misses, c.stored, c.refused};
}

std::string DiskCache::entry_name(const CacheKey& key) { return hex(key.digest()) + ".image"; }

DiskCache::DiskCache(const char* folder) : folder_(folder) {
  shared_ = open_shared(folder);
  const std::optional<int64_t> limit = environment_bytes(limit_variable, usual_limit);
  if (!limit) {
    reason_ = text(limit_variable, ": \"", environment(limit_variable),
                   "\" is not a number of bytes (with K, M, G or T)");
    log_line(log_level::warning, "cache ", folder, ": ", reason_);
    return;
  }
  limit_ = *limit;
  if (limit_ == 0) return;  // as the user requests
  own_ = open_own(folder, reason_);
  if (!reason_.empty()) log_line(log_level::warning, "cache ", folder, ": ", reason_);
}

DiskCache::~DiskCache() {
  if (own_ >= 0) close(own_);
  if (shared_ >= 0) close(shared_);
}

std::optional<std::string> DiskCache::get(const CacheKey& key) const {
  bool bad = false;
  std::optional<std::string> value = find(own_, Owner::self, key, &bad);
  if (bad) {
    ++counters().refused;
    log_line(log_level::warning, "cache: ", entry_name(key), " is damaged or not ours, removed");
    unlinkat(own_, entry_name(key).c_str(), 0);
  }
  if (!value) value = find(shared_, Owner::root, key, &bad);
  if (!value) value = get_stored(key);
  ++(value ? counters().hits : counters().misses);
  log_line(log_level::debug, "cache: ", entry_name(key), value ? " is found" : " is not there");
  return value;
}

std::optional<std::string> DiskCache::get_stored(const CacheKey& key) const {
  const CacheStore* store = cache_store.load(std::memory_order_acquire);
  const std::string name = entry_name(key);
  std::string entry;
  if (store == nullptr || !store->get(text(folder_, "/", name), &entry)) return std::nullopt;
  std::optional<std::string> value = value_of(entry, key);
  if (value) {
    write(name, entry);
  } else {
    ++counters().refused;
    log_line(log_level::warning, "cache: the store's entry ", name, " is damaged");
  }
  return value;
}

std::string DiskCache::put(const CacheKey& key, std::string_view value) const {
  const std::string name = entry_name(key), entry = entry_of(key, value);
  std::string reason = write(name, entry);
  const CacheStore* store = cache_store.load(std::memory_order_acquire);
  if (store != nullptr && static_cast<int64_t>(entry.size()) <= max_entry_bytes)
    store->put(text(folder_, "/", name), entry);
  return reason;
}

std::string DiskCache::write(const std::string& name, std::string_view entry) const {
  static std::atomic<unsigned> turns{0};
  static std::atomic<int64_t> written{INT64_MAX / 2};  // written since the folder was last trimmed
  const auto size = static_cast<int64_t>(entry.size());
  if (own_ < 0 || size > max_entry_bytes || size > limit_)
    return {};  // see reason(); or the user has disabled it
  if (const int error = write_entry(own_, name, text(name, ".", getpid(), ".", turns++), entry); error != 0) {
    log_line(log_level::warning, "cache: ", name, " cannot be written: ", std::strerror(error));
    return text("cache directory ", base_path(), "/", folder_, ": ", std::strerror(error));
  }
  ++counters().stored;
  log_line(log_level::debug, "cache: ", name, " is written, ", size, " bytes");
  if ((written += size) > limit_ / 64) {
    written = 0;
    trim(own_, limit_);
  }
  return {};
}

std::string cache_directory() {
  const std::string base = base_path();
  return base.empty() || base[0] != '/' ? "" : base;
}

CacheSize cache_size(const char* folder) {
  std::string reason;
  const File own(open_own(folder, reason));
  const int64_t limit = environment_bytes(limit_variable, usual_limit).value_or(0);
  if (own.fd < 0) return {0, 0, limit};
  const std::vector<Entry> entries = entries_of(own.fd);
  return {static_cast<int64_t>(entries.size()), total_of(entries), limit};
}

void cache_clear(const char* folder) {
  std::string reason;
  const File own(open_own(folder, reason));
  if (own.fd < 0) return;
  for (const Entry& e : entries_of(own.fd)) unlinkat(own.fd, e.name.c_str(), 0);
}

}  // namespace arr
