//! Operands, called computations and attributes of all instructions of a module, in one list.
//!
//! An instruction holds the start of its part, so it needs no heap memory of its own.

use super::texts::Text;

/// Where the part of an instruction begins: one word, or four words, with the lengths, then the
/// operands, two numbers for each called computation, and two for each attribute. 0 is the empty
/// part.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span(u32);

#[derive(Debug)]
pub(super) struct Lists {
    all: Vec<u32>,
}

impl Default for Lists {
    fn default() -> Self {
        Self { all: vec![0] }
    }
}

/// A first word below `LONG` holds the lengths, a byte each. If it is `LONG`, three words with the
/// lengths follow.
const SHORT: usize = 255;
const LONG: u32 = u32::MAX;

impl Lists {
    /// Adds the parts of an instruction. Returns `None` if the list is full.
    pub(super) fn add(
        &mut self,
        operands: &[u32],
        called: &[(Text, u32)],
        attributes: &[(Text, Text)],
    ) -> Option<Span> {
        let lengths = [operands.len(), called.len(), attributes.len()];
        if lengths == [0; 3] {
            return Some(Span::default());
        }
        let start = u32::try_from(self.all.len()).ok()?;
        match lengths.map(|length| (length < SHORT).then_some(length as u32)) {
            [Some(operands), Some(called), Some(attributes)] => {
                self.all.push(operands | called << 8 | attributes << 16);
            }
            _ => {
                self.all.push(LONG);
                for length in lengths {
                    self.all.push(u32::try_from(length).ok()?);
                }
            }
        }
        self.all.extend_from_slice(operands);
        self.all
            .extend(called.iter().flat_map(|&(role, number)| [role.0, number]));
        self.all
            .extend(attributes.iter().flat_map(|&(key, value)| [key.0, value.0]));
        Some(Span(start))
    }

    /// Operands, called computations and attributes.
    fn parts(&self, span: Span) -> [&[u32]; 3] {
        let all = &self.all[span.0 as usize..];
        let (lengths, all) = match all[0] {
            LONG => ([all[1], all[2], all[3]], &all[4..]),
            short => ([short & 255, short >> 8 & 255, short >> 16], &all[1..]),
        };
        let [operands, called, attributes] = lengths.map(|length| length as usize);
        let (operands, rest) = all.split_at(operands);
        let (called, rest) = rest.split_at(2 * called);
        [operands, called, &rest[..2 * attributes]]
    }

    pub(super) fn operands(&self, span: Span) -> &[u32] {
        self.parts(span)[0]
    }

    pub(super) fn called(&self, span: Span) -> impl ExactSizeIterator<Item = (Text, u32)> {
        self.parts(span)[1]
            .chunks_exact(2)
            .map(|pair| (Text(pair[0]), pair[1]))
    }

    pub(super) fn attributes(&self, span: Span) -> impl Iterator<Item = (Text, Text)> {
        self.parts(span)[2]
            .chunks_exact(2)
            .map(|pair| (Text(pair[0]), Text(pair[1])))
    }
}

/// Lists of ascending numbers, such as the users of each instruction of a computation.
pub(crate) struct Grouped {
    all: Vec<u32>,
    /// Where each list begins in `all`, and its length.
    starts: Vec<u32>,
}

impl Grouped {
    /// Returns the users of each instruction, from the operands of each. An instruction that uses
    /// another one twice is listed once.
    pub(super) fn users<'a>(operands: impl ExactSizeIterator<Item = &'a [u32]> + Clone) -> Self {
        let pairs = (0..)
            .zip(operands.clone())
            .flat_map(|(user, all)| all.iter().map(move |&operand| (operand, user)));
        Self::new(operands.len(), pairs)
    }

    /// Returns `lists` lists from pairs of a list and a number in it, given in ascending order of
    /// the numbers. A repeated number is listed once.
    pub(crate) fn new(lists: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        // At first `starts[k + 1]` is the length of list `k`; then it is the start of the list, and
        // advances to its end.
        let mut starts = vec![0_u32; lists + 1];
        // The number that was added last to each list, plus 1.
        let mut last = vec![0_u32; lists];
        let is_new = |last: &mut [u32], (list, number): (u32, u32)| {
            std::mem::replace(&mut last[list as usize], number + 1) != number + 1
        };
        for pair in pairs.clone() {
            starts[pair.0 as usize + 1] += u32::from(is_new(&mut last, pair));
        }
        let mut sum = 0;
        for start in &mut starts {
            let count = std::mem::replace(start, sum);
            sum += count;
        }
        // Now `starts[k + 1]` is the total length of the lists before `k`.
        last.fill(0);
        let mut all = vec![0; sum as usize];
        for pair in pairs {
            if is_new(&mut last, pair) {
                let end = &mut starts[pair.0 as usize + 1];
                all[*end as usize] = pair.1;
                *end += 1;
            }
        }
        Self { all, starts }
    }

    /// The numbers of a list.
    pub(crate) fn of(&self, list: u32) -> &[u32] {
        let k = list as usize;
        &self.all[self.starts[k] as usize..self.starts[k + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn users_are_those_that_have_the_operand(
            operands in prop::collection::vec(prop::collection::vec(0_u32..12, 0..5), 12..20)
        ) {
            let users = Grouped::users(operands.iter().map(|all| &all[..]));
            for k in 0..operands.len() as u32 {
                let uses = |all: &&Vec<u32>| all.contains(&k);
                let expected: Vec<u32> = (0..).zip(&operands).filter(|(_, all)| uses(all)).map(|(user, _)| user).collect();
                prop_assert_eq!(users.of(k), &expected[..]);
            }
        }

        #[test]
        fn lists_give_back_what_was_added(
            all in prop::collection::vec((
                prop_oneof![prop::collection::vec(any::<u32>(), 0..4), prop::collection::vec(any::<u32>(), 253..258)],
                prop_oneof![
                    9 => prop::collection::vec((any::<u32>(), any::<u32>()), 0..3),
                    1 => prop::collection::vec((any::<u32>(), any::<u32>()), 253..258)
                ],
                prop_oneof![
                    9 => prop::collection::vec((any::<u32>(), any::<u32>()), 0..3),
                    1 => prop::collection::vec((any::<u32>(), any::<u32>()), 253..258)
                ],
            ), 0..8)
        ) {
            let mut lists = Lists::default();
            let all: Vec<_> = all
                .into_iter()
                .map(|(operands, called, attributes)| {
                    let called: Vec<_> = called.into_iter().map(|(a, b)| (Text(a), b)).collect();
                    let attributes: Vec<_> = attributes.into_iter().map(|(a, b)| (Text(a), Text(b))).collect();
                    let span = lists.add(&operands, &called, &attributes).unwrap();
                    (span, operands, called, attributes)
                })
                .collect();
            for (span, operands, called, attributes) in all {
                prop_assert_eq!(lists.operands(span), &operands[..]);
                prop_assert_eq!(lists.called(span).collect::<Vec<_>>(), called);
                prop_assert_eq!(lists.attributes(span).collect::<Vec<_>>(), attributes);
            }
        }
    }
}
