//! A tensor whose elements are made from their places, its parts, and the formats of files that
//! have them.

use serde_json::{Map, Value, json};

/// SplitMix64.
pub(super) struct Random(pub(super) u64);

pub(super) fn mixed(seed: u64) -> u64 {
    let seed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let seed = (seed ^ (seed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    seed ^ (seed >> 31)
}

impl Random {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mixed(self.0) % end as u64) as usize
    }

    pub(super) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub(super) fn shuffled(&mut self, count: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..count).collect();
        for k in (1..count).rev() {
            all.swap(k, self.below(k + 1));
        }
        all
    }

    /// Numbers whose product is `count`, one for each dimension.
    pub(super) fn factors(&mut self, count: usize, rank: usize) -> Vec<usize> {
        let mut rest = count;
        let mut factors = vec![1; rank];
        for factor in &mut factors {
            let divisors: Vec<usize> = (1..=rest).filter(|k| rest.is_multiple_of(*k)).collect();
            *factor = self.one(&divisors);
            rest /= *factor;
        }
        let last = self.below(rank);
        factors[last] *= rest;
        factors
    }
}

/// XLA's name, the bits in a file, and the names in safetensors, NumPy and zarr. Without the first
/// of these the source has bytes, and the shape in the metadata.
pub(super) type Type = (&'static str, u32, &'static str, &'static str, &'static str);

#[rustfmt::skip]
pub(super) const TYPES: [Type; 27] = [
    ("pred", 8, "BOOL", "|b1", "bool"),
    ("s1", 1, "", "", ""), ("s2", 2, "", "", ""), ("s4", 4, "", "", ""),
    ("u1", 1, "", "", ""), ("u2", 2, "", "", ""), ("u4", 4, "", "", ""),
    ("s8", 8, "I8", "|i1", "int8"), ("s16", 16, "I16", "<i2", "int16"),
    ("s32", 32, "I32", "<i4", "int32"), ("s64", 64, "I64", "<i8", "int64"),
    ("u8", 8, "U8", "|u1", "uint8"), ("u16", 16, "U16", "<u2", "uint16"),
    ("u32", 32, "U32", "<u4", "uint32"), ("u64", 64, "U64", "<u8", "uint64"),
    ("f16", 16, "F16", "<f2", "float16"), ("bf16", 16, "BF16", "", "bfloat16"),
    ("f32", 32, "F32", "<f4", "float32"), ("f64", 64, "F64", "<f8", "float64"),
    ("c64", 64, "C64", "<c8", "complex64"), ("c128", 128, "", "<c16", "complex128"),
    ("f8e5m2", 8, "F8_E5M2", "", ""), ("f8e4m3fn", 8, "F8_E4M3", "", ""),
    ("f8e4m3", 8, "", "", "float8_e4m3"), ("f8e8m0fnu", 8, "F8_E8M0", "", ""),
    ("f4e2m1fn", 4, "F4", "", ""), ("f8e3m4", 8, "", "", "float8_e3m4"),
];

/// The element at a place of the tensor.
pub(super) fn element((name, bits, ..): Type, place: usize) -> u128 {
    let bits = if name == "pred" { 1 } else { bits };
    let half = |k| u128::from(mixed(2 * place as u64 + k + 12_345));
    (half(0) << 64 | half(1)) >> (128 - bits)
}

/// All indices of a box, the last dimension the fastest.
pub(super) fn indices(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for size in sizes {
        let longer = |index: &Vec<usize>| {
            let with = |k| [&index[..], &[k]].concat();
            (0..*size).map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

pub(super) fn place(sizes: &[usize], index: &[usize]) -> usize {
    sizes
        .iter()
        .zip(index)
        .fold(0, |place, (size, k)| place * size + k)
}

/// Elements one after the other; those below a byte begin with its low bits.
pub(super) fn packed(bits: u32, elements: impl Iterator<Item = u128>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (k, element) in elements.enumerate() {
        if bits >= 8 {
            bytes.extend(&element.to_le_bytes()[..bits as usize / 8]);
            continue;
        }
        let bit = k * bits as usize;
        if bit.is_multiple_of(8) {
            bytes.push(0);
        }
        let last = bytes.last_mut().expect("a byte was pushed");
        *last |= (element as u8) << (bit % 8);
    }
    bytes
}

pub(super) fn unpacked(bits: u32, bytes: &[u8], k: usize) -> u128 {
    if bits < 8 {
        let bit = k * bits as usize;
        return u128::from(bytes[bit / 8] >> (bit % 8)) & ((1 << bits) - 1);
    }
    let width = bits as usize / 8;
    let mut element = [0; 16];
    element[..width].copy_from_slice(&bytes[k * width..(k + 1) * width]);
    u128::from_le_bytes(element)
}

/// A tensor, divided along each dimension into tiles of equal sizes, of which the last one may be
/// shorter.
pub(super) struct Divided {
    pub(super) element_type: Type,
    pub(super) whole: Vec<usize>,
    pub(super) tile: Vec<usize>,
    pub(super) counts: Vec<usize>,
    /// How many devices have each tile.
    pub(super) copies: usize,
    /// Device `devices[k]` has tile `k / copies`, row-major.
    pub(super) devices: Vec<usize>,
}

impl Divided {
    pub(super) fn sharding(&self) -> String {
        let text = |list: &[usize]| {
            let list: Vec<String> = list.iter().map(usize::to_string).collect();
            list.join(",")
        };
        if self.devices.len() == 1 {
            return "{maximal device=0}".to_owned();
        }
        let counts = text(&self.counts);
        let devices = text(&self.devices);
        match self.copies {
            1 => format!("{{devices=[{counts}]{devices}}}"),
            copies => {
                format!("{{devices=[{counts},{copies}]{devices} last_tile_dim_replicate}}")
            }
        }
    }

    /// Where the part of a device begins, and its sizes; `None` if it has none.
    pub(super) fn part(&self, device: usize) -> Option<(Vec<usize>, Vec<usize>)> {
        let tile = self.devices.iter().position(|one| *one == device)?;
        let index = indices(&self.counts).swap_remove(tile / self.copies);
        let both = index.iter().zip(&self.tile);
        let origin: Vec<usize> = both.map(|(k, size)| k * size).collect();
        let ends = self.whole.iter().zip(&self.tile).zip(&origin);
        let sizes: Option<Vec<usize>> = ends
            .map(|((whole, tile), at)| whole.checked_sub(*at).map(|rest| rest.min(*tile)))
            .collect();
        let sizes = sizes.filter(|sizes| !sizes.contains(&0))?;
        Some((origin, sizes))
    }

    /// The elements of a box in the sequence of `order`, of which the last dimension is the
    /// fastest.
    pub(super) fn bytes(&self, origin: &[usize], sizes: &[usize], order: &[usize]) -> Vec<u8> {
        let turned: Vec<usize> = order.iter().map(|dim| sizes[*dim]).collect();
        let one = |index: Vec<usize>| {
            let mut at = origin.to_vec();
            for (k, dim) in order.iter().enumerate() {
                at[*dim] += index[k];
            }
            // Behind the end there is anything.
            element(self.element_type, place(&self.whole, &at))
        };
        packed(self.element_type.1, indices(&turned).into_iter().map(one))
    }
}

/// A file of safetensors: each tensor has a name, a type, sizes and bytes.
pub(super) fn safetensors(
    tensors: &[(&str, Type, &[usize], Vec<u8>)],
    origin: Option<&[usize]>,
) -> Vec<u8> {
    let mut metadata = Map::new();
    let mut header = Map::new();
    let mut data = Vec::new();
    for (name, (xla, bits, dtype, ..), sizes, bytes) in tensors {
        let mut dtype = *dtype;
        let mut shape = json!(sizes);
        let elements: usize = sizes.iter().product();
        if dtype.is_empty() || !(elements * *bits as usize).is_multiple_of(8) {
            let minor: Vec<String> = (0..sizes.len()).rev().map(|dim| dim.to_string()).collect();
            let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
            let sizes = sizes.join(",");
            let minor = minor.join(",");
            let packing = if *bits < 8 {
                format!(":E({bits})")
            } else {
                String::new()
            };
            let text = format!("{xla}[{sizes}]{{{minor}{packing}}}");
            metadata.insert(format!("xlayout.shape.{name}"), json!(text));
            (dtype, shape) = ("U8", json!([bytes.len()]));
        }
        let offsets = [data.len(), data.len() + bytes.len()];
        data.extend(bytes);
        let entry = json!({"dtype": dtype, "shape": shape, "data_offsets": offsets});
        header.insert((*name).to_owned(), entry);
    }
    if let Some(origin) = origin {
        let all = json!({"w": {"saved_offsets": origin}}).to_string();
        metadata.insert("DCP_SHARDING_INFO".to_owned(), json!(all));
    }
    if !metadata.is_empty() {
        header.insert("__metadata__".to_owned(), metadata.into());
    }
    let text = Value::Object(header).to_string();
    [&(text.len() as u64).to_le_bytes(), text.as_bytes(), &data].concat()
}

pub(super) fn npy(descr: &str, is_fortran: bool, sizes: &[usize], bytes: &[u8]) -> Vec<u8> {
    let sizes: String = sizes.iter().map(|size| format!("{size},")).collect();
    let order = if is_fortran { "True" } else { "False" };
    let mut text =
        format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({sizes}), }}");
    text += &" ".repeat(117 - text.len());
    [b"\x93NUMPY\x01\x00\x76\x00", text.as_bytes(), b"\n", bytes].concat()
}

/// Puts each element of a part of `w` at its place, once.
pub(super) fn put(
    found: &mut [Option<u128>],
    whole: &[usize],
    origin: &[usize],
    part: &[Vec<usize>],
    of: impl Fn(usize) -> u128,
) {
    for (k, index) in part.iter().enumerate() {
        let at: Vec<usize> = index.iter().zip(origin).map(|(k, at)| k + at).collect();
        if at.iter().zip(whole).all(|(k, size)| k < size) {
            let before = found[place(whole, &at)].replace(of(k));
            assert_eq!(before, None, "{at:?} is there twice");
        }
    }
}

pub(super) fn numbers(list: &Value) -> Vec<usize> {
    let list = list.as_array().expect("a list").iter();
    list.map(|number| number.as_u64().expect("a number") as usize)
        .collect()
}

/// The indices of a box in the sequence of memory, where the last dimension of `order` is the
/// fastest.
pub(super) fn indices_in(order: &[usize], sizes: &[usize]) -> Vec<Vec<usize>> {
    let turned: Vec<usize> = order.iter().map(|dim| sizes[*dim]).collect();
    let back = |index: Vec<usize>| {
        let mut back = vec![0; order.len()];
        for (k, dim) in order.iter().enumerate() {
            back[*dim] = index[k];
        }
        back
    };
    indices(&turned).into_iter().map(back).collect()
}

/// The numbers of a list in a text, between two texts.
pub(super) fn between(text: &str, open: char, close: &[char]) -> Vec<usize> {
    let (_, list) = text.split_once(open).expect("a list");
    let (list, _) = list.split_once(close).expect("the end of a list");
    let number = |number: &str| number.parse().expect("a number");
    list.split(',').map(number).collect()
}
