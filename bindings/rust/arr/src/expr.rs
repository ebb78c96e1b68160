// SPDX-License-Identifier: MIT
//! Fused expressions: written once as a closure, computed in one pass over memory, however long.

use std::cell::RefCell;

use arr_sys::{arr_array, arr_expr, arr_value};

use crate::array::Array;
use crate::dynarray::DynArray;
use crate::element::{sealed::Sealed, value_of, weak, DType, Element};
use crate::error::{call, text_of, Error, ErrorKind, Result};
use crate::indexing::Bounds;
use crate::kernel::c_text;
use crate::numbers::{bf16, c32, c64, f16};
use crate::operand::DynOperand;
use crate::ops::example;
use crate::ops::{axes_of, Reduction};
use crate::output::DynOutput;
use crate::shape::{count, Axes};
use crate::sparse::SparseMatrix;
use crate::stream::{current, owner};
use crate::view::ViewMut;

owner!(
    /// Owns an expression's handle.
    Handle,
    arr_expr,
    arr_expr_release
);

/// An element-wise function of N arrays that runs as one loop, or several if it is long. Of M results, from
/// [`Expr::several`], up to four are computed in one loop, and what these share is computed once.
///
/// ```no_run
/// # fn main() -> arr::Result<()> {
/// # let (a, b) = (arr::Array::<f64>::ones([3])?, arr::Array::<f64>::ones([3])?);
/// let wave = arr::Expr::new(|[x, y]| x.sin() * 2.0 + y.maximum(0.5))?;
/// let c: arr::Array<f64> = wave.run([&a, &b])?.typed()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Expr<const N: usize, const M: usize = 1> {
    handle: Handle,
    roots: [i32; M],
}

/// The graph of an expression under construction; the first error waits here until the closure is done.
#[derive(Debug)]
struct Graph {
    handle: Handle,
    inputs: i32,
    error: RefCell<Option<Error>>,
}

/// A value in an expression: an input, a number, or an op of others. It has every op of an array.
#[derive(Clone, Copy, Debug)]
pub struct Node<'e> {
    graph: &'e Graph,
    id: i32,
}

impl Sealed for Node<'_> {}

/// An operand of a [`Node`]: another one or a number. Sealed.
///
/// ```compile_fail,E0277
/// struct Forged(i32);
/// impl<'e> arr::NodeOperand<'e> for Forged {
///     fn node_in(&self, _: arr::Node<'e>) -> i32 {
///         self.0
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no operand of a node",
    label = "expected a node of the closure, or a number",
    note = "an array is an input of the expression: `a.zip_map(&b, |x, y| ..)?` instead of `a.map(|x| ..)?`"
)]
pub trait NodeOperand<'e>: Sealed {
    #[doc(hidden)]
    fn node_in(&self, beside: Node<'e>) -> i32;
}

impl<'e> NodeOperand<'e> for Node<'e> {
    #[track_caller]
    fn node_in(&self, beside: Node<'e>) -> i32 {
        if !std::ptr::eq(self.graph, beside.graph) {
            let text = "argument y: got a node of another expression, expected one of this";
            beside.graph.keep(Error::new(ErrorKind::Argument, text));
        }
        self.id
    }
}

macro_rules! node_numbers {
    ($value:ident: $($type:ty)*) => {$(
        impl<'e> NodeOperand<'e> for $type {
            #[track_caller]
            fn node_in(&self, beside: Node<'e>) -> i32 {
                beside.graph.constant(&$value(*self))
            }
        }
    )*};
}
node_numbers!(weak: bool i32 i64 f64 c64);
node_numbers!(value_of: i8 i16 u8 u16 u32 u64 f32 f16 bf16 c32);

impl Graph {
    fn keep(&self, error: Error) {
        self.error.borrow_mut().get_or_insert(error);
    }

    fn node(&self, made: Result<i32>) -> i32 {
        made.unwrap_or_else(|error| {
            self.keep(error);
            0
        })
    }

    #[track_caller]
    fn constant(&self, value: &arr_value) -> i32 {
        self.node(self.try_constant(value))
    }

    #[track_caller]
    fn try_constant(&self, value: &arr_value) -> Result<i32> {
        let mut id = 0;
        call!(arr_expr_constant(self.handle.as_raw(), value, &mut id));
        Ok(id)
    }

    #[track_caller]
    fn try_input(&self, index: usize) -> Result<i32> {
        let mut id = 0;
        call!(arr_expr_input(self.handle.as_raw(), count(index)?, &mut id));
        Ok(id)
    }

    #[track_caller]
    fn try_op(&self, op: i32, args: &[i32]) -> Result<i32> {
        let (e, n) = (self.handle.as_raw(), count(args.len())?);
        let mut id = 0;
        call!(arr_expr_op(e, op, n, args.as_ptr(), &mut id));
        Ok(id)
    }

    // Inputs come first, so their nodes are numbered as they are.
    #[track_caller]
    fn try_gather(&self, input: i32, indices: &[i32], bounds: Bounds) -> Result<i32> {
        if input >= self.inputs {
            let text = "argument self: got a computed node, expected an input";
            return Err(Error::new(ErrorKind::Argument, text));
        }
        let (e, n) = (self.handle.as_raw(), count(indices.len())?);
        let mut id = 0;
        call!(arr_expr_gather(e, input, n, indices.as_ptr(), bounds as i32, &mut id));
        Ok(id)
    }

    #[track_caller]
    fn try_cast(&self, arg: i32, dtype: DType) -> Result<i32> {
        let mut id = 0;
        call!(arr_expr_cast(self.handle.as_raw(), arg, dtype.code(), &mut id));
        Ok(id)
    }
}

impl<'e> Node<'e> {
    pub(crate) fn id(self) -> i32 {
        self.id
    }

    #[track_caller]
    pub(crate) fn apply(self, op: i32, args: &[i32]) -> Node<'e> {
        self.with(self.graph.node(self.graph.try_op(op, args)))
    }

    /// Returns a number as a node of the same expression.
    #[track_caller]
    pub(crate) fn number(self, x: impl NodeOperand<'e>) -> Node<'e> {
        self.with(x.node_in(self))
    }

    #[cfg(any(feature = "half", feature = "num-complex"))]
    #[track_caller]
    pub(crate) fn constant_in(self, value: &arr_value) -> i32 {
        self.graph.constant(value)
    }

    /// Casts the elements to `T`.
    #[track_caller]
    #[must_use]
    pub fn cast<T: Element>(self) -> Node<'e> {
        self.with(self.graph.node(self.graph.try_cast(self.id, T::DTYPE)))
    }

    /// Gathers the elements of this input at indices, one node of integers per axis: `b.at([i]) * 2.0`. The input then
    /// takes no part in broadcasting.
    #[track_caller]
    #[must_use]
    pub fn at(self, positions: impl AsRef<[Node<'e>]>) -> Node<'e> {
        let positions: Vec<_> = positions.as_ref().iter().copied().map(Some).collect();
        self.at_with(&positions, Bounds::Raise)
    }

    /// Gathers like [`Node::at`], with a rule for indices out of range, and with axes that are taken whole (`None`) and
    /// broadcast as those of an input do.
    #[track_caller]
    #[must_use]
    pub fn at_with(self, positions: &[Option<Node<'e>>], bounds: Bounds) -> Node<'e> {
        let indices: Vec<_> = positions.iter().map(|p| p.map_or(-1, |node| node.node_in(self))).collect();
        self.with(self.graph.node(self.graph.try_gather(self.id, &indices, bounds)))
    }

    fn with(self, id: i32) -> Node<'e> {
        Node { id, ..self }
    }
}

/// An input of an expression: an array, typed or not. Sealed: an input borrows its array.
///
/// ```compile_fail,E0277
/// struct Forged(arr::sys::arr_array);
/// impl arr::Input for Forged {
///     fn raw(&self) -> arr::sys::arr_array {
///         self.0
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no input of an expression",
    label = "expected a reference to an array",
    note = "pass `&a`; a number is an input of `Expr::call`"
)]
pub trait Input: Sealed {
    #[doc(hidden)]
    fn raw(&self) -> arr_array;
}

impl Input for &DynArray {
    fn raw(&self) -> arr_array {
        self.as_raw()
    }
}

impl<T: Element> Input for &Array<T> {
    fn raw(&self) -> arr_array {
        self.as_raw()
    }
}

impl<T: Element> Input for &ViewMut<'_, T> {
    fn raw(&self) -> arr_array {
        self.array().as_raw()
    }
}

impl<const N: usize, const M: usize> Expr<N, M> {
    /// Builds the expression of several results; the closure runs once, with symbols for arrays.
    ///
    /// ```no_run
    /// # fn main() -> arr::Result<()> {
    /// # let (x, y) = (arr::Array::<f64>::ones([3])?, arr::Array::<f64>::ones([3])?);
    /// let polar = arr::Expr::several(|[x, y]| [x.hypot(y), y.arctan2(x)])?;
    /// let [radius, angle] = polar.run_several([&x, &y])?;
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_expr_create)]
    #[track_caller]
    pub fn several(build: impl for<'e> FnOnce([Node<'e>; N]) -> [Node<'e>; M]) -> Result<Expr<N, M>> {
        let mut raw = arr_expr::NULL;
        call!(arr_expr_create(&mut raw));
        let graph = Graph { handle: Handle(raw), inputs: count(N)?, error: RefCell::new(None) };
        let mut ids = [0; N];
        for (index, id) in ids.iter_mut().enumerate() {
            *id = graph.try_input(index)?;
        }
        let inputs = ids.map(|id| Node { graph: &graph, id });
        let roots = build(inputs).map(|root| {
            if !std::ptr::eq(root.graph, &graph) {
                let text = "argument build: got a node of another expression, expected one of this";
                graph.keep(Error::new(ErrorKind::Argument, text));
            }
            root.id
        });
        let Graph { handle, error, .. } = graph;
        match error.into_inner() {
            Some(error) => Err(error),
            None => Ok(Expr { handle, roots }),
        }
    }

    /// Computes all results for arrays, which broadcast: up to four in one pass.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let f = Expr::several(|[x]| [x + 1.0, x * 2.0])?;
    /// let [a, b] = f.run_several([&array![3.0]])?;
    /// assert_eq!((a.item_f64(&[0])?, b.item_f64(&[0])?), (4.0, 6.0));
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_expr_run_many)]
    #[track_caller]
    pub fn run_several<A: Input>(&self, inputs: [A; N]) -> Result<[DynArray; M]> {
        let inputs = inputs.map(|a| a.raw());
        let (e, m, n) = (self.handle.as_raw(), count(M)?, count(N)?);
        let mut out = [arr_array::NULL; M];
        call!(arr_expr_run_many(e, m, self.roots.as_ptr(), n, inputs.as_ptr(), current(), out.as_mut_ptr()));
        Ok(out.map(DynArray::own))
    }

    /// Computes all results for arrays and numbers, which take the type that they meet, as in the closure.
    ///
    /// ```no_run
    /// # fn main() -> arr::Result<()> {
    /// # let x = arr::Array::<f32>::ones([3])?;
    /// let line = arr::Expr::new(|[x, a, b]| a * x + b)?;
    /// let [y] = line.call([&(&x), &2, &0.5])?;
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_expr_call)]
    #[track_caller]
    pub fn call(&self, inputs: [&dyn DynOperand; N]) -> Result<[DynArray; M]> {
        let inputs = inputs.map(|x| x.dyn_value());
        let (e, m, n) = (self.handle.as_raw(), count(M)?, count(N)?);
        let mut out = [arr_array::NULL; M];
        call!(arr_expr_call(e, m, self.roots.as_ptr(), n, inputs.as_ptr(), current(), out.as_mut_ptr()));
        Ok(out.map(DynArray::own))
    }

    /// Computes all results for arrays and numbers into arrays of their shape.
    #[doc = errors!(arr_expr_call_into)]
    #[track_caller]
    pub fn call_into(&self, inputs: [&dyn DynOperand; N], out: [&mut dyn DynOutput; M]) -> Result<()> {
        let mut destinations = [arr_array::NULL; M];
        for (to, from) in destinations.iter_mut().zip(out) {
            *to = from.destination()?;
        }
        let inputs = inputs.map(|x| x.dyn_value());
        let (e, m, n) = (self.handle.as_raw(), count(M)?, count(N)?);
        let (to, roots) = (destinations.as_ptr(), self.roots.as_ptr());
        call!(arr_expr_call_into(m, to, e, roots, n, inputs.as_ptr(), current()));
        Ok(())
    }

    /// Computes all results into arrays of their shape.
    #[doc = errors!(arr_expr_run_many_into)]
    #[track_caller]
    pub fn run_several_into<A: Input>(&self, inputs: [A; N], out: [&mut dyn DynOutput; M]) -> Result<()> {
        let mut destinations = [arr_array::NULL; M];
        for (to, from) in destinations.iter_mut().zip(out) {
            *to = from.destination()?;
        }
        let inputs = inputs.map(|a| a.raw());
        let (e, m, n) = (self.handle.as_raw(), count(M)?, count(N)?);
        let (to, roots) = (destinations.as_ptr(), self.roots.as_ptr());
        call!(arr_expr_run_many_into(m, to, e, roots, n, inputs.as_ptr(), current()));
        Ok(())
    }
}

/// Evaluates a formula in the library's notation for arrays and numbers, which are its variables in the order in which they
/// appear. The formula is parsed once in a process.
///
/// ```no_run
/// # fn main() -> arr::Result<()> {
/// # let x = arr::Array::<f32>::ones([3])?;
/// let y = arr::evaluate("a*x + b", &[&2, &(&x), &0.5])?;
/// # Ok(())
/// # }
/// ```
#[doc = errors!(arr_evaluate)]
#[track_caller]
pub fn evaluate(formula: &str, inputs: &[&dyn DynOperand]) -> Result<DynArray> {
    let values: Vec<arr_value> = inputs.iter().map(|x| x.dyn_value()).collect();
    let (text, length, n) = (formula.as_ptr().cast(), formula.len() as i64, count(values.len())?);
    let mut out = arr_array::NULL;
    call!(arr_evaluate(text, length, n, values.as_ptr(), current(), &mut out));
    Ok(DynArray::own(out))
}

/// Evaluates a formula like [`evaluate`] into an array of the result's shape.
#[doc = errors!(arr_evaluate_into)]
#[track_caller]
pub fn evaluate_into(formula: &str, inputs: &[&dyn DynOperand], out: &mut dyn DynOutput) -> Result<()> {
    let values: Vec<arr_value> = inputs.iter().map(|x| x.dyn_value()).collect();
    let (text, length, n) = (formula.as_ptr().cast(), formula.len() as i64, count(values.len())?);
    call!(arr_evaluate_into(out.destination()?, text, length, n, values.as_ptr(), current()));
    Ok(())
}

impl<const N: usize> Expr<N> {
    /// Returns the handle and the node of the result.
    pub(crate) fn raw(&self) -> (arr_expr, i32) {
        (self.handle.as_raw(), self.roots[0])
    }

    /// Builds the expression that the closure writes down; the closure runs once, with symbols for arrays.
    #[doc = errors!(arr_expr_create)]
    #[track_caller]
    pub fn new(build: impl for<'e> FnOnce([Node<'e>; N]) -> Node<'e>) -> Result<Expr<N>> {
        Expr::several(|inputs| [build(inputs)])
    }

    /// Parses a formula in the library's notation, which is Python's with NumPy's names, such as "sqrt(a*a + b*b)".
    /// The inputs are its variables in the order in which they appear.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let f = Expr::parse("a * x + b")?;
    /// assert_eq!(f.run([&array![2.0], &array![3.0], &array![1.0]])?.typed::<f64>()?, array![7.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_expr_nvars)]
    #[track_caller]
    pub fn parse(formula: &str) -> Result<Expr<N>> {
        let expr = Expr::parse_text(formula, &[])?;
        let mut variables = 0;
        call!(arr_expr_nvars(expr.handle.as_raw(), &mut variables));
        if variables != count(N)? {
            let text = format!("argument formula: {formula:?} has {variables} variables, expected {N}");
            return Err(Error::new(ErrorKind::Argument, text));
        }
        Ok(expr)
    }

    /// Computes it for the product of a sparse matrix with a vector or a matrix, its first input, and for arrays that broadcast to
    /// the product: on the host while some rows of the product are in the cache.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let a = SparseMatrix::from_dense(&array![[0.0, 2.0], [3.0, 0.0]], SparseFormat::Csr)?;
    /// let (x, b) = (array![1.0, -1.0], array![1.0, 1.0]);
    /// let relu = Expr::new(|[y, b]| (y + b).maximum(0.0))?;
    /// assert_eq!(relu.matmul(&a, &x, &[b.as_dyn()])?.typed::<f64>()?, array![0.0, 4.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_sparse_matmul_expr)]
    #[track_caller]
    pub fn matmul<T: Element>(&self, a: &SparseMatrix<T>, x: &Array<T>, inputs: &[&DynArray]) -> Result<DynArray> {
        if inputs.len() + 1 != N {
            let text = format!("argument inputs: {} arrays beside the product, of {N} inputs in all", inputs.len());
            return Err(Error::new(ErrorKind::Argument, text));
        }
        let list: Vec<arr_array> = inputs.iter().map(|a| a.as_raw()).collect();
        let (e, [root], n) = (self.handle.as_raw(), self.roots, count(list.len())?);
        let mut out = arr_array::NULL;
        call!(arr_sparse_matmul_expr(a.as_raw(), x.as_raw(), e, root, n, list.as_ptr(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Parses a formula like [`Expr::parse`], with names for the inputs.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// let f = Expr::parse_with("x - y", ["y", "x"])?;
    /// assert_eq!(f.run([&array![1.0], &array![3.0]])?.typed::<f64>()?, array![2.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_expr_parse)]
    #[track_caller]
    pub fn parse_with(formula: &str, variables: [&str; N]) -> Result<Expr<N>> {
        Expr::parse_text(formula, &variables)
    }

    #[track_caller]
    fn parse_text(formula: &str, variables: &[&str]) -> Result<Expr<N>> {
        let names = variables.iter().map(|name| c_text(name)).collect::<Result<Vec<_>>>()?;
        let pointers: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
        let (text, length, n) = (formula.as_ptr().cast(), formula.len() as i64, count(pointers.len())?);
        let (mut root, mut raw) = (0, arr_expr::NULL);
        call!(arr_expr_parse(text, length, n, pointers.as_ptr(), &mut root, &mut raw));
        Ok(Expr { handle: Handle(raw), roots: [root] })
    }

    /// Reduces it over axes of the shape that the inputs broadcast to; nothing of that shape is stored.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert_eq!(Expr::new(|[x]| x * x)?.reduce(Reduction::SUM, .., [&array![3.0, 4.0]])?.item_f64(&[])?, 25.0);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_expr_reduce)]
    #[track_caller]
    pub fn reduce<A: Input>(&self, reduction: Reduction, axes: impl Axes, inputs: [A; N]) -> Result<DynArray> {
        let inputs = inputs.map(|a| a.raw());
        let (e, n, (naxes, list, keep)) = (self.handle.as_raw(), count(N)?, axes_of(&axes)?);
        let (number, [root]) = (reduction.code(), self.roots);
        let mut out = arr_array::NULL;
        call!(arr_expr_reduce(e, root, number, naxes, list, keep, n, inputs.as_ptr(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Accumulates it along an axis of the shape that the inputs broadcast to, in one pass.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert_eq!(Expr::new(|[x]| x * x)?.scan(Reduction::SUM, 0, [&array![3.0, 4.0]])?.typed::<f64>()?, array![9.0, 25.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_expr_scan)]
    #[track_caller]
    pub fn scan<A: Input>(&self, reduction: Reduction, axis: i32, inputs: [A; N]) -> Result<DynArray> {
        let inputs = inputs.map(|a| a.raw());
        let (e, n, number) = (self.handle.as_raw(), count(N)?, reduction.code());
        let mut out = arr_array::NULL;
        call!(arr_expr_scan(e, self.roots[0], number, axis, n, inputs.as_ptr(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Computes it for arrays, which broadcast.
    ///
    /// ```
    /// use arr::*;
    /// # fn main() -> Result<()> {
    /// assert_eq!(Expr::new(|[x, y]| x * x + y)?.run([&array![3.0], &array![1.0]])?.typed::<f64>()?, array![10.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[doc = errors!(arr_expr_run)]
    #[track_caller]
    pub fn run<A: Input>(&self, inputs: [A; N]) -> Result<DynArray> {
        let inputs = inputs.map(|a| a.raw());
        let (e, n) = (self.handle.as_raw(), count(N)?);
        let mut out = arr_array::NULL;
        call!(arr_expr_run(e, self.roots[0], n, inputs.as_ptr(), current(), &mut out));
        Ok(DynArray::own(out))
    }

    /// Computes it into an array of the result's shape.
    #[doc = errors!(arr_expr_run_into)]
    #[track_caller]
    pub fn run_into<A: Input>(&self, inputs: [A; N], out: &mut impl DynOutput) -> Result<()> {
        self.run_over(out.destination()?, inputs.map(|a| a.raw()))
    }

    /// Into memory that is the caller's to write; it may be that of an input.
    #[track_caller]
    pub(crate) fn run_over(&self, dst: arr_array, inputs: [arr_array; N]) -> Result<()> {
        let (e, n) = (self.handle.as_raw(), count(N)?);
        call!(arr_expr_run_into(dst, e, self.roots[0], n, inputs.as_ptr(), current()));
        Ok(())
    }

    /// Returns the program that would run for these arrays, with its casts, as text.
    #[doc = example!("assert!(Expr::new(|[x]| x.sin())?.describe([&array![3.0]])?.contains(\"sin\"));")]
    #[doc = errors!(arr_expr_describe)]
    #[track_caller]
    pub fn describe<A: Input>(&self, inputs: [A; N]) -> Result<String> {
        let inputs = inputs.map(|a| a.raw());
        let (e, n) = (self.handle.as_raw(), count(N)?);
        text_of(|api, capacity, text, length| {
            let list = inputs.as_ptr();
            // SAFETY: rule 3: text has `capacity` bytes or is NULL.
            unsafe { api.arr_expr_describe(e, self.roots[0], n, list, capacity, text, length) }
        })
    }
}
