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
    let start = Instant::now();
    // The rows of small arrays, a page, and lengths that are no power of two.
    let sizes = [256, 1024, 2048, 300, 1000, 1500];
    let types = ["u8", "u16", "f32", "f64"];
    let pairs = [
        ("{1,0}", "{0,1}"),
        ("{1,0}", "{1,0:T(8,128)}"),
        ("{1,0:T(8,128)}", "{1,0}"),
    ];
    let each = types.len() * pairs.len();
    let (total, mut count) = (sizes.len() * each, 0);
    while count < total && (count == 0 || start.elapsed() < time) {
        let (size, name) = (sizes[count / each], types[count % each / pairs.len()]);
        let (from, to) = pairs[count % pairs.len()];
        let layout = |order| format!("{name}[{size},{size}]{order}").parse::<DynLayout>();
        let (Ok(from), Ok(to)) = (layout(from), layout(to)) else {
            unreachable!("the texts above are layouts");
        };
        // Time that one copy does not use goes to the next ones.
        let left = time.saturating_sub(start.elapsed()) / (total - count) as u32;
        Plan::new(&from, &to)?.measured(left)?;
        count += 1;
    }
    Ok(count)
}
