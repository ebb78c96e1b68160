// SPDX-License-Identifier: MIT
//! Textures and surfaces for kernels.

use arr_sys::{arr_texels, arr_texture, arr_texture_options, arr_value};

use crate::arg::Arg;
use crate::device::Device;
use crate::dynarray::DynArray;
use crate::element::DType;
use crate::error::{call, Result};
use crate::output::DynOutput;
use crate::shape::count;
use crate::stream::{current, owner, Stream};

owner!(
    /// Memory of texels, in an order of the device's own: what CUDA calls a CUDA array.
    Texels,
    arr_texels,
    arr_texels_release
);
owner!(
    /// The handle of a texture.
    Handle,
    arr_texture,
    arr_texture_release
);

/// A texture or a surface: an argument of kernels that take a `cudaTextureObject_t` or a `cudaSurfaceObject_t`.
#[derive(Debug)]
pub struct Texture {
    handle: Handle,
    _memory: Option<DynArray>, // so that a write to the array elsewhere copies first
}

/// The meaning of a coordinate outside of a texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Address {
    /// The texel at the edge.
    #[default]
    Clamp,
    /// The texture again; normalized coordinates only.
    Wrap,
    /// The texture again, every second one reversed; normalized coordinates only.
    Mirror,
    /// The border's colour.
    Border,
}

/// Options of a texture; begin with `TextureOptions::default()`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextureOptions {
    /// The modes of x, y and z; x is the last axis of the shape.
    pub address: [Address; 3],
    /// Between the nearest texels, of textures that give floats.
    pub linear: bool,
    /// 8- and 16-bit integers as floats in 0..1, or -1..1 of signed ones.
    pub read_normalized: bool,
    /// Coordinates run from 0 to 1 along each axis, not in texels.
    pub normalized: bool,
    /// sRGB to linear on reading; 4 channels of u8, read normalized.
    pub srgb: bool,
    /// 0 to 16; the host takes 0 and 1.
    pub max_anisotropy: i32,
    /// The border's colour.
    pub border: [f64; 4],
}

/// The use of texels beyond plain textures: start from `TexelsUse::default()` and set what is needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TexelsUse {
    /// Kernels may write them through [`Texels::surface`].
    pub surface: bool,
    /// The first extent counts layers.
    pub layered: bool,
    /// The first extent counts the faces of cubes, in the order +x, -x, +y, -y, +z, -z.
    pub cube: bool,
    /// For `tex2Dgather`.
    pub gather: bool,
}

impl TextureOptions {
    fn raw(&self) -> arr_texture_options {
        let mode = |a: Address| match a {
            Address::Clamp => arr_sys::ARR_ADDRESS_CLAMP,
            Address::Wrap => arr_sys::ARR_ADDRESS_WRAP,
            Address::Mirror => arr_sys::ARR_ADDRESS_MIRROR,
            Address::Border => arr_sys::ARR_ADDRESS_BORDER,
        };
        let [border_r, border_g, border_b, border_a] = self.border;
        arr_texture_options {
            struct_size: std::mem::size_of::<arr_texture_options>() as i64,
            address_x: mode(self.address[0]),
            address_y: mode(self.address[1]),
            address_z: mode(self.address[2]),
            filter: if self.linear { arr_sys::ARR_FILTER_LINEAR } else { arr_sys::ARR_FILTER_POINT },
            read: if self.read_normalized { arr_sys::ARR_READ_NORMALIZED } else { arr_sys::ARR_READ_ELEMENT },
            normalized: self.normalized.into(),
            srgb: self.srgb.into(),
            max_anisotropy: self.max_anisotropy,
            border_r,
            border_g,
            border_b,
            border_a,
        }
    }
}

#[track_caller]
fn zeros(dtype: DType, texels: &[i64], channels: i32, device: Device) -> Result<DynArray> {
    let channels = if channels > 1 { Some(i64::from(channels)) } else { None };
    let shape: Vec<i64> = texels.iter().copied().chain(channels).collect();
    let (n, order) = (count(shape.len())?, arr_sys::ARR_ORDER_C);
    let mut out = arr_sys::arr_array::NULL;
    call!(arr_zeros(dtype.code(), n, shape.as_ptr(), order, &device.raw(), current(), &mut out));
    Ok(DynArray::own(out))
}

impl Texels {
    /// Makes texels of zeros, of 1, 2 or 4 channels; the shape is `[width]`, `[height, width]` or `[depth, height,
    /// width]`.
    #[doc = errors!(arr_texels_create)]
    #[track_caller]
    pub fn new(dtype: DType, shape: &[i64], channels: i32, device: Device) -> Result<Texels> {
        Texels::for_use(dtype, shape, channels, TexelsUse::default(), device)
    }

    /// Makes texels that kernels may write through [`Texels::surface`].
    #[doc = errors!(arr_texels_create)]
    #[track_caller]
    pub fn writable(dtype: DType, shape: &[i64], channels: i32, device: Device) -> Result<Texels> {
        Texels::for_use(dtype, shape, channels, TexelsUse { surface: true, ..Default::default() }, device)
    }

    /// Makes texels for layers, cube maps and gathers: `[layers, width]`, `[layers, height, width]`, `[6, size, size]`.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let t = Texels::for_use(DType::UINT8, &[2, 2], 4, TexelsUse::default(), Device::HOST)?;
    /// assert!(t.texture(TextureOptions::default()).is_ok());
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_texels_create)]
    #[track_caller]
    pub fn for_use(dtype: DType, shape: &[i64], channels: i32, what: TexelsUse, device: Device) -> Result<Texels> {
        let n = count(shape.len())?;
        let flag = |on: bool, bit: i32| if on { bit } else { 0 };
        let flags = flag(what.surface, arr_sys::ARR_TEXELS_SURFACE)
            | flag(what.layered, arr_sys::ARR_TEXELS_LAYERED)
            | flag(what.cube, arr_sys::ARR_TEXELS_CUBE)
            | flag(what.gather, arr_sys::ARR_TEXELS_GATHER);
        let mut out = arr_texels::NULL;
        call!(arr_texels_create(dtype.code(), channels, n, shape.as_ptr(), flags, &device.raw(), &mut out));
        let texels = Texels(out);
        // The memory may hold elements of others, and Texels::copy_to is safe.
        let stream = Stream::new(device)?;
        stream.scope(|| texels.copy_from(&zeros(dtype, shape, channels, device)?))?;
        stream.sync()?;
        Ok(texels)
    }

    /// Fills the texels from an array of the same shape, with the channels as a last axis where there are several.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let t = Texels::new(DType::FLOAT32, &[2], 1, Device::HOST)?;
    /// t.copy_from(array![1.0f32, 2.0].as_dyn())?;
    /// let mut out = Array::<f32>::zeros(2)?;
    /// t.copy_to(&mut out)?;
    /// assert_eq!(out, array![1.0f32, 2.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_texels_copy_from)]
    #[track_caller]
    pub fn copy_from(&self, a: &DynArray) -> Result<()> {
        call!(arr_texels_copy_from(self.as_raw(), a.as_raw(), current()));
        Ok(())
    }

    /// Copies the texels into such an array.
    #[doc = errors!(arr_texels_copy_to)]
    #[track_caller]
    pub fn copy_to(&self, a: &mut impl DynOutput) -> Result<()> {
        let dst = a.destination()?;
        call!(arr_texels_copy_to(self.as_raw(), dst, current()));
        Ok(())
    }

    /// Makes a texture of the texels, for `tex1D`, `tex2D` or `tex3D`; it keeps them alive.
    #[doc = errors!(arr_texture_create)]
    #[track_caller]
    pub fn texture(&self, options: TextureOptions) -> Result<Texture> {
        let mut out = arr_texture::NULL;
        call!(arr_texture_create(self.as_raw(), &options.raw(), &mut out));
        Ok(Texture { handle: Handle(out), _memory: None })
    }

    /// Makes a surface of the texels, for `surf2Dread`, `surf2Dwrite` and related functions; it keeps them alive.
    #[doc = errors!(arr_surface_create)]
    #[track_caller]
    pub fn surface(&self) -> Result<Texture> {
        let mut out = arr_texture::NULL;
        call!(arr_surface_create(self.as_raw(), &mut out));
        Ok(Texture { handle: Handle(out), _memory: None })
    }
}

impl Texture {
    /// Makes a texture of an array's memory: of one dimension for `tex1Dfetch`, of two for `tex2D`, and the channels as
    /// a last axis if there are 2 or 4. It keeps the elements that the array has now.
    #[doc = errors!(arr_texture_of_array)]
    #[track_caller]
    pub fn of(a: &DynArray, channels: i32, options: TextureOptions) -> Result<Texture> {
        let mut out = arr_texture::NULL;
        call!(arr_texture_of_array(a.as_raw(), channels, &options.raw(), &mut out));
        Ok(Texture { handle: Handle(out), _memory: Some(a.clone()) })
    }

    /// Returns the handle, which stays the texture's.
    pub fn as_raw(&self) -> arr_texture {
        self.handle.as_raw()
    }
}

impl<'a> From<&'a Texture> for Arg<'a> {
    fn from(t: &'a Texture) -> Arg<'a> {
        Arg::new(Ok(arr_value { kind: arr_sys::ARR_VALUE_TEXTURE, dtype: 0, lo: t.as_raw().0 as i64, hi: 0 }))
    }
}
