//! Sources at any strides of bytes, as numpy and DLPack give them.

use xlayout_core::{ElementType, strided_reach};

use crate::error::{End, RelayoutError};
use crate::refine::Digit;
use crate::side::{Side, same_count};

/// Returns the side of an array at strides.
pub(crate) fn side(
    sizes: &[usize],
    strides: &[isize],
    offset: usize,
    element_type: ElementType,
) -> Result<Side, RelayoutError> {
    same_count(sizes.len(), strides.len())?;
    let Some(width) = element_type.bytes() else {
        unreachable!("it is the type of the destination's elements, which have bytes");
    };
    let width = width as usize;
    // The owner of the memory between the elements is unknown.
    let mut side = Side::new(element_type, 8 * width, false);
    if sizes.contains(&0) {
        return Ok(side);
    }
    let reach = strided_reach(sizes, strides, width).and_then(|(before, behind)| {
        let bytes = offset.checked_add(behind)?;
        isize::try_from(bytes).ok().map(|_| (before, bytes))
    });
    let Some((before, bytes)) = reach else {
        return Err(RelayoutError::TooLarge { end: End::Source });
    };
    if before > offset {
        return Err(RelayoutError::BeforeStart {
            needed: before,
            found: offset,
        });
    }
    for (dim, (&size, &stride)) in sizes.iter().zip(strides).enumerate() {
        if size > 1 {
            side.push(Digit {
                dim,
                divisor: 1,
                size,
                stride,
                top: true,
            });
        }
    }
    // `bytes` fits into an `isize`, and `offset` is below it.
    side.base = offset as isize;
    side.bytes = bytes;
    Ok(side)
}

#[cfg(test)]
mod tests {
    use xlayout_core::{DynLayout, ElementType};

    use crate::Plan;
    use crate::piece::Share;

    /// The shares of a copy are counted without overflow if a loop ends beyond the range of
    /// `isize`.
    #[test]
    fn shares_of_far_strides() {
        let far = isize::MAX / 4;
        for (strides, offset) in [
            ([0, -1, -far], 4 * far as usize),
            ([0, 7, far], 0),
            ([far, isize::MIN, 0], 1),
        ] {
            let dst: DynLayout = "u8[5,1,5]".parse().unwrap();
            let plan =
                Plan::from_strided(&[5, 1, 5], &strides, offset, ElementType::U8, &dst).unwrap();
            for parts in [1, 2, 3, 7, 100] {
                let bytes: usize = (0..parts)
                    .map(|part| plan.bytes_of_part(Share { part, parts }))
                    .sum();
                assert_eq!(bytes, 25);
            }
        }
    }
}
