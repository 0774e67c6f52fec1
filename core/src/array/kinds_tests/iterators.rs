//! What walks over arrays gives the same from both ends, by parts, and as a copy of itself.

use super::*;

/// Each way of taking items gives what that of a list gives.
fn same_as_list<I>(made: I)
where
    I: DoubleEndedIterator + ExactSizeIterator + Clone,
    I::Item: Same,
{
    let list = || made.clone().collect::<Vec<_>>();
    let len = list().len();
    for script in 0..6_u64 {
        let mut found = made.clone();
        let mut expected = list().into_iter();
        let mut random = script;
        for _ in 0..len + 2 {
            random = random.wrapping_mul(25_214_903_917).wrapping_add(11);
            let n = (random >> 20) as usize % (len / 3 + 2);
            assert_eq!(found.len(), expected.len());
            let pair = match (random >> 40) % 4 {
                0 => (found.next(), expected.next()),
                1 => (found.next_back(), expected.next_back()),
                2 => (found.nth(n), expected.nth(n)),
                _ => (found.nth_back(n), expected.nth_back(n)),
            };
            match pair {
                (Some(found), Some(expected)) => assert!(found.same(&expected)),
                (found, expected) => assert_eq!(found.is_none(), expected.is_none()),
            }
            // What is left, in one loop.
            let rest: Vec<_> = found.clone().fold(Vec::new(), |mut all, item| {
                all.push(item);
                all
            });
            assert!(
                rest.len() == expected.len()
                    && rest
                        .iter()
                        .zip(expected.clone_list())
                        .all(|(a, b)| a.same(b))
            );
        }
    }
    let forwards = list();
    assert!(
        made.rev()
            .zip(forwards.iter().rev())
            .all(|(a, b)| a.same(b))
    );
}

trait CloneList<T> {
    fn clone_list(&self) -> &[T];
}

impl<T> CloneList<T> for std::vec::IntoIter<T> {
    fn clone_list(&self) -> &[T] {
        self.as_slice()
    }
}

/// Whether two items are the same: elements, parts by their addresses.
trait Same {
    fn same(&self, other: &Self) -> bool;
}

impl Same for &i32 {
    fn same(&self, other: &Self) -> bool {
        core::ptr::eq(*self, *other)
    }
}

impl Same for &[i32] {
    fn same(&self, other: &Self) -> bool {
        core::ptr::eq(*self, *other)
    }
}

impl Same for i8 {
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

impl<L: ArrayLayout> Same for crate::View<'_, i32, L> {
    fn same(&self, other: &Self) -> bool {
        self.as_ptr() == other.as_ptr() && self.layout() == other.layout()
    }
}

impl<C: PartialEq, W, E: ArrayLayout> Same for (C, crate::Tile<crate::PartItems<'_, i32>, W, E>) {
    fn same(&self, other: &Self) -> bool {
        self.0 == other.0
            && self.1.as_ptr() == other.1.as_ptr()
            && self.1.layout() == other.1.layout()
    }
}

impl<L: ArrayLayout> Same for crate::Index<L> {
    fn same(&self, other: &Self) -> bool {
        self.coordinates() == other.coordinates()
    }
}

struct Iterators;

impl Law for Iterators {
    fn of<L: Permuted>(&self, array: &ArrayRef<i32, L>) {
        same_as_list(array.iter());
        same_as_list(array.layout().indices());
        for len in [1, 2, 3] {
            if let Ok(chunks) = array.try_chunks::<0>(len) {
                same_as_list(chunks);
            }
            if let Ok(chunks) = array.try_chunks::<1>(len) {
                same_as_list(chunks);
            }
        }
        if let Ok(slices) = array.lines::<1>() {
            same_as_list(slices);
        }
        if let Ok(slices) = array.lines::<0>() {
            same_as_list(slices);
        }
    }

    fn of_unique<L: Permuted>(&self, array: &ArrayRef<i32, L>) {
        self.of(array);
        if array.is_empty() || array.row(0).is_ok() {
            same_as_list(array.rows());
            same_as_list(array.columns());
        }
    }
}

fn numbers_are_those_of_indices<L: ArrayLayout>(array: &ArrayRef<crate::Packed, L>) {
    // Miri reads what the first line reads.
    if cfg!(not(miri)) {
        same_as_list(array.iter());
    }
    let indices = array.layout().indices();
    assert!(
        array.iter().eq(indices.map(|index| array.at(index))),
        "{array:?}"
    );
}

#[test]
fn iterators_go_both_ways() {
    each_kind(&Iterators);
    let layout = DynLayout::new("s32[5,7]{1,0:T(2,2)}")
        .unwrap()
        .ranked::<2>()
        .unwrap();
    let mut array = Array::from_fn(layout, |at| value(*at)).unwrap();
    same_as_list(array.try_tiles(nat![2, 2]).unwrap());

    // Exclusive ones, from both ends: each part and each element is given once.
    let mut seen = 0;
    let mut tiles = array.try_tiles_mut(nat![2, 2]).unwrap();
    while let Some((_, mut tile)) = match seen % 2 {
        0 => tiles.next(),
        _ => tiles.next_back(),
    } {
        assert!(tile.iter().all(|x| *x >= 0));
        tile.fill(-1);
        seen += 1;
    }
    assert!(seen == 12 && array.iter().all(|x| *x == -1));
    let mut tiles = array.try_tiles_mut(nat![2, 2]).unwrap();
    let (last, _) = tiles.next_back().unwrap();
    assert_eq!(last, [2, 3]);
    assert!(
        tiles.get([2, 3]).is_none() && tiles.get([2, 2]).is_some() && tiles.get([3, 0]).is_none()
    );
    let mut strided =
        Array::<i32, _>::zeros(StridedLayout::<[usize; 2]>::row_major::<i32>([4, 3]).unwrap())
            .unwrap();
    for (n, x) in strided.iter_mut().rev().enumerate() {
        *x = n as i32;
    }
    assert!(strided.iter().copied().eq((0..12).rev()));
    let mut rows = strided.rows_mut();
    let last = rows.next_back().unwrap();
    let second = rows.nth(1).unwrap();
    assert_eq!((last[[0]], second[[0]], rows.len()), (2, 8, 1));
    drop(rows);
    let mut chunks = strided.chunks_mut::<0>(3);
    let last = chunks.next_back().unwrap();
    let first = chunks.next_back().unwrap();
    assert_eq!(
        (last.shape(), first.shape(), chunks.len()),
        ([1, 3], [3, 3], 0)
    );
}

#[test]
fn packed_numbers_are_read_ahead() {
    // Lines shorter and longer than what is read ahead; those that begin inside a byte.
    for text in [
        "u4[3,5]{0,1:E(4)}",
        "s4[3,67]{1,0:E(4)}",
        "s2[2,3,71]{2,0,1:E(2)}",
        "pred[2,139]{1,0:E(1)}",
        "s4[3,70]{1,0:T(2,33)E(4)}",
        "u4[3,70]{0,1:E(4)}",
    ] {
        let layout = DynLayout::new(text).unwrap();
        let packed = Array::packed_from_fn(layout, |at| {
            (at.iter().fold(3, |sum, at| 5 * sum + at) % 16) as i8
        })
        .unwrap();
        numbers_are_those_of_indices(&packed);
        // Of a part and of reversed rows, between whose elements others lie.
        if let Ok(row) = packed.slice::<0>(1..2) {
            numbers_are_those_of_indices(&row);
        }
        if let Ok(reversed) = packed.with_step::<0>(.., -1) {
            numbers_are_those_of_indices(&reversed);
        }
    }
}
