// SPDX-License-Identifier: MIT
//! Mistakes are typed errors with the library's text and the caller's line, and leave everything usable.
use std::panic::{catch_unwind, AssertUnwindSafe};

use arr::{Array, DynArray, ErrorKind, Result};

#[test]
fn shape_and_type() -> Result<()> {
    let (a, b) = (Array::<f64>::ones([3, 4])?, Array::<f64>::ones([5, 4])?);
    let line = line!() + 1;
    let error = a.try_add(&b).expect_err("the shapes do not broadcast");
    assert_eq!(error.kind(), ErrorKind::Shape);
    assert!(
        error.text().starts_with("arr_add: argument ")
            && error.text().contains("(3,4)")
            && error.text().contains("(5,4)"),
        "{error}"
    );
    assert_eq!((error.location().file(), error.location().line()), (file!(), line));
    assert_eq!(format!("{error:?}"), format!("Shape at {}: {error}", error.location()));
    assert_eq!(a.as_dyn().try_invert().unwrap_err().kind(), ErrorKind::DType);
    let flags = Array::<bool>::ones([2])?.into_dyn();
    assert_eq!(flags.try_subtract(&flags).unwrap_err().kind(), ErrorKind::DType);
    assert_eq!(Array::from_slice(&[1, 2, 3], [2, 2]).unwrap_err().kind(), ErrorKind::Shape);
    assert_eq!(Array::from_vec(vec![1u8], [usize::MAX, 2]).unwrap_err().kind(), ErrorKind::Shape);
    assert_eq!(Array::<u8>::zeros([usize::MAX]).unwrap_err().kind(), ErrorKind::Shape);
    assert_eq!(a.sum(..).item()?, 12.0);
    Ok(())
}

#[test]
fn operators_panic_where_they_stand() -> Result<()> {
    let (a, b) = (Array::<f64>::ones([3])?, Array::<f64>::ones([4])?);
    let location = std::sync::Arc::new(std::sync::Mutex::new(None));
    let seen = location.clone();
    let (hook, thread) = (std::panic::take_hook(), std::thread::current().id());
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == thread {
            // The hook sees the panics of other tests too.
            *seen.lock().unwrap() = info.location().map(|l| (l.file().to_owned(), l.line()));
        }
    }));
    let line = line!() + 1;
    let caught = catch_unwind(AssertUnwindSafe(|| &a + &b));
    std::panic::set_hook(hook);
    let text = caught.expect_err("the shapes do not broadcast");
    let text = text.downcast_ref::<String>().expect("the panic has a text");
    assert!(text.contains("does not broadcast"), "{text}");
    assert_eq!(location.lock().unwrap().clone(), Some((file!().to_owned(), line)));
    assert_eq!((&a + 1.0).to_vec()?, [2.0; 3]);
    Ok(())
}

#[test]
fn use_after_free() -> Result<()> {
    let a = Array::<f64>::ones([3])?;
    let handle = a.as_raw();
    drop(a);
    // SAFETY: the handle is only asked for errors; whatever its bits are, the library checks them.
    let stale = unsafe { DynArray::from_raw(handle) };
    assert_eq!(stale.data().unwrap_err().kind(), ErrorKind::Handle);
    assert!(std::panic::catch_unwind(|| stale.shape().len()).is_err(), "properties of no array");
    assert_eq!(stale.try_add(1.0).unwrap_err().kind(), ErrorKind::Handle);
    assert_eq!(stale.try_clone().unwrap_err().kind(), ErrorKind::Handle);
    assert!(format!("{stale:?} {stale}").contains("handle"), "{stale:?} {stale}");
    drop(stale); // releasing it again is an error that Drop passes over
    for bits in [0usize, 1, usize::MAX] {
        // SAFETY: as above.
        let nonsense = unsafe { DynArray::from_raw(arr_sys::arr_array(bits as *mut _)) };
        assert_eq!(nonsense.sum_of_nothing().kind(), ErrorKind::Handle);
    }
    assert_eq!(Array::<f64>::ones([3])?.sum(..).item()?, 3.0);
    Ok(())
}

trait Nothing {
    fn sum_of_nothing(&self) -> arr::Error;
}

impl Nothing for DynArray {
    fn sum_of_nothing(&self) -> arr::Error {
        self.try_sum(..).expect_err("the handle names nothing")
    }
}
