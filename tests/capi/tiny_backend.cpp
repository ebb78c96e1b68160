// SPDX-License-Identifier: MIT
// The smallest backend, which docs/contributing/backend.md explains: one device whose memory is the host's.
// It adds and multiplies float32 arrays, and offers nothing else.
#include <cstdlib>
#include <cstring>

#include "backend/interface.h"
#include "expr/op_numbers.h"

namespace {

using namespace arr;

int32_t probe(std::string* report, BackendError*) {
  *report += "tiny: one device\n";
  return ARR_OK;
}
int32_t count(int32_t* devices, BackendError*) {
  *devices = 1;
  return ARR_OK;
}
int32_t name(int32_t, std::string* text, BackendError* e) {
  return translate_exceptions(e, [&] { *text = "tiny"; });
}
int32_t sync(int32_t, BackendError*) { return ARR_OK; }

int32_t allocate(int32_t, int64_t bytes, void*, void** data, BackendError* e) {
  return translate_exceptions(e, [&] {
    *data = std::aligned_alloc(256, (static_cast<size_t>(bytes) + 255) / 256 * 256);
    if (*data == nullptr) fail(ARR_E_MEMORY, "tiny: ", bytes, " bytes requested");
  });
}
int32_t release(int32_t, void* data, int64_t, void*, BackendError*) {
  std::free(data);
  return ARR_OK;
}
int32_t copy(int32_t, void* to, const void* from, int64_t bytes, void*, BackendError*) {
  std::memmove(to, from, static_cast<size_t>(bytes));
  return ARR_OK;
}

// Elements of one operand, and the program's value at one index.
struct At {
  const ElementwiseCall& c;
  int64_t index[ARR_MAX_NDIM] = {};

  [[nodiscard]] char* address(const Operand& o) const {
    char* p = static_cast<char*>(o.data);
    for (int32_t d = 0; d < c.ndim; ++d) p += index[d] * o.strides[d];
    return p;
  }
  [[nodiscard]] float value(int32_t number) const {
    const Node& n = c.program->nodes[static_cast<size_t>(number)];
    if (n.kind == Node::Kind::input) {
      const Operand& o = c.operands[n.args[0]];
      float x = 0;
      if (o.data == nullptr) return scalar_value<float>(o.value);
      std::memcpy(&x, address(o), sizeof x);
      return x;
    }
    const float x = value(n.args[0]), y = value(n.args[1]);
    return n.op == op::add ? x + y : x * y;
  }
  bool next() {
    for (int32_t d = c.ndim - 1; d >= 0; --d) {
      if (++index[d] < c.shape[d]) return true;
      index[d] = 0;
    }
    return false;
  }
};

int32_t elementwise(int32_t, const ElementwiseCall* c, void*, BackendError* e) {
  return translate_exceptions(e, [&] {
    for (const Node& n : c->program->nodes) {
      const bool known = n.kind == Node::Kind::input || n.op == op::add || n.op == op::multiply;
      if (!known || n.dtype != DType::float32_) fail(ARR_E_UNSUPPORTED, "tiny: ", describe(*c->program));
    }
    const Operand& out = c->operands[c->program->inputs.size()];
    At at{*c};
    do {
      const float x = at.value(c->program->outputs[0]);
      std::memcpy(at.address(out), &x, sizeof x);
    } while (at.next());
  });
}

constexpr DeviceApi device = [] {
  DeviceApi t{};
  t.probe = probe;
  t.count = count;
  t.name = name;
  t.sync = sync;
  return t;
}();
constexpr StreamApi stream{};  // no streams but the default one, which runs at once
constexpr MemoryApi memory = [] {
  MemoryApi t{};
  t.allocate = allocate;
  t.release = release;
  t.copy_from_host = t.copy_on_device = copy;
  t.copy_to_host = copy;
  return t;
}();
constexpr ServiceApi services = [] {
  ServiceApi t{};
  t.log_to = [](auto*) {};
  t.cache_to = [](auto*) {};
  t.pressure_to = [](auto*) {};
  return t;
}();
constexpr ElementwiseApi elements = [] {
  ElementwiseApi t{};
  t.elementwise = elementwise;
  return t;
}();
constexpr Backend backend = [] {
  Backend t{};
  t.struct_size = sizeof(Backend);
  t.abi_version = backend_abi_version;
  t.device_type = ARR_CUDA;  // the core knows no other type for a module
  t.tables_bytes = backend_tables_bytes;
  t.name = "tiny";
  t.synchronous = true;
  t.device = &device;
  t.stream = &stream;
  t.memory = &memory;
  t.services = &services;
  t.elementwise = &elements;
  return t;
}();

}  // namespace

extern "C" __attribute__((visibility("default"))) const Backend* arr_backend_open(int32_t, int64_t,
                                                                                  std::string*) {
  return &backend;
}
