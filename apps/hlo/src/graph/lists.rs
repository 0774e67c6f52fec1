//! Operands, called computations and attributes of all instructions of a module, in one list.
//!
//! An instruction holds the start of its part, so it needs no heap memory of its own.

use super::texts::Text;

/// Where the part of an instruction begins in [`Lists`]. 0 is the empty part.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span(u32);

/// The parts of all instructions, one after the other. A part has the three lengths, the operands,
/// two numbers for each called computation, and two for each attribute.
#[derive(Debug)]
pub(super) struct Lists {
    all: Vec<u32>,
}

impl Default for Lists {
    /// With the empty part: a word that says that the three lengths are 0.
    fn default() -> Self {
        Self { all: vec![0] }
    }
}

/// Lengths below `SHORT` are in one word, a byte each.
const SHORT: usize = 255;
/// The word before three words with the lengths, where one of them is not below `SHORT`.
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

    /// The operands, the called computations and the attributes, as they are stored.
    fn parts(&self, span: Span) -> [&[u32]; 3] {
        let all = &self.all[span.0 as usize..];
        let (lengths, items) = match all[0] {
            LONG => ([all[1], all[2], all[3]], &all[4..]),
            short => ([short & 255, short >> 8 & 255, short >> 16], &all[1..]),
        };
        let [operand_count, called_count, attribute_count] = lengths.map(|length| length as usize);
        let (operands, rest) = items.split_at(operand_count);
        let (called, rest) = rest.split_at(2 * called_count);
        let attributes = &rest[..2 * attribute_count];
        [operands, called, attributes]
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
    /// Where each list begins in `all`, and then the length of `all`.
    starts: Vec<u32>,
}

impl Grouped {
    /// Returns the users of each instruction, from the operands of each. An instruction that uses
    /// another one twice is listed once.
    pub(super) fn users<'a>(operands: impl ExactSizeIterator<Item = &'a [u32]> + Clone) -> Self {
        let pairs = (0..)
            .zip(operands.clone())
            .flat_map(|(user, used)| used.iter().map(move |&operand| (operand, user)));
        Self::new(operands.len(), pairs)
    }

    /// Returns `list_count` lists from pairs of a list and a number in it, given in ascending order
    /// of the numbers. A repeated number is listed once.
    pub(crate) fn new(list_count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        // The number that was added last to each list, plus 1; 0 for none.
        let mut last_added = vec![0_u32; list_count];
        let is_new = |last_added: &mut [u32], list: u32, number: u32| {
            let before = std::mem::replace(&mut last_added[list as usize], number + 1);
            before != number + 1
        };
        // `starts[k + 1]` belongs to list `k`. It becomes three things, one after the other: the
        // length of the list, its start, and, as the list is filled, its end, where the next list
        // starts.
        let mut starts = vec![0_u32; list_count + 1];
        for (list, number) in pairs.clone() {
            starts[list as usize + 1] += u32::from(is_new(&mut last_added, list, number));
        }
        let mut sum = 0;
        for start in &mut starts {
            let length = std::mem::replace(start, sum);
            sum += length;
        }
        last_added.fill(0);
        let mut all = vec![0; sum as usize];
        for (list, number) in pairs {
            if is_new(&mut last_added, list, number) {
                let end = &mut starts[list as usize + 1];
                all[*end as usize] = number;
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
