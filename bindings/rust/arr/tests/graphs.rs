// SPDX-License-Identifier: MIT
//! Captured work: it runs when it is launched, on the same memory, and a capture always ends.
use arr::{Array, Device, Error, ErrorKind, Result, Stream};

#[test]
fn a_time_step_many_times() -> Result<()> {
    let stream = Stream::new(Device::HOST)?;
    let mut x = Array::from_slice(&[1.0f64, 2.0, 4.0], [3])?;
    let ((graph, total), address) = (
        stream.capture(|| {
            x += 1.0;
            assert!(stream.details()?.1, "it is being captured");
            x.try_sum(..)
        })?,
        x.data()?,
    );
    assert_eq!(x.to_vec()?, [1.0, 2.0, 4.0]); // nothing has run
    graph.upload()?;
    for _ in 0..1000 {
        // SAFETY: no slice of x is borrowed.
        stream.scope(|| unsafe { graph.launch() })?;
    }
    stream.sync()?;
    assert_eq!((x.to_vec()?, total.item()?), (vec![1001.0, 1002.0, 1004.0], 3007.0));
    assert_eq!(x.data()?, address);
    x.copy_from_slice(&[0.0, 0.0, 0.5])?; // in place, so the graph reads it
                                          // SAFETY: as above.
    unsafe { graph.launch()? };
    assert_eq!(total.item()?, 3.5);
    Ok(())
}

#[test]
fn updated_and_written() -> Result<()> {
    let stream = Stream::new(Device::HOST)?;
    let (a, b) = (Array::from_slice(&[1.0f32, 2.0], [2])?, Array::from_slice(&[10.0f32, 20.0], [2])?);
    let (mut graph, first) = stream.capture(|| Ok(&a + &b))?;
    // SAFETY: nothing is borrowed.
    unsafe { graph.launch()? };
    let second = graph.update(&stream, || Ok(&b * &b))?;
    // SAFETY: nothing is borrowed.
    unsafe { graph.launch()? };
    assert_eq!((first.to_vec()?, second.to_vec()?), (vec![11.0, 22.0], vec![100.0, 400.0]));
    let path = std::env::temp_dir().join(format!("arr-rust-{}.dot", std::process::id()));
    graph.write_dot(&path)?;
    let text = std::fs::read_to_string(&path).expect("the file is there");
    std::fs::remove_file(&path).expect("it can be removed");
    assert!(text.starts_with("digraph") && text.contains("multiply"), "{text}");
    assert_eq!(graph.native().expect_err("the host has none").kind(), ErrorKind::Unsupported);
    Ok(())
}

#[test]
fn a_capture_ends() -> Result<()> {
    let stream = Stream::new(Device::HOST)?;
    let a = Array::<f64>::ones([4])?;
    let failed = stream.capture(|| (&a + 1.0).reshape([5]));
    let error: Error = failed.map(|_| ()).expect_err("four elements are not five");
    assert_eq!(error.kind(), ErrorKind::Shape, "{error}");
    assert!(!stream.details()?.1);
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = stream.capture(|| -> Result<()> { panic!("mine") });
    }));
    assert!(panicked.is_err() && !stream.details()?.1);
    // Work that cannot be captured is an error, and so is a graph in a graph.
    let read = stream.capture(|| (&a + 1.0).to_vec()).map(|_| ()).expect_err("nothing has run");
    assert_eq!(read.kind(), ErrorKind::Argument, "{read}");
    let (mut graph, b) = stream.capture(|| Ok(&a + 1.0))?;
    // SAFETY: nothing is borrowed.
    let nested = stream.capture(|| unsafe { graph.launch() }).map(|_| ()).expect_err("a graph in a graph");
    assert_eq!(nested.kind(), ErrorKind::Unsupported, "{nested}");
    let failed = graph.update(&stream, || a.reshape([5])).map(|_| ());
    assert_eq!(failed.expect_err("the same").kind(), ErrorKind::Shape);
    // SAFETY: nothing is borrowed; the graph is as it was.
    unsafe { graph.launch()? };
    assert_eq!(b.to_vec()?, [2.0; 4]);
    stream.sync()
}
