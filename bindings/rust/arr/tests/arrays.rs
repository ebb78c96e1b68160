// SPDX-License-Identifier: MIT
//! Creation, memory orders, views, transfer, sharing and printing.
use arr::{c64, f16, s, with_view, Array, DType, Device, DynArray, ErrorKind, IntoShape, Order, Result};

fn counted(shape: &[usize]) -> Result<Array<f64>> {
    let n = shape.iter().product::<usize>();
    Array::from_vec((0..n).map(|x| x as f64).collect(), shape)
}

#[test]
fn creation() -> Result<()> {
    assert_eq!(Array::<i32>::zeros([2, 2])?.to_vec()?, [0; 4]);
    assert_eq!(Array::<u8>::ones([3])?.to_vec()?, [1; 3]);
    assert_eq!(Array::full([2], c64::new(1.0, -2.0))?.to_vec()?, [c64::new(1.0, -2.0); 2]);
    assert_eq!(Array::arange(1i64, 10, 3)?.to_vec()?, [1, 4, 7]);
    assert_eq!(Array::<f32>::linspace(0.0, 1.0, 5)?.to_vec()?, [0.0, 0.25, 0.5, 0.75, 1.0]);
    assert_eq!(Array::<i16>::eye(2)?.to_vec()?, [1, 0, 0, 1]);
    assert!(Array::scalar(true)?.item()?);
    assert_eq!(Array::scalar(f16::from_f32(1.5))?.item()?.to_f32(), 1.5);
    assert_eq!(counted(&[2, 2])?.zeros_like()?.to_vec()?, [0.0; 4]);
    let zeros = counted(&[2, 2])?.as_dyn().zeros_like(Some(DType::INT8), Order::F)?;
    assert_eq!(zeros.typed::<i8>()?, Array::zeros([2, 2])?);
    // SAFETY: nobody reads the elements.
    let empty = unsafe { counted(&[2, 3])?.as_dyn().empty_like(Some(DType::INT8), Order::F)? };
    assert_eq!((empty.shape(), empty.dtype(), empty.is_f_contiguous()), (&[2, 3][..], DType::INT8, true));
    Ok(())
}

#[test]
fn orders_mean_memory_and_not_indices() -> Result<()> {
    let c = Array::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    let f = Array::from_slice(&[1, 4, 2, 5, 3, 6], [2, 3].f())?;
    assert_eq!((c.strides(), f.strides()), (vec![3, 1], vec![1, 2]));
    assert!(c.is_c_contiguous() && f.is_f_contiguous() && !f.is_c_contiguous());
    assert_eq!(c.to_vec()?, f.to_vec()?);
    assert_eq!(c.to_vec_in(Order::F)?, [1, 4, 2, 5, 3, 6]);
    assert_eq!(Array::from_vec(vec![1, 4, 2, 5, 3, 6], [2, 3].f())?.to_vec()?, c.to_vec()?);
    assert_eq!(f.contiguous(Order::C)?.as_slice()?, [1, 2, 3, 4, 5, 6]);
    assert_eq!(f.at([1, -1])?, 6);
    Ok(())
}

#[test]
fn every_rank() -> Result<()> {
    for rank in 0..=15usize {
        let shape: Vec<usize> = (0..rank).map(|axis| 1 + axis % 2).collect();
        let n: usize = shape.iter().product();
        for made in [shape.clone().into_shape(), shape.clone().f()] {
            let a = Array::from_vec((0..n as i32).collect(), &made)?;
            assert_eq!((a.ndim(), a.shape(), a.size()), (rank, &shape[..], n));
            assert_eq!((&a + 1).sum(..).item()?, (n * (n + 1) / 2) as i64);
            assert_eq!(a.t()?.t()?.to_vec()?, a.to_vec()?);
        }
    }
    assert_eq!(Array::<f64>::zeros([1; 32])?.ndim(), 32);
    assert_eq!(Array::<f64>::zeros([1; 33]).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn nothing_in_an_array() -> Result<()> {
    for shape in [[0, 3], [3, 0], [0, 0]] {
        let mut a = Array::<f64>::from_vec(vec![], shape)?;
        assert_eq!((a.size(), a.to_vec()?, a.as_slice()?), (0, vec![], &[][..]));
        assert_eq!(a.as_mut_slice()?, []);
        assert_eq!((&a + 1.0).sqrt().shape(), shape);
        assert_eq!(a.sum(..).item()?, 0.0);
        assert_eq!(a.try_max(..).unwrap_err().kind(), ErrorKind::Shape);
        assert_eq!(a.t()?.shape(), [shape[1], shape[0]]);
    }
    let mut nothing: [f32; 0] = [];
    with_view(&mut nothing, [0], |view| view.fill(1.0))
}

#[test]
fn slices() -> Result<()> {
    let a = counted(&[4, 5])?;
    let (first, last) = (1usize, 3usize);
    for (view, expected) in [
        (a.slice(s![first..last, ..; 2])?, vec![5.0, 7.0, 9.0, 10.0, 12.0, 14.0]),
        (a.slice(s![0])?, vec![0.0, 1.0, 2.0, 3.0, 4.0]),
        (a.slice(s![.., -1])?, vec![4.0, 9.0, 14.0, 19.0]),
        (a.slice(s![0, ..; -1])?, vec![4.0, 3.0, 2.0, 1.0, 0.0]),
        (a.slice(s![-2.., 3..; -3])?, vec![13.0, 10.0, 18.0, 15.0]),
        (a.slice(s![..2, 1])?, vec![1.0, 6.0]),
        (a.slice(s![2, 2])?, vec![12.0]),
        (a.slice(s![3..3])?, vec![]),
        (a.flip(&[0])?.slice(s![0])?, vec![15.0, 16.0, 17.0, 18.0, 19.0]),
    ] {
        assert_eq!(view.to_vec()?, expected);
        assert_eq!((&view * 2.0).to_vec()?, expected.iter().map(|x| x * 2.0).collect::<Vec<_>>());
    }
    assert_eq!(a.slice(s![.., ..; -2])?.strides(), [5, -2]);
    assert_eq!(a.slice(s![9]).unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(a.slice(s![..; 0]).unwrap_err().kind(), ErrorKind::Argument);
    assert!(a.slice(s![.., .., ..]).is_err());
    Ok(())
}

#[test]
fn shapes() -> Result<()> {
    let a = counted(&[2, 3])?;
    assert_eq!(a.reshape([3, 2])?.at([1, 1])?, 3.0);
    assert_eq!(a.reshape([3, 2].f())?.to_vec()?, [0.0, 4.0, 3.0, 2.0, 1.0, 5.0]);
    assert_eq!(a.reshape_as(&[-1], Order::C)?.shape(), [6]);
    assert_eq!(a.expand_dims(&[0, -1])?.shape(), [1, 2, 3, 1]);
    assert_eq!(a.expand_dims(&[1])?.squeeze(&[])?.shape(), [2, 3]);
    assert_eq!(counted(&[2, 3, 4])?.permute(&[2, 0, 1])?.shape(), [4, 2, 3]);
    let row = counted(&[3])?;
    assert_eq!(row.broadcast_to(&[2, 3])?.to_vec()?, [0.0, 1.0, 2.0, 0.0, 1.0, 2.0]);
    assert_eq!(a.reshape([4]).unwrap_err().kind(), ErrorKind::Shape);
    Ok(())
}

#[test]
fn a_write_is_seen_by_its_array_alone() -> Result<()> {
    let a = counted(&[2, 3])?;
    let (mut copy, mut row) = (a.clone(), a.slice(s![0])?);
    assert!(a.is_shared() && copy.data()? == a.data()?);
    copy.fill(9.0)?;
    row += 100.0;
    assert_eq!(a.to_vec()?, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!((copy.to_vec()?, row.to_vec()?), (vec![9.0; 6], vec![100.0, 101.0, 102.0]));
    assert!(!a.is_shared() && !copy.is_shared());

    let mut alone = counted(&[4])?;
    let before = alone.data()?;
    alone += 1.0;
    alone.as_mut_slice()?[0] = 50.0;
    alone.copy_from_slice(&[1.0, 2.0, 3.0, 4.0])?;
    assert_eq!(alone.data()?, before, "its own memory is written in place");

    let mut repeated = counted(&[3])?.broadcast_to(&[2, 3])?;
    assert!(repeated.is_read_only());
    repeated.fill(1.0)?;
    assert_eq!(repeated.to_vec()?, [1.0; 6]);
    Ok(())
}

#[test]
fn parts_are_written_in_place() -> Result<()> {
    let mut a = counted(&[3, 3])?;
    let before = a.data()?;
    a.slice_mut(s![.., 1])?.fill(-1.0)?;
    a.slice_mut(s![0])?.assign(&Array::scalar(7.0)?)?;
    let mut last = a.slice_mut(s![2, ..; -1])?;
    last += 1.0;
    assert_eq!(last.to_array()?.to_vec()?, [9.0, 0.0, 7.0]);
    drop(last);
    assert_eq!(a.to_vec()?, [7.0, 7.0, 7.0, 3.0, -1.0, 5.0, 7.0, 0.0, 9.0]);
    assert_eq!(a.data()?, before);
    Ok(())
}

#[test]
fn memory_is_shared_with_the_program() -> Result<()> {
    let vector = vec![1.0f64, 2.0, 3.0, 4.0];
    let address = vector.as_ptr();
    let mut a = Array::from_vec(vector, [2, 2])?;
    assert_eq!(a.data()?.cast_const().cast(), address, "a vector is taken over without a copy");
    a.as_mut_slice()?[3] = 40.0; // written by the program ...
    assert_eq!(a.sum(..).item()?, 46.0); // ... and seen by the library
    a *= 2.0;
    assert_eq!(a.as_slice()?, [2.0, 4.0, 6.0, 80.0]); // and the other way round

    let mut numbers = [1, 2, 3, 4, 5, 6];
    let address = numbers.as_ptr();
    with_view(&mut numbers, [2, 3].f(), |view| {
        *view += 10;
        *view += &Array::from_slice(&[100, 200], [2, 1])?;
        assert_eq!(view.to_array()?.to_vec()?, [111, 113, 115, 212, 214, 216]);
        assert_eq!(Array::<i32>::zeros([2, 3])?.add(&*view).to_vec()?, [111, 113, 115, 212, 214, 216]);
        Ok(())
    })?;
    assert_eq!((numbers, numbers.as_ptr()), ([111, 212, 113, 214, 115, 216], address));

    let strided = a.slice(s![.., 0])?;
    assert_eq!(strided.as_slice().unwrap_err().kind(), ErrorKind::Unsupported);
    Ok(())
}

#[test]
fn types() -> Result<()> {
    let a: DynArray = Array::from_slice(&[1.7, -2.2], [2])?.into_dyn();
    assert_eq!(a.dtype(), DType::FLOAT64);
    assert_eq!(a.cast::<i32>()?.to_vec()?, [1, -2]);
    assert_eq!(a.try_clone()?.typed::<f32>().unwrap_err().kind(), ErrorKind::DType);
    assert_eq!(a.typed::<f64>()?.to_vec()?, [1.7, -2.2]);
    Ok(())
}

#[test]
fn files() -> Result<()> {
    let path = std::env::temp_dir().join(format!("arr_rust_{}.npy", std::process::id()));
    let a = Array::from_slice(&[1.5f32, 2.5, 3.5, 4.5, 5.5, 6.5], [2, 3].f())?;
    a.save_npy(&path)?;
    let b = Array::<f32>::load_npy(&path)?;
    assert_eq!((b.to_vec()?, b.is_f_contiguous()), (a.to_vec()?, true));
    assert_eq!(Array::<f64>::load_npy(&path).unwrap_err().kind(), ErrorKind::DType);
    assert_eq!(Device::HOST.load_npy(&path)?.dtype(), DType::FLOAT32);
    for compressed in [false, true] {
        arr::save_npz(&path, &[("x", a.as_dyn()), ("y", b.as_dyn())], compressed)?;
        assert_eq!(arr::npz_names(&path)?, ["x", "y"]);
        assert_eq!(Device::HOST.load_npz(&path, "y")?.typed::<f32>()?.to_vec()?, a.to_vec()?);
    }
    assert_eq!(Device::HOST.load_npz(&path, "z").unwrap_err().kind(), ErrorKind::Argument);
    std::fs::remove_file(&path).expect("the file is removed");
    assert_eq!(Array::<f32>::load_npy(&path).unwrap_err().kind(), ErrorKind::Io);
    Ok(())
}

#[test]
fn printing() -> Result<()> {
    let a = counted(&[2, 3])?;
    assert_eq!(a.to_string(), "[[0. 1. 2.]\n [3. 4. 5.]]");
    assert_eq!(format!("{a:?}"), "Array(float64, shape [2, 3], strides [3, 1], host)");
    let long = Array::arange(0i32, 100_000, 1)?;
    assert_eq!(long.to_string(), "[    0     1     2 ... 99997 99998 99999]");
    assert_eq!(long.format(1)?, "[    0 ... 99999]");
    Ok(())
}

/// Counts its drops.
struct Owner(std::sync::Arc<std::sync::atomic::AtomicUsize>, Vec<f64>);

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    }
}

#[test]
fn strided_memory_of_another_owner() -> Result<()> {
    let drops = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let dropped = || drops.load(std::sync::atomic::Ordering::SeqCst);
    let new = || Owner(drops.clone(), (0..12).map(f64::from).collect());
    let mut owner = new();
    let last = &mut owner.1[11] as *mut f64;
    // SAFETY: every second of the last row backwards, and of the row before: inside the owner's 12 numbers.
    let mut a = unsafe { Array::from_raw_parts(last, &[2, 3], &[-6, -2], Device::HOST, owner)? };
    assert_eq!(a.to_vec()?, [11.0, 9.0, 7.0, 5.0, 3.0, 1.0]);
    a *= 2.0;
    a.sync()?;
    // SAFETY: the owner lives, and nobody writes now.
    assert_eq!((a.data()?, unsafe { *last.sub(6) }), (last.cast(), 10.0), "written in place");
    let view = a.slice(s![1])?;
    drop(a);
    assert_eq!((dropped(), view.to_vec()?), (0, vec![10.0, 6.0, 2.0]));
    drop(view);
    assert_eq!(dropped(), 1);
    // SAFETY: as above; it is refused, and the owner dropped.
    let refused = unsafe { Array::from_raw_parts(last, &[2, 3], &[1], Device::HOST, new()) };
    assert_eq!((refused.unwrap_err().kind(), dropped()), (ErrorKind::Shape, 2));
    let null = std::ptr::null_mut::<f64>();
    // SAFETY: NULL is refused before it is used.
    let refused = unsafe { Array::from_raw_parts(null, &[2], &[1], Device::HOST, new()) };
    assert_eq!((refused.unwrap_err().kind(), dropped()), (ErrorKind::Argument, 3));
    Ok(())
}
