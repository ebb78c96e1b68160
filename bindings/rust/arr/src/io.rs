// SPDX-License-Identifier: MIT
//! .npy and .npz files, tables of text.

use std::ffi::CString;
use std::path::Path;

use arr_sys::{arr_array, arr_savetxt_options, arr_text_options, arr_value};

use crate::array::Array;
use crate::device::Device;
use crate::dynarray::DynArray;
use crate::element::{value_of, DType, Element};
use crate::error::{call, text_of, Error, ErrorKind, Result};
use crate::kernel::c_text;
use crate::ops::example;
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
#[doc = example!("save_npz(std::env::temp_dir().join(\"arr_save.npz\"), &[(\"x\", &array![1, 2])], false)?;")]
#[doc = errors!(arr_savez)]
#[track_caller]
pub fn save_npz(path: impl AsRef<Path>, arrays: &[(&str, &DynArray)], compressed: bool) -> Result<()> {
    let path = utf8(path.as_ref())?;
    let handles: Vec<arr_array> = arrays.iter().map(|(_, a)| a.as_raw()).collect();
    let texts = arrays.iter().map(|(name, _)| c_text(name)).collect::<Result<Vec<CString>>>()?;
    let names: Vec<_> = texts.iter().map(|t| t.as_ptr()).collect();
    let (text, length, n) = (path.as_ptr().cast(), path.len() as i64, count(handles.len())?);
    call!(arr_savez(text, length, n, handles.as_ptr(), names.as_ptr(), compressed, current()));
    Ok(())
}

/// Returns the names of the arrays in a .npz file.
#[doc = errors!(arr_npz_names)]
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

/// The options of a table in a text file, for [`Device::load_txt`] and [`Device::genfromtxt`]:
/// `Table::new().delimiter(",").skip_rows(1)`.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Table<'a> {
    delimiter: &'a str,
    comments: Option<&'a str>,
    columns: Option<&'a [i64]>,
    missing: &'a str,
    filling: Option<arr_value>,
    skip_rows: usize,
    skip_footer: usize,
    max_rows: usize,
    min_dims: i32,
}

impl<'a> Table<'a> {
    /// Returns the defaults: columns between white space, comments after "#", all rows and columns.
    #[must_use]
    pub fn new() -> Table<'a> {
        Table::default()
    }

    /// Sets the text between two columns; empty for white space.
    #[must_use]
    pub fn delimiter(self, delimiter: &'a str) -> Table<'a> {
        Table { delimiter, ..self }
    }

    /// Sets the text that begins a comment, which ends with the line; empty for none.
    #[must_use]
    pub fn comments(self, comments: &'a str) -> Table<'a> {
        Table { comments: Some(comments), ..self }
    }

    /// Chooses columns to read; negative ones count from the end.
    #[doc(alias = "usecols")]
    #[must_use]
    pub fn columns(self, columns: &'a [i64]) -> Table<'a> {
        Table { columns: Some(columns), ..self }
    }

    /// Sets the texts of missing numbers, separated by commas, for [`Device::genfromtxt`].
    #[doc(alias = "missing_values")]
    #[must_use]
    pub fn missing(self, texts: &'a str) -> Table<'a> {
        Table { missing: texts, ..self }
    }

    /// Sets the number that [`Device::genfromtxt`] reads for a missing one, instead of nan, of -1 for integers.
    #[doc(alias = "filling_values")]
    #[must_use]
    pub fn filling(self, number: impl Element) -> Table<'a> {
        Table { filling: Some(value_of(number)), ..self }
    }

    /// Skips lines before the table.
    #[doc(alias = "skip_header")]
    #[must_use]
    pub fn skip_rows(self, lines: usize) -> Table<'a> {
        Table { skip_rows: lines, ..self }
    }

    /// Skips rows at the end.
    #[must_use]
    pub fn skip_footer(self, rows: usize) -> Table<'a> {
        Table { skip_footer: rows, ..self }
    }

    /// Reads at most this number of rows; 0 for all.
    #[must_use]
    pub fn max_rows(self, rows: usize) -> Table<'a> {
        Table { max_rows: rows, ..self }
    }

    /// Gives the result at least 1 or 2 dimensions; without that, axes of extent 1 are removed.
    #[doc(alias = "ndmin")]
    #[must_use]
    pub fn min_dims(self, ndim: i32) -> Table<'a> {
        Table { min_dims: ndim, ..self }
    }

    /// Calls `read` with the library's options.
    #[track_caller]
    fn with<R>(&self, dtype: DType, read: impl FnOnce(&arr_text_options) -> Result<R>) -> Result<R> {
        let (delimiter, missing) = (c_text(self.delimiter)?, c_text(self.missing)?);
        let comments = self.comments.map(c_text).transpose()?;
        let lines = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        let columns = self.columns.unwrap_or_default();
        if self.columns.is_some_and(|columns| columns.is_empty()) {
            return Err(Error::new(ErrorKind::Argument, "argument columns: got none, expected some"));
        }
        read(&arr_text_options {
            struct_size: std::mem::size_of::<arr_text_options>() as i64,
            delimiter: delimiter.as_ptr(),
            comments: pointer(&comments),
            columns: self.columns.map_or(std::ptr::null(), <[i64]>::as_ptr),
            missing: missing.as_ptr(),
            filling: self.filling.as_ref().map_or(std::ptr::null(), |number| number),
            ncolumns: lines(columns.len()),
            skip_rows: lines(self.skip_rows),
            skip_footer: lines(self.skip_footer),
            max_rows: lines(self.max_rows),
            dtype: dtype.code(),
            min_dims: self.min_dims,
        })
    }
}

fn pointer(text: &Option<CString>) -> *const std::ffi::c_char {
    text.as_ref().map_or(std::ptr::null(), |text| text.as_ptr())
}

/// The form of a text file that [`DynArray::save_txt`] writes: `TextFormat::new().delimiter(",").header("x,y")`.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct TextFormat<'a> {
    format: Option<&'a str>,
    delimiter: Option<&'a str>,
    newline: Option<&'a str>,
    header: &'a str,
    footer: &'a str,
    comments: Option<&'a str>,
}

impl<'a> TextFormat<'a> {
    /// Returns the defaults, which are NumPy's: "%.18e", a space between columns, no header.
    #[must_use]
    pub fn new() -> TextFormat<'a> {
        TextFormat::default()
    }

    /// Sets printf's conversion of a number, or one for each column; "%s" writes the shortest text that is read as the same
    /// number.
    #[doc(alias = "fmt")]
    #[must_use]
    pub fn format(self, format: &'a str) -> TextFormat<'a> {
        TextFormat { format: Some(format), ..self }
    }

    /// Sets the text between two columns.
    #[must_use]
    pub fn delimiter(self, delimiter: &'a str) -> TextFormat<'a> {
        TextFormat { delimiter: Some(delimiter), ..self }
    }

    /// Sets the text after each row.
    #[must_use]
    pub fn newline(self, newline: &'a str) -> TextFormat<'a> {
        TextFormat { newline: Some(newline), ..self }
    }

    /// Sets the lines before the table.
    #[must_use]
    pub fn header(self, lines: &'a str) -> TextFormat<'a> {
        TextFormat { header: lines, ..self }
    }

    /// Sets the lines after the table.
    #[must_use]
    pub fn footer(self, lines: &'a str) -> TextFormat<'a> {
        TextFormat { footer: lines, ..self }
    }

    /// Sets the text before each line of the header and the footer: "# ", or "" for names of columns that other programs
    /// read.
    #[must_use]
    pub fn comments(self, comments: &'a str) -> TextFormat<'a> {
        TextFormat { comments: Some(comments), ..self }
    }
}

impl Device {
    /// Reads one array of a .npz file, whatever its element type.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let path = std::env::temp_dir().join("arr_load_npz.npz");
    /// save_npz(&path, &[("a", array![1, 2].as_dyn())], false)?;
    /// assert_eq!(Device::HOST.load_npz(&path, "a")?.typed::<i32>()?, array![1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_load_npz)]
    #[track_caller]
    pub fn load_npz(self, path: impl AsRef<Path>, name: &str) -> Result<DynArray> {
        let (at, path, name) = (self.raw(), utf8(path.as_ref())?.to_owned(), c_text(name)?);
        let mut out = arr_array::NULL;
        call!(arr_load_npz(path.as_ptr().cast(), path.len() as i64, name.as_ptr(), &at, current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Reads a table of numbers from a text file, with a row per line.
    ///
    /// ```
    /// # fn main() -> arr::Result<()> {
    /// # let path = std::env::temp_dir().join(format!("arr_{}_load_txt.csv", std::process::id()));
    /// use arr::{array, Array, Device, Table, TextFormat};
    /// let names = TextFormat::new().format("%g").delimiter(",").header("time,height").comments("");
    /// array![[0.0, 1.5], [1.0, 2.5]].save_txt(&path, names)?;
    /// let table = Table::new().delimiter(",").skip_rows(1).columns(&[-1]);
    /// let height: Array<f64> = Device::HOST.load_txt(&path, table)?;
    /// assert_eq!(height, array![1.5, 2.5]);
    /// # let _ = std::fs::remove_file(&path);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_loadtxt)]
    #[doc(alias = "loadtxt")]
    #[track_caller]
    pub fn load_txt<T: Element>(self, path: impl AsRef<Path>, table: Table<'_>) -> Result<Array<T>> {
        let (at, path) = (self.raw(), utf8(path.as_ref())?);
        let mut out = arr_array::NULL;
        table.with(T::DTYPE, |options| {
            call!(arr_loadtxt(path.as_ptr().cast(), path.len() as i64, options, &at, current(), &mut out));
            Ok(Array::own(out))
        })
    }

    /// Reads a table with missing numbers: a field that is empty, that [`Table::missing`] lists, or that is no number,
    /// becomes [`Table::filling`].
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let path = std::env::temp_dir().join("arr_genfromtxt.csv");
    /// std::fs::write(&path, "1,NA\n2,3\n").unwrap();
    /// let a = Device::HOST.genfromtxt::<f64>(&path, Table::new().delimiter(",").missing("NA").filling(0.0))?;
    /// assert_eq!(a, array![[1.0, 0.0], [2.0, 3.0]]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_genfromtxt)]
    #[track_caller]
    pub fn genfromtxt<T: Element>(self, path: impl AsRef<Path>, table: Table<'_>) -> Result<Array<T>> {
        let (at, path) = (self.raw(), utf8(path.as_ref())?);
        let mut out = arr_array::NULL;
        table.with(T::DTYPE, |options| {
            call!(arr_genfromtxt(path.as_ptr().cast(), path.len() as i64, options, &at, current(), &mut out));
            Ok(Array::own(out))
        })
    }
}

impl DynArray {
    /// Writes a vector or a matrix as text, with a line per row.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let path = std::env::temp_dir().join("arr_save_txt.txt");
    /// array![[1.0, 2.0]].into_dyn().save_txt(&path, TextFormat::new().delimiter(","))?;
    /// assert_eq!(std::fs::read_to_string(&path).unwrap().matches(',').count(), 1);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_savetxt)]
    #[doc(alias = "savetxt")]
    #[track_caller]
    pub fn save_txt(&self, path: impl AsRef<Path>, form: TextFormat<'_>) -> Result<()> {
        let path = utf8(path.as_ref())?;
        let text = |text: Option<&str>| text.map(c_text).transpose();
        let (format, delimiter, newline) = (text(form.format)?, text(form.delimiter)?, text(form.newline)?);
        let (header, footer, comments) = (c_text(form.header)?, c_text(form.footer)?, text(form.comments)?);
        let options = arr_savetxt_options {
            struct_size: std::mem::size_of::<arr_savetxt_options>() as i64,
            format: pointer(&format),
            delimiter: pointer(&delimiter),
            newline: pointer(&newline),
            header: header.as_ptr(),
            footer: footer.as_ptr(),
            comments: pointer(&comments),
        };
        call!(arr_savetxt(self.as_raw(), path.as_ptr().cast(), path.len() as i64, &options, current()));
        Ok(())
    }

    /// Writes a .npy file, which appears whole or not at all.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let path = std::env::temp_dir().join("arr_save_npy.npy");
    /// array![1, 2].into_dyn().save_npy(&path)?;
    /// assert_eq!(Array::<i32>::load_npy(&path)?, array![1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_save_npy)]
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
    #[doc = errors!(arr_load_npy)]
    #[track_caller]
    pub fn load_npy(path: impl AsRef<Path>) -> Result<Array<T>> {
        Device::HOST.load_npy(path)?.typed()
    }

    /// Writes a .npy file, which appears whole or not at all.
    #[doc = errors!(arr_save_npy)]
    #[track_caller]
    pub fn save_npy(&self, path: impl AsRef<Path>) -> Result<()> {
        self.as_dyn().save_npy(path)
    }
}
