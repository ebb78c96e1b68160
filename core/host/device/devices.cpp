// SPDX-License-Identifier: MIT
// The one device of the host backend: its name, properties, and the libraries that were found.
#include <sys/utsname.h>
#include <tbb/version.h>
#include <unistd.h>

#include <fstream>

#include "backend/device.h"
#include "backend/libraries.h"
#include "base/thread_limit.h"
#include "host/device/streams.h"
#include "host/libraries/fftw.h"
#include "host/libraries/lapack.h"
#include "host/loops/table.h"
#include "host/tables.h"

namespace arr::host {

namespace {

int32_t probe(std::string* report, BackendError* e) {
  return translate_exceptions(e, [&] {
    *report += text("host: loops for x86-64 ", loops().level, ", ", thread_limit(), " threads by oneTBB ",
                    TBB_runtime_version(), "\n");
    blas_report(report);
    fftw_report(report);
  });
}
int32_t device_count(int32_t* count, BackendError*) {
  *count = 1;
  return ARR_OK;
}
// The processor's name according to the system.
std::string processor() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  cpuinfo.exceptions(std::ios_base::badbit);  // running out of memory for a line is not the end of the file
  for (std::string line; std::getline(cpuinfo, line);) {
    size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  utsname name{};
  return uname(&name) == 0 ? name.machine : "host";
}
int32_t device_name(int32_t device, std::string* name, BackendError* e) {
  return translate_exceptions(e, [&] {
    check_device(device);
    *name = processor();
  });
}
int32_t device_properties(int32_t device, DeviceProperties* p, BackendError* e) {
  return translate_exceptions(e, [&] {
    check_device(device);
    p->multiprocessors = thread_limit();
    p->memory_bytes = sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    p->l2_bytes = -1;
#ifdef _SC_LEVEL2_CACHE_SIZE  // of glibc
    if (const int64_t l2 = sysconf(_SC_LEVEL2_CACHE_SIZE); l2 > 0) p->l2_bytes = l2;
#endif
    p->warp_size = 32;  // as raw kernels see it
    p->threads_per_block = 1024;
    p->cooperative_launch = 1;
    p->integrated = p->managed_memory = 1;
  });
}
int32_t device_attribute(int32_t, const std::string* name, int64_t*, BackendError* e) {
  return translate_exceptions(e, [&] {
    fail(ARR_E_UNSUPPORTED, "argument name: \"", *name,
         "\" is an attribute of CUDA's driver, the host has none");
  });
}
int32_t device_ids(int32_t device, std::string*, std::string*, BackendError* e) {
  return translate_exceptions(e, [&] { check_device(device); });
}
int32_t peer_possible(int32_t, int32_t, int32_t* yes, BackendError*) {
  *yes = 0;
  return ARR_OK;
}
int32_t peer_access(int32_t, int32_t, int32_t, BackendError* e) {
  return translate_exceptions(
      e, [] { fail(ARR_E_UNSUPPORTED, "argument peer: the host is the only device of its type"); });
}
[[noreturn]] void no_limits() {
  fail(ARR_E_UNSUPPORTED, "argument device: the host has no device limits, the system sets them");
}
int32_t device_limit(int32_t, int32_t, int64_t*, BackendError* e) {
  return translate_exceptions(e, [] { no_limits(); });
}
int32_t device_set_limit(int32_t, int32_t, int64_t, BackendError* e) {
  return translate_exceptions(e, [] { no_limits(); });
}
int32_t profiler(int32_t device, int32_t, BackendError* e) {
  return translate_exceptions(e,
                              [&] { check_device(device); });  // tools that observe a processor need no call
}

[[noreturn]] void no_libraries() {
  fail(ARR_E_UNSUPPORTED, "argument device: the host has no libraries of a vendor");
}
int32_t library_function(int32_t, const char*, void**, BackendError* e) {
  return translate_exceptions(e, [] { no_libraries(); });
}
int32_t library_version(int32_t, int32_t*, BackendError* e) {
  return translate_exceptions(e, [] { no_libraries(); });
}
int32_t library_toolkit(std::string*, BackendError* e) {
  return translate_exceptions(e, [] { no_libraries(); });
}
int32_t library_handle(int32_t, int32_t, void*, void**, BackendError* e) {
  return translate_exceptions(e, [] { no_libraries(); });
}

}  // namespace

const DeviceApi device_api = {
    .probe = probe,
    .count = device_count,
    .name = device_name,
    .sync = device_sync,
    .properties = device_properties,
    .attribute = device_attribute,
    .ids = device_ids,
    .peer_possible = peer_possible,
    .peer_access = peer_access,
    .limit = device_limit,
    .set_limit = device_set_limit,
    .profiler = profiler,
};

const LibraryApi library_api = {
    .function = library_function,
    .version = library_version,
    .toolkit = library_toolkit,
    .handle = library_handle,
};

}  // namespace arr::host
