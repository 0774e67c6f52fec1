//! Measures common copies, so that the first copies of a program are fast.

use std::format;
use std::time::{Duration, Instant};

use xlayout_core::DynLayout;

use crate::error::RelayoutError;
use crate::plan::Plan;

/// Measures common copies for about this time, altogether: transposes of matrices and copies into tiles, of elements
/// of 1 to 8 bytes and arrays of 64 KiB to 16 MiB. Returns how many copies were measured. Two seconds are enough.
///
/// New plans begin with what was found; [`wisdom`](crate::wisdom) is its text.
///
/// ```
/// use std::time::Duration;
/// use xlayout_relayout::{calibrate, wisdom};
///
/// let copies = calibrate(Duration::from_millis(20))?;
/// assert!(wisdom().lines().count() <= 1 + 2 * copies);
/// # Ok::<(), xlayout_relayout::RelayoutError>(())
/// ```
///
/// # Errors
/// When there is no memory for the arrays: two of 16 MiB.
pub fn calibrate(time: Duration) -> Result<usize, RelayoutError> {
    let (start, mut count) = (Instant::now(), 0);
    let copies = || {
        // The rows of small arrays, a page, and lengths that are no power of two.
        let sizes = [256, 1024, 2048, 300, 1000, 1500];
        let types = ["u8", "u16", "f32", "f64"];
        let pairs = [
            ("{1,0}", "{0,1}"),
            ("{1,0}", "{1,0:T(8,128)}"),
            ("{1,0:T(8,128)}", "{1,0}"),
        ];
        sizes
            .into_iter()
            .flat_map(move |size| types.map(move |name| (size, name)))
            .flat_map(move |(size, name)| pairs.map(move |pair| (size, name, pair)))
    };
    let total = copies().count() as u32;
    for (size, name, (from, to)) in copies() {
        let layout = |order| format!("{name}[{size},{size}]{order}").parse::<DynLayout>();
        let (Ok(from), Ok(to)) = (layout(from), layout(to)) else {
            unreachable!("the texts above are layouts");
        };
        if start.elapsed() >= time && count > 0 {
            break;
        }
        // What one copy leaves over is for those after it.
        let left = time.saturating_sub(start.elapsed()) / (total - count);
        Plan::new(&from, &to)?.measured(left)?;
        count += 1;
    }
    Ok(count as usize)
}
