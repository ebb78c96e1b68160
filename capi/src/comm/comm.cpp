// SPDX-License-Identifier: MIT
// comm.h: making, describing and ending communicators, groups of calls.
#include "capi/src/arguments.h"
#include "capi/src/comm/handles.h"
#include "ops/comm/mpi_library.h"

using namespace arr::capi;

namespace {

void check_rank(int32_t size, int32_t rank) {
  if (size < 1) arr::fail(ARR_E_ARGUMENT, "argument size: ", size, ", expected 1 or more");
  if (rank >= 0 && rank < size) return;
  arr::fail(ARR_E_ARGUMENT, "argument rank: ", rank, ", expected 0 to ", size - 1);
}

void check_seconds(double seconds) {
  if (!(seconds >= 0)) arr::fail(ARR_E_ARGUMENT, "argument seconds: ", seconds, ", expected 0 or more");
}

arr::Rendezvous rendezvous(int32_t size, int32_t rank, double seconds) {
  check_rank(size, rank);
  check_seconds(seconds);
  return {size, rank, seconds};
}

}  // namespace

arr_status arr_comm_local(int32_t size, const arr_device* devices, arr_comm* out) {
  return guard("arr_comm_local", [&] {
    check_pointer(out, "out");
    constexpr int32_t most = 4096;
    if (size < 1 || size > most) arr::fail(ARR_E_ARGUMENT, "argument size: ", size, ", expected 1 to ", most);
    std::vector<arr::Device> places(static_cast<size_t>(size));
    for (size_t r = 0; devices != nullptr && r < places.size(); ++r) {
      places[r] = arr::device_from(&devices[r], "devices");
    }
    publish_each(arr::local_comms(places), out);
  });
}

arr_status arr_comm_mpi(const arr_device* device, arr_comm* out) {
  return make_comm("arr_comm_mpi", out, [&] { return arr::mpi_world(arr::device_from(device)); });
}

arr_status arr_comm_from_mpi(int64_t comm, const arr_device* device, arr_comm* out) {
  return make_comm("arr_comm_from_mpi", out, [&] { return arr::mpi_comm(comm, arr::device_from(device)); });
}

arr_status arr_comm_from_mpi_fortran(int32_t comm, const arr_device* device, arr_comm* out) {
  return make_comm("arr_comm_from_mpi_fortran", out,
                   [&] { return arr::mpi_comm_from_fortran(comm, arr::device_from(device)); });
}

arr_status arr_comm_mpi_library(int64_t capacity, char* text, int64_t* length) {
  return query("arr_comm_mpi_library", [&] { put_text(arr::mpi_description(), capacity, text, length); });
}

arr_status arr_comm_nccl_id(char* id) {
  return guard("arr_comm_nccl_id", [&] {
    check_pointer(id, "id");
    arr::nccl_id(id);
  });
}

arr_status arr_comm_nccl_id_file(int32_t size, int32_t rank, const char* path, int64_t length, double seconds,
                                 char* id) {
  return guard("arr_comm_nccl_id_file", [&] {
    check_pointer(id, "id");
    const std::string name(string_argument(path, length, "path"));
    if (name.empty() || name.find('\0') != std::string::npos) {
      arr::fail(ARR_E_ARGUMENT, "argument path: empty, or has a NUL inside");
    }
    arr::nccl_id_by_file(rendezvous(size, rank, seconds), name, id);
  });
}

arr_status arr_comm_nccl_id_tcp(int32_t size, int32_t rank, const char* address, const char* token,
                                double seconds, char* id) {
  return guard("arr_comm_nccl_id_tcp", [&] {
    check_pointer(id, "id");
    check_pointer(address, "address");
    check_pointer(token, "token");
    constexpr size_t least = 16;
    const std::string_view secret = token;
    if (secret.size() < least) {
      arr::fail(ARR_E_ARGUMENT, "argument token: ", secret.size(), " bytes, expected ", least, " or more");
    }
    arr::nccl_id_by_tcp(rendezvous(size, rank, seconds), address, secret, id);
  });
}

arr_status arr_comm_nccl(int32_t size, int32_t rank, const char* id, const arr_device* device,
                         arr_comm* out) {
  return make_comm("arr_comm_nccl", out, [&] {
    check_pointer(id, "id");
    check_pointer(device, "device");
    check_rank(size, rank);
    return arr::nccl_comm({rank, size, arr::device_from(device)}, id);
  });
}

arr_status arr_comm_nccl_with(arr_comm comm_handle, const arr_device* device, arr_comm* out) {
  return make_comm("arr_comm_nccl_with", out, [&] {
    auto c = comm(comm_handle);
    check_pointer(device, "device");
    return arr::nccl_comm_over(*c, arr::device_from(device));
  });
}

arr_status arr_comm_info(arr_comm comm_handle, arr_comm_properties* properties) {
  return query("arr_comm_info", [&] {
    check_pointer(properties, "properties");
    check_size(*properties, "properties");
    auto c = comm(comm_handle);
    const arr::CommPlace& at = c->place();
    *properties = {properties->struct_size, c->timeout(),   c->engine(),    at.size, at.rank,
                   c->failed() ? 1 : 0,     at.device.type, at.device.index};
  });
}

arr_status arr_comm_set_timeout(arr_comm comm_handle, double seconds) {
  return query("arr_comm_set_timeout", [&] {
    auto c = comm(comm_handle);
    check_seconds(seconds);
    c->set_timeout(seconds);
  });
}

arr_status arr_comm_split(arr_comm comm_handle, int32_t color, int32_t key, arr_comm* out) {
  return make_comm("arr_comm_split", out, [&] { return comm(comm_handle)->split(color, key); });
}

arr_status arr_comm_duplicate(arr_comm comm_handle, arr_comm* out) {
  return make_comm("arr_comm_duplicate", out, [&] { return comm(comm_handle)->duplicate(); });
}

arr_status arr_comm_shrink(arr_comm comm_handle, int32_t n, const int32_t* excluded, arr_comm* out) {
  return make_comm("arr_comm_shrink", out, [&] {
    auto c = comm(comm_handle);
    if (n < 1) arr::fail(ARR_E_ARGUMENT, "argument n: ", n, ", expected 1 or more");
    check_pointer(excluded, "excluded");
    return c->shrink({excluded, excluded + n});
  });
}

arr_status arr_comm_abort(arr_comm comm_handle) {
  return guard("arr_comm_abort", [&] { comm(comm_handle)->end_all(); });
}

arr_status arr_comm_release(arr_comm comm_handle) { return release(comm_handle, arr::Kind::comm); }

arr_status arr_comm_group_begin(arr_comm comm_handle) {
  return guard("arr_comm_group_begin", [&] { comm(comm_handle)->group_begin(); });
}

arr_status arr_comm_group_start(arr_comm comm_handle) {
  return guard("arr_comm_group_start", [&] { comm(comm_handle)->group_start(); });
}

arr_status arr_comm_group_query(arr_comm comm_handle, bool* done) {
  return guard("arr_comm_group_query", [&] {
    check_pointer(done, "done");
    *done = comm(comm_handle)->group_query();
  });
}

arr_status arr_comm_group_end(arr_comm comm_handle) {
  return guard("arr_comm_group_end", [&] { comm(comm_handle)->group_end(); });
}
