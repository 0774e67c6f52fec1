//! The CRC-32 of a file that is written in any sequence.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crc32fast::Hasher;

use crate::copy::Sink;
use crate::error::Outcome;
use crate::stop::lock;

/// A sink, and the checksum of what it gets.
pub(crate) struct Summed<'a> {
    sink: &'a dyn Sink,
    /// The parts by their first byte: the end and the checksum of each. Adjacent parts are merged.
    parts: Mutex<BTreeMap<u64, (u64, Hasher)>>,
}

impl<'a> Summed<'a> {
    pub(crate) fn new(sink: &'a dyn Sink) -> Self {
        Self {
            sink,
            parts: Mutex::default(),
        }
    }

    /// Returns the checksum of the whole file. Bytes that were not written are zero.
    pub(crate) fn finish(self, bytes: u64) -> u32 {
        let mut all = Hasher::new();
        let mut at = 0;
        for (begin, (end, part)) in &*lock(&self.parts) {
            zeros(&mut all, begin - at);
            all.combine(part);
            at = *end;
        }
        zeros(&mut all, bytes.saturating_sub(at));
        all.finalize()
    }
}

fn zeros(hasher: &mut Hasher, bytes: u64) {
    const ZEROS: [u8; 4096] = [0; 4096];
    for at in (0..bytes).step_by(ZEROS.len()) {
        let part = (bytes - at).min(ZEROS.len() as u64);
        hasher.update(&ZEROS[..part as usize]);
    }
}

impl Sink for Summed<'_> {
    fn write(&self, bytes: &[u8], at: u64) -> Outcome {
        self.sink.write(bytes, at)?;
        let mut own = Hasher::new();
        own.update(bytes);
        let mut begin = at;
        let mut end = at + bytes.len() as u64;
        let mut parts = lock(&self.parts);
        let before = parts.range(..begin).next_back();
        let before = before.filter(|(_, (last, _))| *last == begin);
        if let Some(first) = before.map(|(first, _)| *first)
            && let Some((_, mut hasher)) = parts.remove(&first)
        {
            hasher.combine(&own);
            (own, begin) = (hasher, first);
        }
        if let Some((last, hasher)) = parts.remove(&end) {
            own.combine(&hasher);
            end = last;
        }
        parts.insert(begin, (end, own));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;

    impl Sink for Nothing {
        fn write(&self, _: &[u8], _: u64) -> Outcome {
            Ok(())
        }
    }

    proptest::proptest! {
        /// Pieces in any sequence, and bytes between them that were not written, which are zero.
        #[test]
        fn the_sequence_does_not_count(
            bytes in proptest::collection::vec(1_u8.., 1..200),
            cuts in proptest::collection::btree_set(0_usize..200, 0..20),
            swaps in proptest::collection::vec(0_usize..20, 0..20),
            left_out in 0_usize..40,
        ) {
            let mut cuts: Vec<usize> = cuts.into_iter().filter(|cut| *cut < bytes.len()).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let mut pieces: Vec<_> = cuts.windows(2).map(|pair| pair[0]..pair[1]).collect();
            for (k, swap) in swaps.iter().enumerate() {
                let count = pieces.len();
                pieces.swap(k % count, swap % count);
            }
            let mut written = vec![0; bytes.len()];
            let summed = Summed::new(&Nothing);
            for (k, piece) in pieces.into_iter().enumerate() {
                if k != left_out {
                    written[piece.clone()].copy_from_slice(&bytes[piece.clone()]);
                    summed.write(&bytes[piece.clone()], piece.start as u64).unwrap();
                }
            }
            proptest::prop_assert_eq!(summed.finish(bytes.len() as u64), crc32fast::hash(&written));
        }
    }
}
