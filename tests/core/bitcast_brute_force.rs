//! Laws 1 to 3 of bitcasts, element by element.
#![cfg(feature = "std")]

use std::collections::HashMap;

use xlayout::bitcast;
use xlayout::bitcast::ElementTypes;
use xlayout::xla::shape_util::{self, BitcastDecomposition};
use xlayout::{ArrayLayout, ArrayShape, DynLayout};

/// A layout, and where it has each element: by the row-major index.
struct Entry {
    shape: ArrayShape,
    layout: DynLayout,
    map: Vec<usize>,
}

impl Entry {
    fn new(text: &str) -> Option<Self> {
        let layout: DynLayout = text.parse().ok()?;
        let mut map = Vec::new();
        layout.for_each_index(|index| map.push(layout.linear_index(index)));
        Some(Self {
            shape: layout.array_shape().clone(),
            layout,
            map,
        })
    }

    /// The properties that a bitcast by a reshape keeps.
    fn key(&self) -> (&[usize], usize) {
        (&self.map, self.layout.buffer_len())
    }

    /// Whether the transpose by `permutation` leaves every element where it is.
    fn is_transpose_of(&self, input: &Self, permutation: &[i64]) -> bool {
        let from = input.layout.dims();
        let to = self.layout.dims();
        if from.len() != to.len() || self.layout.buffer_len() != input.layout.buffer_len() {
            return false;
        }
        if permutation
            .iter()
            .zip(to)
            .any(|(&d, &size)| from[d as usize] != size)
        {
            return false;
        }
        let mut same = true;
        self.layout.for_each_index(|index| {
            let mut of_input = index.clone();
            for (&d, &i) in permutation.iter().zip(index.iter()) {
                of_input.as_mut()[d as usize] = i;
            }
            same &= self.layout.linear_index(index) == input.layout.linear_index(&of_input);
        });
        same
    }
}

/// All lists of `rank` sizes with this product.
fn factorizations(product: usize, rank: usize) -> Vec<Vec<usize>> {
    if rank == 0 {
        return if product == 1 { vec![vec![]] } else { vec![] };
    }
    let mut all = Vec::new();
    for size in (1..=product).filter(|size| product.is_multiple_of(*size)) {
        for mut rest in factorizations(product / size, rank - 1) {
            rest.insert(0, size);
            all.push(rest);
        }
    }
    all
}

fn permutations(rank: usize) -> Vec<Vec<i64>> {
    if rank == 0 {
        return vec![vec![]];
    }
    let mut all = Vec::new();
    for shorter in permutations(rank - 1) {
        for at in 0..rank {
            let mut longer = shorter.clone();
            longer.insert(at, rank as i64 - 1);
            all.push(longer);
        }
    }
    all
}

const TILES: [&str; 20] = [
    "",
    ":T(2)",
    ":T(3)",
    ":T(4)",
    ":T(8)",
    ":T(2,2)",
    ":T(2,3)",
    ":T(3,2)",
    ":T(1,2)",
    ":T(2,1)",
    ":T(2,2,2)",
    ":T(2)(2)",
    ":T(4)(2)",
    ":T(2)(3)",
    ":T(4,2)(2,1)",
    ":T(2,4)(4)(2)",
    ":T(3)(2,1)",
    ":T(*,2)",
    ":T(*,3)",
    ":L(8)",
];

/// All small layouts of this number of elements. Tiles of tiles that do not divide, `*` and padding
/// are among them.
fn layouts(elements: usize, rank: usize) -> Vec<Entry> {
    let mut all = Vec::new();
    for sizes in factorizations(elements, rank) {
        let sizes_text = list(&sizes);
        // Some dimensions are padded, by one or two.
        let widths: Vec<usize> = sizes
            .iter()
            .zip([1, 0, 2])
            .map(|(size, pad)| size + pad)
            .collect();
        let widths = list(&widths);
        for minor_to_major in permutations(rank) {
            let minor_to_major = list(&minor_to_major);
            let tiled = TILES.map(|tiles| format!("f32[{sizes_text}]{{{minor_to_major}{tiles}}}"));
            all.extend(tiled.iter().filter_map(|text| Entry::new(text)));
            if rank > 0 {
                let padded =
                    format!("f32[{sizes_text}] <{minor_to_major}>, padded_dimensions = [{widths}]");
                all.push(Entry::new(&padded).expect("padding is valid"));
            }
        }
    }
    all
}

fn list(numbers: &[impl ToString]) -> String {
    numbers
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(",")
}

/// A sequence of numbers that looks random and is the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

fn check_reshape(a: &Entry, b: &Entry) {
    let expected = a.key() == b.key();
    let found = shape_util::reshape_is_bitcast(&a.shape, &b.shape, ElementTypes::Compared).unwrap();
    assert_eq!(found, expected, "a reshape from {} to {}", a.shape, b.shape);
}

/// Law 1: all layouts with equal maps, and as many with others.
#[test]
fn reshapes() {
    let mut numbers = Numbers(1);
    let mut bitcasts = 0;
    for elements in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 30] {
        let all: Vec<Entry> = (0..=3).flat_map(|rank| layouts(elements, rank)).collect();
        let mut by_map: HashMap<_, Vec<&Entry>> = HashMap::new();
        for entry in &all {
            by_map.entry(entry.key()).or_default().push(entry);
        }
        for a in &all {
            let equal = &by_map[&a.key()];
            for _ in 0..4 {
                check_reshape(a, equal[numbers.below(equal.len())]);
                check_reshape(a, &all[numbers.below(all.len())]);
                bitcasts += 1;
            }
        }
    }
    assert!(bitcasts > 30_000, "only {bitcasts} bitcasts were compared");
}

/// Stacks of tiles that leave merged coordinates: some are one digit of the row-major index, some
/// are sums of several.
const MERGING: [&str; 18] = [
    "T(3)(2)",
    "T(4)(3)",
    "T(5)(3)(2)",
    "T(6)(4)",
    "T(*,4)(3)",
    "T(*,5)(3)",
    "T(*,6)(4)",
    "T(2,2)(*,3)",
    "T(2,2)(*,5)",
    "T(2,2)(*,*,3)",
    "T(2,2)(*,*,5)",
    "T(2,2)(*,*,*,5)",
    "T(3,2)(*,4)",
    "T(2,3)(*,4)",
    "T(2,3)(2,2)",
    "T(2,4)(3,3)",
    "T(2,2)(*,3,*,3)",
    "T(2,2)(*,3,*,5)",
];

/// Every pair of layouts with merged coordinates that have equally many places.
#[test]
fn reshapes_of_merged_coordinates() {
    let mut equal = 0;
    let mut different = 0;
    for elements in [4, 5, 6, 8, 9] {
        let mut all: Vec<Entry> = Vec::new();
        for sizes in (1..=2).flat_map(|rank| factorizations(elements, rank)) {
            for minor_to_major in permutations(sizes.len()) {
                let sizes = list(&sizes);
                let order = list(&minor_to_major);
                let texts = MERGING.map(|tiles| format!("f32[{sizes}]{{{order}:{tiles}}}"));
                all.extend(texts.iter().filter_map(|text| Entry::new(text)));
            }
        }
        for a in &all {
            let alike = |b: &&Entry| b.layout.buffer_len() == a.layout.buffer_len();
            for b in all.iter().filter(alike) {
                let types = ElementTypes::Compared;
                let found = shape_util::reshape_is_bitcast(&a.shape, &b.shape, types);
                let expected = a.key() == b.key();
                assert_eq!(found, Ok(expected), "{} to {}", a.shape, b.shape);
                equal += usize::from(expected && a.shape != b.shape);
                different += usize::from(!expected);
            }
        }
    }
    assert!(equal > 1000 && different > 3000, "{equal} {different}");
}

fn is_reshape(a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(|text| Entry::new(text).expect(text).shape);
    shape_util::reshape_is_bitcast(&a, &b, ElementTypes::Compared).unwrap()
}

/// Arrays that are cut for several memories are cut alike: the same dimensions, at the same
/// indices.
#[test]
fn splits_are_compared() {
    let splits = [
        "",
        ":SC(0:1)",
        ":SC(0:2)",
        ":SC(1:1)",
        ":SC(0:1)(1:2,3)",
        ":SC(0:1,2)(1:3)",
    ];
    for a in splits {
        for b in splits {
            let [from, to] = [a, b].map(|splits| format!("f32[4,4]{{1,0{splits}}}"));
            assert_eq!(is_reshape(&from, &to), a == b, "{from} to {to}");
        }
    }
    assert!(!is_reshape("f32[4,4]{1,0:SC(0:1)}", "f32[16]{0:SC(0:1)}"));
    assert!(!is_reshape(
        "f32[4,4]{1,0:SC(0:1)}",
        "f32[2,8]{1,0:SC(0:1)}"
    ));
}

/// A size that changes at run time stays one, also where its bound is 1.
#[test]
fn dynamic_sizes_of_at_most_one() {
    for (a, b) in [
        ("f32[2]", "f32[<=1,2]"),
        ("f32[2]", "f32[2,<=1]"),
        ("f32[]", "f32[<=1]"),
    ] {
        assert!(!is_reshape(a, b) && !is_reshape(b, a), "{a} {b}");
    }
    assert!(is_reshape("f32[<=1,2]", "f32[1,<=1,2]"));
}

/// A transpose keeps the number of dimensions.
#[test]
fn a_transpose_has_the_rank_of_its_input() {
    let shapes = ["f32[2,3]", "f32[2,3,1]", "f32[1,2,3]", "f32[6]"];
    let shapes = shapes.map(|text| Entry::new(text).expect(text).shape);
    for a in &shapes {
        for b in &shapes {
            let found = bitcast::deduce_transpose_dimensions_for_bitcast(a, b).unwrap();
            assert_eq!(found.is_some(), a.dims.len() == b.dims.len(), "{a} to {b}");
        }
    }
}

/// Law 2, and that a transpose is deduced where there is one.
#[test]
fn transposes() {
    let mut numbers = Numbers(2);
    for elements in [4, 5, 6, 8, 12] {
        for rank in 1..=3 {
            let all = layouts(elements, rank);
            all.iter().for_each(check_permuted);
            let mut by_places: HashMap<_, Vec<&Entry>> = HashMap::new();
            for entry in &all {
                let mut places = entry.map.clone();
                places.sort_unstable();
                by_places.entry(places).or_default().push(entry);
            }
            for a in &all {
                let mut places = a.map.clone();
                places.sort_unstable();
                let alike = &by_places[&places];
                for _ in 0..4 {
                    check_transpose(a, alike[numbers.below(alike.len())]);
                }
            }
        }
    }
}

/// The result of `permute_dimensions` is a bitcast of its argument.
fn check_permuted(a: &Entry) {
    for permutation in permutations(a.layout.rank()) {
        let permuted = shape_util::permute_dimensions(&a.shape, &permutation).unwrap();
        let types = ElementTypes::Compared;
        let answer = shape_util::transpose_is_bitcast(&a.shape, &permuted, &permutation, types);
        assert_eq!(answer, Ok(true), "{} to {permuted}", a.shape);
    }
}

fn check_transpose(a: &Entry, b: &Entry) {
    let types = ElementTypes::Compared;
    let mut any = false;
    for permutation in permutations(a.layout.rank()) {
        let expected = b.is_transpose_of(a, &permutation);
        any |= expected;
        let found =
            shape_util::transpose_is_bitcast(&a.shape, &b.shape, &permutation, types).unwrap();
        assert_eq!(
            found, expected,
            "{} to {} by {permutation:?}",
            a.shape, b.shape
        );
    }
    match bitcast::deduce_transpose_dimensions_for_bitcast(&a.shape, &b.shape).unwrap() {
        Some(found) => assert!(
            b.is_transpose_of(a, &found),
            "{} to {}: {found:?}",
            a.shape,
            b.shape
        ),
        None => assert!(!any, "{} to {}: none deduced", a.shape, b.shape),
    }
}

/// Law 3: what is aligned or decomposed is a bitcast.
#[test]
fn aligned_and_decomposed() {
    let mut numbers = Numbers(3);
    let mut aligned = 0;
    let mut decomposed = 0;
    for elements in [6, 8, 12] {
        let all: Vec<Entry> = (1..=3).flat_map(|rank| layouts(elements, rank)).collect();
        for a in &all {
            for _ in 0..3 {
                let b = &all[numbers.below(all.len())];
                if let Some(shape) = shape_util::align_layouts(&a.shape, &b.shape).unwrap() {
                    assert_eq!(shape.dims, b.shape.dims);
                    let shape = Entry::new(&shape.to_string()).unwrap();
                    assert_eq!(
                        a.key(),
                        shape.key(),
                        "{} aligned to {}",
                        shape.shape,
                        a.shape
                    );
                    aligned += 1;
                }
                decomposed += usize::from(check_decomposition(a, b));
            }
        }
    }
    assert!(
        aligned > 1000 && decomposed > 1000,
        "only {aligned} and {decomposed}"
    );
}

/// Follows every element through the parts, and compares with reading the memory anew.
fn check_decomposition(a: &Entry, b: &Entry) -> bool {
    let entry = |shape: &ArrayShape| Entry::new(&shape.to_string()).unwrap();
    match shape_util::decompose_bitcast(&a.shape, &b.shape).unwrap() {
        None => false,
        Some(BitcastDecomposition::Reshape) => {
            assert_eq!(a.key(), b.key());
            true
        }
        Some(BitcastDecomposition::Transpose { transpose_dims }) => {
            assert!(
                b.is_transpose_of(a, &transpose_dims),
                "{} to {}",
                a.shape,
                b.shape
            );
            true
        }
        Some(BitcastDecomposition::Trt(trt)) => {
            let first = entry(&trt.transpose1_shape);
            let reshaped = entry(&trt.reshape_shape);
            assert!(
                first.is_transpose_of(a, &trt.transpose1_dims),
                "{} to {}",
                a.shape,
                first.shape
            );
            assert_eq!(
                first.key(),
                reshaped.key(),
                "{} to {}",
                first.shape,
                reshaped.shape
            );
            assert!(
                b.is_transpose_of(&reshaped, &trt.transpose2_dims),
                "{} to {}",
                reshaped.shape,
                b.shape
            );
            true
        }
    }
}
