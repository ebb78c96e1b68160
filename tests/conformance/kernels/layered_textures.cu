// SPDX-License-Identifier: MIT
// The kernels of layered_textures.py.
// kind: 1 and 2, layers of so many dimensions; 3, a cube; 4, layers of cubes. x: coordinates one after
// another.
template <class T>
__global__ void fetch(cudaTextureObject_t t, int kind, const float* x, const int* layer, T* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (kind == 1) out[i] = tex1DLayered<T>(t, x[i], layer[i]);
  if (kind == 2) out[i] = tex2DLayered<T>(t, x[i], x[n + i], layer[i]);
  if (kind == 3) out[i] = texCubemap<T>(t, x[i], x[n + i], x[2 * n + i]);
  if (kind == 4) out[i] = texCubemapLayered<T>(t, x[i], x[n + i], x[2 * n + i], layer[i]);
}
// The same by pointers, levels and gradients.
__global__ void forms(cudaTextureObject_t t, int kind, const float* x, const int* layer, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 two = make_float2(0, 0);
  float4 four = make_float4(0, 0, 0, 0);
  float u = x[i], v = kind > 1 ? x[n + i] : 0, w = kind > 2 ? x[2 * n + i] : 0;
  int l = layer[i];
  float* o = out + 3 * i;
  if (kind == 1)
    tex1DLayered(o, t, u, l), o[1] = tex1DLayeredLod<float>(t, u, l, 0),
                              o[2] = tex1DLayeredGrad<float>(t, u, l, 0, 0);
  if (kind == 2)
    tex2DLayered(o, t, u, v, l), o[1] = tex2DLayeredLod<float>(t, u, v, l, 0),
                                 o[2] = tex2DLayeredGrad<float>(t, u, v, l, two, two);
  if (kind == 3)
    texCubemap(o, t, u, v, w), o[1] = texCubemapLod<float>(t, u, v, w, 0),
                               o[2] = texCubemapGrad<float>(t, u, v, w, four, four);
  if (kind == 4)
    texCubemapLayered(o, t, u, v, w, l), o[1] = texCubemapLayeredLod<float>(t, u, v, w, l, 0),
                                         o[2] = texCubemapLayeredGrad<float>(t, u, v, w, l, four, four);
}
// Texel i to where it stands in the next layer, at a shift in x.
template <class T>
__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int kind, int w, int h, int layers,
                     int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= w * h * layers) return;
  int x = i % w, y = i / w % h, layer = i / w / h, next = (layer + 1) % layers;
  int at = (x + shift) * (int)sizeof(T), here = x * (int)sizeof(T);
  T v;
  if (kind == 1)
    surf1DLayeredread(&v, from, here, layer), surf1DLayeredwrite(v, to, at, next, cudaBoundaryModeZero);
  if (kind == 2)
    v = surf2DLayeredread<T>(from, here, y, layer),
    surf2DLayeredwrite(v, to, at, y, next, cudaBoundaryModeZero);
  if (kind == 3)
    v = surfCubemapread<T>(from, here, y, layer), surfCubemapwrite(v, to, at, y, next, cudaBoundaryModeZero);
  if (kind == 4)
    surfCubemapLayeredread(&v, from, here, y, layer),
        surfCubemapLayeredwrite(v, to, at, y, next, cudaBoundaryModeZero);
}
template <class T4>
__global__ void gather(cudaTextureObject_t t, const float* x, T4* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = tex2Dgather<T4>(t, x[i], x[n + i]);
  tex2Dgather(&out[n + i], t, x[i], x[n + i], 1);
}
