//! The contract at the door: whether a call has what a kernel declared. When all is well this
//! allocates nothing and formats nothing; what is wrong is a number or two, which `refuse` puts into
//! words.

use xlayout_core::Dim;

use crate::abi::Buffer;
use crate::batch::Batch;
use crate::fault::{Fault, Place, Wrong};
use crate::frame::{Attributes, Frame, Operands, dims};
use crate::kernel::{BufferSpec, Declared, Direction, Kernel, Kind};
use crate::slots::Slots;

/// An array that was checked: where it is, and its sizes.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'call> {
    pub(crate) data: *mut u8,
    /// The bytes of all of it.
    pub(crate) bytes: usize,
    /// The bytes of what one run gets of it.
    pub(crate) item: usize,
    /// All sizes, those of a batch first.
    pub(crate) dims: &'call [i64],
}

impl Seen<'_> {
    fn overlaps(&self, other: &Self) -> bool {
        let (a, b) = (self.data.addr(), other.data.addr());
        // An empty array overlaps nothing; none is so long that it wraps around more than once.
        self.bytes != 0
            && other.bytes != 0
            && a < b.saturating_add(other.bytes)
            && b < a.saturating_add(self.bytes)
    }
}

/// A call that has what the kernel declared.
pub(crate) struct Checked<'call> {
    /// The arrays, by their parameters' numbers.
    pub(crate) seen: Slots<Seen<'call>>,
    pub(crate) attributes: Attributes<'call>,
    /// Whether the attributes are those that were declared, one for one.
    pub(crate) aligned: bool,
    pub(crate) batch: Batch<'call>,
}

/// The arrays of a kernel, with their parameters' numbers.
fn arrays(
    kernel: &'static Kernel,
) -> impl Iterator<Item = (usize, &'static Declared, Direction, &'static BufferSpec)> {
    let parameters = kernel.source.parameters.iter().enumerate();
    parameters.filter_map(|(p, declared)| match &declared.kind {
        Kind::Buffer(direction, spec) => Some((p, declared, *direction, spec)),
        _ => None,
    })
}

impl<'call> Checked<'call> {
    /// Checks all but the values.
    #[inline]
    pub(crate) fn check(
        &mut self,
        frame: Frame<'call>,
        kernel: &'static Kernel,
    ) -> Result<(), Fault> {
        let (arguments, results) = (frame.arguments()?, frame.results()?);
        if arguments.len() != kernel.arguments || results.len() != kernel.results {
            return Err(Fault::Counts {
                arguments: arguments.len(),
                results: results.len(),
            });
        }
        if kernel.source.batch {
            self.batch = Batch::of(kernel, &arguments, &results)?;
        }
        for (p, _, direction, spec) in arrays(kernel) {
            let seen = self.operand(p, direction, spec, kernel, (&arguments, &results))?;
            self.seen.set(p, seen);
        }
        for pair in &kernel.pairs[..kernel.pairs_len] {
            if self.size(pair.first) != self.size(pair.second) {
                return Err(Fault::at(
                    usize::from(pair.second.0),
                    Place::Own,
                    Wrong::Unequal {
                        dimension: pair.second.1,
                        first: pair.first,
                    },
                ));
            }
        }
        self.check_overlap(kernel)?;
        self.attributes = frame.attributes()?;
        let attributes = &self.attributes;
        self.aligned = attributes.len() == kernel.attributes_len
            && (0..kernel.attributes_len)
                .all(|k| attributes.name(k) == kernel.attribute(k).name.as_bytes());
        if !self.aligned {
            check_names(kernel, attributes)?;
        }
        Ok(())
    }

    pub(crate) const fn new() -> Self {
        Self {
            seen: Slots::new(),
            attributes: Attributes::NONE,
            aligned: false,
            batch: Batch::NONE,
        }
    }

    /// A size of an array, without those of the batch.
    #[inline]
    fn size(&self, (parameter, dimension): (u8, u8)) -> Option<i64> {
        let dims = self.seen.get(parameter.into())?.dims;
        dims.get(self.batch.rank() + usize::from(dimension))
            .copied()
    }

    /// Checks the argument and the result of a parameter.
    #[inline]
    fn operand(
        &self,
        p: usize,
        direction: Direction,
        spec: &BufferSpec,
        kernel: &Kernel,
        (arguments, results): (&Operands<'call>, &Operands<'call>),
    ) -> Result<Seen<'call>, Fault> {
        let place = kernel.places[p];
        let look = |operands: &Operands<'call>, at: Place| {
            let buffer = operands.buffer(at.number())?;
            let repeats = direction == Direction::In;
            array(buffer, spec, &self.batch, repeats).map_err(|wrong| Fault::at(p, at, wrong))
        };
        if direction == Direction::Out {
            return look(results, Place::Result(place.result));
        }
        let argument = look(arguments, Place::Argument(place.argument))?;
        if direction == Direction::InOut {
            let at = Place::Result(place.result);
            let result = look(results, at)?;
            if result.dims != argument.dims {
                return Err(Fault::at(p, at, Wrong::OtherSizes));
            }
            if result.data != argument.data && result.bytes != 0 {
                return Err(Fault::at(p, at, Wrong::NotAliased));
            }
        }
        Ok(argument)
    }

    /// An array that is written to shares no byte with another.
    #[inline]
    fn check_overlap(&self, kernel: &'static Kernel) -> Result<(), Fault> {
        for (p, _, direction, _) in arrays(kernel) {
            if !direction.is_result() {
                continue;
            }
            for (q, _, other, _) in arrays(kernel) {
                // Two that are written are one pair.
                if p == q || other.is_result() && p < q {
                    continue;
                }
                if let (Some(a), Some(b)) = (self.seen.get(p), self.seen.get(q))
                    && a.overlaps(b)
                {
                    return Err(Fault::at(p, Place::Own, Wrong::Overlap { other: q as u8 }));
                }
            }
        }
        Ok(())
    }
}

/// Checks one array.
#[inline]
fn array<'call>(
    buffer: &'call Buffer,
    spec: &BufferSpec,
    batch: &Batch<'_>,
    repeats: bool,
) -> Result<Seen<'call>, Wrong> {
    if i64::from(buffer.dtype) != i64::from(spec.element_type.number()) {
        return Err(Wrong::ElementType);
    }
    let all = dims(buffer).map_err(|_| Wrong::Dimensions)?;
    if all.len() != batch.rank() + spec.dims.len() {
        return Err(Wrong::Rank);
    }
    let (leading, own) = all.split_at(batch.rank());
    let mut bits = spec.bits;
    let mut too_large = false;
    for (d, (&size, &declared)) in own.iter().zip(spec.dims).enumerate() {
        if size < 0 {
            return Err(Wrong::Negative { dimension: d as u8 });
        }
        if let Dim::Static(n) = declared
            && n != size
        {
            return Err(Wrong::Size { dimension: d as u8 });
        }
        let (product, over) = bits.overflowing_mul(size as usize);
        too_large |= over;
        bits = product;
    }
    let item = bits.div_ceil(8);
    let mut bytes = item;
    if !leading.is_empty() {
        let count = batch.check(leading, repeats)?;
        if count > 1 && bits % 8 != 0 {
            return Err(Wrong::BatchInBytes);
        }
        let (product, over) = item.overflowing_mul(count);
        too_large |= over;
        bytes = product;
    }
    if too_large || bytes > isize::MAX as usize || item > isize::MAX as usize {
        return Err(Wrong::TooLarge);
    }
    if bytes != 0 && buffer.data.is_null() {
        return Err(Wrong::NoData);
    }
    Ok(Seen {
        data: buffer.data.cast(),
        bytes,
        item,
        dims: all,
    })
}

/// The attributes are not one for one those that were declared: each must be known, and those that
/// are missing be optional.
#[cold]
fn check_names(kernel: &Kernel, attributes: &Attributes<'_>) -> Result<(), Fault> {
    for number in 0..attributes.len() {
        let name = attributes.name(number);
        let known = (0..kernel.attributes_len).any(|k| kernel.attribute(k).name.as_bytes() == name);
        if !known {
            return Err(Fault::UnknownAttribute { number });
        }
    }
    for k in 0..kernel.attributes_len {
        let Kind::Attribute(spec) = kernel.attribute(k).kind else {
            continue;
        };
        if !spec.optional && find(attributes, kernel.attribute(k).name).is_none() {
            return Err(Fault::at(
                usize::from(kernel.attributes[k]),
                Place::Own,
                Wrong::Missing,
            ));
        }
    }
    Ok(())
}

/// The number of the attribute with this name.
pub(crate) fn find(attributes: &Attributes<'_>, name: &str) -> Option<usize> {
    (0..attributes.len()).find(|&number| attributes.name(number) == name.as_bytes())
}
