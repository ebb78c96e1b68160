// SPDX-License-Identifier: MIT
//! Managed memory, memory and events of other processes, page-locked memory of the program, the vendor's libraries: on
//! the host and on a GPU, or on the fake CUDA that stands for one.
use arr::{
    with_pinned, Advice, Allocator, Array, CopyKind, DType, Device, DynArray, ErrorKind, Event, FftDirection, FftKind,
    FftPlan, Library, Norm, PinnedUse, Result, Stream,
};

#[test]
fn on_the_host() -> Result<()> {
    let host = Device::HOST;
    let a = host.ones::<f64>([100])?;
    assert!(a.as_dyn().is_managed()?);
    a.as_dyn().prefetch(host)?;
    a.as_dyn().advise(Advice::ReadMostly, host)?;
    let refused = |error: arr::Error, function: &str| {
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        assert!(error.text().starts_with(function), "{error}");
    };
    refused(a.as_dyn().ipc_export().unwrap_err(), "arr_ipc_export");
    // SAFETY: what is no handle opens nothing.
    let none = unsafe { DynArray::ipc_import(&[0; 64], host) }.unwrap_err();
    assert!(none.kind() == ErrorKind::Argument && none.text().starts_with("arr_ipc_import"), "{none}");
    refused(Event::new(host)?.ipc_export().unwrap_err(), "arr_ipc_export_event");
    let none = Event::ipc_import(&[0; 64], host).unwrap_err();
    assert!(none.kind() == ErrorKind::Argument && none.text().starts_with("arr_ipc_import_event"), "{none}");
    refused(Library::Cublas.function("cublasSgemm_v2", host).unwrap_err(), "arr_library_function");
    refused(Library::Driver.version(host).unwrap_err(), "arr_library_version");
    refused(Library::Cusolver.handle(host).unwrap_err(), "arr_library_handle");
    Ok(())
}

#[test]
fn pitched() -> Result<()> {
    let a = Device::HOST.zeros_pitched::<f64>([3, 5])?;
    assert_eq!((a.shape(), a.strides()), (&[3, 5][..], vec![8, 1]));
    assert_eq!(a.try_add(&Array::full([3, 5], 2.0)?)?.sum(..).item()?, 30.0);
    Ok(())
}

#[test]
fn locked() -> Result<()> {
    let mut x = vec![1.0f32; 5000];
    let what = PinnedUse { mapped: true, ..Default::default() };
    match Device::require_gpu() {
        Ok(gpu) => {
            let a = gpu.zeros::<f32>([5000])?;
            with_pinned(&mut x, what, |x| {
                let inner = with_pinned(x, PinnedUse::default(), |_| Ok(()));
                assert_eq!(inner.unwrap_err().kind(), ErrorKind::Argument); // locked already
                let (to, from) = (a.data()?.cast(), x.as_ptr().cast());
                // SAFETY: both have 5000 numbers, and the copy is waited for.
                unsafe { gpu.copy_bytes_async(to, from, 20_000, CopyKind::FromHost)? };
                gpu.sync()
            })?;
            assert_eq!(a.sum(..).item()?, 5000.0);
            // A failure and a panic end it too, or it could not be locked again.
            assert!(with_pinned(&mut x, what, |_| gpu.zeros::<f32>([1])?.reshape([7])).is_err());
            let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                with_pinned(&mut x, what, |_| -> Result<()> { panic!("on its way") })
            }));
            assert!(panic.is_err());
            with_pinned(&mut x, what, |_| Ok(()))?;
        }
        Err(_) => {
            let error = with_pinned(&mut x, what, |_| -> Result<()> { panic!("not called") }).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
        }
    }
    Ok(())
}

#[test]
fn on_a_gpu() -> Result<()> {
    let gpu = match Device::require_gpu() {
        Ok(gpu) => gpu,
        Err(why) => {
            println!("not tested: {why}");
            return Ok(());
        }
    };
    let a = gpu.ones::<f64>([100])?;
    assert!(!a.as_dyn().is_managed()?);
    assert_eq!(a.as_dyn().prefetch(gpu).unwrap_err().kind(), ErrorKind::Argument);
    let handle = a.as_dyn().ipc_export()?;
    assert!(!handle.is_empty());
    // SAFETY: of this test's own arrays, which are only read.
    unsafe {
        match DynArray::ipc_import(&handle, gpu) {
            Ok(same) => assert_eq!(same.typed::<f64>()?.sum(..).item()?, 100.0), // the fake opens a process's own
            Err(own) => assert_eq!(own.kind(), ErrorKind::Argument, "{own}"),
        }
        assert_eq!(DynArray::ipc_import(&handle[1..], gpu).unwrap_err().kind(), ErrorKind::Argument);
        assert_eq!(DynArray::ipc_import(&handle, Device::HOST).unwrap_err().kind(), ErrorKind::Unsupported);
    }

    gpu.set_allocator(Allocator::Managed)?;
    let managed = gpu.ones::<f64>([100]);
    gpu.set_allocator(Allocator::Pool)?;
    let managed = managed?;
    assert!(managed.as_dyn().is_managed()?);
    managed.as_dyn().advise(Advice::Prefer, gpu)?;
    managed.as_dyn().prefetch(Device::HOST)?;
    assert_eq!(managed.sum(..).item()?, 100.0);

    let event = Event::shared(gpu)?;
    event.record(&Stream::new(gpu)?)?;
    match Event::ipc_import(&event.ipc_export()?, gpu) {
        Ok(same) => same.sync()?,
        Err(own) => assert_eq!(own.kind(), ErrorKind::Argument, "{own}"),
    }
    assert_eq!(Event::new(gpu)?.ipc_export().unwrap_err().kind(), ErrorKind::Argument); // not made to be shared

    assert!(Library::Driver.version(gpu)?.0 >= 12);
    assert!(!Library::Driver.function("cuInit", gpu)?.is_null());
    assert_eq!(Library::Driver.function("cuNothing", gpu).unwrap_err().kind(), ErrorKind::Argument);
    let stream = Stream::new(gpu)?;
    let handle = stream.scope(|| Library::Cublas.handle(gpu))?;
    assert!(!handle.is_null() && handle == stream.scope(|| Library::Cublas.handle(gpu))?);
    assert_eq!(Library::Cufft.handle(gpu).unwrap_err().kind(), ErrorKind::Unsupported);

    let plan = FftPlan::new(FftKind::R2C, DType::FLOAT32, [4, 10], &[-1], gpu)?;
    let x = gpu.ones::<f32>([4, 10])?;
    let spectrum = plan.execute(x.as_dyn(), FftDirection::Forward, Norm::Backward)?;
    assert_eq!((spectrum.shape(), spectrum.device()), (&[4, 6][..], gpu));
    let elsewhere = Array::<f32>::ones([4, 10])?;
    let error = plan.execute(elsewhere.as_dyn(), FftDirection::Forward, Norm::Backward).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument, "{error}");
    Ok(())
}
