// SPDX-License-Identifier: MIT
// The kernels of textures.py.
template <class T>
__global__ void fetch(cudaTextureObject_t t, int dims, const float* x, T* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (dims == 0) out[i] = tex1Dfetch<T>(t, (int)x[i]);
  if (dims == 1) out[i] = tex1D<T>(t, x[i]);
  if (dims == 2) out[i] = tex2D<T>(t, x[i], x[n + i]);
  if (dims == 3) out[i] = tex3D<T>(t, x[i], x[n + i], x[2 * n + i]);
}
template <class T>
__global__ void lod(cudaTextureObject_t t, int dims, const float* x, T* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T v;
  if (dims == 1)
    tex1D(&v, t, x[i]), out[3 * i] = v, out[3 * i + 1] = tex1DLod<T>(t, x[i], 0.0f),
                                out[3 * i + 2] = tex1DGrad<T>(t, x[i], 0.0f, 0.0f);
  float2 two = make_float2(0, 0);
  if (dims == 2)
    tex2D(&v, t, x[i], x[n + i]), out[3 * i] = v, out[3 * i + 1] = tex2DLod<T>(t, x[i], x[n + i], 0.0f),
                                          out[3 * i + 2] = tex2DGrad<T>(t, x[i], x[n + i], two, two);
  float4 four = make_float4(0, 0, 0, 0);
  if (dims == 3)
    tex3D(&v, t, x[i], x[n + i], x[2 * n + i]),
        out[3 * i] = v, out[3 * i + 1] = tex3DLod<T>(t, x[i], x[n + i], x[2 * n + i], 0.0f),
                out[3 * i + 2] = tex3DGrad<T>(t, x[i], x[n + i], x[2 * n + i], four, four);
}
// Texel i of the surface from in, at a shift in x; read back into out.
template <class T>
__global__ void store(cudaSurfaceObject_t s, int dims, const T* in, int w, int h, int n, int shift,
                      int mode) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = (i % w + shift) * (int)sizeof(T), y = i / w % h, z = i / w / h;
  cudaSurfaceBoundaryMode m = mode == 0   ? cudaBoundaryModeZero
                              : mode == 1 ? cudaBoundaryModeClamp
                                          : cudaBoundaryModeTrap;
  if (m == cudaBoundaryModeTrap) {
    if (dims == 1) surf1Dwrite(in[i], s, x);
    if (dims == 2) surf2Dwrite(in[i], s, x, y);
    if (dims == 3) surf3Dwrite(in[i], s, x, y, z);
  } else if (m == cudaBoundaryModeZero) {
    if (dims == 1) surf1Dwrite(in[i], s, x, cudaBoundaryModeZero);
    if (dims == 2) surf2Dwrite(in[i], s, x, y, cudaBoundaryModeZero);
    if (dims == 3) surf3Dwrite(in[i], s, x, y, z, cudaBoundaryModeZero);
  }
}
template <class T>
__global__ void load(cudaSurfaceObject_t s, int dims, T* out, int w, int h, int n, int shift, int mode) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = (i % w + shift) * (int)sizeof(T), y = i / w % h, z = i / w / h;
  if (mode == 0) {
    if (dims == 1) out[i] = surf1Dread<T>(s, x, cudaBoundaryModeZero);
    if (dims == 2) out[i] = surf2Dread<T>(s, x, y, cudaBoundaryModeZero);
    if (dims == 3) out[i] = surf3Dread<T>(s, x, y, z, cudaBoundaryModeZero);
  } else if (mode == 1) {
    if (dims == 1) surf1Dread(&out[i], s, x, cudaBoundaryModeClamp);
    if (dims == 2) surf2Dread(&out[i], s, x, y, cudaBoundaryModeClamp);
    if (dims == 3) surf3Dread(&out[i], s, x, y, z, cudaBoundaryModeClamp);
  } else {
    if (dims == 1) out[i] = surf1Dread<T>(s, x);
    if (dims == 2) out[i] = surf2Dread<T>(s, x, y);
    if (dims == 3) out[i] = surf3Dread<T>(s, x, y, z);
  }
}
