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
    fn new(data: *mut u8, bytes: usize, item: usize, dims: &'call [i64]) -> Self {
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
    /// Checks the array of a parameter against what the parameter declares and against the arrays
    /// before it, which are in `seen`, and adds it to them.
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
        // The size of a declared dimension, in this array or in one before it.
        let size = |(of, dimension): (usize, usize)| {
            let operand = if of == parameter {
                Some(&found)
            } else {
                seen.get(of)
            };
            operand?.dims.get(leading + dimension).copied()
        };
        for &(first, second) in &kernel.pairs[..kernel.pairs_len] {
            let (later_parameter, dimension) = second;
            if later_parameter == parameter && size(first) != size(second) {
                let wrong = Wrong::Unequal { dimension, first };
                return Err(Fault::at(parameter, Place::Own, wrong));
            }
        }
        for (number, relation) in kernel.relations[..kernel.relations_len].iter().enumerate() {
            if relation.last == parameter && !relation.holds(&kernel.relations, size) {
                let wrong = Wrong::Computed { relation: number };
                let (computed_parameter, _) = relation.dimension;
                return Err(Fault::at(computed_parameter, Place::Own, wrong));
            }
        }
        // A written array shares no byte with another array. A mask of parameters.
        let apart_from = if direction.is_result() {
            kernel.arrays
        } else {
            kernel.written
        };
        for earlier in 0..parameter {
            if apart_from >> earlier & 1 == 1
                && let Some(array) = seen.get(earlier)
                && found.overlaps(array)
            {
                let wrong = Wrong::Overlap { other: earlier };
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
        parameter: usize,
        direction: Direction,
        spec: &BufferSpec,
    ) -> Result<Seen<'call>, Fault> {
        let position = kernel.places[parameter];
        let batch = if kernel.source.batch {
            &self.batch
        } else {
            &Batch::NONE
        };
        if direction == Direction::Out {
            let place = Place::Result(position.result);
            return check_operand(&self.results, batch, parameter, place, spec);
        }
        let place = Place::Argument(position.argument);
        let argument = check_operand(&self.arguments, batch, parameter, place, spec)?;
        if direction == Direction::InOut {
            let place = Place::Result(position.result);
            let result = check_operand(&self.results, batch, parameter, place, spec)?;
            if result.dims != argument.dims {
                return Err(Fault::at(parameter, place, Wrong::OtherSizes));
            }
            if result.data != argument.data && result.bytes != 0 {
                return Err(Fault::at(parameter, place, Wrong::NotAliased));
            }
            // The result never repeats (`Batch::check`). So its sizes are used, and the argument
            // does not repeat either.
            return Ok(result);
        }
        Ok(argument)
    }

    /// Checks all arrays of a kernel that runs once for each index of a batch. A batch may have no
    /// index: then there is no run.
    pub(crate) fn check_all(&self) -> Result<(), Fault> {
        let seen = Slots::new();
        for (parameter, declared) in self.kernel.source.parameters.iter().enumerate() {
            if let Kind::Buffer(direction, spec) = &declared.kind {
                self.enter(self.kernel, &seen, parameter, *direction, spec)?;
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
    parameter: usize,
    place: Place,
    spec: &BufferSpec,
) -> Result<Seen<'call>, Fault> {
    let buffer = operands.buffer(place.number())?;
    // A leading size of an argument may be 1: then all runs along it get the same item.
    let repeats = matches!(place, Place::Argument(_));
    let found = array::<false>(buffer, spec, batch, repeats);
    found.map_err(|wrong| Fault::at(parameter, place, wrong))
}

/// Checks one array. With `FAST`, the fault may be another one, and an array without bytes must
/// have an address, too. The fast check reports no fault, and takes 22 instructions less this way.
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
    let sizes = dims(buffer).map_err(|_| Wrong::Dimensions)?;
    if sizes.len() != rank {
        return Err(Wrong::Rank);
    }
    let (leading_sizes, item_sizes) = sizes.split_at(batch.rank());
    // The bits of an item: those of an element, times each size.
    let mut bits = spec.bits;
    let mut too_large = false;
    for (dimension, (&size, &declared)) in item_sizes.iter().zip(spec.dims).enumerate() {
        match declared {
            Dim::Static(expected) if expected != size => return Err(Wrong::Size { dimension }),
            _ if size < 0 => return Err(Wrong::Negative { dimension }),
            _ => {
                let (product, overflows) = bits.overflowing_mul(size as usize);
                if FAST && overflows {
                    return Err(Wrong::TooLarge);
                }
                too_large |= overflows;
                bits = product;
            }
        }
    }
    let item_bytes = bits.div_ceil(8);
    let mut bytes = item_bytes;
    if !leading_sizes.is_empty() {
        let item_count = batch.check(leading_sizes, repeats)?;
        if item_count > 1 && !bits.is_multiple_of(8) {
            return Err(Wrong::BatchInBytes);
        }
        let (product, overflows) = item_bytes.overflowing_mul(item_count);
        too_large |= overflows || product > isize::MAX as usize;
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
    Ok(Seen::new(data.as_ptr(), bytes, item_bytes, sizes))
}

/// The attribute by which a call says that it passes arrays row-major, although a kernel with
/// `batch` declares another layout for them (`BufferSpec::by_items`). No parameter can have this
/// name, because a name of Rust has no dot.
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

/// Checks the names of a call's attributes: each must be declared, and each missing one must be
/// optional. It is called where the attributes are not simply the declared ones.
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
        let is_name_of = |k| Some(kernel.attribute(k).name.as_bytes()) == name;
        if !(0..kernel.attributes_len).any(is_name_of) {
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
