// SPDX-License-Identifier: MIT
// iterative.h: linear operators of functions of the caller.
#include "capi/src/iterative/handles.h"
#include "ops/elementwise/array_ops.h"
#include "runtime/devices.h"

using namespace arr::capi;

namespace {

using Function = arr_status (*)(void* ctx, arr_array x, arr_stream stream, arr_array* out);

// A handle for the time of a call of the caller's function; NULL for no object.
template <class T, class Handle>
class Lent {
 public:
  explicit Lent(arr::Ref<T> object) {
    if (object) publish<T>(std::move(object), &handle);
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent() {
    if (handle != nullptr) arr::handles().release(bits(handle), KindOf<T>::kind);
  }
  Handle handle = nullptr;
};

class FunctionOperator final : public arr::LinearOperator {
 public:
  FunctionOperator(const arr::Extents& shape, arr::DType d, arr::Device where, Function matvec,
                   Function rmatvec, void* ctx)
      : LinearOperator(shape, d, where), matvec_(matvec), rmatvec_(rmatvec), ctx_(ctx) {}
  ~FunctionOperator() override {
    if (drop != nullptr) drop(ctx_);
  }
  void (*drop)(void* ctx) = nullptr;

  [[nodiscard]] bool has_adjoint() const override { return rmatvec_ != nullptr; }
  [[nodiscard]] arr::Ref<arr::Array> times(const arr::Mode& mode, const arr::Array& x,
                                           arr::Stream* stream) const override {
    if (mode.transposed && rmatvec_ == nullptr)
      arr::fail(ARR_E_UNSUPPORTED, "the operator has no function rmatvec, hence no adjoint");
    // The functions are the plain product and the adjoint's.
    if (mode.transposed == mode.conjugated) return called(mode.transposed, x, stream);
    return arr::conjugate(*called(mode.transposed, *arr::conjugate(x, stream), stream), stream);
  }

 private:
  arr::Ref<arr::Array> called(bool adjoint, const arr::Array& x, arr::Stream* stream) const {
    const char* name = adjoint ? "rmatvec" : "matvec";
    const Lent<arr::Array, arr_array> operand(x.view(x.layout));
    const Lent<arr::Stream, arr_stream> in(arr::Ref<arr::Stream>::share(stream));
    arr_array handle = nullptr;
    const arr_status status = (adjoint ? rmatvec_ : matvec_)(ctx_, operand.handle, in.handle, &handle);
    if (status != ARR_OK)
      arr::fail(status, "the function ", name, " of the operator failed: ", arr_last_error());
    arr::Ref<arr::Array> y = taken(handle, name);
    return checked(std::move(y), name, adjoint ? extents.columns : extents.rows, x, stream);
  }

  // The array of a reference that the function gave.
  static arr::Ref<arr::Array> taken(arr_array handle, const char* name) {
    auto* y = static_cast<arr::Array*>(arr::handles().pin(bits(handle), arr::Kind::array));
    if (y == nullptr)
      arr::fail(ARR_E_HANDLE, "the function ", name, " of the operator returned no live array handle");
    const arr::Pinned<arr::Array> pinned(bits(handle), y);
    arr::handles().release(bits(handle), arr::Kind::array);
    return pinned.share();
  }
  // The result, in memory that the caller cannot change.
  [[nodiscard]] arr::Ref<arr::Array> checked(arr::Ref<arr::Array> y, const char* name, int64_t rows,
                                             const arr::Array& x, arr::Stream* stream) const {
    arr::Layout expected = x.layout;
    expected.shape[0] = rows;
    if (!y->layout.same_shape(expected)) {
      arr::fail(ARR_E_SHAPE, "the function ", name, " of the operator returned shape ", y->layout.text(),
                ", expected ", expected.text());
    }
    if (y->device() != device) {
      arr::fail(ARR_E_ARGUMENT, "the function ", name, " of the operator returned an array on ",
                arr::device_text(y->device()), ", expected ", arr::device_text(device));
    }
    const arr::DType d = promote(dtype, x.dtype);
    if (!arr::can_cast(y->dtype, d, arr::Casting::same_kind)) {
      arr::fail(ARR_E_DTYPE, "the function ", name, " of the operator returned ", arr::name(y->dtype),
                ", expected ", arr::name(d));
    }
    if (y->dtype != d) return arr::as_type(*y, d, stream);
    const bool known = y->shared() || y->buffer->shared() || y->buffer->exposed || y->buffer->foreign();
    return known ? arr::copy(*y, arr::Order::C, stream) : std::move(y);
  }

  Function matvec_, rmatvec_;
  void* ctx_;
};

}  // namespace

arr_status arr_linop_from_function(int64_t rows, int64_t columns, arr_dtype dtype, const arr_device* device,
                                   arr_status (*matvec)(void* ctx, arr_array x, arr_stream stream,
                                                        arr_array* out),
                                   arr_status (*rmatvec)(void* ctx, arr_array x, arr_stream stream,
                                                         arr_array* out),
                                   void (*drop)(void* ctx), void* ctx, arr_linop* out) {
  return guard("arr_linop_from_function", [&] {
    check_pointer(out, "out");
    if (matvec == nullptr) arr::fail(ARR_E_ARGUMENT, "argument matvec: NULL");
    arr::check_extents({rows, columns});
    const arr::DType d = arr::dtype_from(dtype);
    auto made = arr::make<FunctionOperator>(arr::Extents{rows, columns}, d, arr::device_from(device), matvec,
                                            rmatvec, ctx);
    FunctionOperator* kept = made.get();
    const auto pinned = made;  // until the handle exists: drop is not called if there is none
    publish<arr::LinearOperator>(std::move(made), out);
    kept->drop = drop;
  });
}
