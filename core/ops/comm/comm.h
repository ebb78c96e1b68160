// SPDX-License-Identifier: MIT
// Communicators: what one rank holds of the connection among all.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

#include "arr/comm.h"
#include "ops/comm/calls.h"
#include "ops/comm/rendezvous.h"

namespace arr {

// A rank of a communicator. An engine derives from it and runs the calls.
class Comm : public Object {
 public:
  // timeout: seconds, unless ARR_COMM_TIMEOUT says otherwise.
  Comm(int32_t engine, const CommPlace& place, double timeout) noexcept;
  [[nodiscard]] int32_t engine() const noexcept { return engine_; }
  [[nodiscard]] const CommPlace& place() const noexcept { return place_; }
  // Seconds that a call waits for other ranks; 0: without limit.
  [[nodiscard]] double timeout() const noexcept { return timeout_.load(std::memory_order_relaxed); }
  void set_timeout(double seconds) noexcept { timeout_.store(seconds, std::memory_order_relaxed); }

  // Throws if a group is open.
  void check_no_group();
  // Runs the calls, all of them in flight together, or collects them while a group is open.
  void run(CommCall call);
  void run(std::vector<CommCall> calls);
  // Refused while a group is open: a call; calls, and work() while they are in flight.
  void run_alone(CommCall call);
  void run_beside(std::vector<CommCall> calls, const std::function<void()>& work);
  void group_begin();
  void group_start();
  bool group_query();
  void group_end();

  // Each of the ranks calls these; after an open group they are refused.
  Ref<Comm> split(int32_t color, int32_t key);
  Ref<Comm> duplicate() { return split(0, place_.rank); }
  Ref<Comm> shrink(const std::vector<int32_t>& excluded);

  // Any thread may call these at any time.
  [[nodiscard]] virtual bool failed() = 0;
  virtual void end_all() = 0;  // arr_comm_abort
  // Ends the calls of other ranks with the reason why this rank makes no more of them, where an engine can.
  virtual void give_up(const char* why) noexcept { static_cast<void>(why); }

 protected:
  // A call that is not in a group.
  virtual void run_one(CommCall call);
  // Starts calls; their arrays stay alive until finish() has returned.
  virtual void start(std::vector<CommCall> calls) = 0;
  // The program goes on while the started calls run.
  virtual void proceed() {}
  // Waits for all calls that were started; throws the first failure.
  virtual void finish() = 0;
  // True if finish() would not wait.
  virtual bool finished() = 0;
  virtual Ref<Comm> make_split(int32_t color, int32_t key) = 0;
  virtual Ref<Comm> make_shrunk(const std::vector<int32_t>& excluded) = 0;

 private:
  enum class Group { none, open, started };
  void refuse_group() const;
  void collect(std::span<CommCall> calls);

  std::mutex mutex_;  // a rank makes one call at a time
  Group group_ = Group::none;
  std::vector<CommCall> collected_;
  std::atomic<double> timeout_;
  int32_t engine_;
  CommPlace place_;
};

// A communicator for each of the devices, in this process.
std::vector<Ref<Comm>> local_comms(std::span<const Device> devices);

// This process's rank of MPI_COMM_WORLD, or of a communicator given as its value in C or in Fortran. Its
// calls do not mix with those of others: it is a duplicate.
Ref<Comm> mpi_world(Device device);
Ref<Comm> mpi_comm(int64_t comm, Device device);
Ref<Comm> mpi_comm_from_fortran(int32_t comm, Device device);

// NCCL: an id for one communicator, which all of its ranks are given, by the program or by a rendezvous, and
// this rank of it. over: its ranks,
// numbers and time limit are those of another communicator, which brings them the id.
void nccl_id(char* id);
void nccl_id_by_file(const Rendezvous& at, const std::string& path, char* id);
void nccl_id_by_tcp(const Rendezvous& at, std::string_view address, std::string_view token, char* id);
Ref<Comm> nccl_comm(const CommPlace& at, const char* id);
Ref<Comm> nccl_comm_over(Comm& over, Device device);

}  // namespace arr
