// SPDX-License-Identifier: MIT
// libcu++'s cuda::std over the C++ library of the host's compiler. Embedded where a source includes a header
// of cuda/std, whose namesake of the C++ library is included before all.

namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
