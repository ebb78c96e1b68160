// SPDX-License-Identifier: MIT
//! .npy files.

use std::path::Path;

use crate::array::Array;
use crate::device::Device;
use crate::dynarray::DynArray;
use crate::element::Element;
use crate::error::{call, Error, ErrorKind, Result};
use crate::stream::current;

/// libarr takes paths as UTF-8.
#[track_caller]
pub(crate) fn utf8(path: &Path) -> Result<&str> {
    match path.to_str() {
        Some(text) => Ok(text),
        None => {
            let text = format!("argument path: got {path:?}, expected UTF-8");
            Err(Error::new(ErrorKind::Argument, text))
        }
    }
}

impl DynArray {
    /// Writes a .npy file, which appears whole or not at all.
    #[track_caller]
    pub fn save_npy(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = utf8(path.as_ref())?;
        let (text, length) = (path.as_ptr().cast(), path.len() as i64);
        call!(arr_save_npy(self.as_raw(), text, length, current()));
        Ok(())
    }
}

impl<T: Element> Array<T> {
    /// Reads a .npy file of elements of `T`; [`Device::load_npy`] reads any.
    #[track_caller]
    pub fn load_npy(path: impl AsRef<Path>) -> Result<Array<T>> {
        Device::HOST.load_npy(path)?.typed()
    }

    /// Writes a .npy file, which appears whole or not at all.
    #[track_caller]
    pub fn save_npy(&self, path: impl AsRef<Path>) -> Result<()> {
        self.as_dyn().save_npy(path)
    }
}
