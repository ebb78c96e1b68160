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
    /// The address of a function by its name in the library, such as "cublasSgemm_v2", valid until the process ends. It
    /// is to be called with the device's context current where the library asks for that.
    #[track_caller]
    pub fn function(self, name: &str, device: Device) -> Result<*mut c_void> {
        let mut function = std::ptr::null_mut();
        let (text, length) = (name.as_ptr().cast(), name.len() as i64);
        call!(arr_library_function(&device.raw(), self as i32, text, length, &mut function));
        Ok(function)
    }

    /// The version, by the library's own word: major, minor, patch. Of the driver it is that of the CUDA it offers.
    #[track_caller]
    pub fn version(self, device: Device) -> Result<(i32, i32, i32)> {
        let (mut major, mut minor, mut patch) = (0, 0, 0);
        call!(arr_library_version(&device.raw(), self as i32, &mut major, &mut minor, &mut patch));
        Ok((major, minor, patch))
    }

    /// The handle that libarr's own calls in the current stream work with: cublasHandle_t of cuBLAS, cusolverDnHandle_t
    /// of cuSOLVER; other libraries have none. It is borrowed from the stream. What is changed of it is to be put back,
    /// and no other thread may enqueue work in the stream meanwhile.
    #[track_caller]
    pub fn handle(self, device: Device) -> Result<*mut c_void> {
        let mut handle = std::ptr::null_mut();
        call!(arr_library_handle(&device.raw(), self as i32, current(), &mut handle));
        Ok(handle)
    }
}
