// SPDX-License-Identifier: MIT
#![doc = include_str!("../README.md")]
//! ## More
//!
//! [`overview`] lists the methods by subject; the search finds them by the names of NumPy and ndarray too.
//!
//! Without libarr the first call returns an [`Error`] of kind [`ErrorKind::Library`].
//!
//! Clones and views share memory; a write copies first where another array would see it, so an array changes only
//! through `&mut` of itself. [`Array::slice_mut`] writes to a part in place, [`with_view`] to a slice of the
//! program, and [`Array::as_mut_slice`] lends the program an array's own memory.

#[macro_use]
#[rustfmt::skip]
#[path = "errors_generated.rs"]
mod errors;

mod arg;
mod array;
mod axis;
mod bounds;
mod cache;
mod calculus;
mod callback;
mod comm;
mod comm_sparse;
mod conversions;
mod csgraph;
mod device;
mod device_list;
mod dist;
mod dist_math;
mod dist_sparse;
mod dlpack;
mod dtypes;
mod dynarray;
mod eigs;
mod eigsh;
mod element;
mod error;
mod expr;
mod factor;
mod fft;
mod fft_grid;
mod fft_plan;
mod functions;
mod fuse;
mod graph;
mod histogram;
mod index;
mod indexing;
#[cfg(any(feature = "half", feature = "num-complex", feature = "ndarray", feature = "dlpark"))]
mod interop;
mod io;
mod iterative;
mod joining;
mod kernel;
mod least_squares;
mod library;
mod limits;
mod linalg;
mod linear_operator;
mod log;
mod map;
mod memory;
mod memory_hooks;
mod memory_kinds;
mod numbers;
mod numeric;
mod operand;
mod operators;
mod ops;
mod output;
mod pinned;
mod polynomial;
mod printing;
mod products;
mod profile;
mod properties;
mod random;
mod random_vectors;
mod search;
mod semiring;
mod sets;
mod shape;
mod slice;
mod sort;
mod sparse;
mod sparse_array;
mod sparse_blocks;
mod sparse_math;
mod sparse_structure;
mod special_matrices;
mod statistics;
mod stream;
mod texture;
mod transfer;
mod ufunc;
mod user_kernel;
mod view;

#[rustfmt::skip]
#[allow(clippy::doc_lazy_continuation)]
#[path = "overview_generated.rs"]
pub mod overview;

pub use arr_sys as sys;

pub use arg::Arg;
pub use array::Array;
pub use axis::{AxisIter, AxisIterMut, DynAxisIter};
pub use bounds::{Float, Inexact, Real};
pub use cache::{cache_clear, cache_directory, cache_info, CacheInfo};
pub use calculus::{Convolve, Gradient};
pub use comm::{Comm, CommGroup, CommInfo, HaloAxis};
pub use csgraph::{Connection, LaplacianOptions, PageRankOptions, PathMethod, PathOptions, ShortestPaths};
pub use device::{set_threads, threads, Backend, Device, MemoryInfo, PoolInfo};
pub use device_list::DeviceFilter;
pub use dist::{Decomposition, Dist, DistInput};
pub use dist_sparse::{DistSparse, DistSparseInfo};
pub use dlpack::{Foreign, Tensor};
pub use dtypes::{min_scalar_type, result_type, Casting, FloatLimits, IntLimits};
pub use dynarray::DynArray;
pub use eigs::{eigs, eigs_values, expm_multiply, onenormest, ExpmOptions, GeneralEigenvalues};
pub use eigsh::{eigsh, eigsh_values, lobpcg, svds, svds_values, Eigenvalues, EigshOptions, LobpcgOptions};
pub use element::{version, DType, Element, Integral, Number, Ordered};
pub use error::{Error, ErrorKind, Result};
pub use expr::{evaluate, evaluate_into, Expr, Input, Node, NodeOperand};
pub use factor::{ColumnOrder, FactorKind, FillOrder, IlutOptions, SparseFactor, SparseFactorParts, SparseLuOptions};
pub use fft::{
    fft_wisdom, forget_fft_wisdom, import_fft_wisdom, set_fft_effort, Cosine, CosineNorm, FftEffort, Hankel, Norm,
};
pub use fft_grid::{next_fast_len, CachedFftPlan, FftCache};
pub use fft_plan::{FftDirection, FftKind, FftPlan, FftPlanInfo};
pub use functions::{DiffOptions, LinspaceOptions, Trim};
pub use fuse::{automatic_fusion, set_automatic_fusion, AutomaticFusion, Fuse, FuseInfo};
pub use graph::Graph;
pub use histogram::{BinEstimate, Histogram};
pub use index::Index;
pub use indexing::Bounds;
pub use io::{npz_names, save_npz, Table, TextFormat};
pub use iterative::{
    solve_bicgstab, solve_cg, solve_cgs, solve_gmres, solve_lgmres, solve_minres, solve_tfqmr, SolveCallback,
    SolveInfo, SolveOptions,
};
pub use joining::{concatenate, concatenate_dyn, stack, stack_dyn, Pad};
pub use kernel::{Extent, IntoDim3, Kernel, Launch, Module, ModuleOptions};
pub use least_squares::{solve_lsmr, solve_lsqr, solve_lsqr_with_var, LsqrInfo, LsqrOptions};
pub use library::Library;
pub use limits::Limit;
pub use linalg::{LeastSquares, LuFactors, MatrixNorm, MatrixOp, Triangle};
pub use linear_operator::{LinearOperator, ToOperator};
pub use log::{end_log, set_log, LogLevel};
pub use memory::{Allocator, CopyKind, ExternalAllocator, MemoryRequest, PoolClass};
pub use memory_hooks::{MemoryEvent, MemoryHook, MemoryLog, MemoryProfile};
pub use memory_kinds::Advice;
pub use numbers::{bf16, c32, c64, f16, Complex};
pub use numeric::{BitOrder, Covariance, Tolerance};
pub use operand::{DynOperand, Operand};
pub use ops::{Reduction, Same};
pub use output::{DynOutput, Output};
pub use pinned::{
    pinned_info, pinned_limit, pinned_trim, reset_pinned_allocator, set_pinned_allocator, with_pinned, Pinned,
    PinnedUse,
};
pub use polynomial::{as_series, PolynomialFit};
pub use products::{einsum, einsum_path, multi_dot, Activation, EinsumPath, Epilogue};
pub use profile::{benchmark, mark, Benchmark, BenchmarkOptions, Profiler, Range, SharedRange, Times, Trace};
pub use random::{BitGenerator, Distribution, Generator, Seed};
pub use random_vectors::{GeneratorState, NormalMethod};
pub use search::{Outside, Side};
pub use sets::{Distinct, DynDistinct, UniqueOrder};
pub use shape::{keep, Axes, IntoShape, Keep, Order, Shape};
pub use slice::{NewAxis, Position, Slice};
pub use sort::Direction;
pub use sparse::{SparseFormat, SparseMatrix};
pub use sparse_array::SparseArray;
pub use sparse_blocks::MtxSymmetry;
pub use special_matrices::{block_diag, DftScale};
pub use statistics::Quantile;
pub use stream::{Event, Stream};
pub use texture::{Address, Texels, TexelsUse, Texture, TextureOptions};
pub use ufunc::{Reduce, Ufunc};
pub use user_kernel::{ElementwiseKernel, KernelOptions, ReductionKernel, ReductionOptions};
pub use view::{with_view, Part, ViewMut};
