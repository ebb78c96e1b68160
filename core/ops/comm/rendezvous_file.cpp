// SPDX-License-Identifier: MIT
// A rendezvous in a folder. Rank 0 makes the file `path`, another rank r the file `path.r`, which has a
// random token. Rank 0 writes the offer once it has read the tokens of all, and the tokens after it: so a
// rank knows that the file belongs to its run. A rank that has the offer removes its file, and rank 0 removes
// `path` once all have. A file that exists already is an error; one that others may write is not read.
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ops/comm/calls.h"
#include "ops/comm/rendezvous.h"

namespace arr {

OwnedFd& OwnedFd::operator=(OwnedFd&& other) noexcept {
  const OwnedFd old(std::exchange(fd_, other.release()));
  return *this;
}
OwnedFd::~OwnedFd() {
  if (fd_ >= 0) close(fd_);
}
int OwnedFd::release() noexcept { return std::exchange(fd_, -1); }

Offer refusal(std::string_view why) {
  Offer o;
  why.copy(o.bytes, sizeof o.bytes - 1);
  return o;
}

namespace {

using Token = std::array<char, 32>;
constexpr std::array<char, 8> magic = {'a', 'r', 'r', 'n', 'c', 'c', 'l', '1'};

// The beginning of each file. Rank 0 adds an offer and the tokens of all, another rank its token.
struct Head {
  std::array<char, 8> magic{};
  int32_t size = 0, rank = 0;
};
struct Card {
  Head head;
  Token token{};
};
struct Given {
  Head head;
  Offer offer;
};

[[noreturn]] void fail_errno(const std::string& path, const char* what) {
  const int code = errno;
  fail(ARR_E_IO, "argument path: ", path, ": ", what, ": ", std::system_category().message(code));
}

std::string path_of(const std::string& path, int32_t rank) {
  return rank == 0 ? path : text(path, ".", rank);
}

template <class T>
std::span<char> bytes_of(T* value) {
  return {reinterpret_cast<char*>(value), sizeof *value};
}

// A file of this rank, which is new, and is removed at the end.
class NewFile {
 public:
  explicit NewFile(std::string path)
      : path_(std::move(path)),
        file_(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)) {
    if (file_.valid()) return;
    if (errno != EEXIST) fail_errno(path_, "cannot be created");
    fail(ARR_E_IO, "argument path: ", path_, ": exists, of another run or of this rank, expected a new file");
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() { unlink(path_.c_str()); }
  void write(std::span<const char> bytes) const {
    ssize_t n = 0;
    do n = ::write(file_.get(), bytes.data(), bytes.size());
    while (n < 0 && errno == EINTR);
    if (n < 0 || fsync(file_.get()) != 0) fail_errno(path_, "cannot be written");
    if (static_cast<size_t>(n) != bytes.size())
      fail(ARR_E_IO, "argument path: ", path_, ": no space is left");
  }

 private:
  std::string path_;
  OwnedFd file_;
};

// Reads the beginning of a file. False if it is not there yet, or not that long.
bool read_file(const std::string& path, std::span<char> to) {
  const OwnedFd file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid() && (errno == ENOENT || errno == ESTALE)) return false;
  if (!file.valid()) fail_errno(path, "cannot be opened");
  struct stat s {};
  if (fstat(file.get(), &s) != 0) fail_errno(path, "cannot be examined");
  if (!S_ISREG(s.st_mode) || s.st_uid != geteuid() || (s.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    fail(ARR_E_IO, "argument path: ", path, ": not a file that this user alone can open, as ranks make them");
  }
  return pread(file.get(), to.data(), to.size(), 0) == static_cast<ssize_t>(to.size());
}

bool exists(const std::string& path) {
  struct stat s {};
  return lstat(path.c_str(), &s) == 0;
}

void check_head(const Rendezvous& at, const Head& head, int32_t rank, const std::string& path) {
  if (head.magic != magic || head.rank != rank) {
    fail(ARR_E_IO, "argument path: ", path, ": has other contents than rank ", rank, " writes");
  }
  if (head.size == at.size) return;
  fail(ARR_E_ARGUMENT, "argument size: ", at.size, " on rank ", at.rank, ", ", head.size, " on rank ", rank);
}

// Waits until ready() is true.
template <class Ready, class Missing>
void wait(const Rendezvous& at, Ready&& ready, Missing&& missing) {
  const Deadline end(at.seconds);
  constexpr std::chrono::milliseconds longest{50};
  for (std::chrono::milliseconds pause{1}; !ready(); pause = std::min(2 * pause, longest)) {
    if (end.passed()) {
      fail(ARR_E_LOST, "rank ", at.rank, " of ", at.size, " waited ", at.seconds, " s for ",
           ranks_text(missing()));
    }
    std::this_thread::sleep_for(pause);
  }
}

// Waits until no rank is missing, those for which come(rank) is false.
template <class Come>
void wait_for_all(const Rendezvous& at, Come&& come) {
  std::vector<int32_t> missing;
  for (int32_t r = 1; r < at.size; ++r) missing.push_back(r);
  wait(
      at,
      [&] {
        std::erase_if(missing, come);
        return missing.empty();
      },
      [&] { return missing; });
}

Offer give(const Rendezvous& at, const std::string& path, const Offer& own) {
  const NewFile file(path);
  Head head{magic, at.size, 0};
  file.write(bytes_of(&head));
  std::vector<Token> tokens(static_cast<size_t>(at.size));
  const auto write = [&](Offer offer) {
    const std::span<char> first = bytes_of(&offer);
    std::vector<char> all(first.begin(), first.end());
    for (const Token& t : tokens) all.insert(all.end(), t.begin(), t.end());
    file.write(all);
  };
  const auto gone = [&](int32_t r) { return !exists(path_of(path, r)); };
  try {
    wait_for_all(at, [&](int32_t r) {
      Card card;
      const std::string theirs = path_of(path, r);
      if (!read_file(theirs, bytes_of(&card))) return false;
      check_head(at, card.head, r, theirs);
      tokens[static_cast<size_t>(r)] = card.token;
      return true;
    });
  } catch (const Error& e) {
    constexpr double seconds_to_read = 2;  // for the ranks that are here
    write(refusal(e.text()));
    try {
      wait_for_all({at.size, 0, seconds_to_read}, gone);
    } catch (const Error&) {  // not more important than the first one
    }
    throw;
  }
  write(own);
  wait_for_all(at, gone);
  return own;
}

Offer take(const Rendezvous& at, const std::string& path) {
  Card card{{magic, at.size, at.rank}, {}};
  if (getrandom(card.token.data(), card.token.size(), 0) != static_cast<ssize_t>(card.token.size())) {
    fail(ARR_E_IO, "getrandom: ", std::system_category().message(errno));
  }
  const NewFile file(path_of(path, at.rank));
  file.write(bytes_of(&card));
  Given given;
  std::vector<char> all(sizeof given + static_cast<size_t>(at.size) * sizeof(Token));
  const auto there = [&] {
    if (!read_file(path, bytes_of(&given.head))) return false;
    check_head(at, given.head, 0, path);
    return read_file(path, all);
  };
  wait(at, there, [&] {
    std::vector<int32_t> missing;
    for (int32_t r = 0; r < at.size; ++r) {
      if (!exists(path_of(path, r))) missing.push_back(r);
    }
    if (missing.empty()) missing.push_back(0);  // which has not written its offer
    return missing;
  });
  std::memcpy(&given, all.data(), sizeof given);
  const char* own = all.data() + sizeof given + static_cast<size_t>(at.rank) * sizeof(Token);
  if (given.offer.there != 0 && std::memcmp(own, card.token.data(), sizeof(Token)) != 0) {
    fail(ARR_E_IO, "argument path: ", path, ": is of another run, expected a new file");
  }
  return given.offer;
}

}  // namespace

Offer meet_by_file(const Rendezvous& at, const std::string& path, const Offer& own) {
  if (at.size == 1) return own;
  return at.rank == 0 ? give(at, path, own) : take(at, path);
}

}  // namespace arr
