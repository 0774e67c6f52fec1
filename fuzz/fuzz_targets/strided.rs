//! Copies between any strides of bytes, from Rust and by the C interface: they write what loops
//! over all elements write, and nothing else, or tell the reason that the loops find.
#![no_main]

use std::ffi::CStr;
use std::ptr::null;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use xlayout_relayout::{End, RelayoutError, copy_strided, strided_extent};
use xlayout_relayout_c::{xlayout_copy_strided, xlayout_status_text};

#[derive(Arbitrary, Debug)]
struct Input {
    dims: Vec<Dim>,
    width: u8,
    /// Any number as the width, and as the first size and strides, now and then.
    any: Option<(usize, usize, isize, isize)>,
    /// How many bytes each slice is longer than it has to be; a negative number: shorter.
    more: [i8; 2],
    offset: u8,
    /// Where the destination begins in one buffer with the source.
    beside: u8,
}

#[derive(Arbitrary, Debug)]
struct Dim {
    size: u8,
    src: Stride,
    dst: Stride,
}

/// A stride of a dimension: dense, one that follows the dimensions before it in `place`, or any
/// number of elements or bytes.
#[derive(Arbitrary, Debug)]
enum Stride {
    Dense { place: u8, gap: u8, is_turned: bool },
    Elements(i8),
    Bytes(i8),
}

/// Arrays above so many bytes, with the bytes between the elements, are not copied.
const MOST: i128 = 1 << 12;

/// Returns the strides of one side.
fn strides<'a>(sizes: &[usize], width: usize, of: impl Fn(usize) -> &'a Stride) -> Vec<isize> {
    let place = |dim: &usize| match of(*dim) {
        Stride::Dense { place, .. } => *place,
        _ => 0,
    };
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(place);
    let mut strides = vec![0; sizes.len()];
    let mut span = width;
    for dim in order {
        strides[dim] = match of(dim) {
            Stride::Elements(count) => isize::from(*count) * width as isize,
            Stride::Bytes(count) => isize::from(*count),
            Stride::Dense { gap, is_turned, .. } => {
                // One gap in eight.
                let gap = if gap % 8 == 0 { gap / 8 } else { 0 };
                let stride = span + usize::from(gap);
                span += sizes[dim].saturating_sub(1) * stride;
                if *is_turned {
                    -(stride as isize)
                } else {
                    stride as isize
                }
            }
        };
    }
    strides
}

/// The bytes before the origin and from it on, of numbers that cannot overflow.
fn extent(sizes: &[usize], strides: &[isize], width: usize) -> (i128, i128) {
    if sizes.contains(&0) || width == 0 {
        return (0, 0);
    }
    let mut before = 0_i128;
    let mut behind = width as i128;
    for (&size, &stride) in sizes.iter().zip(strides) {
        let distance = (size as i128 - 1) * stride as i128;
        before = before.saturating_add((-distance).max(0));
        behind = behind.saturating_add(distance.max(0));
    }
    (before, behind)
}

/// The offset of each element from the origin, the last dimension fastest.
fn offsets(sizes: &[usize], strides: &[isize]) -> Vec<isize> {
    let mut all = vec![0];
    for (&size, &stride) in sizes.iter().zip(strides) {
        let steps = |offset: &isize| {
            let offset = *offset;
            (0..size as isize).map(move |k| offset + k * stride)
        };
        all = all.iter().flat_map(steps).collect();
    }
    all
}

fuzz_target!(|input: Input| {
    let dims = &input.dims[..input.dims.len().min(7)];
    let mut sizes: Vec<usize> = dims.iter().map(|dim| dim.size as usize % 12).collect();
    let mut width = match input.width {
        ..200 => 1 << (input.width % 6),
        other => usize::from(other - 200),
    };
    let mut from = strides(&sizes, width, |dim| &dims[dim].src);
    let mut to = strides(&sizes, width, |dim| &dims[dim].dst);
    if let Some((any_width, size, src, dst)) = input.any {
        width = any_width;
        if let Some(first) = sizes.first_mut() {
            (*first, from[0], to[0]) = (size, src, dst);
        }
    }
    let (from_before, from_behind) = extent(&sizes, &from, width);
    let (to_before, to_behind) = extent(&sizes, &to, width);
    let from_len = from_before.saturating_add(from_behind);
    let to_len = to_before.saturating_add(to_behind);
    for (end, strides, len, before) in [
        (End::Source, &from, from_len, from_before),
        (End::Destination, &to, to_len, to_before),
    ] {
        let expected = match len {
            ..=MOST_OF_ISIZE => Ok((before as usize, (len - before) as usize)),
            _ => Err(RelayoutError::TooLarge { end }),
        };
        assert_eq!(strided_extent(&sizes, strides, width, end), expected);
    }
    if from_len > MOST || to_len > MOST {
        refuses_far(&sizes, (&from, from_len), (&to, to_len), width);
        return;
    }
    // More elements than bytes overlap, or there are no bytes.
    let count = sizes
        .iter()
        .try_fold(1_usize, |all, size| all.checked_mul(*size));
    if count.is_none_or(|count| count > 1 << 12) {
        return;
    }
    let from_len = from_len as usize;
    let to_len = to_len as usize;
    let has_elements = width > 0 && !sizes.contains(&0);

    // The loops.
    let source: Vec<u8> = (0..from_len).map(|k| (k * 7 + k / 251) as u8 | 1).collect();
    let mut expected = vec![0xa5; to_len];
    let mut overlaps = false;
    if has_elements {
        let mut written = vec![false; to_len];
        for (read, write) in offsets(&sizes, &from).into_iter().zip(offsets(&sizes, &to)) {
            let read = (read + from_before as isize) as usize;
            let write = (write + to_before as isize) as usize;
            for byte in 0..width {
                overlaps |= std::mem::replace(&mut written[write + byte], true);
                expected[write + byte] = source[read + byte];
            }
        }
    }

    // Slices of other lengths, at any address.
    let length = |len: usize, more: i8| len.saturating_add_signed(isize::from(more % 4));
    let given = length(from_len, input.more[0]);
    let offset = input.offset as usize % 65;
    let mut read = source.clone();
    read.resize(given, 0x11);
    let taken = length(to_len, input.more[1]);
    let mut written = vec![0xa5; offset + taken];
    // The third copy is by the way that the second one kept.
    for _ in 0..3 {
        written.fill(0xa5);
        let result = copy_strided(&mut written[offset..], &to, &read, &from, &sizes, width);
        let short = |end, needed, found| Err(RelayoutError::Short { end, needed, found });
        if given < from_len {
            assert_eq!(result, short(End::Source, from_len, given));
        } else if taken < to_len {
            assert_eq!(result, short(End::Destination, to_len, taken));
        } else if overlaps || result.is_err() {
            assert_eq!(result, Err(RelayoutError::Overlapping));
            // Of many dimensions the answer may take too long.
            assert!(overlaps || sizes.len() > 3, "{sizes:?} {to:?} {width}");
        } else {
            assert!(
                written[offset..][..to_len] == expected,
                "{sizes:?} {from:?} {to:?}"
            );
            assert!(written[offset + to_len..].iter().all(|byte| *byte == 0xa5));
            continue;
        }
        assert!(written.iter().all(|byte| *byte == 0xa5));
    }
    assert!(written[..offset].iter().all(|byte| *byte == 0xa5));

    let origins = (from_before as usize, to_before as usize);
    c_interface(
        &input,
        &sizes,
        (&from, &source),
        (&to, &expected),
        origins,
        width,
        overlaps,
    );
});

const MOST_OF_ISIZE: i128 = isize::MAX as i128;

/// Strides that lead further than the slices, or than an `isize` counts.
fn refuses_far(
    sizes: &[usize],
    (from, from_len): (&[isize], i128),
    (to, to_len): (&[isize], i128),
    width: usize,
) {
    let mut bytes = [0xa5; 64];
    let source = vec![0; usize::try_from(from_len.min(MOST)).expect("it is short")];
    let result = copy_strided(&mut bytes, to, &source, from, sizes, width);
    let is_far = |len: i128| len > MOST_OF_ISIZE;
    match result {
        Err(RelayoutError::TooLarge { end: End::Source }) => assert!(is_far(from_len)),
        Err(RelayoutError::TooLarge { .. }) => assert!(is_far(to_len)),
        Err(RelayoutError::Short { needed, found, .. }) => assert!(needed > found),
        other => panic!("{other:?}: {from_len} and {to_len} bytes"),
    }
    assert_eq!(bytes, [0xa5; 64]);
}

/// The same by the C interface: into another buffer, into the same one, and with pointers that are
/// null.
fn c_interface(
    input: &Input,
    sizes: &[usize],
    (from, source): (&[isize], &[u8]),
    (to, expected): (&[isize], &[u8]),
    (from_origin, to_origin): (usize, usize),
    width: usize,
    overlaps: bool,
) {
    let rank = sizes.len();
    let copy = |dst: *mut u8, src: *const u8| {
        let lists = (to.as_ptr(), from.as_ptr(), sizes.as_ptr());
        // SAFETY: the lists have an entry for each dimension; each caller below gives pointers to
        // elements that exist, or null.
        unsafe {
            xlayout_copy_strided(
                dst.cast(),
                lists.0,
                src.cast(),
                lists.1,
                lists.2,
                rank,
                width,
            )
        }
    };
    let has_elements = !source.is_empty();
    let status = |status: i32| {
        // SAFETY: the text is a string that lives as long as the program.
        let text = unsafe { CStr::from_ptr(xlayout_status_text(status)) };
        assert_ne!(text.to_bytes(), b"there is no such status");
        status
    };
    let ok = 0;
    let is_null = 1;
    let overlapping = 3;
    let aliased = 4;

    let mut written = vec![0xa5; expected.len()];
    let begin = written.as_mut_ptr().wrapping_add(to_origin);
    let result = status(copy(begin, source.as_ptr().wrapping_add(from_origin)));
    if overlaps {
        assert_eq!(result, overlapping);
    } else if result == ok {
        assert!(written == expected, "{sizes:?} {from:?} {to:?}");
    } else {
        assert!(result == overlapping && rank > 3);
    }
    if result != ok {
        assert!(written.iter().all(|byte| *byte == 0xa5));
    }

    // Both in one buffer: the destination begins so many bytes behind the source.
    let distance = input.beside as usize % (source.len() + 4);
    let mut both = source.to_vec();
    both.resize(source.len() + 4 + expected.len(), 0xa5);
    let before = both.clone();
    let origin = both.as_mut_ptr();
    let result_of_both = status(copy(
        origin.wrapping_add(distance + to_origin),
        origin.wrapping_add(from_origin),
    ));
    if has_elements && distance < source.len() {
        assert_eq!(result_of_both, aliased);
        assert!(both == before);
    } else {
        assert_eq!(result_of_both, result);
        let mut wanted = before;
        if result == ok {
            wanted[distance..][..expected.len()].copy_from_slice(expected);
        }
        assert!(both == wanted, "{sizes:?} {from:?} {to:?}");
    }

    let expected = if has_elements { is_null } else { ok };
    assert_eq!(
        copy(
            std::ptr::null_mut(),
            source.as_ptr().wrapping_add(from_origin)
        ),
        expected
    );
    assert_eq!(
        copy(written.as_mut_ptr().wrapping_add(to_origin), null()),
        expected
    );
    // SAFETY: no list is read where one of them is null.
    let without_sizes = unsafe {
        let dst = written.as_mut_ptr().wrapping_add(to_origin).cast();
        let src = source.as_ptr().wrapping_add(from_origin).cast();
        xlayout_copy_strided(dst, to.as_ptr(), src, from.as_ptr(), null(), rank, width)
    };
    if rank > 0 {
        assert_eq!(without_sizes, is_null);
    }
}
