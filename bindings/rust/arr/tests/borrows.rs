// SPDX-License-Identifier: MIT
//! Borrowed memory stays unchanged: slices of arrays, slices that are lent, arrays that share their memory. A second
//! run has streams that are late (ARR_HOST_ASYNC=1).
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use arr::{with_view, Array, Device, ErrorKind, Fuse, Reduce, Reduction, Result, Stream, Ufunc};

/// Enough that a separate stream is behind with it.
fn busy() -> Result<Array<f64>> {
    let a = Array::<f64>::ones([700, 700])?;
    a.matmul(&a)?.matmul(&a)
}

#[test]
fn a_slice_waits_for_work_in_other_streams() -> Result<()> {
    let stream = Stream::new(Device::HOST)?;
    let mut a = Array::<f64>::zeros([1000])?;
    let _late = stream.scope(|| -> Result<_> {
        let late = busy()?;
        a.fill(5.0)?;
        Ok(late)
    })?;
    let seen = a.as_slice()?.to_vec();
    stream.sync()?;
    assert_eq!((seen, a.as_slice()?[999]), (vec![5.0; 1000], 5.0));

    // A write comes after the readers of the memory: here by another handle, which is gone.
    let (mut b, mut sum) = (Array::<f64>::ones([1000])?, Array::<f64>::zeros([1000])?);
    let _late = stream.scope(|| -> Result<_> {
        let late = busy()?;
        sum += &b.clone();
        Ok(late)
    })?;
    assert!(!b.is_shared());
    b.as_mut_slice()?.fill(100.0);
    assert_eq!(sum.to_vec()?, [1.0; 1000]);
    let mut c = Array::<f64>::full([4_000_000], 3.0)?;
    c.as_mut_slice()?.fill(1.0);
    assert_eq!(c.at([-1])?, 1.0, "what is enqueued does not overwrite it");
    Ok(())
}

#[test]
fn a_slice_waits_for_what_a_scope_has_recorded() -> Result<()> {
    let scope = Fuse::small()?;
    let (mut a, b) = (Array::<f64>::ones([1000])?, Array::<f64>::ones([1000])?);
    let sum = &a + &b;
    a.as_mut_slice()?.fill(100.0);
    let product = &a * &b;
    assert_eq!((sum.as_slice()?[999], product.as_slice()?[0]), (2.0, 100.0));
    // Recorded by another thread, whose scope is open still.
    let other = a.clone();
    let (send, receive) = std::sync::mpsc::channel();
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let thread = std::thread::spawn(move || -> Result<()> {
        let scope = Fuse::small()?;
        let r = &other + 1.0;
        drop(other);
        send.send(r).expect("it is waited for");
        let _ = wait.recv();
        scope.end()
    });
    let r = receive.recv().expect("it is sent");
    a.as_mut_slice()?.fill(-1.0);
    assert_eq!(r.to_vec()?, [101.0; 1000]);
    drop(go);
    thread.join().expect("no panic")?;
    scope.end()
}

#[test]
fn a_lent_slice_is_back_when_the_closure_ends() -> Result<()> {
    let stream = Stream::new(Device::HOST)?;
    let mut numbers = vec![1.0f64; 100_000];
    let copy = stream.scope(|| -> Result<_> {
        with_view(&mut numbers, [100_000], |view| {
            let _late = busy()?;
            *view += 1.0;
            view.to_array()
        })
    })?;
    assert_eq!(numbers, [2.0; 100_000], "all work has run");
    numbers.fill(777.0);
    assert_eq!((copy.at([-1])?, copy.is_shared()), (2.0, false), "a result has its own memory");

    // Nor does what was recorded, or is enqueued elsewhere, read it later.
    let (scope, zeros) = (Fuse::small()?, Array::<f64>::zeros([100_000])?);
    let sum = with_view(&mut numbers, [100_000], |view| stream.scope(|| zeros.try_add(&*view)))?;
    numbers.fill(-1.0);
    scope.end()?;
    assert_eq!((sum.at([0])?, sum.at([-1])?), (777.0, 777.0));
    Ok(())
}

#[test]
fn a_lent_slice_is_back_after_a_failure() -> Result<()> {
    let stream = Stream::new(Device::HOST)?;
    let mut numbers = vec![1.0f64; 1000];
    let failed = with_view(&mut numbers, [1000], |view| Array::<f64>::ones([7])?.try_add(&*view));
    assert_eq!(failed.expect_err("7 is not 1000").kind(), ErrorKind::Shape);
    let wrong = with_view(&mut numbers, [999], |_| Ok(()));
    assert_eq!(wrong.expect_err("there are 1000").kind(), ErrorKind::Shape);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let _ = stream.scope(|| {
            with_view(&mut numbers, [1000], |view| -> Result<()> {
                let _late = busy()?;
                view.fill(3.0)?;
                panic!("mine")
            })
        });
    }));
    assert!(panicked.is_err());
    assert_eq!(numbers, [3.0; 1000]);
    with_view::<f32, _>(&mut [], [0, 3], |view| view.fill(1.0))
}

#[test]
fn a_graph_cannot_keep_a_lent_slice() -> Result<()> {
    let stream = Stream::new(Device::HOST)?;
    let a = Array::<f64>::zeros([1000])?;
    let mut numbers = vec![1.0f64; 1000];
    // Within a capture: the capture fails, and ends.
    let captured = stream.capture(|| with_view(&mut numbers, [1000], |view| a.try_add(&*view)));
    let error = captured.map(|_| ()).expect_err("the graph would keep the slice");
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    assert!(!stream.details()?.1);
    // Around one: fine where the graph is gone, an error where it is not.
    let sum = with_view(&mut numbers, [1000], |view| {
        let (graph, sum) = stream.capture(|| a.try_add(&*view))?;
        // SAFETY: nothing else is borrowed.
        unsafe { graph.launch()? };
        drop(graph);
        Ok(sum)
    })?;
    assert_eq!(sum.to_vec()?, [1.0; 1000]);
    let mut kept = None;
    let error = with_view(&mut numbers, [1000], |view| {
        kept = Some(stream.capture(|| a.try_add(&*view))?);
        Ok(())
    });
    assert_eq!(error.expect_err("the graph is kept").kind(), ErrorKind::Unsupported);
    drop(kept);
    assert_eq!(numbers, [1.0; 1000]);
    Ok(())
}

#[test]
fn results_of_a_capture_have_no_values_before_a_launch() -> Result<()> {
    let stream = Stream::new(Device::HOST)?;
    drop(Array::<f64>::full([1000], 777.0)?); // so that its memory is used again
    let x = Array::<f64>::full([1000], 4.0)?;
    let refused = |what: &str, r: Result<()>| {
        let error = r.expect_err(what);
        assert_eq!(error.kind(), ErrorKind::Argument, "{what}: {error}");
        assert!(error.text().contains("captured"), "{what}: {error}");
    };
    let every_use = |r: &mut Array<f64>| -> Result<()> {
        refused("as_slice", r.as_slice().map(|_| ()));
        refused("at", r.at([500]).map(|_| ()));
        refused("to_vec", r.to_vec().map(|_| ()));
        refused("format", r.format(3).map(|_| ()));
        refused("sync", r.sync());
        refused("to_dlpack", r.to_dlpack().map(|_| ()));
        refused("an operation", r.try_sqrt().map(|_| ()));
        refused("a reduction", r.try_sum(..).map(|_| ()));
        refused("a product", r.dot(&x).map(|_| ()));
        refused("a copy", r.copy(arr::Order::C).map(|_| ()));
        refused("a view", r.flip(&[])?.to_vec().map(|_| ()));
        refused("fill", r.fill(1.0));
        refused("as_mut_slice", r.as_mut_slice().map(|_| ()));
        let scope = Fuse::small()?;
        let later = r.try_sqrt();
        refused("a recorded operation", later.and_then(|l| l.to_vec()).map(|_| ()));
        let _ = scope.end();
        Ok(())
    };
    let usual = Stream::new(Device::HOST)?;
    let (graph, mut r) = stream.capture(|| {
        let mut r = x.try_sqrt()?;
        usual.scope(|| every_use(&mut r))?;
        Ok(r)
    })?;
    every_use(&mut r)?;
    assert_eq!(x.to_vec()?, [4.0; 1000], "earlier results can be read");
    // SAFETY: nothing is borrowed.
    unsafe { graph.launch()? };
    assert_eq!(r.as_slice()?, [2.0; 1000]);
    r.as_mut_slice()?[0] = 1.0;
    assert_eq!(r.at([0])?, 1.0);

    let (graph, mut r) = stream.capture(|| x.try_sqrt())?;
    drop(graph);
    every_use(&mut r)?;
    // Two graphs in order, and a scope in a capture.
    let (first, r) = stream.capture(|| x.try_sqrt())?;
    let (second, q) = stream.capture(|| {
        let scope = Fuse::small()?;
        let q = &r + &r * 2.0;
        scope.end()?;
        Ok(q)
    })?;
    // SAFETY: nothing is borrowed.
    unsafe { first.launch().and_then(|()| second.launch())? };
    assert_eq!((r.to_vec()?, q.to_vec()?), (vec![2.0; 1000], vec![6.0; 1000]));
    Ok(())
}

/// A clone keeps its elements, and so does a slice of it.
fn apart(what: &str, a: Array<f64>, write: impl FnOnce(&mut Array<f64>) -> Result<()>) -> Result<()> {
    let (clone, mut a) = (a.clone(), a);
    let slice = clone.as_slice()?;
    let before = slice.to_vec();
    write(&mut a).unwrap_or_else(|error| panic!("{what}: {error}"));
    a.sync()?;
    assert_ne!(a.to_vec()?, before, "{what} writes");
    assert_eq!(slice, before, "{what} writes to an array that shares its memory");
    Ok(())
}

/// The same of an array whose type is found out at run time.
fn apart_dyn(what: &str, write: impl FnOnce(&mut arr::DynArray) -> Result<()>) -> Result<()> {
    let clone = Array::<f64>::full([3, 3], 9.0)?;
    let slice = clone.as_slice()?;
    let mut d = clone.as_dyn().clone();
    write(&mut d).unwrap_or_else(|error| panic!("{what}: {error}"));
    d.sync()?;
    assert_ne!(d.typed::<f64>()?.to_vec()?, [9.0; 9], "{what} writes");
    assert_eq!(slice, [9.0; 9], "{what} writes to an array that shares its memory");
    Ok(())
}

#[test]
fn nothing_writes_to_shared_memory() -> Result<()> {
    let a = || Array::from_slice(&[0.25f64, 0.5, 0.125, 0.75, 0.0625, 0.375, 0.875, 0.625, 0.3], [3, 3]);
    let b = Array::<f64>::full([3, 3], 0.5)?;
    let g = arr::Generator::new(7)?;
    macro_rules! writes {
        ($($call:expr;)*) => {$( apart(stringify!($call), a()?, $call)?; )*};
    }
    writes! {
        |a| a.fill(3.0);
        |a| a.assign(&b);
        |a| a.copy_from_slice(&[1.0; 9]);
        |a| a.as_mut_slice().map(|s| s[4] = 5.0);
        |a| a.slice_mut(arr::s![0])?.fill(8.0);
        |a| a.sqrt_assign();
        |a| b.exp_into(a);
        |a| b.add_into(&b, a);
        |a| b.matmul_into(&b, a);
        |a| b.cumsum_into(0, a);
        |a| { *a += 1.0; Ok(()) };
        |a| { *a *= &b; Ok(()) };
        |a| Ufunc::find("add")?.at(a, &[Array::from_slice(&[0i64], [1])?.as_dyn()], 1.0);
        |a| g.shuffle(a, 0);
        |a| g.fill_random(a);
        |a| g.fill_uniform(a, 2.0, 3.0);
        |a| g.fill_standard_normal(a);
        |a| g.fill_normal(a, 0.0, 1.0);
        |a| g.fill_lognormal(a, 0.0, 1.0);
        |a| g.fill_exponential(a, 1.0);
        |a| g.fill_gamma(a, 2.0, 1.0);
        |a| g.fill_beta(a, 2.0, 2.0);
        |a| g.fill_poisson(a, 30.0);
        |a| g.fill_binomial(a, 30.0, 0.5);
        |a| g.fill_wald(a, 1.0, 1.0);
        |a| g.fill_triangular(a, 0.0, 1.0, 2.0);
        |a| arr::Expr::new(|[x]| x + 1.0)?.run_into([&b], a);
    }
    let (d, rows) = (b.as_dyn(), Array::<f64>::from_slice(&[1.0, 2.0, 3.0], [3])?);
    apart("sum_into", rows.clone(), |a| b.sum_into(0, a))?;
    apart("var_into", rows, |a| b.var_into(0, 0.0, a))?;
    apart_dyn("round_into", |out| d.round_into(0, out))?;
    apart_dyn("nan_to_num_into", |out| d.nan_to_num_into(0.0, None, None, out))?;
    apart_dyn("gemm_into", |out| d.gemm_into(d, arr::Epilogue::default(), out))?;
    apart_dyn("accumulate_into", |out| Ufunc::find("add")?.accumulate_into(d, 0, out))?;
    apart_dyn("reduceat_into", |out| Ufunc::find("add")?.reduceat_into(d, &[0, 1, 2], 0, out))
}

/// Whatever shares memory with an array says so, or a write to it would be seen.
#[test]
fn what_shares_memory_says_so() -> Result<()> {
    let a = Array::from_vec((0..16).map(f64::from).collect(), [4, 4])?.into_dyn();
    let v = Array::from_vec((1..17).map(f64::from).collect(), [16])?.into_dyn();
    let one = Array::<f64>::ones([1])?.into_dyn();
    let check = |name: &str, a: &arr::DynArray, r: arr::DynArray| -> Result<()> {
        let (first, bytes) = (a.data()? as usize, a.size() * 8);
        let inside = (first..first + bytes).contains(&(r.data()? as usize));
        assert_eq!(r.is_shared(), inside, "{name}");
        Ok(())
    };
    macro_rules! share {
        ($x:ident: $($e:expr;)*) => {$( check(stringify!($e), &$x, $e.map(Into::into)?)?; )*};
    }
    use arr::{keep, s, DType, Device, Order};
    share! { a:
        a.to_device(Device::HOST); a.copy(Order::K); a.copy(Order::C); a.astype(DType::FLOAT64); a.contiguous(Order::C);
        a.contiguous(Order::F); a.reshape_as(&[16], Order::C); a.reshape_as(&[16], Order::F); a.try_real(); a.try_conjugate();
        a.try_absolute(); a.try_sum(&[][..]); a.try_sum(keep([])); a.try_positive(); a.matrix_power(1); a.tril(5); a.triu(-5);
        a.trace(); a.fftshift(&[]); a.diagonal(0); a.permute(&[]); a.squeeze(&[]); a.expand_dims(&[0]); a.flip(&[]);
        a.broadcast_to(&[4, 4]); a.broadcast_to(&[2, 4, 4]); a.slice(s![1..]); a.slice(s![2, 1]); a.try_cumsum(0);
        a.try_clone(); a.try_rint(); a.try_floor(); arr::einsum("ij->ji", &[&a]); arr::einsum("ii->i", &[&a]);
        arr::einsum("ij->ij", &[&a]); arr::multi_dot(&[&a, &a]); arr::block_diag(&[&a]);
        a.reduce(Reduction::SUM, &[][..], Reduce::new());
    }
    share! { v:
        v.contiguous(Order::C); v.reshape_as(&[4, -1], Order::C); v.reshape_as(&[4, -1], Order::F); v.polypow(1);
        v.polyder(0); v.trimseq(); arr::as_series(&[&v], false).map(|mut x| x.remove(0));
    }
    share! { one: one.try_sum(..); one.reshape_as(&[], Order::C); one.squeeze(&[]); }
    Ok(())
}

#[test]
fn threads_that_let_go_have_finished_with_the_memory() -> Result<()> {
    for round in 0..200 {
        let mut a = Array::<f64>::full([64], f64::from(round))?;
        let clone = a.clone();
        let thread = std::thread::spawn(move || -> Result<f64> {
            let sum = clone.sum(..).item()?;
            drop(clone);
            Ok(sum)
        });
        a.as_mut_slice()?.fill(-1.0); // in place or in a copy
        assert_eq!(thread.join().expect("no panic")?, 64.0 * f64::from(round));
        assert_eq!(a.to_vec()?, [-1.0; 64]);
    }
    Ok(())
}

/// Panics when it is dropped, and what it panics with does so too.
struct Bad(Arc<AtomicBool>);
struct Worse;

impl Drop for Bad {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
        std::panic::panic_any(Worse);
    }
}

impl Drop for Worse {
    fn drop(&mut self) {
        panic!("as the panic is dropped");
    }
}

#[test]
fn an_owner_may_panic() -> Result<()> {
    let dropped = Arc::new(AtomicBool::new(false));
    let mut numbers = vec![1.0f64; 4];
    // SAFETY: the vector lives until the array is gone.
    let a =
        unsafe { Array::from_raw_parts(numbers.as_mut_ptr(), &[4], &[1], Device::HOST, Bad(Arc::clone(&dropped)))? };
    assert_eq!(a.to_vec()?, numbers);
    drop(a);
    assert!(dropped.load(Ordering::Acquire));
    Ok(())
}
