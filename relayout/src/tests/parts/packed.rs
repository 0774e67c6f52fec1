//! Parts of packed arrays.

use super::*;

proptest! {
    #![proptest_config(config())]

    /// The bits of packed elements between those of a part stay, and no byte is written by two
    /// chunks.
    #[test]
    fn packed_parts(
        (m, n) in (1..24_usize, 1..70_usize),
        bits in prop::sample::select(vec![1_usize, 2, 4]),
        [a, b] in [prop::sample::select(vec!["{1,0:", "{0,1:"]), prop::sample::select(vec!["{1,0:", "{0,1:"])],
        tiles in prop::sample::select(vec!["", "T(2,4)", "T(4,8)(2,1)", "T(2,8)", "T(3,2)(2)", "T(4)(6)"]),
        packs in any::<bool>(),
        [i, j, p, q] in [0..24_usize, 0..70_usize, 0..24_usize, 0..70_usize],
        step in 1..4_usize,
    ) {
        let (m, n) = if cfg!(miri) { (m.min(4), n.min(6)) } else { (m, n) };
        let layout = read(&format!("u{bits}[{m},{n}]"), &format!("{a}{tiles}E({bits})}}"));
        let i = i % m;
        let j = j % n / 8 * 8;
        let sizes = [1 + p % (m - i), 1 + q % (n - j)];
        let memory = vec![0; layout.bytes()];
        let view = SliceView::packed(&layout, &memory).unwrap();
        let other = |sizes: &[usize]| {
            let packed = if packs { format!("E({bits})") } else { String::new() };
            read(&format!("u{bits}[{},{}]", sizes[0], sizes[1]), &format!("{b}{packed}}}"))
        };
        if let Ok(part) = view.region([i, j], sizes) {
            check_packed(part.layout(), &other(&sizes));
            check_packed(&other(&sizes), part.layout());
        }
        if let Ok(part) = view.with_step::<1>(j.., step as isize) {
            let sizes = part.layout().shape();
            check_packed(part.layout(), &other(&sizes));
            check_packed(&other(&sizes), part.layout());
        }
    }

    /// In place: into the places of a part, and back out of them.
    #[test]
    fn parts_in_place((text, rank) in wholes(if cfg!(miri) { 60 } else { 3000 }), cut in ([0..99_usize, 0..99, 0..99], [0..99_usize, 0..99, 0..99])) {
        let whole = Array::<u16, _>::zeros(read("u16", &text)).unwrap();
        let mut origin = whole.layout().shape();
        let mut sizes = whole.layout().shape();
        for dim in 0..rank {
            let size = sizes[dim];
            origin.set(dim, cut.0[dim] % (size + 1));
            sizes.set(dim, cut.1[dim] % (size + 1 - origin[dim]));
            if whole.layout().terms().iter().any(|term| term.digit.dim == dim) {
                origin.set(dim, 0);
                sizes.set(dim, size);
            }
        }
        let Ok(part) = whole.region(origin, sizes) else { return Ok(()) };
        let numbers: Vec<_> = part.layout().shape().iter().map(usize::to_string).collect();
        let places = part.layout().buffer_len();
        // The other layout has as many places.
        let order: Vec<_> = (0..rank).map(|dim| dim.to_string()).collect();
        let order = order.join(",");
        let dense = read(&format!("u16[{}]", numbers.join(",")), &format!("{{{order}:L({})}}", places.max(1)));
        prop_assume!(dense.buffer_len() == places);
        let before: Vec<u16> = (0..places).map(u16::of).collect();
        let mut memory = before.clone();
        relayout_in_place(&mut memory, &dense, part.layout()).unwrap();
        part.layout().for_each_index(|index| {
            let from = dense.linear_index(index);
            let to = part.layout().linear_index(index);
            assert_eq!(memory[to], before[from]);
        });
        // A part has no place for elements but those of its own.
        memory.clone_from(&before);
        match relayout_in_place(&mut memory, part.layout(), &dense) {
            Ok(()) => {
                let mut expected = before.clone();
                part.layout().for_each_index(|index| {
                    expected[dense.linear_index(index)] = before[part.layout().linear_index(index)];
                });
                prop_assert_eq!(memory, expected);
            }
            Err(RelayoutError::OutsideSlice) => prop_assert_eq!(&memory, &before),
            Err(why) => prop_assert!(false, "{}", why),
        }
        // Reversed: the same places.
        if let Ok(reversed) = part.with_step::<0>(.., -1) {
            let mut expected = before.clone();
            let mut memory = before.clone();
            relayout_in_place(&mut memory, part.layout(), reversed.layout()).unwrap();
            part.layout().for_each_index(|index| {
                let to = reversed.layout().linear_index(index);
                expected[to] = before[part.layout().linear_index(index)];
            });
            prop_assert_eq!(memory, expected);
        }
    }
}

/// Copies packed elements by a plan and by chunks, and compares all bits of the destination.
fn check_packed<A, B>(src: &A, dst: &B)
where
    A: ArrayLayout,
    B: ArrayLayout<Coordinates = A::Coordinates>,
{
    let plan = Plan::new(src, dst).unwrap();
    let input = support::bytes(src.bytes());
    let before = vec![0x5a; dst.bytes()];
    let mut expected = before.clone();
    naive(src, dst, &input, &mut expected);
    let mut found = before.clone();
    plan.run_bytes(&input, &mut found).unwrap();
    assert!(
        found == expected,
        "{} -> {}",
        src.array_shape(),
        dst.array_shape()
    );
    let mut found = before;
    let chunks = plan.chunks_bytes(&input, &mut found, 3).unwrap();
    chunks.for_each(|chunk| chunk.run());
    assert!(
        found == expected,
        "chunks of {} -> {}",
        src.array_shape(),
        dst.array_shape()
    );
    support::check_chunks(&plan);
}

/// Blocks of elements that were packed go through a buffer, which holds nothing before.
#[test]
fn nothing_is_read_of_a_new_buffer() {
    for [from, to] in [
        ["{1,0:E(4)}", "{0,1}"],
        ["{0,1}", "{1,0:E(4)}"],
        ["{1,0:E(4)}", "{0,1:E(4)}"],
    ] {
        let [from, to] = [from, to].map(|text| read("u4[19,21]", text));
        check_packed(&from, &to);
    }
}
