//! Suites of cases: the built-in ones, small arrays, and published benchmarks of other libraries.

use crate::cases::CASES;
use crate::random;

/// The names that `--suite` takes.
pub(crate) const SUITES: [&str; 6] = ["built-in", "small", "ttc", "strided", "tenferro", "random"];

/// Which cases a suite has that makes them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drawn {
    pub(crate) seed: u64,
    pub(crate) cases: usize,
}

impl Default for Drawn {
    fn default() -> Self {
        Self {
            seed: 1,
            cases: 200,
        }
    }
}

/// Returns the cases of a suite, or `None` if the name is unknown.
pub(crate) fn suite(name: &str, drawn: Drawn) -> Option<Vec<String>> {
    Some(match name {
        "random" => random::suite(drawn.seed, drawn.cases),
        "built-in" => CASES.map(str::to_owned).into(),
        "small" => small(),
        "ttc" => ttc(),
        "strided" => strided(),
        "tenferro" => tenferro(),
        _ => return None,
    })
}

/// Matrices from 2 x 2 to 512 x 512, whose sides are and are not powers of two, and tiles.
fn small() -> Vec<String> {
    let sides = [
        (2, 2),
        (3, 5),
        (7, 9),
        (8, 8),
        (16, 16),
        (15, 33),
        (32, 32),
        (64, 64),
        (100, 70),
        (128, 128),
        (255, 257),
        (384, 384),
        (512, 512),
    ];
    let matrices = ["f32", "u8", "u16", "f64"].into_iter().flat_map(|name| {
        sides.map(|(rows, columns)| format!("{name}[{rows},{columns}]{{1,0}} -> {{0,1}}"))
    });
    let tiles = [
        "f32[64,256]{1,0} -> {1,0:T(8,128)}",
        "f32[256,512]{1,0} -> {1,0:T(8,128)}",
        "f32[256,512]{1,0:T(8,128)} -> {0,1}",
        "u16[256,512]{1,0} -> {1,0:T(8,128)(2,1)}",
    ];
    matrices.chain(tiles.map(str::to_owned)).collect()
}

/// The 57 cases of the benchmark of the Tensor Transpose Compiler, as HPTT's
/// `benchmark/benchmark.sh` lists them: the dimensions of the source, the fastest first, and which
/// of them are those of the destination. Each is about 200 MB of f32.
const TTC: [(&str, &[&str]); 19] = [
    ("1 0", &["7264 7264", "43408 1216", "1216 43408"]),
    ("0 2 1", &["368 384 384", "2144 64 384", "368 64 2307"]),
    ("1 0 2", &["384 384 355", "2320 384 59", "384 2320 59"]),
    ("2 1 0", &["384 355 384", "2320 59 384", "384 59 2320"]),
    ("0 3 2 1", &["80 96 75 96", "464 16 75 96", "80 16 75 582"]),
    ("2 1 3 0", &["96 75 96 75", "608 12 96 75", "96 12 608 75"]),
    ("2 0 3 1", &["96 75 96 75", "608 12 96 75", "96 12 608 75"]),
    ("1 0 3 2", &["96 96 75 75", "608 96 12 75", "96 608 12 75"]),
    ("3 2 1 0", &["96 75 75 96", "608 12 75 96", "96 12 75 608"]),
    (
        "0 4 2 1 3",
        &["32 48 28 28 48", "176 8 28 28 48", "32 8 28 28 298"],
    ),
    (
        "3 2 1 4 0",
        &["48 28 28 48 28", "352 4 28 48 28", "48 4 28 352 28"],
    ),
    (
        "2 0 4 1 3",
        &["48 28 48 28 28", "352 4 48 28 28", "48 4 352 28 28"],
    ),
    (
        "1 3 0 4 2",
        &["48 48 28 28 28", "352 48 4 28 28", "48 352 4 28 28"],
    ),
    (
        "4 3 2 1 0",
        &["48 28 28 28 48", "352 4 28 28 48", "48 4 28 28 352"],
    ),
    (
        "0 3 2 5 4 1",
        &[
            "16 32 15 32 15 15",
            "48 10 15 32 15 15",
            "16 10 15 103 15 15",
        ],
    ),
    (
        "3 2 0 5 1 4",
        &[
            "32 15 15 32 15 15",
            "112 5 15 32 15 15",
            "32 5 15 112 15 15",
        ],
    ),
    (
        "2 0 4 1 5 3",
        &[
            "32 15 32 15 15 15",
            "112 5 32 15 15 15",
            "32 5 112 15 15 15",
        ],
    ),
    (
        "3 2 5 1 0 4",
        &[
            "32 15 15 32 15 15",
            "112 5 15 32 15 15",
            "32 5 15 112 15 15",
        ],
    ),
    (
        "5 4 3 2 1 0",
        &[
            "32 15 15 15 15 32",
            "112 5 15 15 15 32",
            "32 5 15 15 15 112",
        ],
    ),
];

fn ttc() -> Vec<String> {
    let cases_of = |(order, sizes): (&str, &[&str])| {
        let cases = sizes.iter().map(|sizes| column_major("f32", sizes, order));
        cases.collect::<Vec<_>>()
    };
    TTC.into_iter().flat_map(cases_of).collect()
}

/// The permutations of `benchmarks/benchtests.jl` of Strided.jl: f64, four dimensions of equal
/// size, sizes of 2^(2:1.5:6.5), rounded up. Larger ones take more than 30 GB.
fn strided() -> Vec<String> {
    let orders = ["3 2 1 0", "1 2 3 0", "2 3 0 1"];
    let case = |order| {
        ["4", "12", "32", "91"].map(|size| {
            let sizes = [size; 4].join(" ");
            column_major("f64", &sizes, order)
        })
    };
    orders.into_iter().flat_map(case).collect()
}

/// The permutations of tenferro-benchmark, `cpu/permutation`: f64, the first dimension the fastest
/// on both sides. Its patterns (`data/instances/permutation_patterns.json`) and those of its
/// published results, which have other sizes for the reversed and the cyclic ones.
fn tenferro() -> Vec<String> {
    let numbers = |numbers: &mut dyn Iterator<Item = usize>| {
        let texts: Vec<_> = numbers.map(|number| number.to_string()).collect();
        texts.join(" ")
    };
    let equal = |rank, size: usize| numbers(&mut std::iter::repeat_n(size, rank));
    let same = |rank| numbers(&mut (0..rank));
    let reversed = |rank| numbers(&mut (0..rank).rev());
    let cyclic = |rank| numbers(&mut (1..rank).chain([0]));
    let case = |sizes: String, order: String| column_major("f64", &sizes, &order);
    // Dimensions 22 and 23 of the source are the fifth and the seventh of the destination.
    let network = numbers(&mut (0..4).chain([22, 4, 23]).chain(5..22));
    let contiguous = case(equal(24, 2), network.clone());
    // Dimensions 4 and 6 of the scattered source are the slowest.
    let scattered = numbers(&mut (0..4).chain([5]).chain(7..24).chain([4, 6]));
    let sizes = equal(24, 2);
    let from = scattered;
    let to = network;
    let [sizes, from, to] = [sizes, from, to].map(|list| list.replace(' ', ","));
    vec![
        case(equal(24, 2), same(24)),
        case(equal(2, 256), reversed(2)),
        case(equal(2, 1024), reversed(2)),
        case(equal(2, 2048), reversed(2)),
        case(equal(3, 256), "2 0 1".to_owned()),
        case(equal(3, 256), "1 0 2".to_owned()),
        case("32 32 32 32 16 16".to_owned(), "5 0 4 1 3 2".to_owned()),
        case(equal(13, 2), reversed(13)),
        case(equal(13, 2), cyclic(13)),
        case(equal(15, 3), reversed(15)),
        case(equal(15, 3), cyclic(15)),
        case(equal(20, 2), reversed(20)),
        case(equal(23, 2), reversed(23)),
        contiguous,
        format!("f64[{sizes}]{{{from}}} -> {{{to}}}"),
    ]
}

/// A copy of a dense array whose first dimension is the fastest to one with this order, the fastest
/// first.
fn column_major(element_type: &str, sizes: &str, order: &str) -> String {
    let commas = |list: &str| list.replace(' ', ",");
    let rank = sizes.split(' ').count();
    let from: Vec<String> = (0..rank).map(|dim| dim.to_string()).collect();
    let sizes = commas(sizes);
    let from = from.join(",");
    let to = commas(order);
    format!("{element_type}[{sizes}]{{{from}}} -> {{{to}}}")
}
