//! Compares single elements by the definition of both layouts: where an index lies in the file of
//! the part, and where in that of the source. No block is cut and no plan of a copy is made, as
//! `run` does.

use xlayout::{ArrayLayout, DynLayout};

use super::prepare::Files;
use crate::array::{self, Array, Encoding};
use crate::copy::Sources;
use crate::decode;
use crate::error::Outcome;
use crate::numbers;
use crate::pieces::Job;
use crate::positioned::OpenFile;

/// How many elements of each piece are compared: the first, the last, and others between them.
const ELEMENTS: u64 = 8;

/// The index of an element of the part that is another one in its file, if one is found.
///
/// # Errors
/// Those of reading.
pub(super) fn probe(
    job: &Job,
    files: &Files<'_>,
    written: &OpenFile,
) -> Outcome<Option<Vec<usize>>> {
    let mut random = job.origin.iter().fold(1_u64, |seed, at| {
        seed.wrapping_mul(31).wrapping_add(*at as u64)
    });
    for piece in &job.pieces {
        let Some(area) = array::common(&piece.area(), &job.area()) else {
            continue;
        };
        let source = Stored::of(piece, files)?;
        for k in 0..ELEMENTS {
            let mut index = Vec::new();
            for range in &area {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let place = match k {
                    0 => 0,
                    1 => range.len() - 1,
                    _ => (random >> 33) as usize % range.len(),
                };
                index.push(range.start + place);
            }
            let in_source = array::each(&index, &piece.origin, |at, origin| at - origin);
            let in_part = array::each(&index, &job.origin, |at, origin| at - origin);
            let found = element(&job.layout, &in_part, |bytes, at| {
                written.read(bytes, job.offset + at)
            })?;
            let mut wanted = source.element(&in_source)?;
            let types = [&piece.layout, &job.layout].map(|layout| layout.element_type());
            if types[0] != types[1] {
                let mut converted = vec![0; found.len()];
                numbers::convert((&wanted, types[0]), (&mut converted, types[1]));
                wanted = converted;
            }
            // An element that is narrower than its place has its low bits there.
            let bits = [&piece.layout, &job.layout].map(|layout| layout.element_bits());
            let mask = match bits[0].min(bits[1]) {
                narrow @ 1..8 => (1 << narrow) - 1,
                _ => u8::MAX,
            };
            if !(found.iter().zip(&wanted)).all(|(a, b)| a & mask == b & mask) {
                return Ok(Some(index));
            }
        }
    }
    Ok(None)
}

/// The bytes of the element at an index; one that is narrower than a byte in the low bits of one.
fn element(
    layout: &DynLayout,
    index: &[usize],
    read: impl Fn(&mut [u8], u64) -> Outcome,
) -> Outcome<Vec<u8>> {
    let Some(place) = layout.linear_index_in_bounds(index) else {
        unreachable!("the index is in the box that the part and the piece share")
    };
    let bits = layout.element_bits();
    let bit = place as u128 * bits as u128;
    let mut bytes = vec![0; bits.div_ceil(8)];
    read(&mut bytes, (bit / 8) as u64)?;
    if bits < 8 {
        bytes[0] >>= bit % 8;
    }
    Ok(bytes)
}

/// The bytes of a piece.
struct Stored<'a> {
    piece: &'a Array,
    /// Of a chunk that is encoded; all others are read element by element.
    decoded: Option<Vec<u8>>,
    file: Option<std::sync::Arc<OpenFile>>,
}

impl<'a> Stored<'a> {
    fn of(piece: &'a Array, files: &Files<'_>) -> Outcome<Self> {
        let mut stored = Self {
            piece,
            decoded: None,
            file: None,
        };
        let is_fill =
            |(_, encodings): &(u64, Vec<Encoding>)| matches!(encodings[..], [Encoding::Fill(_)]);
        if piece.encoded.as_ref().is_some_and(is_fill) {
            return Ok(stored);
        }
        let file = files.file(piece.file)?;
        if let Some((bytes, encodings)) = &piece.encoded {
            let mut found = file.bytes(piece.offset, *bytes)?;
            let mut decoded = vec![0; piece.layout.bytes()];
            let done = decode::decode(&mut found, encodings, &mut decoded);
            done.map_err(|what| file.wrong(format_args!("is damaged: {what}")))?;
            stored.decoded = Some(decoded);
        }
        stored.file = Some(file);
        Ok(stored)
    }

    fn element(&self, index: &[usize]) -> Outcome<Vec<u8>> {
        let mut bytes = match (&self.piece.encoded, &self.file) {
            (Some((_, encodings)), None) => match &encodings[..] {
                [Encoding::Fill(element)] => element.clone(),
                _ => unreachable!("only elements that are not stored have no file"),
            },
            (_, file) => element(&self.piece.layout, index, |bytes, at| {
                match (&self.decoded, file) {
                    (Some(decoded), _) => {
                        let at = at as usize;
                        bytes.copy_from_slice(&decoded[at..at + bytes.len()]);
                        Ok(())
                    }
                    (None, Some(file)) => file.read(bytes, self.piece.offset + at),
                    (None, None) => unreachable!("what is not encoded has a file"),
                }
            })?,
        };
        if let Some(width) = self.piece.swap {
            bytes.chunks_exact_mut(width).for_each(<[u8]>::reverse);
        }
        Ok(bytes)
    }
}
