// SPDX-License-Identifier: MIT
// Textures and surfaces: filtering, tables, volumes, images in place.
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
  float most = -1e30f;
  for (int i = threadIdx.x; i < steps; i += blockDim.x)
    most = fmaxf(most, tex3D<float>(volume, x + 0.5f, y + 0.5f, (i + 0.5f) * 0.25f));
  best[threadIdx.x] = most;
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
