// SPDX-License-Identifier: MIT
// The state of reductions to a position: the best element so far and where it is. Of equally good elements
// the lowest position wins. Generated lines go before it: the types A and O, the formulas arr_worst,
// arr_better and arr_position.

struct S {
  A value;
  long long at;
};
ARR_FN S arr_identity() {
  S s;
  s.value = arr_worst();
  s.at = 0x7fffffffffffffffLL;
  return s;
}
ARR_FN S arr_join(S a, S b) {
  if (arr_better(b.value, a.value)) return b;
  if (arr_better(a.value, b.value)) return a;
  return b.at < a.at ? b : a;
}
ARR_FN O arr_end(S s, typename arr_real_of<A>::type, typename arr_real_of<A>::type) {
  return (O)arr_position(s.value, s.at);
}
