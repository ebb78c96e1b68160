// SPDX-License-Identifier: MIT
// Graphs of captured work.
#pragma once

#include <string>

#include "runtime/captures.h"

namespace arr {

class Graph : public Object {
 public:
  Graph(Device where, void* made, Ref<Captured> work, std::vector<Ref<Buffer>> memory, Ref<Stream> origin)
      : device(where),
        handle(made),
        captured_(std::move(work)),
        memory_(std::move(memory)),
        last_(std::move(origin)) {}
  // Ends the capture that began in the stream; its work becomes the graph's.
  void update(Stream& stream);
  const Device device;
  void* const handle;
  void launch(const Queue& q);

 protected:
  ~Graph() override;

 private:
  std::mutex mutex_;
  Ref<Captured> captured_;  // has ended; arrays that were made in the capture refer to it
  std::vector<Ref<Buffer>> memory_;
  Ref<Stream> last_;  // the stream of its last launch, or in which its capture began
};

void begin_capture(Stream& stream);
// Must be called in the stream in which the capture began.
Ref<Graph> end_capture(Stream& stream);
// Ends the capture that began in the stream, if there is one, and discards the captured work.
void abort_capture(Stream& stream) noexcept;

}  // namespace arr
