//! How far strides of bytes lead: the one rule for arrays of other libraries.

/// Returns how many bytes the elements of an array take before the element at the origin, and how
/// many from its first byte on. An element has `width` bytes, and a stride counts bytes.
///
/// The strides may be any, also those with which elements overlap; a
/// [`StridedLayout`](crate::StridedLayout) has no such elements. Strides of dimensions of size 1
/// are not looked at. An array without elements takes no bytes.
///
/// If the answer is `Some`, the offset of every element from the origin fits into an `isize`, and
/// so does every sum of the steps of some dimensions.
///
/// ```
/// use xlayout_core::strided_reach;
/// assert_eq!(strided_reach(&[2, 3], &[-12, 4], 4), Some((12, 12)));
/// assert_eq!(strided_reach(&[2, 3], &[0, 4], 4), Some((0, 12)));
/// assert_eq!(strided_reach(&[2, 3], &[isize::MAX, 4], 4), None);
/// ```
///
/// `None` if one of the two numbers does not fit into an `isize`.
#[must_use]
pub fn strided_reach(sizes: &[usize], strides: &[isize], width: usize) -> Option<(usize, usize)> {
    if sizes.contains(&0) || width == 0 {
        return Some((0, 0));
    }
    let mut before = 0_usize;
    let mut behind = width;
    for (&size, &stride) in sizes.iter().zip(strides) {
        if size == 1 {
            continue;
        }
        let distance = (size - 1).checked_mul(stride.unsigned_abs())?;
        let side = if stride < 0 { &mut before } else { &mut behind };
        *side = side.checked_add(distance)?;
    }
    let fits = |bytes: usize| isize::try_from(bytes).is_ok();
    (fits(before) && fits(behind)).then_some((before, behind))
}
