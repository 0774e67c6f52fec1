//! Kernels that fail, each in its way, and one that runs on XLA's threads.

use xlayout::layout;
use xlayout_kernel::{Code, DeviceOrdinal, Error, In, Out, Pool, Result, RunId, lines};

/// x, or a panic where one of its elements is negative.
#[xlayout_kernel::kernel]
fn panics(x: In<layout!(f32[?]{0})>, mut y: Out<layout!(f32[?]{0})>) {
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        assert!(*x >= 0.0, "{x} is negative");
        *y = *x;
    }
}

/// x, or an error where one of its elements is negative.
#[xlayout_kernel::kernel]
fn fails(x: In<layout!(f32[?]{0})>, mut y: Out<layout!(f32[?]{0})>) -> Result<()> {
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        if *x < 0.0 {
            return Err(Error::new(Code::OutOfRange, format!("{x} is negative")));
        }
        *y = *x;
    }
    Ok(())
}

/// The number that the text is, by `?`.
#[xlayout_kernel::kernel]
fn parse(s: &str, mut y: Out<layout!(f32[])>) -> Result<()> {
    y.memory_mut()[0] = s.parse()?;
    Ok(())
}

/// The sum of each row, on XLA's threads.
#[xlayout_kernel::kernel]
fn row_sums(pool: Pool<'_>, x: In<layout!(f32[?,?C]{1,0})>, mut y: Out<layout!(f32[?]{0})>) {
    let rows = lines(x.memory(), y.memory().len());
    pool.for_each(rows.zip(y.memory_mut()), |(row, y)| *y = row.iter().sum());
}

/// The same, with a panic on one of the threads where a row is negative.
#[xlayout_kernel::kernel]
fn row_sums_or_panic(
    pool: Pool<'_>,
    x: In<layout!(f32[?,?C]{1,0})>,
    mut y: Out<layout!(f32[?]{0})>,
) {
    let rows = lines(x.memory(), y.memory().len());
    pool.for_each(rows.zip(y.memory_mut()), |(row, y)| {
        *y = row.iter().sum();
        assert!(*y >= 0.0, "the sum of a row is {y}");
    });
}

/// Work on the pool, each of which gives the pool more work: 64 times 64 in all.
#[xlayout_kernel::kernel]
fn nested(pool: Pool<'_>, mut y: Out<layout!(s32[64,64]{1,0})>) {
    pool.for_each(y.memory_mut().chunks_mut(64), |row| {
        pool.for_each(row.iter_mut(), |y| *y = 1);
    });
}

/// How many threads XLA's pool has, the number of the device, and whether the run has a number.
#[xlayout_kernel::kernel]
fn context(pool: Pool<'_>, device: DeviceOrdinal, run: RunId, mut y: Out<layout!(s32[3]{0})>) {
    let threads = i32::try_from(pool.threads()).unwrap_or(i32::MAX);
    y.memory_mut()
        .copy_from_slice(&[threads, device.0, i32::from(run.0 != 0)]);
}
