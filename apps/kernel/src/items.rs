//! Items of arrays, copied between XLA's layout, which is row-major, and the kernel's own.
#![allow(unsafe_code)]

use core::any::TypeId;
use std::sync::{Arc, Mutex};

use xlayout_core::{ArrayLayout, ArrayShape, DynLayout, Element, Layout, MinorToMajor};
use xlayout_relayout::{Plan, RelayoutError};

use crate::conversion::{Back, Converter, Copied};
use crate::element_storage::ElementStorage;
use crate::error::Error;
use crate::fault::Wrong;
use crate::level::lock;
use crate::memory::{elements, elements_mut};
use crate::operand::Operand;
use crate::poison::poison;

/// The bytes of the run's item of an argument, in the kernel's layout.
///
/// # Safety
/// In a run the converter is used for one parameter, once, and its `Items` are an argument of the
/// call.
pub(crate) unsafe fn argument<'a, P: Operand>(
    layout: &P::Layout,
    dims: &[i64],
    converter: Converter<'a>,
) -> Result<&'a [u8], Wrong> {
    let memory = item::<P>(layout, converter, |copied| {
        load::<P>(layout, dims, copied, converter).map(|()| None)
    })?;
    // SAFETY: the memory is there until the call ends, and nothing writes to it before another run
    // takes its items, which is when the views of this run are gone (`Conversions`,
    // `handler::execute_checked`).
    Ok(unsafe { &*memory })
}

/// The bytes of the run's item of a result, in the kernel's layout. If `keep`, they have the values
/// that XLA passed.
///
/// # Safety
/// In a run the converter is used for one parameter, once, and its `Items` are a result of the
/// call.
pub(crate) unsafe fn result<'a, P: Operand>(
    layout: &P::Layout,
    dims: &[i64],
    keep: bool,
    converter: Converter<'a>,
) -> Result<&'a mut [u8], Wrong> {
    let memory = item::<P>(layout, converter, |copied| {
        let passed = copied.passed;
        let memory = copied.memory;
        if keep {
            load::<P>(layout, dims, copied, converter)?;
        } else {
            // The kernel may leave a result unchanged, so its elements must be valid before.
            // SAFETY: as in `load`.
            let memory = unsafe { &mut *memory };
            poison(memory);
            elements_mut::<Stored<P>>(memory, false)?;
        }
        let plan = plan::<P::Element, _>(layout, Way::Out, dims, copied.items);
        // SAFETY: it is a result of the call, which shares no byte with another array of it
        // (`FullCheck::enter` by `Call::memory`, and `check_all` before the first run of a batch).
        // The copy above is done, so that nothing reads these bytes.
        elements_mut::<Stored<P>>(unsafe { &mut *passed }, keep)?;
        Ok(Some(Box::new(move |pool| {
            // SAFETY: the runs are done to which the memory was lent. XLA lends the result for the
            // whole call, and it shares no byte with another array (as above). Both have been found
            // to be elements.
            let (memory, passed) = unsafe { (&*memory, &mut *passed) };
            match (
                elements::<Stored<P>>(memory),
                elements_mut::<Stored<P>>(passed, true),
            ) {
                (Ok(memory), Ok(passed)) => copied_all(pool.relayout(&plan, memory, passed)),
                (Err(error), _) | (_, Err(error)) => {
                    unreachable!("the function had these bytes as elements: {error:?}")
                }
            }
        })))
    })?;
    // SAFETY: as in `argument`; a run takes the parameter once (the caller's promise), and each
    // item of a result has one run.
    Ok(unsafe { &mut *memory })
}

/// The elements of an array as they are in memory.
type Stored<P> = <<P as Operand>::Element as ElementStorage>::Stored;

/// The memory of the run's item in this layout. Several items of a dense layout are consecutive, as
/// in an array with one more dimension.
fn item<P: Operand>(
    layout: &P::Layout,
    converter: Converter<'_>,
    load: impl FnOnce(Copied) -> Result<Option<Back>, Wrong>,
) -> Result<*mut [u8], Wrong> {
    let bytes = layout.buffer_len().checked_mul(size_of::<Stored<P>>());
    bytes
        .and_then(|bytes| converter.item(bytes, P::IS_DENSE, load))
        .unwrap_or(Err(Wrong::NoMemory))
}

/// Copies items from XLA's memory.
fn load<P: Operand>(
    layout: &P::Layout,
    dims: &[i64],
    copied: Copied,
    converter: Converter<'_>,
) -> Result<(), Wrong> {
    let plan = plan::<P::Element, _>(layout, Way::In, dims, copied.items);
    // SAFETY: the memory is this array's alone, and no run has a view of it (`argument`, `result`).
    let memory = elements_mut::<Stored<P>>(unsafe { &mut *copied.memory }, false)?;
    // SAFETY: XLA lends the array for the call. What is written during the call are its results,
    // and no result shares a byte with another array (`FullCheck::enter`); a result is read here
    // before any reference to write to it exists (`result`). Other arguments may be the same bytes,
    // and are only read. Where an array has no bytes, the pointer is not null, either
    // (`full_check`).
    let passed = elements::<Stored<P>>(unsafe { &*copied.passed });
    let passed = passed.map_err(|error| match error {
        // The byte within its own item.
        Wrong::NotBool { at } => Wrong::NotBool {
            at: at % converter.bytes.max(1),
        },
        other => other,
    })?;
    copied_all(converter.pool.relayout(&plan, passed, memory));
    Ok(())
}

fn copied_all(result: Result<(), RelayoutError>) {
    if let Err(error) = result {
        unreachable!("the plan was made for these arrays: {error}");
    }
}

/// Which side of a copy is row-major.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The source: an argument.
    In,
    /// The destination: a result.
    Out,
}

/// A plan of an earlier call, and its key.
struct Known {
    /// The layout, the direction and the number of items.
    key: (TypeId, Way, usize),
    dims: Box<[i64]>,
    plan: Arc<Plan>,
}

/// The plans of the last calls. The most recently used plan is last.
static KNOWN: Mutex<Vec<Known>> = Mutex::new(Vec::new());
const MOST: usize = 32;

/// The plan for `items` items of the sizes `dims`.
fn plan<X: ElementStorage, L: ArrayLayout + 'static>(
    layout: &L,
    way: Way,
    dims: &[i64],
    items: usize,
) -> Arc<Plan> {
    let mut known = lock(&KNOWN);
    let key = (TypeId::of::<L>(), way, items);
    let is_it = |known: &Known| known.key == key && *known.dims == *dims;
    let found = match known.iter().rposition(is_it) {
        Some(at) => known.remove(at),
        None => match new_plan::<X, L>(layout, way, dims, items) {
            Ok(plan) => Known {
                key,
                dims: dims.into(),
                plan: Arc::new(plan),
            },
            Err(error) => unreachable!("both layouts are of one array that memory holds: {error}"),
        },
    };
    if known.len() == MOST {
        known.remove(0);
    }
    let plan = Arc::clone(&found.plan);
    known.push(found);
    plan
}

fn new_plan<X: ElementStorage, L: ArrayLayout>(
    layout: &L,
    way: Way,
    dims: &[i64],
    items: usize,
) -> Result<Plan, Error> {
    let mut dims = dims.to_vec();
    let mut shape = layout.array_shape();
    if items != 1 {
        // Consecutive dense items are an array with one additional dimension, the most major one.
        dims.insert(0, items as i64);
        let Some(own) = shape.layout else {
            unreachable!("the shape of a layout has a layout");
        };
        let own = own.minor_to_major.iter().map(|d| d + 1);
        let order: Vec<i64> = own.chain([0]).collect();
        let mut several = Layout::row_major(dims.len())?;
        several.minor_to_major = MinorToMajor::new(&order)?;
        shape = ArrayShape::new(X::TYPE, &dims)?;
        shape.layout = Some(several);
    }
    let rows = DynLayout::new(ArrayShape::new(X::TYPE, &dims)?)?;
    let own = DynLayout::new(shape)?;
    Ok(match way {
        Way::In => Plan::new(&rows, &own)?.fill_padding(X::Stored::ZERO)?,
        Way::Out => Plan::new(&own, &rows)?,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use xlayout_core::types::{MinorToMajor, MixedLayout, Nat, RunTime};

    use super::{KNOWN, MOST, Way, plan};
    use crate::level::lock;

    type Columns = MixedLayout<f32, (RunTime, RunTime), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
    type Rows = MixedLayout<f32, (RunTime, RunTime), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;

    #[test]
    fn a_plan_is_made_once_for_each_layout_direction_size_and_number() {
        let columns = |m: usize, way, items| {
            let layout = Columns::with_sizes([m, 3]).unwrap();
            plan::<f32, _>(&layout, way, &[m as i64, 3], items)
        };
        let rows = Rows::with_sizes([2, 3]).unwrap();
        let all = || {
            [
                columns(2, Way::In, 1),
                columns(2, Way::Out, 1),
                columns(2, Way::In, 4),
                columns(5, Way::In, 1),
                plan::<f32, _>(&rows, Way::In, &[2, 3], 1),
            ]
        };
        let first = all();
        let again = all();
        for (k, plan) in first.iter().enumerate() {
            for (l, other) in again.iter().enumerate() {
                assert_eq!(Arc::ptr_eq(plan, other), k == l, "{k} {l}");
            }
        }
        // The most recently used plan stays, and the least recently used one is dropped.
        let used = columns(2, Way::In, 1);
        for m in 10..10 + MOST - 1 {
            drop(columns(m, Way::In, 1));
        }
        assert_eq!(lock(&KNOWN).len(), MOST);
        assert!(Arc::ptr_eq(&used, &columns(2, Way::In, 1)));
        assert!(!Arc::ptr_eq(&first[1], &columns(2, Way::Out, 1)));
        assert_eq!(lock(&KNOWN).len(), MOST);
    }
}
