//! Dimensions of size 1, which have no stride that matters, and those that are repeated.

use xlayout::{Array, ArrayLayout, DynLayout, StridedLayout};

fn numbered(text: &str) -> Array<f32, DynLayout<[usize; 2]>> {
    let layout = text.parse::<DynLayout>().unwrap().ranked::<2>().unwrap();
    Array::from_fn(layout, |&[i, j]| (10 * i + j) as f32).unwrap()
}

/// A part says stride 0, and what needs adjacent elements takes one element.
#[test]
fn a_part_of_one_coordinate() {
    let array = numbered("f32[4,6]");
    let column = array.slice::<1>(2..3).unwrap();
    assert_eq!(column.strides(), Some([6, 0]));
    let lines: Vec<&[f32]> = column.lines::<1>().unwrap().collect();
    assert_eq!(lines, [[2.0], [12.0], [22.0], [32.0]]);
    let row = array.slice::<0>(3..).unwrap();
    assert_eq!(row.strides(), Some([0, 1]));
    assert_eq!(
        row.as_slice(),
        Some(&[30.0, 31.0, 32.0, 33.0, 34.0, 35.0][..])
    );
    let lines: Vec<&[f32]> = row.lines::<0>().unwrap().collect();
    assert_eq!(lines, [[30.0], [31.0], [32.0], [33.0], [34.0], [35.0]]);
}

/// A step that is longer than the dimension leaves one coordinate, whatever it is.
#[test]
fn a_step_beyond_the_end() {
    let array = numbered("f32[4,6]");
    let part = array.with_step::<0>(1.., isize::MAX).unwrap();
    assert_eq!(part.shape(), [1, 6]);
    assert!(part.iter().eq(&[10.0, 11.0, 12.0, 13.0, 14.0, 15.0]));
    for step in [isize::MIN, isize::MIN + 1, -4] {
        let part = array.with_step::<0>(.., step).unwrap();
        assert_eq!(part.shape(), [1, 6]);
        assert_eq!(part.layout().signed_strides().collect::<Vec<_>>(), [0, 1]);
        assert_eq!((part[[0, 0]], part[[0, 5]]), (30.0, 35.0));
    }
}

/// A stride of one coordinate from elsewhere is not looked at: of either sign, of any number of
/// bytes.
#[test]
fn strides_of_one_coordinate_from_elsewhere() {
    let expected = StridedLayout::<_, isize>::new::<f32>([4, 1], [6, 0]).unwrap();
    for stride in [1, 5, -5, isize::MAX, isize::MIN] {
        let layout = StridedLayout::<_, isize>::new::<f32>([4, 1], [6, stride]).unwrap();
        assert_eq!(layout, expected);
        assert!(!layout.is_reversed(1));
        assert_eq!(layout.strides(), Some([6, 0]));
        let bytes = [24, stride];
        let layout = StridedLayout::<_, isize>::from_byte_strides::<f32>([4, 1], bytes).unwrap();
        assert_eq!(layout, expected);
    }
}

/// A repeated dimension has one place for all coordinates. The memory is no slice of the elements,
/// and what lies between them belongs to others.
#[test]
fn repeated_dimensions() {
    let bias = numbered("f32[1,3]");
    assert!(bias.as_view().as_slice().is_some());
    let rows = bias.broadcast::<0>(4).unwrap();
    assert_eq!(
        (rows.layout().padding(), rows.layout().is_exhaustive()),
        (0, true)
    );
    assert_eq!(rows.as_slice(), None);
    let rows = rows.slice::<0>(1..3).unwrap();
    assert_eq!(
        (rows.layout().padding(), rows.layout().is_exhaustive()),
        (0, true)
    );
    assert_eq!(rows.as_slice(), None);
    // Between the elements of a column are those of the other one.
    let matrix = numbered("f32[3,2]");
    let column = matrix.slice::<1>(0..1).unwrap();
    assert_eq!((column.layout().padding(), column.as_slice()), (2, None));
    let twice = column.broadcast::<1>(2).unwrap();
    assert_eq!(
        (twice.layout().padding(), twice.layout().is_exhaustive()),
        (2, false)
    );
    assert_eq!(twice.as_slice(), None);
    let none = column.broadcast::<1>(0).unwrap();
    assert_eq!(
        (none.layout().padding(), none.layout().is_exhaustive()),
        (0, true)
    );
}
