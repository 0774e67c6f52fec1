//! A suite of random copies, as people have them: images, attention heads, weights, tensors of many
//! short dimensions, and tiles.
//!
//! The sizes come from lists of what networks use and from odd numbers, the permutation from those
//! that the kind of tensor meets, or from all. The copies are of 1 to 64 MiB. The same seed gives
//! the same cases on each machine, so that a seed names a suite; none of them is tuned by name.

/// The least and the most bytes of a case.
const BYTES: (usize, usize) = (1 << 20, 64 << 20);

/// The element types, and their bytes. Those of networks come more often.
const TYPES: [(&str, usize); 8] = [
    ("f32", 4),
    ("f32", 4),
    ("f32", 4),
    ("bf16", 2),
    ("bf16", 2),
    ("u8", 1),
    ("f64", 8),
    ("c128", 16),
];

/// A generator of random numbers: the sequence of SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    /// A permutation in which not every dimension stays in its place.
    fn permutation(&mut self, rank: usize) -> Vec<usize> {
        loop {
            let mut order: Vec<usize> = (0..rank).collect();
            for k in (1..rank).rev() {
                order.swap(k, self.below(k + 1));
            }
            if !order.is_sorted() {
                return order;
            }
        }
    }
}

/// A row-major source, and the destination's dimensions, the most major first.
struct Copied {
    sizes: Vec<usize>,
    major_to_minor: Vec<usize>,
    tiles: &'static str,
}

/// Returns `cases` different cases.
pub(crate) fn suite(seed: u64, cases: usize) -> Vec<String> {
    let mut random = Random(seed);
    let mut texts: Vec<String> = Vec::new();
    while texts.len() < cases {
        let (name, bytes) = random.of(&TYPES);
        let copy = match random.below(8) {
            0 | 1 => image(&mut random),
            2 => attention(&mut random),
            3 => matrix(&mut random),
            4 => tiled(&mut random, bytes),
            _ => tensor(&mut random),
        };
        let all = copy.sizes.iter().product::<usize>() * bytes;
        if (BYTES.0..=BYTES.1).contains(&all) {
            let text = copy.text(name);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
    }
    texts
}

impl Copied {
    fn text(&self, element_type: &str) -> String {
        let numbers = |list: &mut dyn Iterator<Item = usize>| {
            let texts: Vec<String> = list.map(|number| number.to_string()).collect();
            texts.join(",")
        };
        let sizes = numbers(&mut self.sizes.iter().copied());
        let from = numbers(&mut (0..self.sizes.len()).rev());
        let to = numbers(&mut self.major_to_minor.iter().rev().copied());
        let tiles = self.tiles;
        format!("{element_type}[{sizes}]{{{from}}} -> {{{to}{tiles}}}")
    }
}

/// Images: channels before the sides or behind them, with as few as one channel or image.
fn image(random: &mut Random) -> Copied {
    let images = random.of(&[1, 2, 4, 8, 16, 32, 64]);
    let channels = random.of(&[1, 2, 3, 4, 6, 16, 32, 48, 64, 96, 128, 256, 512, 2048]);
    let side = random.of(&[7, 14, 17, 28, 32, 56, 64, 112, 128, 224, 256, 299, 384, 512]);
    let other_side = random.of(&[side, side, side, side + 1, 3 * side / 2]);
    let (sizes, to) = random.of(&[
        ([images, channels, side, other_side], [0, 2, 3, 1]),
        ([images, side, other_side, channels], [0, 3, 1, 2]),
        ([images, channels, side, other_side], [2, 3, 1, 0]),
        ([side, other_side, channels, images], [3, 2, 0, 1]),
        ([images, channels, side, other_side], [1, 0, 2, 3]),
        ([images, side, other_side, channels], [0, 2, 1, 3]),
    ]);
    Copied {
        sizes: sizes.into(),
        major_to_minor: to.into(),
        tiles: "",
    }
}

/// Heads of attention before positions and back, and keys transposed.
fn attention(random: &mut Random) -> Copied {
    let batch = random.of(&[1, 2, 4, 8, 16]);
    let heads = random.of(&[4, 8, 12, 16, 20, 32, 40, 64]);
    let positions = random.of(&[49, 77, 128, 197, 256, 384, 512, 577, 1024, 1500, 2048, 4096]);
    let head = random.of(&[32, 40, 64, 72, 80, 96, 128, 256]);
    let (sizes, to) = random.of(&[
        ([batch, heads, positions, head], [0, 2, 1, 3]),
        ([batch, positions, heads, head], [0, 2, 1, 3]),
        ([batch, heads, positions, head], [0, 1, 3, 2]),
        ([batch, positions, heads, head], [0, 2, 3, 1]),
        ([positions, batch, heads, head], [1, 2, 0, 3]),
    ]);
    Copied {
        sizes: sizes.into(),
        major_to_minor: to.into(),
        tiles: "",
    }
}

/// Weights and tables.
fn matrix(random: &mut Random) -> Copied {
    let mut side = || match random.below(3) {
        0 => 1 << (4 + random.below(10)),
        1 => 8 * (1 + random.below(600)),
        _ => 2 + random.below(6000),
    };
    Copied {
        sizes: vec![side(), side()],
        major_to_minor: vec![1, 0],
        tiles: "",
    }
}

/// Into the tiles of a TPU, with and without a transpose; the tiles divide the array.
fn tiled(random: &mut Random, bytes: usize) -> Copied {
    let tiles = match bytes {
        1 => ":T(8,128)(4,1)",
        2 => ":T(8,128)(2,1)",
        _ => ":T(8,128)",
    };
    let mut multiple = |unit: usize| unit * (1 + random.below(24));
    let mut sizes = vec![multiple(1), multiple(128), multiple(128)];
    let to = random.of(&[[0, 1, 2], [0, 2, 1], [1, 0, 2], [2, 1, 0]]);
    // The second dimension of a tile is behind it in memory; all are multiples of 8.
    sizes[0] *= 8;
    if to[1] == 0 || to[2] == 0 {
        sizes[0] *= 16;
    }
    Copied {
        sizes,
        major_to_minor: to.into(),
        tiles,
    }
}

/// Three to six dimensions: a few that are long, and others that are odd, short, or 1.
fn tensor(random: &mut Random) -> Copied {
    let rank = 3 + random.below(4);
    let sizes = (0..rank)
        .map(|_| match random.below(8) {
            0 => 1,
            1 | 2 => 2 + random.below(6),
            3 | 4 => 8 * (1 + random.below(16)),
            5 => 1 << (3 + random.below(6)),
            _ => 9 + random.below(300),
        })
        .collect();
    Copied {
        sizes,
        major_to_minor: random.permutation(rank),
        tiles: "",
    }
}
