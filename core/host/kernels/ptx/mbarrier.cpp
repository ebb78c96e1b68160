// SPDX-License-Identifier: MIT
// mbarrier objects and the copies that they count. PTX ISA: "Parallel Synchronization and Communication
// Instructions" and "Asynchronous copy". A block's threads share one thread of the system, so the objects
// need no atomic operations, and copies are made at once.
#include <algorithm>
#include <iterator>

#include "host/kernels/ptx/writer.h"
#include "host/kernels/source/keywords.h"

namespace arr::host_kernels {

std::string PtxWriter::mbarrier() {
  const std::string key = memory_key();
  if (types_.size() != 1 || types_[0]->name != "b64") return "";
  const auto object = [&](size_t at) { return "(void*)" + pointer(at, space()); };
  if (key == "mbarrier.pending_count")
    return count() != 2 ? ""
                        : done(set(0, "unsigned",
                                   "arr_ptx::mbarrier_pending(" + value(1, "unsigned long long") + ")"));
  if (key == "mbarrier.inval") return count() != 1 ? "" : done("(void)" + object(0) + ";");
  if (key == "mbarrier.init")
    return count() != 2 ? ""
                        : done("arr_ptx::mbarrier_init(" + object(0) + ", " + value(1, "unsigned") + ");");
  if (key == "mbarrier.expect_tx" || key == "mbarrier.complete_tx") {
    const char* sign = i_.has("expect_tx") ? "" : "-";
    return count() != 2 ? ""
                        : done("arr_ptx::mbarrier_bytes(" + object(0) + ", " + sign + "(long long)" +
                               value(1, "unsigned") + ");");
  }
  // The copies before it are there. Without .noinc it takes back what it adds to the count.
  if (key == "cp.async.mbarrier.arrive") return count() != 1 ? "" : done("(void)" + object(0) + ";");
  if (key == "cp.async.mbarrier.arrive.noinc")
    return count() != 1 ? "" : done("arr_ptx::mbarrier_arrive(" + object(0) + ", 1, 0, false);");
  if (starts_with(key, "mbarrier.arrive")) return arrival();
  return starts_with(key, "mbarrier.test_wait") || starts_with(key, "mbarrier.try_wait") ? completion() : "";
}

// mbarrier.arrive state, [object], n: n threads, or one thread that expects n bytes.
std::string PtxWriter::arrival() {
  const std::string key = memory_key();
  constexpr std::string_view forms[] = {"mbarrier.arrive",
                                        "mbarrier.arrive_drop",
                                        "mbarrier.arrive.expect_tx",
                                        "mbarrier.arrive_drop.expect_tx",
                                        "mbarrier.arrive.noComplete",
                                        "mbarrier.arrive_drop.noComplete"};
  const bool known = std::find(std::begin(forms), std::end(forms), key) != std::end(forms);
  if (!known || count() == 0) return "";
  const size_t at = i_.operands[0][0] == '[' ? 0 : 1;  // newer texts may leave the state out
  if (count() < at + 1 || count() > at + 2) return "";
  const std::string n = count() == at + 2 ? value(at + 1, "unsigned") : "1u";
  const bool bytes = i_.has("expect_tx"), drops = i_.has("arrive_drop");
  const std::string code = "arr_ptx::mbarrier_arrive((void*)" + pointer(at, space()) + ", " +
                           (bytes ? "1u, " + n : n + ", 0u") + ", " + (drops ? "true" : "false") + ")";
  return done(at == 0 ? code + ";" : set(0, "unsigned long long", code));
}

// A thread that has to wait lets the others go on, which only fibers do.
std::string PtxWriter::completion() {
  const bool parity = i_.has("parity");
  const std::string key = memory_key(), behind = parity ? ".parity" : "";
  if ((key != "mbarrier.test_wait" + behind && key != "mbarrier.try_wait" + behind) || count() < 3 ||
      count() > 4)
    return "";
  const std::string object = "(void*)" + pointer(1, space());
  const std::string given = parity ? value(2, "unsigned") : value(2, "unsigned long long");
  return done(syncs(std::string("const bool arr_done = arr_ptx::mbarrier_") + (parity ? "parity" : "done") +
                    "(" + object + ", " + given + "); if (!arr_done) __nanosleep(0u); " +
                    set(0, "bool", "arr_done")));
}

// cp.async.bulk of bytes in a row; tensors have no host form.
std::string PtxWriter::bulk_copy() {
  if (i_.modifiers[0] != "async" || i_.has("tensor") || i_.has("multicast::cluster")) return "";
  if (i_.has("commit_group") || i_.has("wait_group")) return ";";
  const auto place = [&](std::string_view first, std::string_view second) {
    return i_.modifiers.size() > 3 && starts_with(i_.modifiers[2], first) &&
           starts_with(i_.modifiers[3], second);
  };
  const bool hinted = i_.has("L2::cache_hint");
  if (place("shared", "global") && i_.has("mbarrier::complete_tx::bytes") && count() == (hinted ? 5U : 4U))
    return done("const unsigned arr_bytes = " + value(2, "unsigned") + "; arr_ptx::copy((void*)" +
                pointer(0, PtxSpace::shared) + ", (const void*)" + pointer(1, PtxSpace::global) +
                ", arr_bytes, arr_bytes); arr_ptx::mbarrier_bytes((void*)" + pointer(3, PtxSpace::shared) +
                ", -(long long)arr_bytes);");
  if (place("global", "shared") && i_.has("bulk_group") && count() == (hinted ? 4U : 3U))
    return done("const unsigned arr_bytes = " + value(2, "unsigned") + "; arr_ptx::copy((void*)" +
                pointer(0, PtxSpace::global) + ", (const void*)" + pointer(1, PtxSpace::shared) +
                ", arr_bytes, arr_bytes);");
  return "";
}

}  // namespace arr::host_kernels
