// SPDX-License-Identifier: MIT
//! The vendor's libraries that libarr opens, for calls of one's own.

use std::ffi::c_void;

use crate::device::Device;
use crate::error::{call, Result};
use crate::stream::current;

/// A library of CUDA's vendor. The host has none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
#[non_exhaustive]
pub enum Library {
    /// The driver, libcuda.
    Driver = arr_sys::ARR_LIBRARY_DRIVER,
    /// The compiler of CUDA C++.
    Nvrtc = arr_sys::ARR_LIBRARY_NVRTC,
    /// The library that links compiled units.
    NvJitLink = arr_sys::ARR_LIBRARY_NVJITLINK,
    Cublas = arr_sys::ARR_LIBRARY_CUBLAS,
    Cusolver = arr_sys::ARR_LIBRARY_CUSOLVER,
    Cufft = arr_sys::ARR_LIBRARY_CUFFT,
    Cusparse = arr_sys::ARR_LIBRARY_CUSPARSE,
    Curand = arr_sys::ARR_LIBRARY_CURAND,
}

impl Library {
    /// Returns the address of a function of the library by its name, such as "cublasSgemm_v2", valid until the process
    /// ends. Call it with the device's context current where the library requires that.
    #[doc = errors!(arr_library_function)]
    #[track_caller]
    pub fn function(self, name: &str, device: Device) -> Result<*mut c_void> {
        let mut function = std::ptr::null_mut();
        let (text, length) = (name.as_ptr().cast(), name.len() as i64);
        call!(arr_library_function(&device.raw(), self as i32, text, length, &mut function));
        Ok(function)
    }

    /// Returns the version that the library reports: major, minor, patch. For the driver, the version of CUDA that it
    /// supports.
    #[doc = errors!(arr_library_version)]
    #[track_caller]
    pub fn version(self, device: Device) -> Result<(i32, i32, i32)> {
        let (mut major, mut minor, mut patch) = (0, 0, 0);
        call!(arr_library_version(&device.raw(), self as i32, &mut major, &mut minor, &mut patch));
        Ok((major, minor, patch))
    }

    /// Returns the handle that libarr uses in the current stream: cublasHandle_t of cuBLAS, cusolverDnHandle_t of
    /// cuSOLVER; other libraries have no handle. The stream owns it: restore what you change, and let no other thread
    /// enqueue work in the stream meanwhile.
    #[doc = errors!(arr_library_handle)]
    #[track_caller]
    pub fn handle(self, device: Device) -> Result<*mut c_void> {
        let mut handle = std::ptr::null_mut();
        call!(arr_library_handle(&device.raw(), self as i32, current(), &mut handle));
        Ok(handle)
    }
}
