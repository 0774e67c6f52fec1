//! The rows and columns of a large array that are shown.

use std::ops::Range;

use crate::tiles::{Cuts, Line};

/// A row or a column of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// The row or column of this index.
    At(usize),
    /// The gap in place of indices that are not shown: the first, and the one after the last.
    Gap(usize, usize),
}

/// The parts of one dimension that are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    parts: Vec<Range<usize>>,
    total: usize,
}

impl Window {
    /// Chooses at most `limit` of `total` indices: the first and the last ones, those at the end of
    /// the first tile of each of these lengths, and those where the padding begins, at `size`.
    pub(crate) fn of(size: usize, total: usize, tiles: &[usize], limit: usize) -> Self {
        let limit = limit.max(1);
        if total <= limit {
            return Self::whole(total);
        }
        // If complete tiles are shown, the end of the first one is among them.
        let ends = tiles.iter().copied();
        let mut middle: Vec<usize> = ends
            .filter(|&tile| tile > limit / 3 && tile < total)
            .collect();
        if size < total && size > 0 {
            middle.push(size);
        }
        middle.sort_unstable();
        middle.dedup();
        // Each part has at least two indices; middle parts are removed until this is possible.
        while !middle.is_empty() && limit < 3 * (middle.len() + 2) {
            middle.pop();
        }
        let gaps = middle.len() + 1;
        let room = limit.saturating_sub(gaps).max(1);
        let each = (room / (middle.len() + 2)).max(1);
        // The end has few indices, the beginning the rest.
        let tail = if middle.is_empty() {
            (room / 4).max(usize::from(room > 1))
        } else {
            each.min(4)
        };
        let mut head = room - tail - middle.len() * each;
        let whole = tiles.iter().filter(|&&tile| tile > 1 && tile <= head);
        if let Some(tile) = whole.max() {
            head -= head % tile;
        }
        let mut parts: Vec<Range<usize>> = std::iter::once(0..head).collect();
        for at in middle {
            let from = at - (each / 2).min(at);
            parts.push(from..from.saturating_add(each).min(total));
        }
        if tail > 0 {
            parts.push(total - tail..total);
        }
        Self {
            parts: joined(parts),
            total,
        }
    }

    /// All indices.
    pub(crate) fn whole(total: usize) -> Self {
        Self {
            parts: std::iter::once(0..total).collect(),
            total,
        }
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.hidden().is_empty()
    }

    /// The number of indices.
    pub(crate) fn total(&self) -> usize {
        self.total
    }

    /// The ranges that are not shown.
    pub(crate) fn hidden(&self) -> Vec<Range<usize>> {
        let gap = |slot| match slot {
            Slot::Gap(from, end) => Some(from..end),
            Slot::At(_) => None,
        };
        self.slots().into_iter().filter_map(gap).collect()
    }

    pub(crate) fn slots(&self) -> Vec<Slot> {
        let mut slots = Vec::new();
        let mut next = 0;
        for part in &self.parts {
            if next < part.start {
                slots.push(Slot::Gap(next, part.start));
            }
            slots.extend(part.clone().map(Slot::At));
            next = part.end;
        }
        if next < self.total {
            slots.push(Slot::Gap(next, self.total));
        }
        slots
    }

    /// The lines before each slot and after the last one. The first and the last line are the
    /// frame.
    pub(crate) fn lines(&self, cuts: &Cuts, frame: Line) -> Vec<Line> {
        let slots = self.slots();
        let mut lines: Vec<Line> = slots
            .iter()
            .map(|slot| match *slot {
                Slot::At(0) | Slot::Gap(0, _) => frame,
                Slot::At(at) | Slot::Gap(at, _) => cuts.before(at),
            })
            .collect();
        lines.resize(slots.len().max(1), frame);
        lines.push(frame);
        lines
    }
}

/// Joins parts that overlap. A gap of one index is filled.
fn joined(mut parts: Vec<Range<usize>>) -> Vec<Range<usize>> {
    parts.sort_unstable_by_key(|part| part.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for part in parts {
        match joined.last_mut() {
            Some(last) if part.start <= last.end.saturating_add(1) => {
                last.end = last.end.max(part.end)
            }
            _ => joined.push(part),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_fits_and_says_what_is_missing() {
        for total in (0..300).chain([usize::MAX / 4, usize::MAX]) {
            for limit in 1..50 {
                for size in [total, total.saturating_sub(5)] {
                    let window = Window::of(size, total, &[], limit);
                    let slots = window.slots();
                    assert!(slots.len() <= limit.max(2), "{total} {limit}: {slots:?}");
                    let shown = slots.iter().filter(|slot| matches!(slot, Slot::At(_)));
                    let hidden: usize = window.hidden().iter().map(Range::len).sum();
                    assert_eq!(shown.count() + hidden, total);
                    assert_eq!(window.is_whole(), hidden == 0);
                }
            }
        }
    }

    #[test]
    fn the_beginning_of_the_padding_is_shown() {
        let window = Window::of(70, 128, &[], 20);
        assert_eq!(window.hidden(), [8..67, 73..124]);
    }
}
