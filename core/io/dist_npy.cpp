// SPDX-License-Identifier: MIT
// Reads and writes the parts of distributed arrays.
#include "io/dist_npy.h"

#include <algorithm>
#include <optional>

#include "io/npy.h"
#include "io/npy_header.h"
#include "io/transfer.h"
#include "ops/comm/together.h"

namespace arr::io {

namespace {

constexpr int64_t slice_bytes = 64 * 1024 * 1024;  // of a file, that rank 0 holds at a time

// Reads the elements of a part from a file whose elements begin at `front`.
class PartReader {
 public:
  PartReader(Reader* file, const NpyHeader& h, int64_t front, const Decomposition& by)
      : file_(*file),
        item_(item_size(h.dtype)),
        front_(front),
        by_(by),
        ndim_(h.ndim),
        row_major_(h.order == Order::C) {
    int64_t bytes = item_;
    for (int32_t i = ndim_; i-- > 0;) {
      steps_.insert(steps_.begin(), bytes);
      bytes *= std::max<int64_t>(1, h.shape[axis(i)]);
    }
    // Trailing axes that are whole are read together with the axis before them.
    together_ = ndim_;
    while (together_ > 1 && whole(axis(together_ - 1))) --together_;
  }
  void read(char* to) {
    to_ = to;
    from(0, front_);
  }

 private:
  // The axes from slowest to fastest in the file.
  [[nodiscard]] int32_t axis(int32_t i) const { return row_major_ ? i : ndim_ - 1 - i; }
  [[nodiscard]] const IndexRanges& own(int32_t a) const { return by_.segments(a, by_.grid->rank()); }
  [[nodiscard]] bool whole(int32_t a) const { return count_of(own(a)) == by_.shape[static_cast<size_t>(a)]; }

  void from(int32_t i, int64_t at) {
    if (i == ndim_) return take(at, item_);
    const int64_t step = steps_[static_cast<size_t>(i)];
    for (const IndexRange& s : own(axis(i))) {
      if (i + 1 >= together_) {
        take(at + s.from * step, (s.to - s.from) * step);
      } else {
        for (int64_t k = s.from; k < s.to; ++k) from(i + 1, at + k * step);
      }
    }
  }
  void take(int64_t at, int64_t bytes) {
    file_.seek(at);
    file_.read(to_, bytes);
    to_ += bytes;
  }

  Reader& file_;
  const int64_t item_, front_;
  const Decomposition& by_;
  const int32_t ndim_;
  const bool row_major_;
  std::vector<int64_t> steps_;  // bytes from an index to the next, of axis(i)
  int32_t together_ = 0;
  char* to_ = nullptr;
};

Ref<Array> read_part(const Decomposition& by, std::string_view path, Stream* stream) {
  queue_for(by.device(), stream);
  Reader file(path);
  const NpyFront front = read_npy_front(file);
  const NpyHeader& h = front.header;
  if (!std::ranges::equal(h.dims(), by.shape)) {
    fail(ARR_E_SHAPE, file.shown_path(), ": shape ", shape_text(h.ndim, h.shape), ", expected ",
         shape_text(by.ndim(), by.shape.data()), ", that of the decomposition");
  }
  const Ref<Array> elements = new_elements(h.dtype, by.part_shape(), h.order, by.device(), stream);
  if (elements->layout.size() > 0) PartReader(&file, h, front.bytes, by).read(elements->data);
  file.check_unchanged();
  if (h.swapped) make_native(*elements);
  return placed(elements, by.device(), stream);
}

}  // namespace

Ref<Dist> load_npy_parts(Decomposition& by, std::string_view path, Stream* stream) {
  by.comm().check_no_group();
  Ref<Array> part;
  together(by.comm(), stream, [&] { part = read_part(by, path, stream); });
  return dist_of_part(by, *part);
}

void save_npy_parts(const Dist& a, std::string_view path, Stream* stream) {
  const Decomposition& by = *a.decomposition;
  Comm& comm = by.comm();
  comm.check_no_group();
  const bool writes = comm.place().rank == 0;
  std::optional<Writer> file;
  together(comm, stream, [&] {
    if (!writes) return;
    const std::string front = npy_front(a.dtype(), by.shape);
    file.emplace(path);
    file->write(front.data(), static_cast<int64_t>(front.size()));
  });
  int64_t row = item_size(a.dtype());
  for (size_t i = 1; i < by.shape.size(); ++i) row *= by.shape[i];
  const auto save = [&](const Dist& slice) {
    const Ref<Array> got = dist_gather(slice, 0, stream);
    together(comm, stream, [&] {
      if (!writes) return;
      const Ref<Array> host = host_elements(*got, Order::C, stream);
      file->write(host->data, host->layout.size() * host->item());
    });
  };
  if (by.shape.empty()) {
    save(a);
  } else if (row > 0) {
    const int64_t rows = std::max<int64_t>(1, slice_bytes / row);
    for (int64_t i = 0; i < by.shape[0]; i += rows)
      save(*dist_slice(a, 0, i, std::min(by.shape[0], i + rows)));
  }
  together(comm, stream, [&] {
    if (writes) file->commit();
  });
}

}  // namespace arr::io
