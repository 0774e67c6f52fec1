//! What the instructions of a module hold, in one list: operands, called computations, attributes.
//!
//! An instruction has where its part begins and how long it is. So it needs no memory of its own on the heap.

use super::texts::Text;

/// The part of an instruction: operands, then two numbers for each called computation, then two for each attribute.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    start: usize,
    operands: u32,
    called: u32,
    attributes: u32,
}

#[derive(Debug, Default)]
pub(super) struct Lists {
    all: Vec<u32>,
}

impl Lists {
    /// Adds what an instruction holds.
    pub(super) fn add(
        &mut self,
        operands: &[u32],
        called: &[(Text, u32)],
        attributes: &[(Text, Text)],
    ) -> Span {
        let start = self.all.len();
        self.all.extend_from_slice(operands);
        let called_pairs = called.iter().flat_map(|&(role, number)| [role.0, number]);
        self.all.extend(called_pairs);
        let pairs = attributes.iter().flat_map(|&(key, value)| [key.0, value.0]);
        self.all.extend(pairs);
        let [operands, called, attributes] =
            [operands.len(), called.len(), attributes.len()].map(|length| {
                let Ok(length) = u32::try_from(length) else {
                    unreachable!("the reader limits the text of an instruction to 64 MiB");
                };
                length
            });
        Span {
            start,
            operands,
            called,
            attributes,
        }
    }

    pub(super) fn operands(&self, of: Span) -> &[u32] {
        &self.all[of.start..][..of.operands as usize]
    }

    pub(super) fn called(&self, of: Span) -> impl ExactSizeIterator<Item = (Text, u32)> {
        let start = of.start + of.operands as usize;
        let pairs = self.all[start..][..2 * of.called as usize].chunks_exact(2);
        pairs.map(|pair| (Text(pair[0]), pair[1]))
    }

    pub(super) fn attributes(&self, of: Span) -> impl Iterator<Item = (Text, Text)> {
        let start = of.start + of.operands as usize + 2 * of.called as usize;
        let pairs = self.all[start..][..2 * of.attributes as usize].chunks_exact(2);
        pairs.map(|pair| (Text(pair[0]), Text(pair[1])))
    }
}

/// The users of each instruction of a computation, in their sequence. An instruction that uses one twice is there once.
#[derive(Debug)]
pub(crate) struct Users {
    all: Vec<u32>,
    /// Where the users of each instruction begin in `all`, and its length.
    starts: Vec<usize>,
}

impl Users {
    /// From the operands of each instruction.
    pub(super) fn new<'a>(operands: impl ExactSizeIterator<Item = &'a [u32]> + Clone) -> Self {
        // First `starts[k + 1]` counts the users of `k`; then it is where those of `k` begin, and moves to their end.
        let mut starts = vec![0_usize; operands.len() + 1];
        // The user that was seen last, from 1.
        let mut last = vec![0_u32; operands.len()];
        for (user, operands) in (1..).zip(operands.clone()) {
            for &operand in operands {
                if std::mem::replace(&mut last[operand as usize], user) != user {
                    starts[operand as usize + 1] += 1;
                }
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            let count = std::mem::replace(start, sum);
            sum += count;
        }
        // Now `starts[k + 1]` is the number of all users of those before `k`.
        last.fill(0);
        let mut all = vec![0; sum];
        for (user, operands) in (1..).zip(operands) {
            for &operand in operands {
                if std::mem::replace(&mut last[operand as usize], user) != user {
                    let end = &mut starts[operand as usize + 1];
                    all[*end] = user - 1;
                    *end += 1;
                }
            }
        }
        Self { all, starts }
    }

    /// The users of an instruction.
    pub(crate) fn of(&self, instruction: u32) -> &[u32] {
        let k = instruction as usize;
        &self.all[self.starts[k]..self.starts[k + 1]]
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
            let users = Users::new(operands.iter().map(|all| &all[..]));
            for k in 0..operands.len() as u32 {
                let uses = |all: &&Vec<u32>| all.contains(&k);
                let expected: Vec<u32> = (0..).zip(&operands).filter(|(_, all)| uses(all)).map(|(user, _)| user).collect();
                prop_assert_eq!(users.of(k), &expected[..]);
            }
        }

        #[test]
        fn lists_give_back_what_was_added(
            all in prop::collection::vec((
                prop::collection::vec(any::<u32>(), 0..4),
                prop::collection::vec((any::<u32>(), any::<u32>()), 0..3),
                prop::collection::vec((any::<u32>(), any::<u32>()), 0..3),
            ), 0..8)
        ) {
            let mut lists = Lists::default();
            let all: Vec<_> = all
                .into_iter()
                .map(|(operands, called, attributes)| {
                    let called: Vec<_> = called.into_iter().map(|(a, b)| (Text(a), b)).collect();
                    let attributes: Vec<_> = attributes.into_iter().map(|(a, b)| (Text(a), Text(b))).collect();
                    (lists.add(&operands, &called, &attributes), operands, called, attributes)
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
