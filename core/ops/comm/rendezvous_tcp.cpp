// SPDX-License-Identifier: MIT
// A rendezvous by TCP. Rank 0 listens at its address only. Another rank connects and sends one frame of fixed
// length, which has the token's hash; rank 0 answers with one frame, once all have come. Connections of
// others, which send something else, nothing or half a frame, are closed and delay nobody.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/sha256.h"
#include "ops/comm/calls.h"
#include "ops/comm/rendezvous.h"

namespace arr {

namespace {

using Clock = Deadline::Clock;
constexpr std::array<char, 8> tcp_magic = {'a', 'r', 'r', 'n', 'c', 'c', 'l', '1'};
constexpr std::chrono::seconds frame_time{10};  // until the frame of a connection is there

// Numbers are little-endian, as on all machines that the library supports.
static_assert(std::endian::native == std::endian::little);
struct Hello {
  std::array<char, 8> magic{};
  Digest token{};
  int32_t size = 0, rank = 0;
  int64_t waits = 0;  // milliseconds that this rank waits for the answer; 0: without limit
};
struct Answer {
  std::array<char, 8> magic{};
  Offer offer;
};

std::string error_text(int code) { return std::system_category().message(code); }

// poll()'s argument: milliseconds until a time, at most a minute.
int timeout_until(Clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 60000));
}

// The addresses of "host:port", or of "[host]:port" where the host has colons.
std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> resolve(std::string_view address) {
  const size_t colon = address.rfind(':');
  std::string host(address.substr(0, std::min(colon, address.size())));
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  if (colon == std::string_view::npos || host.empty() || colon + 1 == address.size()) {
    fail(ARR_E_ARGUMENT, "argument address: \"", address, "\", expected \"host:port\"");
  }
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const std::string port(address.substr(colon + 1));
  const int error = getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
  if (error != 0) fail(ARR_E_ARGUMENT, "argument address: \"", address, "\": ", gai_strerror(error));
  return {found, &freeaddrinfo};
}

OwnedFd socket_of(const addrinfo& at) {
  return OwnedFd(socket(at.ai_family, at.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, at.ai_protocol));
}

// True if the digests are equal, in a time that does not depend on them.
bool equal(const Digest& a, const Digest& b) {
  unsigned differs = 0;
  for (size_t i = 0; i < a.size(); ++i) differs |= static_cast<unsigned>(a[i] ^ b[i]);
  return differs == 0;
}

// A frame that is being received.
template <class T>
struct Incoming {
  T frame;
  size_t there = 0;

  // Reads what has come; false if the connection has ended.
  bool receive(int fd) {
    char* at = reinterpret_cast<char*>(&frame);
    while (!complete()) {
      const ssize_t n = recv(fd, at + there, sizeof frame - there, 0);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
      if (n == 0) return false;
      there += static_cast<size_t>(n);
    }
    return true;
  }
  [[nodiscard]] bool complete() const { return there == sizeof frame; }
};

// A frame is shorter than the buffer of a new socket, so that this does not wait.
template <class T>
bool send_frame(int fd, const T& frame) {
  return send(fd, &frame, sizeof frame, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof frame);
}

// Rank 0.
class Host {
 public:
  Host(const Rendezvous& at, std::string_view address, const Digest& token)
      : at_(at), token_(token), end_(at.seconds), ranks_(static_cast<size_t>(at.size)) {
    int error = 0;
    const auto found = resolve(address);
    for (const addrinfo* a = found.get(); a != nullptr; a = a->ai_next) {
      listener_ = socket_of(*a);
      const int on = 1;
      if (listener_.valid() && setsockopt(listener_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
          bind(listener_.get(), a->ai_addr, a->ai_addrlen) == 0 && listen(listener_.get(), SOMAXCONN) == 0) {
        return;
      }
      error = errno;
    }
    fail(ARR_E_IO, "argument address: rank 0 cannot listen at ", address, ": ", error_text(error));
  }

  void serve(const Offer& own) {
    try {
      while (!missing().empty()) {
        if (Clock::now() >= end_at()) {
          const std::chrono::duration<double> waited = Clock::now() - begin_;
          fail(ARR_E_LOST, "rank 0 of ", at_.size, " waited ", std::round(10 * waited.count()) / 10,
               " s for ", ranks_text(missing()));
        }
        turn();
      }
    } catch (const Error& e) {  // the ranks that are here wait for no one any more
      answer(refusal(e.text()));
      throw;
    }
    answer(own);
  }

 private:
  struct Guest {  // of whom no whole frame has come
    OwnedFd fd;
    Incoming<Hello> hello;
    Clock::time_point until;
  };

  [[nodiscard]] Clock::time_point end_at() const { return std::min(end_.end(), others_end_); }
  [[nodiscard]] std::vector<int32_t> missing() const {
    std::vector<int32_t> out;
    for (int32_t r = 1; r < at_.size; ++r) {
      if (!ranks_[static_cast<size_t>(r)].valid()) out.push_back(r);
    }
    return out;
  }
  void answer(const Offer& offer) {
    for (const OwnedFd& fd : ranks_) {
      if (fd.valid()) static_cast<void>(send_frame(fd.get(), Answer{tcp_magic, offer}));
    }
  }

  // Waits until something happens, and does what follows from it.
  void turn() {
    std::vector<pollfd> all = {{listener_.get(), POLLIN, 0}};
    Clock::time_point until = end_at();
    for (const Guest& g : guests_) {
      all.push_back({g.fd.get(), POLLIN, 0});
      until = std::min(until, g.until);
    }
    for (const OwnedFd& fd : ranks_) all.push_back({fd.get(), POLLIN, 0});  // -1 is ignored
    if (poll(all.data(), all.size(), timeout_until(until)) < 0 && errno != EINTR) {
      fail(ARR_E_IO, "poll: ", error_text(errno));
    }
    const size_t guests = guests_.size();
    for (size_t r = 0; r < ranks_.size(); ++r) {
      if (all[1 + guests + r].revents != 0) check_rank(&ranks_[r]);
    }
    for (size_t i = 0; i < guests; ++i) {
      if (all[1 + i].revents != 0) hear(&guests_[i]);
    }
    std::erase_if(guests_, [](const Guest& g) { return !g.fd.valid() || Clock::now() >= g.until; });
    if (all[0].revents != 0) accept_guests();
  }

  // A rank that waits for the answer sends nothing: it has ended.
  static void check_rank(OwnedFd* fd) {
    char some = 0;
    const ssize_t n = recv(fd->get(), &some, 1, 0);
    if (n >= 0 || (errno != EAGAIN && errno != EINTR)) *fd = OwnedFd();
  }

  void accept_guests() {
    constexpr size_t spare = 64;  // connections of others than ranks
    for (;;) {
      OwnedFd fd(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (!fd.valid()) return;
      if (guests_.size() >= ranks_.size() + spare) guests_.erase(guests_.begin());  // the oldest
      guests_.push_back({std::move(fd), {}, Clock::now() + frame_time});
    }
  }

  void hear(Guest* g) {
    const bool goes_on = g->hello.receive(g->fd.get());
    if (!g->hello.complete()) {
      if (!goes_on) g->fd = OwnedFd();
      return;
    }
    const Hello h = g->hello.frame;
    OwnedFd fd = std::move(g->fd);
    if (h.magic != tcp_magic) return;
    if (!equal(h.token, token_)) {
      static_cast<void>(
          send_frame(fd.get(), Answer{tcp_magic, refusal("argument token: not that of rank 0")}));
      return;
    }
    if (h.waits > 0) {  // answers before that rank gives up
      constexpr int64_t longest = int64_t{1} << 40;
      const std::chrono::milliseconds waits(std::min(h.waits, longest) / 10 * 9);
      others_end_ = std::min(others_end_, Clock::now() + waits);
    }
    OwnedFd* own = h.rank > 0 && h.rank < at_.size ? &ranks_[static_cast<size_t>(h.rank)] : nullptr;
    std::string why;
    if (h.size != at_.size)
      why = text("argument size: ", at_.size, " on rank 0, ", h.size, " on rank ", h.rank);
    if (why.empty() && (own == nullptr || own->valid()))
      why = text("argument rank: ", h.rank, " on two ranks");
    if (!why.empty()) {
      static_cast<void>(send_frame(fd.get(), Answer{tcp_magic, refusal(why)}));
      fail(ARR_E_ARGUMENT, why);
    }
    *own = std::move(fd);
  }

  const Rendezvous& at_;
  const Digest& token_;
  Deadline end_;
  Clock::time_point begin_ = Clock::now(), others_end_ = Clock::time_point::max();
  OwnedFd listener_;
  std::vector<OwnedFd> ranks_;  // by rank; -1: not here
  std::vector<Guest> guests_;
};

// Waits until the socket is ready; false once the time is over.
bool ready(int fd, short events, const Deadline& end) {
  pollfd p{fd, events, 0};
  while (!end.passed()) {
    if (poll(&p, 1, timeout_until(end.end())) > 0) return true;
  }
  return false;
}

// A connection to one of the addresses; invalid with *error if there is none.
OwnedFd connect_to(const addrinfo* addresses, const Deadline& end, int* error) {
  for (const addrinfo* a = addresses; a != nullptr; a = a->ai_next) {
    OwnedFd fd = socket_of(*a);
    *error = fd.valid() && connect(fd.get(), a->ai_addr, a->ai_addrlen) == 0 ? 0 : errno;
    if (*error == EINPROGRESS) {
      socklen_t n = sizeof *error;
      if (!ready(fd.get(), POLLOUT, end)) return OwnedFd();
      if (getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, error, &n) != 0) *error = errno;
    }
    if (*error == 0) return fd;
  }
  return OwnedFd();
}

// Another rank's connection, from its frame to the answer; none if the connection ends before.
std::optional<Answer> ask(int fd, const Hello& hello, const Deadline& end) {
  Incoming<Answer> in;
  if (!send_frame(fd, hello)) return std::nullopt;
  while (!in.complete()) {
    if (!ready(fd, POLLIN, end) || (!in.receive(fd) && !in.complete())) return std::nullopt;
  }
  return in.frame.magic == tcp_magic ? std::optional(in.frame) : std::nullopt;
}

Offer visit(const Rendezvous& at, std::string_view address, const Digest& token) {
  const Deadline end(at.seconds);
  const auto found = resolve(address);
  std::string why = "no answer";
  while (!end.passed()) {
    int error = ETIMEDOUT;
    if (const OwnedFd fd = connect_to(found.get(), end, &error); fd.valid()) {
      Hello hello{tcp_magic, token, at.size, at.rank, 0};
      if (end.limited()) {
        hello.waits = std::max<int64_t>(
            1, std::chrono::duration_cast<std::chrono::milliseconds>(end.end() - Clock::now()).count());
      }
      if (const std::optional<Answer> a = ask(fd.get(), hello, end)) return a->offer;
      why = "it has accepted the connection, but not answered";
    } else {
      why = error_text(error);
    }
    if (!end.passed()) std::this_thread::sleep_for(std::chrono::milliseconds(50));  // rank 0 may come later
  }
  fail(ARR_E_LOST, "rank ", at.rank, " of ", at.size, " waited ", at.seconds, " s for rank 0 at ", address,
       ": ", why);
}

}  // namespace

Offer meet_by_tcp(const Rendezvous& at, std::string_view address, std::string_view token, const Offer& own) {
  if (at.size == 1) return own;
  const Digest digest = sha256(token);
  if (at.rank != 0) return visit(at, address, digest);
  Host(at, address, digest).serve(own);
  return own;
}

}  // namespace arr
