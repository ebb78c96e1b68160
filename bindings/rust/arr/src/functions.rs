// SPDX-License-Identifier: MIT
//! Methods of both kinds of arrays from one row each.
//!
//! They name what they need by whole paths, so a file with rows imports nothing else for them.

/// Functions of arrays of one type: `name(other arrays; parameters) = arr_name(arguments) -> element of the result`.
macro_rules! functions {
    ([$($bound:tt)*]; $($(#[$doc:meta])* $name:ident($($x:ident),*; $($p:ident: $t:ty),*)
       = $function:ident($($argument:expr),*) -> $result:ty;)*) => {
        impl $crate::dynarray::DynArray {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self $(, $x: &$crate::dynarray::DynArray)* $(, $p: $t)*) -> $crate::error::Result<$crate::dynarray::DynArray> {
                let mut out = arr_sys::arr_array::NULL;
                $crate::error::call!($function(self.as_raw(), $($x.as_raw(),)* $($argument,)* $crate::stream::current(), &mut out));
                Ok($crate::dynarray::DynArray::own(out))
            }
        )*}
        impl<$($bound)*> $crate::array::Array<T> {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(&self $(, $x: &$crate::array::Array<T>)* $(, $p: $t)*) -> $crate::error::Result<$crate::array::Array<$result>> {
                self.as_dyn().$name($($x.as_dyn(),)* $($p),*)?.typed()
            }
        )*}
    };
}

/// What n and other parameters make: `name(parameters) = arr_name(arguments)`.
macro_rules! of_size {
    ($($(#[$doc:meta])* $name:ident($($p:ident: $t:ty),*) = $function:ident($($argument:expr),*);)*) => {
        impl $crate::device::Device {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name<T: $crate::element::Element>(self, n: usize $(, $p: $t)*) -> $crate::error::Result<$crate::array::Array<T>> {
                let (n, at) = ($crate::shape::dims(&[n])?[0], self.raw());
                let mut out = arr_sys::arr_array::NULL;
                $crate::error::call!($function(n, $($argument,)* T::DTYPE.code(), &at, $crate::stream::current(), &mut out));
                Ok($crate::array::Array::own(out))
            }
        )*}
        impl<T: $crate::element::Element> $crate::array::Array<T> {$(
            $(#[$doc])*
            #[track_caller]
            pub fn $name(n: usize $(, $p: $t)*) -> $crate::error::Result<$crate::array::Array<T>> {
                $crate::device::Device::HOST.$name(n $(, $p)*)
            }
        )*}
    };
}

pub(crate) use {functions, of_size};
