/* SPDX-License-Identifier: MIT */
/* use.h - a user's code between the two headers: the structs of the one in the functions of the other. */
static int use(void) {
  int64_t shape[2] = {2, 3};
  arr_array a = NULL, b = NULL;
  DLManagedTensorVersioned* t = NULL;
  int good = 0;
  if (arr_ones(ARR_FLOAT32, 2, shape, ARR_ORDER_C, NULL, NULL, &a) != ARR_OK) return 1;
  if (arr_to_dlpack(a, -1, 0, &t) != ARR_OK) return 2;
  good = t->version.major == 1 && t->dl_tensor.ndim == 2 && t->dl_tensor.shape[1] == 3 &&
         t->dl_tensor.strides[0] == 3 && t->dl_tensor.device.device_type == kDLCPU &&
         t->dl_tensor.dtype.bits == 32 && ((float*)t->dl_tensor.data)[5] == 1.0F && t->flags == 0;
  if (arr_from_dlpack(t, -1, &b) != ARR_OK) return 3;
  arr_release(a);
  arr_release(b);
  return good ? 0 : 4;
}

int main(void) { return use(); }
