//! Compares single elements by the definition of both layouts: where an index lies in the file of
//! the part, and where in that of the source. No block is cut and no plan of a copy is made, as
//! `run` does.

use std::sync::Arc;

use xlayout::{ArrayLayout, DynLayout};

use super::prepare::PlanFiles;
use crate::array;
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
    files: &PlanFiles<'_>,
    written: &OpenFile,
) -> Outcome<Option<Vec<usize>>> {
    let mut random = job.origin.iter().fold(1_u64, |seed, at| {
        seed.wrapping_mul(31).wrapping_add(*at as u64)
    });
    for piece in &job.pieces {
        let Some(area) = array::common(&piece.area(), &job.area()) else {
            continue;
        };
        let mut source = files.file(piece.file)?;
        let mut begin = piece.offset;
        if let Some((bytes, encodings)) = &piece.encoded {
            let mut stored = source.bytes(begin, *bytes)?;
            let mut elements = vec![0; piece.layout.bytes()];
            decode::of_file(&source, &mut stored, encodings, &mut elements)?;
            let path = source.path.clone();
            let length = elements.len() as u64;
            source = Arc::new(OpenFile::new(path, length, Arc::new(elements)));
            begin = 0;
        }
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
            let found = element(&job.layout, &in_part, (written, job.offset))?;
            let mut wanted = element(&piece.layout, &in_source, (&source, begin))?;
            if let Some(width) = piece.swap {
                wanted.chunks_exact_mut(width).for_each(<[u8]>::reverse);
            }
            let types = [&piece.layout, &job.layout].map(|layout| layout.element_type());
            if types[0] != types[1] {
                let mut converted = vec![0; found.len()];
                numbers::convert(&wanted, types[0], &mut converted, types[1]);
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

/// The bytes of the element at an index of an array that begins at a byte of a file; one that is
/// narrower than a byte in the low bits of one.
fn element(
    layout: &DynLayout,
    index: &[usize],
    (file, begin): (&OpenFile, u64),
) -> Outcome<Vec<u8>> {
    let Some(place) = layout.linear_index_in_bounds(index) else {
        unreachable!("the index is in the box that the part and the piece share")
    };
    let bits = layout.element_bits();
    let bit = place as u128 * bits as u128;
    let mut bytes = file.bytes(begin + (bit / 8) as u64, bits.div_ceil(8) as u64)?;
    if bits < 8 {
        bytes[0] >>= bit % 8;
    }
    Ok(bytes)
}
