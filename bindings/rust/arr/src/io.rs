// SPDX-License-Identifier: MIT
//! .npy and .npz files, tables of text.

use std::ffi::CString;
use std::path::Path;

use crate::array::Array;
use crate::device::Device;
use crate::dynarray::DynArray;
use crate::element::Element;
use crate::error::{call, text_of, Error, ErrorKind, Result};
use crate::kernel::c_text;
use crate::shape::count;
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

/// Writes arrays by their names into a .npz file, which NumPy reads; deflated if `compressed`.
#[track_caller]
pub fn save_npz(path: impl AsRef<Path>, arrays: &[(&str, &DynArray)], compressed: bool) -> Result<()> {
    let path = utf8(path.as_ref())?;
    let handles: Vec<arr_sys::arr_array> = arrays.iter().map(|(_, a)| a.as_raw()).collect();
    let texts = arrays.iter().map(|(name, _)| c_text(name)).collect::<Result<Vec<CString>>>()?;
    let names: Vec<_> = texts.iter().map(|t| t.as_ptr()).collect();
    let (text, length, n) = (path.as_ptr().cast(), path.len() as i64, count(handles.len())?);
    call!(arr_savez(text, length, n, handles.as_ptr(), names.as_ptr(), compressed, current()));
    Ok(())
}

/// Returns the names of the arrays in a .npz file.
#[track_caller]
pub fn npz_names(path: impl AsRef<Path>) -> Result<Vec<String>> {
    let path = utf8(path.as_ref())?;
    let (text, length) = (path.as_ptr().cast(), path.len() as i64);
    // SAFETY: rule 3: text_of passes a buffer of this capacity; the path lives until the call returns.
    let names = text_of(|api, capacity, out, whole| unsafe {
        (api.arr_npz_names)(text, length, capacity, out, whole, std::ptr::null_mut())
    })?;
    Ok(names.lines().map(str::to_owned).collect())
}

/// Reading of a table; see [`Device::load_txt`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Table<'a> {
    /// Between two columns; empty for white space.
    pub delimiter: &'a str,
    /// Lines before the table, which are left out.
    pub skip: i64,
}

impl Device {
    /// Reads one array of a .npz file, whatever its element type.
    #[track_caller]
    pub fn load_npz(self, path: impl AsRef<Path>, name: &str) -> Result<DynArray> {
        let (at, path, name) = (self.raw(), utf8(path.as_ref())?.to_owned(), c_text(name)?);
        let mut out = arr_sys::arr_array::NULL;
        call!(arr_load_npz(path.as_ptr().cast(), path.len() as i64, name.as_ptr(), &at, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Reads a table of numbers from a text file, with a row per line.
    #[track_caller]
    pub fn load_txt<T: Element>(self, path: impl AsRef<Path>, table: Table<'_>) -> Result<Array<T>> {
        let (at, path, by) = (self.raw(), utf8(path.as_ref())?.to_owned(), c_text(table.delimiter)?);
        let options = arr_sys::arr_text_options {
            struct_size: std::mem::size_of::<arr_sys::arr_text_options>() as i64,
            delimiter: by.as_ptr(),
            comments: std::ptr::null(),
            columns: std::ptr::null(),
            missing: std::ptr::null(),
            filling: std::ptr::null(),
            ncolumns: 0,
            skip_rows: table.skip,
            skip_footer: 0,
            max_rows: 0,
            dtype: T::DTYPE.0,
            min_dims: 0,
        };
        let mut out = arr_sys::arr_array::NULL;
        call!(arr_loadtxt(path.as_ptr().cast(), path.len() as i64, &options, &at, current(), &mut out));
        Ok(Array::own(out))
    }
}

impl DynArray {
    /// Writes a vector or a matrix as text, with a line per row. The format is printf's of one number; "%s" writes the
    /// shortest text that is read as the same number.
    #[track_caller]
    pub fn save_txt(&self, path: impl AsRef<Path>, format: &str, delimiter: &str) -> Result<()> {
        let (path, format, delimiter) = (utf8(path.as_ref())?, c_text(format)?, c_text(delimiter)?);
        let options = arr_sys::arr_savetxt_options {
            struct_size: std::mem::size_of::<arr_sys::arr_savetxt_options>() as i64,
            format: format.as_ptr(),
            delimiter: delimiter.as_ptr(),
            newline: std::ptr::null(),
            header: std::ptr::null(),
            footer: std::ptr::null(),
            comments: std::ptr::null(),
        };
        let (text, length) = (path.as_ptr().cast(), path.len() as i64);
        call!(arr_savetxt(self.as_raw(), text, length, &options, current()));
        Ok(())
    }

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
