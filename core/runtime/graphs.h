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
  // Ends the capture that began in the stream; from now on its work is the graph's.
  void update(Stream& stream);
  const Device device;
  void* const handle;
  void launch(const Queue& q);

 protected:
  ~Graph() override;

 private:
  std::mutex mutex_;
  std::vector<Ref<Buffer>> memory_;
  Ref<Stream> last_;  // that it ran in, or that its capture began in
};

void begin_capture(Stream& stream);
// In the stream where it began.
Ref<Graph> end_capture(Stream& stream);
// Ends the capture that began in the stream, if one did; what was captured is gone.
void give_up_capture(Stream& stream) noexcept;

}  // namespace arr
