//! Tensors of DLPack with any sizes, strides, types and offsets: they are taken exactly where a
//! plain count of their bytes fits into memory, the strides and the extent in bytes are those of
//! the count, and views have the elements of the memory.
#![no_main]

use std::ffi::c_void;
use std::ptr::null_mut;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use xlayout_core::{ArrayLayout, DynCoordinates};
use xlayout_dlpack::Import;
use xlayout_dlpack::raw::{DLDataType, DLDevice, DLManagedTensor, DLTensor};

#[derive(Arbitrary, Debug)]
enum Number {
    Small(i8),
    Any(i64),
}

impl Number {
    fn get(&self) -> i64 {
        match self {
            Self::Small(number) => i64::from(*number % 12),
            Self::Any(number) => *number,
        }
    }
}

#[derive(Arbitrary, Debug)]
struct Input {
    /// Code, bits and lanes.
    other_type: Option<(u8, u8, u16)>,
    dims: Vec<(Number, Number)>,
    has_strides: bool,
    place: u16,
    byte_offset: u8,
    device: u8,
}

const BYTES: usize = 1 << 13;
/// The element type of the views.
const S32: (u8, u8, u16) = (0, 32, 1);

/// The bytes that the dimensions step by, and the bytes before the first element and from it on.
fn extent(sizes: &[i64], strides: Option<&[i64]>, width: i128) -> (Vec<i128>, i128, i128) {
    let mut steps = vec![0; sizes.len()];
    let mut before = 0_i128;
    let mut behind = width;
    for dim in 0..sizes.len() {
        let inner = sizes[dim + 1..].iter();
        let row_major = inner.fold(1_i128, |all, &size| all.saturating_mul(size.into()));
        let stride = strides.map_or(row_major, |strides| strides[dim].into());
        if sizes[dim] == 1 {
            continue;
        }
        steps[dim] = stride.saturating_mul(width);
        let reach = steps[dim].saturating_mul(i128::from(sizes[dim]) - 1);
        match reach < 0 {
            true => before = before.saturating_sub(reach),
            false => behind = behind.saturating_add(reach),
        }
    }
    (steps, before, behind)
}

fuzz_target!(|input: Input| {
    let rank = input.dims.len().min(6);
    let dims = &input.dims[..rank];
    let mut sizes: Vec<i64> = dims.iter().map(|(size, _)| size.get()).collect();
    let mut strides: Vec<i64> = dims.iter().map(|(_, stride)| stride.get()).collect();
    // Sizes that are negative, and other devices, are refused; most inputs have none.
    if input.device % 16 != 0 {
        sizes.iter_mut().for_each(|size| *size &= i64::MAX);
    }
    let (code, bits, lanes) = input.other_type.unwrap_or(S32);
    let mut memory: Vec<u32> = (0..BYTES as u32 / 4).collect();
    let place = usize::from(input.place) % BYTES;
    let mut tensor = DLManagedTensor {
        dl_tensor: DLTensor {
            data: memory
                .as_mut_ptr()
                .cast::<u8>()
                .wrapping_add(place)
                .cast::<c_void>(),
            device: DLDevice {
                device_type: 1 + i32::from(input.device == 7),
                device_id: 0,
            },
            ndim: rank as i32,
            dtype: DLDataType { code, bits, lanes },
            shape: sizes.as_mut_ptr(),
            strides: match input.has_strides {
                true => strides.as_mut_ptr(),
                false => null_mut(),
            },
            byte_offset: input.byte_offset.into(),
        },
        manager_ctx: null_mut(),
        deleter: None,
    };
    let listed = input.has_strides.then_some(&strides[..]);
    let width = i128::from(bits.div_ceil(8));
    let (steps, before, behind) = extent(&sizes, listed, width);
    let is_empty = sizes.contains(&0);
    let places = sizes
        .iter()
        .fold(width, |all, &size| all.saturating_mul(size.into()));
    // Elements are counted, too, where all of them are one; and each byte has an address.
    let first = memory.as_ptr().addr() as i128 + (place + usize::from(input.byte_offset)) as i128;
    let has_addresses = first >= before && first.saturating_add(behind) <= usize::MAX as i128;
    let counted = before.saturating_add(behind).max(places) <= isize::MAX as i128;
    let is_tensor = sizes.iter().all(|size| *size >= 0)
        && input.device != 7
        && (is_empty || counted && has_addresses);
    // SAFETY: the fields are as `dlpack.h` says, and live until the end; the memory is looked at
    // below.
    let import = match unsafe { Import::from_raw_unversioned(&raw mut tensor) } {
        Ok(import) => import,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert!(!is_tensor, "{error}");
            return;
        }
    };
    assert!(is_tensor);
    match import.byte_strides() {
        Ok(found) => {
            let found = found.into_iter().map(|step| step as i128);
            assert!(is_empty || found.eq(steps.iter().copied()));
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert!(input.other_type.is_some(), "{error}");
            return;
        }
    }
    let origin = (place + usize::from(input.byte_offset)) as i128;
    if !is_empty && (origin < before || origin + behind > BYTES as i128) {
        return;
    }
    // SAFETY: all of it is in `memory`, to which nothing writes.
    let (bytes, at) = unsafe { import.bytes() }.expect("the strides fit");
    if is_empty {
        assert!(bytes.is_empty());
    } else {
        assert_eq!((bytes.len() as i128, at as i128), (before + behind, before));
        let start = memory.as_ptr().addr() as i128 + origin - before;
        assert_eq!(bytes.as_ptr().addr() as i128, start);
    }
    // SAFETY: as above; every four bytes are an `i32`.
    let view = unsafe { import.view::<i32, DynCoordinates>() };
    let view = match view {
        Ok(view) => view,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    assert_eq!((code, bits, lanes), S32);
    let mut met = std::collections::HashSet::new();
    let mut found = view.iter();
    view.layout().for_each_index(|index| {
        let index_of = index.as_ref().iter().zip(&steps);
        let offset: i128 = index_of.map(|(&i, step)| i as i128 * step).sum();
        let place = origin + offset;
        assert_eq!(found.next(), Some(&((place / 4) as i32)));
        assert!(met.insert(place), "two elements are one");
    });
});
