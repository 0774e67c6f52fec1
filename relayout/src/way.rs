//! The way of a copy: one nest of loops, several nests, bits, or element by element.
#![allow(unsafe_code)]

use alloc::boxed::Box;

use crate::bits;
use crate::cells::Cells;
use crate::error::{End, RelayoutError};
use crate::general::General;
use crate::kernels;
use crate::kernels::Run;
use crate::kernels::task::Task;
use crate::nest::Nest;
use crate::piece::{Share, piece};
use crate::refine::Refinement;
use crate::side::{Side, Sizes, sizes_of};

/// How elements are copied.
#[derive(Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "the usual way lies in the plan itself: a one-off copy needs no heap"
)]
pub(crate) enum Way {
    /// There are no elements.
    Nothing,
    /// One nest of loops, and the task that runs it.
    Task(Task, Nest),
    /// Several nests of loops, because sizes are not multiples of the cuts.
    Boxes(Box<Boxed>),
    /// Elements that are packed into bytes on at least one side.
    Bits(Box<Boxed>),
    /// Element by element.
    General(Box<General>),
}

/// A refinement, and the data to visit its boxes.
#[derive(Clone)]
pub(crate) struct Boxed {
    refinement: Refinement,
    sizes: Sizes,
    /// The offset of the first element on each side, in units.
    src: isize,
    dst: isize,
    /// The units of an element; 1 if bits are copied.
    width: usize,
    pub(crate) cells: Cells,
}

impl Way {
    /// Returns the way from one side of an array to the other.
    pub(crate) fn new(sizes: &[usize], src: &Side, dst: &Side) -> Result<Self, RelayoutError> {
        if let Some((src, dst)) = Side::forwards(src, dst)? {
            return Self::new(sizes, &src, &dst);
        }
        let cells = Cells::of(src, dst);
        narrow(src, dst)?;
        if sizes.contains(&0) {
            return Ok(Self::Nothing);
        }
        let width = cells.whole();
        if width.is_none() {
            // The offsets of bits must fit on both sides.
            for (end, side) in [(End::Source, src), (End::Destination, dst)] {
                if !side.counts_bits() {
                    return Err(RelayoutError::TooLarge { end });
                }
            }
        }
        if src.terms.is_empty()
            && dst.terms.is_empty()
            && let Some(refinement) =
                Refinement::new(sizes, src.digits.as_slice(), dst.digits.as_slice())
        {
            let boxed = Boxed {
                refinement,
                sizes: sizes_of(sizes),
                src: src.base,
                dst: dst.base,
                // The distance of a step, in units: bits are copied element by element.
                width: width.unwrap_or(1),
                cells,
            };
            if width.is_none() {
                return Ok(Self::Bits(Box::new(boxed)));
            }
            return Ok(match boxed.only() {
                Some(nest) => Self::Task(Task::new(&nest), nest),
                None => Self::Boxes(Box::new(boxed)),
            });
        }
        Ok(Self::General(Box::new(General::new(sizes, src, dst))))
    }

    /// Copies a share. All shares together are the array.
    ///
    /// # Safety
    /// The elements of the sides of this way, at their offsets (`SIDE`), can be read at `src` and
    /// written at `dst`. Those of both sides have no byte in common. Meanwhile nothing else writes
    /// those of the source, or uses those of this share in the destination. If the run has calls,
    /// [`prepared`](Self::prepared) of this way made them.
    pub(crate) unsafe fn run(&self, src: *const u8, dst: *mut u8, run: &Run, share: Share) {
        // A piece is another nest.
        let of_piece = run.with(run.choice);
        // SAFETY: the caller's promise. A piece reaches only offsets of the nest.
        let copy = |nest: &Nest| unsafe {
            match (piece(nest, share), self) {
                (Some(nest), Self::Bits(of)) => bits::run(&nest, of.cells, src, dst, &of_piece),
                (Some(nest), _) => kernels::run(&Task::new(&nest), src, dst, &of_piece),
                (None, _) => {}
            }
        };
        match self {
            Self::Nothing => {}
            // SAFETY: the caller's promise.
            Self::Task(task, _) if share.parts == 1 => unsafe { kernels::run(task, src, dst, run) },
            Self::Task(_, nest) => copy(nest),
            Self::Boxes(boxed) | Self::Bits(boxed) => boxed.nests().for_each(|nest| copy(&nest)),
            // SAFETY: the caller's promise.
            Self::General(general) => unsafe { general.run(src, dst, share) },
        }
    }

    /// The task that copies the most elements, if tasks copy them. A strategy is chosen for it.
    pub(crate) fn largest_task(&self) -> Option<Task> {
        match self {
            Self::Task(task, _) => Some(*task),
            Self::Boxes(boxed) => boxed.nests().next().map(|nest| Task::new(&nest)),
            // There is only one way to copy these.
            Self::Nothing | Self::Bits(_) | Self::General(_) => None,
        }
    }

    /// The data for all runs of this way.
    pub(crate) fn prepared(&self, run: Run) -> Run {
        match self {
            Self::Task(task, _) => run.of_task(task),
            _ => run,
        }
    }

    /// The number of elements of a share.
    pub(crate) fn elements_of_part(&self, width: usize, share: Share) -> usize {
        let width = if let Self::Bits(_) = self { 1 } else { width };
        let elements = |nest: &Nest| {
            piece(nest, share).map_or(0, |nest| nest.loops.count() * nest.width / width)
        };
        match self {
            Self::Nothing => 0,
            Self::Task(_, nest) => elements(nest),
            // The nests of bits count elements.
            Self::Boxes(boxed) | Self::Bits(boxed) => {
                boxed.nests().map(|nest| elements(&nest)).sum()
            }
            Self::General(general) => general.elements_of_part(share),
        }
    }
}

impl Boxed {
    /// The nest of each box. The first box is the largest.
    pub(crate) fn nests(&self) -> impl Iterator<Item = Nest> + '_ {
        let sizes = self.sizes.as_slice();
        let mut boxes = self.refinement.first();
        core::iter::from_fn(move || {
            let mut nest = self.refinement.next(sizes, &mut boxes, self.width)?;
            nest.src += self.src;
            nest.dst += self.dst;
            nest.normalise();
            Some(nest)
        })
    }

    /// Whether no two shares of the elements have a byte of the destination in common: each element
    /// has bytes of its own, or every step of every loop moves whole bytes. Then only contiguous
    /// elements share bytes, and they are cut at multiples of 64. So are the steps of one loop that
    /// moves by single elements, as in a transpose.
    pub(crate) fn is_divisible(&self) -> bool {
        let bits = self.cells.dst_bits;
        if bits.is_multiple_of(8) {
            return true;
        }
        let each = match bits {
            1 | 2 | 4 => 8 / bits,
            _ => return false,
        };
        let whole = |units: isize| units.unsigned_abs().is_multiple_of(each);
        let moves_whole = |nest: Nest| {
            let mut others = nest
                .loops
                .as_slice()
                .iter()
                .filter(|level| !whole(level.dst));
            let follows = others.next().is_none_or(|level| level.dst == 1);
            whole(nest.dst) && follows && others.next().is_none()
        };
        // Two boxes may share a byte.
        self.only().is_some_and(moves_whole)
    }

    /// The nest, if there is only one box.
    fn only(&self) -> Option<Nest> {
        let mut nests = self.nests();
        nests.next().filter(|_| nests.next().is_none())
    }
}

/// Checks that elements lose no bits: both sides have the same width, or each is at least as wide
/// as the element type.
fn narrow(src: &Side, dst: &Side) -> Result<(), RelayoutError> {
    if src.bits == dst.bits {
        return Ok(());
    }
    for (end, side) in [(End::Source, src), (End::Destination, dst)] {
        let Some(own) = side.element_type.bits() else {
            unreachable!("a layout has elements, and they have bits");
        };
        if side.bits < own as usize {
            return Err(RelayoutError::Narrow {
                end,
                element_type: side.element_type,
                bits: side.bits,
            });
        }
    }
    Ok(())
}
