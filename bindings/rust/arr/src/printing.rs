// SPDX-License-Identifier: MIT
//! Arrays as text: the elements by `Display`, type, shape and device by `Debug`.

use std::fmt;

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::DType;
use crate::error::Result;
use crate::joining::concatenate_dyn;
use crate::numbers::c64;
use crate::slice::Slice;

/// Longer arrays are shown by this many elements at each end of an axis, as NumPy does.
const EDGE: usize = 3;
const LONG: usize = 1000;

/// Shape, element type and device; the elements are `Display`'s.
impl fmt::Debug for DynArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.describe() {
            Ok(properties) => write!(f, "Array({properties})"),
            Err(error) => write!(f, "Array({error})"),
        }
    }
}

/// The elements as NumPy prints them, long axes shortened. `{:.2}` shows two decimals, `{:8.2}` eight characters wide.
impl fmt::Display for DynArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match (f.precision(), f.width()) {
            (None, None) => self.format(0),
            (decimals, width) => self.numbers(decimals).map(|numbers| numbers.text(width.unwrap_or(0))),
        };
        match text {
            Ok(text) => f.write_str(&text),
            Err(error) => write!(f, "<{error}>"),
        }
    }
}

impl<T> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.any, f)
    }
}

impl<T> fmt::Display for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.any, f)
    }
}

/// The elements to show, each as text, in row-major order.
struct Numbers {
    texts: Vec<String>,
    shape: Vec<usize>,
    /// The axes of which only the ends are shown.
    cut: Vec<bool>,
}

impl DynArray {
    #[track_caller]
    fn numbers(&self, decimals: Option<usize>) -> Result<Numbers> {
        let mut shown = self.try_clone()?;
        let cut: Vec<bool> = self.shape().iter().map(|&n| self.size() > LONG && n > 2 * EDGE).collect();
        for axis in (0..cut.len()).filter(|&axis| cut[axis]) {
            let part = |range: Slice| {
                let mut slices = vec![Slice::from(..); axis];
                slices.push(range);
                shown.slice(slices)
            };
            let (head, tail) = (part(Slice::from(..EDGE))?, part(Slice::from(-(EDGE as i64)..))?);
            shown = concatenate_dyn(&[&head, &tail], axis as i32)?;
        }
        let texts = match (self.dtype(), decimals) {
            (DType::COMPLEX64 | DType::COMPLEX128, Some(p)) => texts(&shown.cast::<c64>()?, |x| format!("{x:.p$}")),
            (DType::COMPLEX64 | DType::COMPLEX128, None) => texts(&shown.cast::<c64>()?, c64::to_string),
            (DType::FLOAT16 | DType::BFLOAT16 | DType::FLOAT32 | DType::FLOAT64, Some(p)) => {
                texts(&shown.cast::<f64>()?, |x| format!("{x:.p$}"))
            }
            (DType::FLOAT16 | DType::BFLOAT16 | DType::FLOAT32, None) => texts(&shown.cast::<f32>()?, f32::to_string),
            (DType::FLOAT64, None) => texts(&shown.cast::<f64>()?, f64::to_string),
            (DType::BOOL, _) => texts(&shown.cast::<bool>()?, bool::to_string),
            (DType::UINT64, _) => texts(&shown.cast::<u64>()?, u64::to_string),
            _ => texts(&shown.cast::<i64>()?, i64::to_string),
        }?;
        Ok(Numbers { texts, shape: shown.shape().to_vec(), cut })
    }
}

#[track_caller]
fn texts<T: crate::Element>(a: &Array<T>, text: impl Fn(&T) -> String) -> Result<Vec<String>> {
    Ok(a.to_vec()?.iter().map(text).collect())
}

impl Numbers {
    fn text(&self, width: usize) -> String {
        let width = self.texts.iter().map(|t| t.chars().count()).max().unwrap_or(0).max(width);
        let mut out = String::new();
        self.write(0, &mut self.texts.iter(), width, &mut out);
        out
    }

    fn write<'a>(&self, axis: usize, texts: &mut impl Iterator<Item = &'a String>, width: usize, out: &mut String) {
        let Some(&extent) = self.shape.get(axis) else {
            out.extend(texts.next().map(|text| format!("{text:>width$}")));
            return;
        };
        let below = self.shape.len() - axis - 1;
        let gap = if below == 0 { " ".to_string() } else { "\n".repeat(below) + &" ".repeat(axis + 1) };
        out.push('[');
        for position in 0..extent {
            if position > 0 {
                out.push_str(&gap);
            }
            if self.cut[axis] && position == EDGE {
                out.push_str("...");
                out.push_str(&gap);
            }
            self.write(axis + 1, texts, width, out);
        }
        out.push(']');
    }
}
