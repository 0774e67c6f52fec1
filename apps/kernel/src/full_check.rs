//! The full check of a call: whether each array and each attribute is what its parameter declares.
//! It allocates nothing. A fault is returned as numbers, and `refuse` makes the message.
//!
//! Most calls pass `fast_check` and do not come here.

use core::ptr::NonNull;

use xlayout_core::Dim;

use crate::abi::Buffer;
use crate::batch::Batch;
use crate::fault::{Fault, Place, Wrong};
use crate::frame::{Attributes, Operands, dims};
use crate::kernel::{BufferSpec, Direction, Kernel, Kind};
use crate::number;
use crate::slots::Slots;

/// A checked array: its address and sizes.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'call> {
    pub(crate) data: *mut u8,
    /// The bytes of the whole array.
    pub(crate) bytes: usize,
    /// The bytes of the item that one run gets.
    pub(crate) item: usize,
    /// All sizes, the leading sizes of a batch first.
    pub(crate) dims: &'call [i64],
    /// A copy of the first sizes of `dims`. The compiler would load and check the sizes of `dims`
    /// at each use, because it does not know that each load gives the same number.
    copied: [i64; COPIED],
}

/// The most sizes that are copied.
const COPIED: usize = 6;

impl<'call> Seen<'call> {
    /// An array with these sizes.
    #[inline(always)]
    pub(crate) fn new(data: *mut u8, bytes: usize, item: usize, dims: &'call [i64]) -> Self {
        let mut copied = [0; COPIED];
        for (copy, &size) in copied.iter_mut().zip(dims) {
            *copy = size;
        }
        Self {
            data,
            bytes,
            item,
            dims,
            copied,
        }
    }

    /// The sizes, from the copy if it contains all of them.
    #[inline(always)]
    pub(crate) fn sizes(&self) -> &[i64] {
        self.copied.get(..self.dims.len()).unwrap_or(self.dims)
    }
}

impl Seen<'_> {
    #[inline(always)]
    fn overlaps(&self, other: &Self) -> bool {
        let a = self.data.addr();
        let b = other.data.addr();
        // An empty array overlaps nothing.
        a < b.saturating_add(other.bytes)
            && b < a.saturating_add(self.bytes)
            && self.bytes != 0
            && other.bytes != 0
    }
}

/// A call during its full check: arguments, results, and the arrays that are accepted so far.
#[derive(Clone, Copy)]
pub(crate) struct FullCheck<'call> {
    pub(crate) kernel: &'static Kernel,
    pub(crate) arguments: Operands<'call>,
    pub(crate) results: Operands<'call>,
    pub(crate) batch: Batch<'call>,
}

impl<'call> FullCheck<'call> {
    /// The array of a parameter, checked against what it declared and against those before it.
    // Inlined, so that no other function gets the address of a call that passed the fast check.
    #[inline(always)]
    pub(crate) fn enter(
        &self,
        kernel: &'static Kernel,
        seen: &Slots<Seen<'call>>,
        parameter: usize,
        direction: Direction,
        spec: &BufferSpec,
    ) -> Result<Seen<'call>, Fault> {
        let found = self.operand(kernel, parameter, direction, spec)?;
        let leading = if kernel.source.batch {
            self.batch.rank()
        } else {
            0
        };
        let size = |(q, d): (usize, usize)| {
            let operand = if q == parameter {
                Some(&found)
            } else {
                seen.get(q)
            };
            operand?.dims.get(leading + d).copied()
        };
        for &(first, second) in &kernel.pairs[..kernel.pairs_len] {
            let (p, dimension) = second;
            if p == parameter && size(first) != size(second) {
                let wrong = Wrong::Unequal { dimension, first };
                return Err(Fault::at(parameter, Place::Own, wrong));
            }
        }
        for (number, relation) in kernel.relations[..kernel.relations_len].iter().enumerate() {
            if relation.last == parameter && !relation.holds(&kernel.relations, size) {
                let wrong = Wrong::Computed { relation: number };
                return Err(Fault::at(relation.dimension.0, Place::Own, wrong));
            }
        }
        // A written array shares no byte with another array.
        let others = if direction.is_result() {
            kernel.arrays
        } else {
            kernel.written
        };
        for q in 0..parameter {
            if others >> q & 1 == 1
                && let Some(other) = seen.get(q)
                && found.overlaps(other)
            {
                let wrong = Wrong::Overlap { other: q };
                return Err(Fault::at(parameter, Place::Own, wrong));
            }
        }
        seen.set(parameter, found);
        Ok(found)
    }

    /// Checks the argument and the result of a parameter.
    #[inline(always)]
    fn operand(
        &self,
        kernel: &'static Kernel,
        p: usize,
        direction: Direction,
        spec: &BufferSpec,
    ) -> Result<Seen<'call>, Fault> {
        let place = kernel.places[p];
        let batch = if kernel.source.batch {
            &self.batch
        } else {
            &Batch::NONE
        };
        if direction == Direction::Out {
            return check_operand(&self.results, batch, p, Place::Result(place.result), spec);
        }
        let at = Place::Argument(place.argument);
        let argument = check_operand(&self.arguments, batch, p, at, spec)?;
        if direction == Direction::InOut {
            let at = Place::Result(place.result);
            let result = check_operand(&self.results, batch, p, at, spec)?;
            if result.dims != argument.dims {
                return Err(Fault::at(p, at, Wrong::OtherSizes));
            }
            if result.data != argument.data && result.bytes != 0 {
                return Err(Fault::at(p, at, Wrong::NotAliased));
            }
            // The result never repeats (`Batch::check`). So its sizes are used, and the argument
            // does not repeat either.
            return Ok(result);
        }
        Ok(argument)
    }

    /// Checks all arrays of a kernel that runs once for each index of a batch. There may be no
    /// index.
    pub(crate) fn check_all(&self) -> Result<(), Fault> {
        let seen = Slots::new();
        for (p, declared) in self.kernel.source.parameters.iter().enumerate() {
            if let Kind::Buffer(direction, spec) = &declared.kind {
                self.enter(self.kernel, &seen, p, *direction, spec)?;
            }
        }
        Ok(())
    }
}

/// Checks one array among the arguments or the results.
#[inline(always)]
fn check_operand<'call>(
    operands: &Operands<'call>,
    batch: &Batch<'_>,
    p: usize,
    at: Place,
    spec: &BufferSpec,
) -> Result<Seen<'call>, Fault> {
    let buffer = operands.buffer(at.number())?;
    let repeats = matches!(at, Place::Argument(_));
    array::<false>(buffer, spec, batch, repeats).map_err(|wrong| Fault::at(p, at, wrong))
}

/// Checks one array. If `FAST`, the fault may be another one, and an array without bytes must have
/// an address, too: the fast check reports no fault, and takes 22 instructions less so.
#[inline(always)]
pub(crate) fn array<'call, const FAST: bool>(
    buffer: &'call Buffer,
    spec: &BufferSpec,
    batch: &Batch<'_>,
    repeats: bool,
) -> Result<Seen<'call>, Wrong> {
    if buffer.dtype != i32::from(spec.element_type.number()) {
        return Err(Wrong::ElementType);
    }
    let rank = batch.rank() + spec.dims.len();
    // Compared first, so that a rank that the compiler knows is not checked as a count.
    if FAST && buffer.rank != rank as i64 {
        return Err(Wrong::Rank);
    }
    let all = dims(buffer).map_err(|_| Wrong::Dimensions)?;
    if all.len() != rank {
        return Err(Wrong::Rank);
    }
    let (leading, own) = all.split_at(batch.rank());
    let mut bits = spec.bits;
    let mut too_large = false;
    for (d, (&size, &declared)) in own.iter().zip(spec.dims).enumerate() {
        match declared {
            Dim::Static(n) if n != size => return Err(Wrong::Size { dimension: d }),
            _ if size < 0 => return Err(Wrong::Negative { dimension: d }),
            _ => {
                let (product, over) = bits.overflowing_mul(size as usize);
                if FAST && over {
                    return Err(Wrong::TooLarge);
                }
                too_large |= over;
                bits = product;
            }
        }
    }
    let item = bits.div_ceil(8);
    let mut bytes = item;
    if !leading.is_empty() {
        let count = batch.check(leading, repeats)?;
        if count > 1 && !bits.is_multiple_of(8) {
            return Err(Wrong::BatchInBytes);
        }
        let (product, over) = item.overflowing_mul(count);
        too_large |= over || product > isize::MAX as usize;
        bytes = product;
    }
    // 2^64 bits are 2^61 bytes: an item that is not too large is below `isize::MAX`.
    if too_large {
        return Err(Wrong::TooLarge);
    }
    // An array without bytes may be anywhere.
    let data = match NonNull::new(buffer.data.cast()) {
        None if FAST || bytes != 0 => return Err(Wrong::NoData),
        data => data.unwrap_or(NonNull::dangling()),
    };
    Ok(Seen::new(data.as_ptr(), bytes, item, all))
}

/// The attribute of a call that passes arrays row-major which a kernel with `batch` declares in
/// another layout (`BufferSpec::by_items`). No parameter has this name: it is no word of Rust.
pub(crate) const BY_ITEMS: &str = "xlayout.by_items";

/// Whether a call has the attribute. Its value must be `true`.
#[cold]
pub(crate) fn by_items(
    kernel: &'static Kernel,
    attributes: &Attributes<'_>,
) -> Result<bool, Fault> {
    if !kernel.by_items {
        return Ok(false);
    }
    let Some(number) = find(attributes, BY_ITEMS) else {
        return Ok(false);
    };
    match number::read(attributes.value(number)) {
        Ok(true) => Ok(true),
        _ => Err(Fault::ByItems { number }),
    }
}

/// Checks the attributes of a call if their number is not the declared one: each must be declared,
/// and each missing one must be optional.
#[cold]
pub(crate) fn check_names(
    kernel: &'static Kernel,
    attributes: &Attributes<'_>,
) -> Result<(), Fault> {
    for number in 0..attributes.len() {
        let name = attributes.name(number);
        if kernel.by_items && name == Some(BY_ITEMS.as_bytes()) {
            continue;
        }
        let known =
            (0..kernel.attributes_len).any(|k| Some(kernel.attribute(k).name.as_bytes()) == name);
        if !known {
            return Err(Fault::UnknownAttribute { number });
        }
    }
    for k in 0..kernel.attributes_len {
        let Kind::Attribute(spec) = kernel.attribute(k).kind else {
            continue;
        };
        if !spec.optional && find(attributes, kernel.attribute(k).name).is_none() {
            return Err(Fault::at(kernel.attributes[k], Place::Own, Wrong::Missing));
        }
    }
    Ok(())
}

/// The number of the attribute with this name.
pub(crate) fn find(attributes: &Attributes<'_>, name: &str) -> Option<usize> {
    (0..attributes.len()).find(|&number| attributes.name(number) == Some(name.as_bytes()))
}
