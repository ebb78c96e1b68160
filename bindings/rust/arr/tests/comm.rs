// SPDX-License-Identifier: MIT
//! Communicators: each rank is a thread.
use arr::{array, Array, Comm, CommInfo, Device, ErrorKind, HaloAxis, Order, Reduction, Result, SparseMatrix};

/// Runs `work` on a thread for each rank.
fn on_ranks(size: usize, work: impl Fn(&Comm, CommInfo) -> Result<()> + Sync) -> Result<()> {
    let ranks = Comm::local(size, Device::HOST)?;
    std::thread::scope(|s| {
        let threads: Vec<_> = ranks.iter().map(|c| s.spawn(|| work(c, c.info()?))).collect();
        threads.into_iter().try_for_each(|t| t.join().expect("no panic"))
    })
}

#[test]
fn collectives() -> Result<()> {
    on_ranks(3, |c, info| {
        let r = f64::from(info.rank);
        let mine = array![r, 2.0 * r];
        assert_eq!(c.all_reduce(&mine, Reduction::SUM)?, array![3.0, 6.0]);
        let (mut all, mut part) = (Array::<f64>::zeros(6)?, Array::<f64>::zeros(2)?);
        c.all_gather(&mut all, &mine, 0, &[])?;
        assert_eq!(all, array![0.0, 0.0, 1.0, 2.0, 2.0, 4.0]);
        c.reduce_scatter(&mut part, &all, 0, &[2, 2, 2], Reduction::MAX)?;
        assert_eq!(part, mine);
        let whole = if info.rank == 0 { Some(&all) } else { None };
        c.scatter(&mut part, whole, 0, &[], 0)?;
        assert_eq!(part, mine);
        let mut joined = Array::<f64>::zeros(6)?;
        c.gather(if info.rank == 1 { Some(&mut joined) } else { None }, &mine, 0, &[], 1)?;
        assert!(info.rank != 1 || joined == all);
        c.reduce(if info.rank == 2 { Some(&mut part) } else { None }, &mine, Reduction::SUM, 2)?;
        assert!(info.rank != 2 || part == array![3.0, 6.0]);
        let mut first = array![r];
        c.broadcast(&mut first, 2)?;
        assert_eq!(first, array![2.0]);
        let mut turned = Array::<f64>::zeros(3)?;
        c.all_to_all(&mut turned, &array![10.0 * r, 10.0 * r + 1.0, 10.0 * r + 2.0], 0, &[])?;
        assert_eq!(turned, array![r, 10.0 + r, 20.0 + r]);
        c.barrier()
    })
}

#[test]
fn messages_and_groups() -> Result<()> {
    on_ranks(2, |c, info| {
        let other = 1 - info.rank;
        let (mine, mut got) = (Array::from_slice(&[f64::from(info.rank); 4], [4])?, Array::<f64>::zeros(4)?);
        c.send_recv(&mut got, &mine, Some(other), Some(other))?;
        assert_eq!(got, Array::from_slice(&[f64::from(other); 4], [4])?);
        let mut halo = mine.clone();
        let divided = [HaloAxis { axis: 0, ranks: 2, width: 1, periodic: true }];
        let work = c.group(
            |g| {
                g.recv(&mut got, other)?;
                g.send(&mine, other)?;
                g.exchange_halo(&mut halo, &divided)
            },
            || info.rank * 7,
        )?;
        assert_eq!(work, 7 * info.rank);
        let (a, b) = (f64::from(info.rank), f64::from(other));
        assert_eq!(halo, array![b, a, a, b]);
        assert_eq!(c.split(info.rank, 0)?.info()?.size, 1);
        assert_eq!(c.duplicate()?.info()?.rank, info.rank);
        Ok(())
    })
}

#[test]
fn sparse() -> Result<()> {
    on_ranks(2, |c, info| {
        let own = SparseMatrix::<f64>::eye((2, 2), info.rank.into(), Device::HOST)?;
        let sum = c.sparse_reduce(&own, Reduction::SUM, None)?.expect("all ranks have it");
        assert_eq!(sum.to_dense(Order::C)?, array![[1.0, 1.0], [0.0, 1.0]]);
        assert_eq!(c.sparse_reduce(&own, Reduction::SUM, Some(1))?.is_some(), info.rank == 1);
        let first = c.sparse_broadcast(if info.rank == 0 { Some(&own) } else { None }, 0)?;
        assert_eq!(first.to_dense(Order::C)?, array![[1.0, 0.0], [0.0, 1.0]]);
        let all = c.sparse_all_to_all(&[Some(&own), None])?;
        assert_eq!(all.iter().flatten().count(), if info.rank == 0 { 2 } else { 0 });
        Ok(())
    })
}

/// Two ranks of GPUs, whose id comes by a file, or by TCP.
#[test]
fn nccl() -> Result<()> {
    if Device::cuda_count()? < 2 {
        eprintln!("skipped: fewer than two GPUs");
        return Ok(());
    }
    let path = std::env::temp_dir().join(format!("arr-comm-{}", std::process::id()));
    let address = format!("127.0.0.1:{}", 20000 + std::process::id() % 30000);
    on_ranks(2, |host, info| {
        let gpu = Device::cuda(info.rank);
        let mine = gpu.full([3], f64::from(info.rank + 1))?;
        let by_file = Comm::nccl_id_file(2, info.rank, &path, 60.0)?;
        let by_tcp = Comm::nccl_id_tcp(2, info.rank, &address, "a secret of this test", 60.0)?;
        for c in
            [Comm::nccl(2, info.rank, &by_file, gpu)?, Comm::nccl(2, info.rank, &by_tcp, gpu)?, host.nccl_with(gpu)?]
        {
            assert_eq!(c.all_reduce(&mine, Reduction::SUM)?.to_vec()?, vec![3.0; 3]);
        }
        Ok(())
    })?;
    assert_ne!(Comm::nccl_id()?, Comm::nccl_id()?);
    let error = Comm::nccl_id_tcp(2, 0, "127.0.0.1:1", "short", 1.0).expect_err("a short token");
    assert_eq!(error.kind(), ErrorKind::Argument);
    Ok(())
}

#[test]
fn failures() -> Result<()> {
    let ranks = Comm::local(2, Device::HOST)?;
    ranks[0].set_timeout(0.05)?;
    let error = ranks[0].barrier().expect_err("no other rank comes");
    assert_eq!(error.kind(), ErrorKind::Lost);
    assert!(error.to_string().contains("rank 0 of 2 waited 0.05 s in arr_comm_barrier for rank 1"), "{error}");
    assert!(ranks[1].info()?.failed);
    assert_eq!(ranks[0].shrink(&[1])?.info()?.size, 1);
    let c = &Comm::local(1, Device::HOST)?[0];
    let a = array![1.0];
    let failed = c.group(|g| g.send(&a, 5), || ());
    assert_eq!(failed.expect_err("no such rank").kind(), ErrorKind::Argument);
    c.barrier() // the group has ended
}
