// SPDX-License-Identifier: MIT
// Textures and surfaces: filtering, tables, volumes, images in place, layers, cube maps, gathers.
extern "C" __global__ void rotate_image(cudaTextureObject_t image, float* out, int w, int h, float angle) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float u = x + 0.5f - 0.5f * w, v = y + 0.5f - 0.5f * h, s = sinf(angle), c = cosf(angle);
  out[y * w + x] = tex2D<float>(image, c * u - s * v + 0.5f * w, s * u + c * v + 0.5f * h);
}
extern "C" __global__ void resize_rgba(cudaTextureObject_t image, float4* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  out[y * w + x] = tex2D<float4>(image, (x + 0.5f) / w, (y + 0.5f) / h);
}
extern "C" __global__ void table_lookup(cudaTextureObject_t table, const int* at, float2* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float2>(table, at[i]);
}
extern "C" __global__ void project_volume(cudaTextureObject_t volume, float* out, int w, int h, int steps) {
  __shared__ float best[64];
  int x = blockIdx.x % w, y = blockIdx.x / w;
  float max_value = -1e30f;
  for (int i = threadIdx.x; i < steps; i += blockDim.x)
    max_value = fmaxf(max_value, tex3D<float>(volume, x + 0.5f, y + 0.5f, (i + 0.5f) * 0.25f));
  best[threadIdx.x] = max_value;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) best[threadIdx.x] = fmaxf(best[threadIdx.x], best[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = best[0];
}
extern "C" __global__ void flip_surface(cudaSurfaceObject_t image, int w) {  // a block per row, in place
  int y = blockIdx.x;
  uchar4 mine;
  surf2Dread(&mine, image, threadIdx.x * (int)sizeof(uchar4), y);
  __syncthreads();
  surf2Dwrite(mine, image, (w - 1 - (int)threadIdx.x) * (int)sizeof(uchar4), y);
}
extern "C" __global__ void blur_surface(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      sum += surf2Dread<short>(in, (x + dx) * 2, y + dy, cudaBoundaryModeClamp);
  surf2Dwrite<short>((short)(sum / 9), out, x * 2, y, cudaBoundaryModeZero);
}
extern "C" __global__ void blend_layers(cudaTextureObject_t stack, const float* weights, float* out, int w,
                                        int h, int layers) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0, max_value = -1e30f;
  for (int i = 0; i < layers; i++) {
    sum += weights[i] * tex2DLayered<float>(stack, x + 0.5f, y + 0.5f, i);
    max_value = fmaxf(max_value, tex2DLayered<float>(stack, x + 0.5f, y + 0.5f, i + 1));
  }
  out[y * w + x] = sum + max_value;
}
extern "C" __global__ void rows_of_layers(cudaTextureObject_t in,
                                          cudaSurfaceObject_t out) {  // a block per layer
  int x = threadIdx.x, layer = blockIdx.x;
  float mean = (tex1DLayered<float>(in, x + 0.5f, layer) + tex1DLayered<float>(in, x + 1.5f, layer)) / 2;
  surf1DLayeredwrite(mean, out, x * (int)sizeof(float), layer);
}
// The texel in row y and column x of each face, seen from the centre of the cube.
extern "C" __global__ void sky(cudaTextureObject_t cube, float* out) {
  int i = threadIdx.x, x = i % 4, y = i / 4 % 4, face = i / 16;
  float s = (x + 0.5f) / 2 - 1, t = (y + 0.5f) / 2 - 1;
  float3 d = face == 0   ? make_float3(1, -t, -s)
             : face == 1 ? make_float3(-1, -t, s)
             : face == 2 ? make_float3(s, 1, t)
             : face == 3 ? make_float3(s, -1, -t)
             : face == 4 ? make_float3(s, -t, 1)
                         : make_float3(-s, -t, -1);
  out[i] = texCubemap<float>(cube, d.x, d.y, d.z);
}
extern "C" __global__ void sums_of_four(cudaTextureObject_t image, int* out, int w) {
  int x = threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int4 v = tex2Dgather<int4>(image, x + 1.0f, y + 1.0f);
  out[y * w + x] = v.x + v.y + v.z + v.w;
}
// Levels of detail, of which there is one, and slopes.
extern "C" __global__ void levels(cudaTextureObject_t image, float* out, int w) {
  int x = threadIdx.x, y = blockIdx.x;
  float2 flat = make_float2(0, 0);
  out[y * w + x] = tex2DLod<float>(image, x + 0.5f, y + 0.5f, 0.0f) +
                   2 * tex2DGrad<float>(image, x + 0.5f, y + 0.5f, flat, flat);
}
extern "C" __global__ void pairs_of_line(cudaTextureObject_t line, float2* out) {
  out[threadIdx.x] = tex1D<float2>(line, threadIdx.x + 0.5f);
}
extern "C" __global__ void turn_volume(cudaSurfaceObject_t volume, int w) {  // a block per row
  int y = blockIdx.x, z = blockIdx.y;
  int2 mine = surf3Dread<int2>(volume, threadIdx.x * 8, y, z);
  __syncthreads();
  surf3Dwrite(mine, volume, (w - 1 - (int)threadIdx.x) * 8, y, z);
}
extern "C" __global__ void mark_faces(cudaSurfaceObject_t cube) {  // a block per row of a face
  int x = threadIdx.x, y = blockIdx.x, face = blockIdx.y;
  float v = surfCubemapread<float>(cube, x * 4, y, face);
  surfCubemapwrite(v + 10 * face, cube, x * 4, y, face);
}
extern "C" __global__ void skies(cudaTextureObject_t cubes, float* out) {  // one texel of each cube
  out[threadIdx.x] = texCubemapLayered<float>(cubes, 1, 0.25f, 0.25f, threadIdx.x);
}
// Each function adds a power of two where it says that its texels are in memory.
extern "C" __global__ void resident_texels(cudaTextureObject_t image, float* out, int* said, int w) {
  int x = threadIdx.x, y = blockIdx.x, bits = 0;
  float u = x + 0.5f, v = y + 0.5f, more = 0;
  float2 flat = make_float2(0, 0);
  bool a = false, b = false, c = false, d = false;
  out[y * w + x] = tex2D<float>(image, u, v, &a) + 2 * tex2DLod<float>(image, u, v, 0.0f, &b) +
                   4 * tex2DGrad<float>(image, u, v, flat, flat, &c);
  tex2D(&more, image, u, v, &d);
  bits = a + 2 * b + 4 * c + 8 * d;
  out[y * w + x] += 8 * more;
  said[y * w + x] = bits;
}
extern "C" __global__ void resident_volume(cudaTextureObject_t volume, float* out, int* said, int w, int h) {
  int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y, at = (z * h + y) * w + x;
  float4 flat = make_float4(0, 0, 0, 0);
  bool a = false, b = false, c = false;
  out[at] = tex3D<float>(volume, x + 0.5f, y + 0.5f, z + 0.5f, &a) +
            2 * tex3DLod<float>(volume, x + 0.5f, y + 0.5f, z + 0.5f, 0.0f, &b) +
            4 * tex3DGrad<float>(volume, x + 0.5f, y + 0.5f, z + 0.5f, flat, flat, &c);
  said[at] = a + 2 * b + 4 * c;
}
extern "C" __global__ void resident_layers(cudaTextureObject_t stack, float* out, int* said, int w, int h) {
  int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y, at = (z * h + y) * w + x;
  float2 flat = make_float2(0, 0);
  bool a = false, b = false, c = false;
  out[at] = tex2DLayered<float>(stack, x + 0.5f, y + 0.5f, z, &a) +
            2 * tex2DLayeredLod<float>(stack, x + 0.5f, y + 0.5f, z, 0.0f, &b) +
            4 * tex2DLayeredGrad<float>(stack, x + 0.5f, y + 0.5f, z, flat, flat, &c);
  said[at] = a + 2 * b + 4 * c;
}
extern "C" __global__ void resident_four(cudaTextureObject_t image, int* out, int* said, int w) {
  int x = threadIdx.x, y = blockIdx.x;
  bool a = false, b = false;
  int4 v = tex2Dgather<int4>(image, x + 1.0f, y + 1.0f, &a, 0), u;
  tex2Dgather(&u, image, x + 1.0f, y + 1.0f, &b);
  out[y * w + x] = v.x + v.y + v.z + u.w;
  said[y * w + x] = a + 2 * b;
}
