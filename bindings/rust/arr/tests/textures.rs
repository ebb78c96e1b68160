// SPDX-License-Identifier: MIT
//! Textures and surfaces in kernels on the host.
use arr::{
    args, Address, Array, DType, Device, ErrorKind, Launch, Module, Result, Texels, TexelsUse, Texture, TextureOptions,
};

const SOURCE: &str = r#"
extern "C" __global__ void sample(cudaTextureObject_t t, const float* x, float* out) {
  out[threadIdx.x] = tex2D<float>(t, x[2 * threadIdx.x], x[2 * threadIdx.x + 1]);
}
extern "C" __global__ void layer(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex2DLayered<float>(t, 1.5f, 0.5f, (int)threadIdx.x - 1);
}
extern "C" __global__ void fetch(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex1Dfetch<float>(t, (int)threadIdx.x - 1); }
extern "C" __global__ void mark(cudaSurfaceObject_t s) { surf2Dwrite((unsigned char)threadIdx.x, s, (int)threadIdx.x, 1); }
"#;

/// The compiler that libarr starts would inherit a sanitizer's runtime; see kernels.rs.
fn without_preload() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| std::env::remove_var("LD_PRELOAD"));
}

fn threads(n: i32) -> Launch {
    Launch::new(1, n)
}

#[test]
fn textures() -> Result<()> {
    without_preload();
    // SAFETY: the source of this file, without initialisers that run.
    let module = unsafe { Module::compile(SOURCE, Device::HOST)? };
    let sample = module.kernel("sample")?;
    let image = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])?;
    let texels = Texels::new(DType::FLOAT32, &[2, 3], 1, Device::HOST)?;
    let mut before = Array::<f32>::ones([2, 3])?;
    texels.copy_to(&mut before)?;
    assert_eq!(before, Array::zeros([2, 3])?, "no one else's memory");
    texels.copy_from(image.as_dyn())?;
    let coordinates = Array::from_slice(&[0.5f32, 0.5, 2.5, 1.5, 1.0, 1.0, -9.0, 0.5], [8])?;
    let mut out = Array::<f32>::zeros([4])?;
    let how = TextureOptions { linear: true, address: [Address::Border; 3], border: [7.0; 4], ..Default::default() };
    let texture = texels.texture(how)?;
    drop(texels);
    // SAFETY: the parameters of sample, which reads 8 numbers and writes 4.
    unsafe { sample.launch(threads(4), &args![&texture, &coordinates, &mut out])? };
    assert_eq!(out.to_vec()?, [1.0, 6.0, 3.0, 7.0]);

    let stack = Array::from_slice(&[0.0f32, 1.0, 10.0, 11.0, 100.0, 101.0, 110.0, 111.0], [2, 2, 2])?;
    let layers = TexelsUse { layered: true, ..Default::default() };
    let texels = Texels::for_use(DType::FLOAT32, &[2, 2, 2], 1, layers, Device::HOST)?;
    texels.copy_from(stack.as_dyn())?;
    let texture = texels.texture(TextureOptions::default())?;
    // SAFETY: layer writes one number for each thread.
    unsafe { module.kernel("layer")?.launch(threads(4), &args![&texture, &mut out])? };
    assert_eq!(out.to_vec()?, [1.0, 1.0, 101.0, 101.0]);

    // This texture reads an array's own memory, which a later write to the array copies first.
    let mut line = Array::from_slice(&[10.0f32, 20.0, 30.0], [3])?;
    let texture = Texture::of(line.as_dyn(), 1, TextureOptions::default())?;
    line.fill(0.0)?;
    let fetch = module.kernel("fetch")?;
    let mut out = Array::<f32>::zeros([5])?;
    // SAFETY: fetch writes one number for each thread.
    unsafe { fetch.launch(threads(5), &args![&texture, &mut out])? };
    assert_eq!(out.to_vec()?, [0.0, 10.0, 20.0, 30.0, 0.0]);
    Ok(())
}

#[test]
fn surfaces() -> Result<()> {
    without_preload();
    // SAFETY: as above.
    let mark = unsafe { Module::compile(SOURCE, Device::HOST)? }.kernel("mark")?;
    let texels = Texels::writable(DType::UINT8, &[2, 4], 1, Device::HOST)?;
    texels.copy_from(Array::<u8>::full([2, 4], 9)?.as_dyn())?;
    let surface = texels.surface()?;
    // SAFETY: mark takes a surface with a second row of at least 4 bytes.
    unsafe { mark.launch(threads(4), &args![&surface])? };
    let mut out = Array::<u8>::zeros([2, 4])?;
    let shared = out.clone();
    texels.copy_to(&mut out)?;
    assert_eq!(out.to_vec()?, [9, 9, 9, 9, 0, 1, 2, 3]);
    assert_eq!(shared.to_vec()?, [0; 8], "an array that shares its memory is not written");
    Ok(())
}

#[test]
fn refusals() -> Result<()> {
    let texels = Texels::new(DType::INT32, &[4], 1, Device::HOST)?;
    let linear = texels.texture(TextureOptions { linear: true, ..Default::default() });
    assert_eq!(linear.unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(texels.surface().unwrap_err().kind(), ErrorKind::Argument);
    let cube = TexelsUse { cube: true, ..Default::default() };
    let five = Texels::for_use(DType::FLOAT32, &[5, 2, 2], 1, cube, Device::HOST);
    assert_eq!(five.unwrap_err().kind(), ErrorKind::Shape);
    assert_eq!(Texels::new(DType::FLOAT64, &[4], 1, Device::HOST).unwrap_err().kind(), ErrorKind::DType);
    assert_eq!(Texels::new(DType::FLOAT32, &[4, 0], 1, Device::HOST).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}
