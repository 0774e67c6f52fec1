//! The way a copy goes: one nest of loops, several, bits, or element by element.
#![allow(unsafe_code)]

use alloc::boxed::Box;

use crate::bits;
use crate::cells::Cells;
use crate::error::{End, RelayoutError};
use crate::general::General;
use crate::kernels;
use crate::kernels::cost::Run;
use crate::kernels::task::Task;
use crate::nest::Nest;
use crate::piece::piece;
use crate::refine::{Boxes, Refinement};
use crate::side::{Side, Sizes, sizes_of};

/// How the elements are copied.
#[derive(Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "the usual way lies in the plan itself: a one-off copy needs no heap"
)]
pub(crate) enum Way {
    /// There are no elements.
    Nothing,
    /// One nest of loops, and how it is run.
    Task(Task, Nest),
    /// Several: what does not divide is cut off.
    Boxes(Box<Boxed>),
    /// Elements that are packed into bytes on one side at least.
    Bits(Box<Boxed>),
    /// Element by element.
    General(Box<General>),
}

/// A refinement with what it takes to go through its boxes.
#[derive(Clone)]
pub(crate) struct Boxed {
    refinement: Refinement,
    sizes: Sizes,
    /// The first element on either side, in units.
    src: isize,
    dst: isize,
    /// The units of an element; 1 where bits are copied.
    width: usize,
    pub(crate) cells: Cells,
}

impl Way {
    /// The way from one side to the other of an array that has elements.
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
            // Bits are counted, on both sides.
            for (end, side) in [(End::Source, src), (End::Destination, dst)] {
                if !side.counts_bits() {
                    return Err(RelayoutError::TooLarge { end });
                }
            }
        }
        // What a step of the copy moves, in units: bits are copied element by element.
        let each = width.unwrap_or(1);
        if src.terms.is_empty()
            && dst.terms.is_empty()
            && let Some(refinement) =
                Refinement::new(sizes, src.digits.as_slice(), dst.digits.as_slice())
        {
            let mut boxes = refinement.first();
            let first = refinement.next(sizes, &mut boxes, each);
            if let (Some(mut nest), Some(width)) = (first, width)
                && refinement.next(sizes, &mut boxes, width).is_none()
            {
                nest.src += src.base;
                nest.dst += dst.base;
                nest.normalise();
                return Ok(Self::Task(Task::new(&nest), nest));
            }
            let boxed = Box::new(Boxed {
                refinement,
                sizes: sizes_of(sizes),
                src: src.base,
                dst: dst.base,
                width: each,
                cells,
            });
            return Ok(match width {
                Some(_) => Self::Boxes(boxed),
                None => Self::Bits(boxed),
            });
        }
        Ok(Self::General(Box::new(General::new(sizes, src, dst))))
    }

    /// Copies the `part`-th of `parts` shares; all of them together are the array.
    ///
    /// # Safety
    /// The elements of the sides of this way, at their offsets (`SIDE`), can be read at `src` and written at `dst`.
    /// Those of both sides have no byte in common. While it runs nothing else writes the former, or touches
    /// those of this share in the destination.
    pub(crate) unsafe fn run(
        &self,
        src: *const u8,
        dst: *mut u8,
        by: &Run,
        (part, parts): (usize, usize),
    ) {
        // What is estimated of the whole nest may not fit a piece.
        let of_piece = Run {
            estimates: None,
            ..*by
        };
        // SAFETY: the caller's promise. A piece of a nest reaches only what the nest reaches.
        let copy = |nest: &Nest| unsafe {
            match (piece(nest, part, parts), self) {
                (Some(nest), Self::Bits(of)) => bits::run(&nest, of.cells, src, dst, &of_piece),
                (Some(nest), _) => kernels::run(&Task::new(&nest), src, dst, &of_piece),
                (None, _) => {}
            }
        };
        match self {
            Self::Nothing => {}
            // SAFETY: the caller's promise.
            Self::Task(task, _) if parts == 1 => unsafe { kernels::run(task, src, dst, by) },
            Self::Task(_, nest) => copy(nest),
            Self::Boxes(boxed) | Self::Bits(boxed) => boxed.each(|nest| copy(&nest)),
            // SAFETY: the caller's promise.
            Self::General(general) => unsafe { general.run(src, dst, part, parts) },
        }
    }

    /// The task that copies most elements, where tasks copy them; a strategy is chosen for it.
    pub(crate) fn largest_task(&self) -> Option<Task> {
        match self {
            Self::Task(task, _) => Some(*task),
            Self::Boxes(boxed) => boxed.first().map(|nest| Task::new(&nest)),
            // There is one way to copy these.
            Self::Nothing | Self::Bits(_) | Self::General(_) => None,
        }
    }

    /// What all runs of this way know, which write so many bytes.
    pub(crate) fn by(&self, total: usize) -> Run {
        match self {
            Self::Task(task, _) => Run::of_task(task, total),
            _ => Run::of(total),
        }
    }

    /// How many elements the `part`-th of `parts` shares has.
    pub(crate) fn elements_of_part(&self, width: usize, (part, parts): (usize, usize)) -> usize {
        let width = if let Self::Bits(_) = self { 1 } else { width };
        let of = |nest: &Nest| {
            piece(nest, part, parts).map_or(0, |nest| nest.loops.count() * nest.width / width)
        };
        match self {
            Self::Nothing => 0,
            Self::Task(_, nest) => of(nest),
            Self::Boxes(boxed) | Self::Bits(boxed) => {
                // The nests of bits count elements.
                let mut sum = 0;
                boxed.each(|nest| sum += of(&nest));
                sum
            }
            Self::General(general) => general.elements_of_part(part, parts),
        }
    }
}

impl Boxed {
    /// Calls `visit` with the nest of every box.
    pub(crate) fn each(&self, mut visit: impl FnMut(Nest)) {
        let mut boxes = self.refinement.first();
        while let Some(nest) = self.next(&mut boxes) {
            visit(nest);
        }
    }

    fn next(&self, boxes: &mut Boxes) -> Option<Nest> {
        let mut nest = self
            .refinement
            .next(self.sizes.as_slice(), boxes, self.width)?;
        nest.src += self.src;
        nest.dst += self.dst;
        nest.normalise();
        Some(nest)
    }

    /// Whether shares of the elements have no byte of the destination in common: either each element
    /// has bytes of its own, or every step of every loop moves whole bytes. In the second case only
    /// the elements that lie together share bytes, and those are cut at multiples of 64.
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
        let mut divisible = true;
        self.each(|nest| {
            let loops = nest.loops.as_slice();
            divisible &= whole(nest.dst) && loops.iter().all(|by| whole(by.dst));
        });
        // Two boxes may meet inside a byte.
        divisible && self.count() == 1
    }

    /// The first box, which is the largest.
    pub(crate) fn first(&self) -> Option<Nest> {
        self.next(&mut self.refinement.first())
    }

    /// How many boxes there are.
    pub(crate) fn count(&self) -> usize {
        let mut count = 0;
        self.each(|_| count += 1);
        count
    }
}

/// Whether elements would lose bits: both sides keep them alike, or as wide as their type.
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
