//! The contract at the door: whether a call has what a kernel declared. When all is well this
//! allocates nothing and formats nothing; what is wrong is a number or two, which `refuse` puts into
//! words.

use xlayout_core::Dim;

use crate::abi::Buffer;
use crate::fault::{Fault, Place, Wrong};
use crate::frame::{Attributes, Frame, Operands, dims};
use crate::kernel::{BufferSpec, Direction, Kernel, Kind, MAX_PARAMETERS};

/// An array that was checked: where it is, and its sizes.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'call> {
    pub(crate) data: *mut u8,
    /// The bytes of all of it.
    pub(crate) bytes: usize,
    /// All sizes, those of a batch first.
    pub(crate) dims: &'call [i64],
}

impl Seen<'_> {
    const NONE: Self = Self {
        data: core::ptr::null_mut(),
        bytes: 0,
        dims: &[],
    };

    fn overlaps(&self, other: &Self) -> bool {
        let (a, b) = (self.data.addr(), other.data.addr());
        // An empty array overlaps nothing; none wraps around (`Wrong::TooLarge`, and the address
        // space).
        self.bytes != 0
            && other.bytes != 0
            && a < b.wrapping_add(other.bytes)
            && b < a.wrapping_add(self.bytes)
    }
}

/// A call that has what the kernel declared.
pub(crate) struct Checked<'call> {
    /// The arrays, by their parameters' numbers.
    pub(crate) seen: [Seen<'call>; MAX_PARAMETERS],
    pub(crate) attributes: Attributes<'call>,
    /// Whether the attributes are those that were declared, one for one.
    pub(crate) aligned: bool,
}

/// Checks all but the values.
pub(crate) fn check<'call>(frame: Frame<'call>, kernel: &Kernel) -> Result<Checked<'call>, Fault> {
    let (arguments, results) = (frame.arguments()?, frame.results()?);
    if arguments.len() != kernel.arguments || results.len() != kernel.results {
        return Err(Fault::Counts {
            arguments: arguments.len(),
            results: results.len(),
        });
    }
    let mut seen = [Seen::NONE; MAX_PARAMETERS];
    for (p, declared) in kernel.source.parameters.iter().enumerate() {
        if let Kind::Buffer(direction, spec) = &declared.kind {
            seen[p] = operand(p, *direction, spec, kernel, (&arguments, &results))?;
        }
    }
    for pair in &kernel.pairs[..kernel.pairs_len] {
        let size = |(p, d): (u8, u8)| seen[usize::from(p)].dims[usize::from(d)];
        if size(pair.first) != size(pair.second) {
            return Err(Fault::at(
                usize::from(pair.second.0),
                Place::default(),
                Wrong::Unequal {
                    dimension: pair.second.1,
                    first: pair.first,
                },
            ));
        }
    }
    check_overlap(kernel, &seen)?;
    let attributes = frame.attributes()?;
    let aligned = attributes.len() == kernel.attributes_len
        && (0..kernel.attributes_len)
            .all(|k| attributes.name(k) == kernel.attribute(k).name.as_bytes());
    if !aligned {
        check_names(kernel, &attributes)?;
    }
    Ok(Checked {
        seen,
        attributes,
        aligned,
    })
}

/// Checks the argument and the result of a parameter.
fn operand<'call>(
    p: usize,
    direction: Direction,
    spec: &BufferSpec,
    kernel: &Kernel,
    (arguments, results): (&Operands<'call>, &Operands<'call>),
) -> Result<Seen<'call>, Fault> {
    let place = kernel.places[p];
    let look = |operands: &Operands<'call>, at: Place| {
        let buffer = operands.buffer(at.number())?;
        array(buffer, spec).map_err(|wrong| Fault::at(p, at, wrong))
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

/// Checks one array.
fn array<'call>(buffer: &'call Buffer, spec: &BufferSpec) -> Result<Seen<'call>, Wrong> {
    if i64::from(buffer.dtype) != i64::from(spec.element_type.number()) {
        return Err(Wrong::ElementType);
    }
    let sizes = dims(buffer).map_err(|_| Wrong::Dimensions)?;
    if sizes.len() != spec.dims.len() {
        return Err(Wrong::Rank);
    }
    let mut elements = 1_usize;
    let mut too_large = false;
    for (d, (&size, &declared)) in sizes.iter().zip(spec.dims).enumerate() {
        if size < 0 {
            return Err(Wrong::Negative { dimension: d as u8 });
        }
        if let Dim::Static(n) = declared
            && n != size
        {
            return Err(Wrong::Size { dimension: d as u8 });
        }
        let (product, over) = elements.overflowing_mul(size as usize);
        too_large |= over;
        elements = product;
    }
    let bytes = match elements.checked_mul(spec.bits) {
        Some(bits) if !too_large => bits.div_ceil(8),
        _ => return Err(Wrong::TooLarge),
    };
    if bytes > isize::MAX as usize {
        return Err(Wrong::TooLarge);
    }
    if bytes != 0 && buffer.data.is_null() {
        return Err(Wrong::NoData);
    }
    Ok(Seen {
        data: buffer.data.cast(),
        bytes,
        dims: sizes,
    })
}

/// An array that is written to shares no byte with another.
fn check_overlap(kernel: &Kernel, seen: &[Seen<'_>; MAX_PARAMETERS]) -> Result<(), Fault> {
    let parameters = kernel.source.parameters;
    for (p, declared) in parameters.iter().enumerate() {
        if !matches!(
            declared.kind,
            Kind::Buffer(Direction::Out | Direction::InOut, _)
        ) {
            continue;
        }
        for (q, other) in parameters.iter().enumerate() {
            let written = matches!(
                other.kind,
                Kind::Buffer(Direction::Out | Direction::InOut, _)
            );
            // Each pair once.
            let counts = matches!(other.kind, Kind::Buffer(..)) && p != q && (!written || q < p);
            if counts && seen[p].overlaps(&seen[q]) {
                return Err(Fault::at(
                    p,
                    Place::default(),
                    Wrong::Overlap { other: q as u8 },
                ));
            }
        }
    }
    Ok(())
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
                Place::default(),
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
