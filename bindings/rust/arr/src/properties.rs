// SPDX-License-Identifier: MIT
//! Shape, strides, element type and device of an array. A live handle always has them, so they are no `Result`s.

use crate::device::Device;
use crate::dynarray::DynArray;
use crate::element::DType;
use crate::error::{call, or_panic, Result};

const CAPACITY: usize = arr_sys::ARR_MAX_NDIM as usize;

/// The same properties with the error that a handle without an array returns ([`DynArray::from_raw`]).
impl DynArray {
    #[track_caller]
    pub(crate) fn try_dtype(&self) -> Result<DType> {
        let mut dtype = 0;
        call!(arr_array_dtype(self.as_raw(), &mut dtype));
        Ok(DType(dtype))
    }

    #[track_caller]
    fn try_device(&self) -> Result<Device> {
        let mut device = arr_sys::arr_device::default();
        call!(arr_array_device(self.as_raw(), &mut device));
        Ok(Device::from_raw(device))
    }

    #[track_caller]
    fn try_shape(&self) -> Result<&[usize]> {
        if let Some(known) = self.shape.get() {
            return Ok(known);
        }
        let mut shape = [0i64; CAPACITY];
        let mut ndim = 0;
        call!(arr_shape(self.as_raw(), arr_sys::ARR_MAX_NDIM, shape.as_mut_ptr(), &mut ndim));
        Ok(self.shape.get_or_init(|| shape[..ndim as usize].iter().map(|&d| d as usize).collect()))
    }

    #[track_caller]
    fn try_strides(&self) -> Result<Vec<isize>> {
        let mut strides = [0i64; CAPACITY];
        let mut ndim = 0;
        call!(arr_strides(self.as_raw(), arr_sys::ARR_MAX_NDIM, strides.as_mut_ptr(), &mut ndim));
        Ok(strides[..ndim as usize].iter().map(|&s| s as isize).collect())
    }

    #[track_caller]
    pub(crate) fn flags(&self) -> Result<i32> {
        let mut flags = 0;
        call!(arr_array_flags(self.as_raw(), &mut flags));
        Ok(flags)
    }

    /// The text of `Debug`: type, shape, strides and device.
    pub(crate) fn describe(&self) -> Result<String> {
        let (dtype, shape, strides) = (self.try_dtype()?, self.try_shape()?, self.try_strides()?);
        Ok(format!("{dtype}, shape {shape:?}, strides {strides:?}, {}", self.try_device()?))
    }
}

/// Facts.
impl DynArray {
    #[track_caller]
    pub fn dtype(&self) -> DType {
        or_panic(self.try_dtype())
    }

    #[track_caller]
    pub fn device(&self) -> Device {
        or_panic(self.try_device())
    }

    #[track_caller]
    pub fn shape(&self) -> &[usize] {
        or_panic(self.try_shape())
    }

    /// Returns the number of dimensions.
    #[track_caller]
    pub fn ndim(&self) -> usize {
        self.shape().len()
    }

    /// Returns the number of elements.
    #[doc(alias = "len")]
    #[track_caller]
    pub fn size(&self) -> usize {
        let shape = self.shape();
        // An axis without positions may stand beside extents whose product has no room.
        if shape.contains(&0) {
            0
        } else {
            shape.iter().product()
        }
    }

    /// Returns the strides, in elements.
    #[track_caller]
    pub fn strides(&self) -> Vec<isize> {
        or_panic(self.try_strides())
    }

    /// Contiguous in C's order, row-major.
    #[doc(alias = "is_standard_layout")]
    #[track_caller]
    pub fn is_c_contiguous(&self) -> bool {
        or_panic(self.flags()) & arr_sys::ARR_FLAG_C != 0
    }

    /// Contiguous in Fortran's order, column-major.
    #[track_caller]
    pub fn is_f_contiguous(&self) -> bool {
        or_panic(self.flags()) & arr_sys::ARR_FLAG_F != 0
    }

    /// True if the memory must not be written; a write to the array then copies first.
    #[track_caller]
    pub fn is_read_only(&self) -> bool {
        or_panic(self.flags()) & arr_sys::ARR_FLAG_READONLY != 0
    }
}

/// Facts that follow from the shape, by ndarray's names.
impl DynArray {
    /// Returns the number of elements.
    #[doc(alias = "size")]
    #[track_caller]
    pub fn len(&self) -> usize {
        self.size()
    }

    /// True if there are no elements.
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        self.shape().contains(&0)
    }

    /// Returns the extent of an axis, negative from the end.
    ///
    /// # Panics
    /// Panics if there is no such axis.
    #[track_caller]
    pub fn len_of(&self, axis: i32) -> usize {
        let shape = self.shape();
        let at = if axis < 0 { axis as isize + shape.len() as isize } else { axis as isize };
        match usize::try_from(at).ok().and_then(|at| shape.get(at)) {
            Some(&extent) => extent,
            None => panic!("len_of: argument axis: axis {axis} of an array with {} dimensions", shape.len()),
        }
    }

    /// Returns the number of rows of a matrix: the extent of the last axis but one.
    #[track_caller]
    pub fn nrows(&self) -> usize {
        self.len_of(-2)
    }

    /// Returns the number of columns of a matrix: the extent of the last axis.
    #[track_caller]
    pub fn ncols(&self) -> usize {
        self.len_of(-1)
    }

    /// True if the last two axes have one extent.
    #[track_caller]
    pub fn is_square(&self) -> bool {
        self.ndim() >= 2 && self.nrows() == self.ncols()
    }
}
