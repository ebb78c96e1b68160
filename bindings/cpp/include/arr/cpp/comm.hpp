/* SPDX-License-Identifier: MIT */
/* comm.hpp - communicators with methods, and groups of their calls.
 *
 *   std::vector<arr::comm> ranks = arr::comm::local(4);  // one for each thread
 *   comm.all_reduce(sums, parts);
 *   { arr::comm_group g(comm); comm.exchange_halo(u, {0}, {comm.size()}, {1}); g.start(); inner(u); } */
#ifndef ARR_CPP_COMM_HPP
#define ARR_CPP_COMM_HPP
#include <arr/cpp/array.hpp>
#include <arr/cpp/properties.hpp>

#include <exception>
#include <string>
#include <vector>

namespace arr {

/** A rank of a communicator. It moves, and does not copy. A destination is an array or a view of one. */
class comm : public owner<arr_comm, arr_comm_release> {
 public:
  using owner::owner;
  comm() = default;

  /** Makes a communicator of ranks in this process, all on one device. */
  static std::vector<comm> local(int32_t size, const arr::device& device_ = {}) {
    return local(std::vector<arr::device>(static_cast<size_t>(size < 0 ? 0 : size), device_));
  }
  /** The same with the device of each rank. */
  static std::vector<comm> local(const std::vector<arr::device>& devices) {
    const std::vector<arr_device> all(devices.begin(), devices.end());
    std::vector<arr_comm> handles(all.size());
    check(arr_comm_local(static_cast<int32_t>(all.size()), all.data(), handles.data()));
    std::vector<comm> out;
    for (arr_comm h : handles) out.emplace_back(h);
    return out;
  }

  /** Makes a communicator of MPI_COMM_WORLD. */
  static comm mpi(const arr::device& device_ = {}) {
    comm out;
    check(arr_comm_mpi(&device_, out.put()));
    return out;
  }
  /** The same of the program's own MPI_Comm, as a number or a pointer. */
  template <class Mpi>
  static comm from_mpi(Mpi value, const arr::device& device_ = {}) {
    comm out;
    check(arr_comm_from_mpi((int64_t)(intptr_t)value, &device_, out.put()));
    return out;
  }

  /** Makes an id of NCCL, which the ranks of one communicator are given: 128 bytes. */
  static std::string nccl_id() {
    std::string id(128, '\0');
    check(arr_comm_nccl_id(&id[0]));
    return id;
  }
  /** Returns rank 0's id on each of the processes, which share the folder of a path. 0 seconds: no time
   * limit. */
  static std::string nccl_id_file(int32_t size, int32_t rank, const std::string& path, double seconds = 0) {
    std::string id(128, '\0');
    const auto length = static_cast<int64_t>(path.size());
    check(arr_comm_nccl_id_file(size, rank, path.data(), length, seconds, &id[0]));
    return id;
  }
  /** The same by TCP: rank 0 listens at an address, "host:port", for those that know the token. */
  static std::string nccl_id_tcp(int32_t size, int32_t rank, const std::string& address,
                                 const std::string& token, double seconds = 0) {
    std::string id(128, '\0');
    check(arr_comm_nccl_id_tcp(size, rank, address.c_str(), token.c_str(), seconds, &id[0]));
    return id;
  }
  /** Makes a communicator of GPUs by NCCL. */
  static comm nccl(int32_t size, int32_t rank, std::string id, const arr::device& device_) {
    comm out;
    id.resize(128);
    check(arr_comm_nccl(size, rank, id.data(), &device_, out.put()));
    return out;
  }
  /** The same with the ranks of this communicator, which brings the id. */
  comm nccl_with(const arr::device& device_) const {
    comm out;
    check(arr_comm_nccl_with(get(), &device_, out.put()));
    return out;
  }

  arr_comm_properties info() const {
    return detail::filled<arr_comm_properties>(
        [&](arr_comm_properties* p) { return arr_comm_info(get(), p); });
  }
  int32_t rank() const { return info().rank; }
  int32_t size() const { return info().size; }
  bool failed() const { return info().failed != 0; }
  double timeout() const { return info().timeout; }
  void set_timeout(double seconds) const { check(arr_comm_set_timeout(get(), seconds)); }

  /** Returns the communicator of the ranks with the same colour, in the order of their keys. */
  comm split(int32_t color, int32_t key = 0) const {
    comm out;
    check(arr_comm_split(get(), color, key, out.put()));
    return out;
  }
  comm duplicate() const {
    comm out;
    check(arr_comm_duplicate(get(), out.put()));
    return out;
  }
  /** Returns the communicator without some ranks, which the others call. */
  comm shrink(const std::vector<int32_t>& excluded) const {
    comm out;
    check(arr_comm_shrink(get(), static_cast<int32_t>(excluded.size()), excluded.data(), out.put()));
    return out;
  }
  void abort() const { check(arr_comm_abort(get())); }

  void barrier(const stream& s = {}) const { check(arr_comm_barrier(get(), s.get())); }
  void broadcast(const output& a, int32_t root = 0, const stream& s = {}) const {
    check(arr_comm_broadcast(get(), a.get(), root, s.get()));
  }
  void all_reduce(const output& dst, const array& src, int32_t reduction = ARR_REDUCTION_SUM,
                  const stream& s = {}) const {
    check(arr_comm_all_reduce(get(), dst.get(), src.get(), reduction, s.get()));
  }
  /** Returns the combined elements of all ranks. */
  array all_reduce(const array& src, int32_t reduction = ARR_REDUCTION_SUM, const stream& s = {}) const {
    array out;
    check(arr_empty_like(src.get(), 0, ARR_ORDER_K, s.get(), out.put()));
    check(arr_comm_all_reduce(get(), out.get(), src.get(), reduction, s.get()));
    return out;
  }
  /** dst is only written on root, and may be left out on other ranks. */
  void reduce(const array& src, const output& dst = {}, int32_t reduction = ARR_REDUCTION_SUM,
              int32_t root = 0, const stream& s = {}) const {
    check(arr_comm_reduce(get(), dst.get(), src.get(), reduction, root, s.get()));
  }
  void all_gather(const output& dst, const array& src, arr::axis axis = 0, const extents& counts = {},
                  const stream& s = {}) const {
    check(arr_comm_all_gather(get(), dst.get(), src.get(), axis, number(counts), counts.data(), s.get()));
  }
  void gather(const array& src, const output& dst = {}, arr::axis axis = 0, const extents& counts = {},
              int32_t root = 0, const stream& s = {}) const {
    check(arr_comm_gather(get(), dst.get(), src.get(), axis, number(counts), counts.data(), root, s.get()));
  }
  void scatter(const output& dst, const array& src = {}, arr::axis axis = 0, const extents& counts = {},
               int32_t root = 0, const stream& s = {}) const {
    check(arr_comm_scatter(get(), dst.get(), src.get(), axis, number(counts), counts.data(), root, s.get()));
  }
  void reduce_scatter(const output& dst, const array& src, arr::axis axis = 0, const extents& counts = {},
                      int32_t reduction = ARR_REDUCTION_SUM, const stream& s = {}) const {
    check(arr_comm_reduce_scatter(get(), dst.get(), src.get(), axis, number(counts), counts.data(), reduction,
                                  s.get()));
  }
  void all_to_all(const output& dst, const array& src, arr::axis axis = 0, const extents& send_counts = {},
                  const extents& recv_counts = {}, const stream& s = {}) const {
    if (send_counts.size() != recv_counts.size()) {
      throw error(ARR_E_ARGUMENT,
                  "arr_comm_all_to_all: arguments send_counts and recv_counts differ in length");
    }
    check(arr_comm_all_to_all(get(), dst.get(), src.get(), axis, number(send_counts), send_counts.data(),
                              recv_counts.data(), s.get()));
  }

  void send(const array& src, int32_t receiver, const stream& s = {}) const {
    check(arr_comm_send(get(), src.get(), receiver, s.get()));
  }
  void recv(const output& dst, int32_t sender, const stream& s = {}) const {
    check(arr_comm_recv(get(), dst.get(), sender, s.get()));
  }
  void send_recv(const output& dst, const array& src, int32_t sender, int32_t receiver,
                 const stream& s = {}) const {
    check(arr_comm_send_recv(get(), dst.get(), src.get(), sender, receiver, s.get()));
  }
  /** Fills the outer layers along axes that are divided among a grid of ranks. */
  void exchange_halo(const output& a, const axes& divided, const std::vector<int32_t>& grid,
                     const extents& widths, const std::vector<int32_t>& periodic = {},
                     const stream& s = {}) const {
    const auto n = static_cast<size_t>(divided.size());
    if (grid.size() != n || static_cast<size_t>(widths.size()) != n ||
        (!periodic.empty() && periodic.size() != n)) {
      throw error(ARR_E_ARGUMENT,
                  "arr_comm_exchange_halo: arguments axes, grid, widths and periodic differ in length");
    }
    check(arr_comm_exchange_halo(get(), a.get(), static_cast<int32_t>(n), divided.data(), grid.data(),
                                 widths.data(), periodic.empty() ? nullptr : periodic.data(), s.get()));
  }

 private:
  static int32_t number(const extents& counts) { return static_cast<int32_t>(counts.size()); }
};

/** A group of calls: they are collected until start() or the end of the scope, which waits for them. */
class comm_group {
 public:
  explicit comm_group(const comm& c) : comm_(c.get()) { check(arr_comm_group_begin(comm_)); }
  comm_group(const comm_group&) = delete;
  comm_group& operator=(const comm_group&) = delete;
  /** Waits; throws the failure of a call, unless an exception leaves the scope already. */
  ~comm_group() noexcept(false) {
    if (comm_ == nullptr) return;
    const arr_status status = arr_comm_group_end(comm_);
    if (std::uncaught_exceptions() == before_) check(status);
  }
  void start() const { check(arr_comm_group_start(comm_)); }
  /** Tests whether the end would not wait. */
  bool done() const {
    bool out = false;
    check(arr_comm_group_query(comm_, &out));
    return out;
  }
  /** Ends the group before the end of the scope. */
  void end() { check(arr_comm_group_end(std::exchange(comm_, nullptr))); }

 private:
  arr_comm comm_;
  int before_ = std::uncaught_exceptions();
};

}  // namespace arr
#endif
