// SPDX-License-Identifier: MIT
// Graphs of captured work.
#pragma once

#include <string>

#include "runtime/streams.h"

namespace arr {

class Graph : public Object {
 public:
  Graph(Device where, void* made, std::vector<Ref<Buffer>> memory, Ref<Stream> origin)
      : device(where), handle(made), memory_(std::move(memory)), last_(std::move(origin)) {}
  // Ends the stream's capture; from now on its work is the graph's.
  void update(Stream& stream);
  const Device device;
  void* const handle;
  void launch(const Queue& q);

 protected:
  ~Graph() override;

 private:
  std::mutex mutex_;
  std::vector<Ref<Buffer>> memory_;
  Ref<Stream> last_;  // that it ran in, or was captured in
};

void begin_capture(Stream& stream);
Ref<Graph> end_capture(Stream& stream);

}  // namespace arr
