//! Calls of kernels with computed sizes, of frames that are right, nearly right, or damaged:
//! exactly the right ones are accepted, by a second reading of the rules; both checks give the same
//! answer; nothing is written but results.
#![no_main]
#![allow(dead_code, unsafe_code, elided_lifetimes_in_paths)]

#[path = "../../kernel/tests/support/mod.rs"]
mod support;

use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicI32, Ordering};

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use support::expand::{FULL_CHECK_TOO, kernel};
use support::{Array, Call, Value};
use xlayout::layout;
use xlayout_kernel::abi::{self, CallFrame};
use xlayout_kernel::{In, Out, Scalar};

type OneMore = layout!(f32[?R + 1]{0});
type Several = layout!(f32[3*?B - ?A]{0});
type Odd = layout!(f32[2*?A + 1]{0});
type Rest = layout!(f32[?N, ?R + ?R - ?A]{0,1});

/// `?N` alone is the size of a dimension; the sums tell the others.
fn fill(
    a: Scalar<f32>,
    text: Option<&str>,
    x: In<OneMore>,
    y: In<Several>,
    mut z: Out<Odd>,
    mut w: Out<Rest>,
) {
    let read: f32 = x.memory().iter().chain(y.memory()).sum();
    assert_eq!(read, 0.0);
    let length = text.map_or(0, str::len);
    z.memory_mut().fill(*a);
    w.memory_mut().fill(*a + length as f32);
}
kernel!(plain = fill(
    a: Scalar<f32>, text: Option<&str>, x: In<OneMore>, y: In<Several>, z: Out<Odd>, w: Out<Rest>,
));
kernel!(of_batch = fill batch = true (
    a: Scalar<f32>, text: Option<&str>, x: In<OneMore>, y: In<Several>, z: Out<Odd>, w: Out<Rest>,
));

const F32: i32 = 11;
/// The value of the attribute `a`.
const NUMBER: f32 = 2.0;
/// The bytes of memory in which all arrays are.
const BYTES: usize = 1 << 14;
/// The bytes before each array where the input does not say.
const APART: usize = BYTES / 4;

#[derive(Arbitrary, Debug)]
struct Input {
    /// R, A, B, N.
    names: [u8; 4],
    /// Leading sizes, and for each array whether it has the size 1 in place of one.
    batch: Option<(Vec<u8>, [u8; 4])>,
    /// Other sizes, types and places, for the array of this number.
    others: Vec<(u8, Other)>,
    text: Option<Text>,
    number: Number,
    unknown: bool,
    damage: Option<Damage>,
}

#[derive(Arbitrary, Debug)]
enum Other {
    Size(u8, Size),
    Sizes(Vec<Size>),
    Dtype(i32),
    Nowhere,
    At(u16),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Size {
    Small(i8),
    Any(i64),
}

impl Size {
    fn get(self) -> i64 {
        match self {
            Self::Small(size) => i64::from(size % 16),
            Self::Any(size) => size,
        }
    }
}

#[derive(Arbitrary, Debug)]
enum Text {
    Bytes(Vec<u8>),
    Number,
    Null,
}

#[derive(Arbitrary, Debug)]
enum Number {
    Right,
    Dtype(i32),
    Array,
    Dictionary,
    Null,
    NoValue,
    Missing,
}

/// A change of the frame, or of the first argument.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Damage {
    Frame(u8),
    List { results: bool, bytes: u16 },
    Attributes(u8),
    Buffer(u8),
    Count { of: u8, size: i64 },
    Null(u8),
    Kind(i32),
    Rank(i64),
    Stage(i32),
    Longer(u8),
}

/// The rules of one array: its element type, and its sizes behind the batch.
struct Given {
    dtype: i32,
    sizes: Vec<i64>,
    /// `None` is a null pointer.
    at: Option<usize>,
}

impl Given {
    /// The bytes, or more than there are.
    fn bytes(&self) -> i128 {
        let each = |all: i128, size: &i64| all.saturating_mul(i128::from(*size));
        self.sizes.iter().fold(4_i128, each)
    }
}

/// Whether sizes behind those of the batch are right. R, A and B follow from the sums one after the
/// other.
fn are_sizes(given: &[Given; 4], leading: usize) -> bool {
    let [x, y, z, w] = given.each_ref().map(|of| of.sizes[leading..].to_vec());
    let ([x], [y], [z], [n, w]) = (&x[..], &y[..], &z[..], &w[..]) else {
        return false;
    };
    let [x, y, z, w] = [x, y, z, w].map(|size| i128::from(*size));
    let r = x - 1;
    // No sum tells a half.
    let a = (z - 1) / 2;
    let three_b = y + (z - 1) / 2;
    let is_whole = z % 2 == 1 && three_b % 3 == 0;
    let all = [x, y, z, w, (*n).into(), r, a, three_b];
    is_whole && all.iter().all(|size| *size >= 0) && w == 2 * r - a
}

/// The leading sizes if they are those of a batch: those of the first result, each of which an
/// argument may have as 1.
fn leading(given: &[Given; 4], is_batch: bool) -> Option<Vec<i64>> {
    let own = [1, 1, 1, 2];
    let count = given[2].sizes.len().checked_sub(own[2])?;
    if !is_batch && count > 0 {
        return None;
    }
    let sizes = given[2].sizes[..count].to_vec();
    for (number, array) in given.iter().enumerate() {
        if array.sizes.len() != count + own[number] {
            return None;
        }
        for (size, whole) in array.sizes.iter().zip(&sizes) {
            if *size < 0 || size != whole && (number >= 2 || *size != 1) {
                return None;
            }
        }
    }
    Some(sizes)
}

/// Whether all results that may be one are in the memory: a debug build fills each with NaN when it
/// is found right, and a later array may then be wrong.
fn have_memory(results: &[Given]) -> bool {
    results.iter().all(|array| {
        let Some(at) = array.at else {
            return true;
        };
        let bytes = array.bytes();
        let is_array = array.sizes.iter().all(|size| *size >= 0) && bytes <= isize::MAX as i128;
        !is_array || bytes.saturating_add(at as i128) <= BYTES as i128
    })
}

/// Whether arrays are right in type, size and place. `None` if they would be but are not in the
/// memory.
fn are_right(given: &[Given; 4], is_batch: bool) -> Option<bool> {
    let Some(leading) = leading(given, is_batch) else {
        return Some(false);
    };
    let has_types = given.iter().all(|array| array.dtype == F32);
    if !has_types || !are_sizes(given, leading.len()) {
        return Some(false);
    }
    // Of an empty batch nothing runs: only types and sizes are checked.
    if leading.contains(&0) {
        return None;
    }
    let bytes = given.each_ref().map(Given::bytes);
    let mut is_there = true;
    for (array, bytes) in given.iter().zip(bytes) {
        let Some(at) = array.at else {
            if bytes > 0 {
                return Some(false);
            }
            continue;
        };
        // No memory is larger, and none of a float begins elsewhere.
        if bytes > isize::MAX as i128 || bytes > 0 && at % 4 != 0 {
            return Some(false);
        }
        is_there &= at as i128 + bytes <= BYTES as i128;
    }
    if !is_there {
        return None;
    }
    for result in 2..4 {
        for other in 0..result {
            let places = (given[result].at, given[other].at);
            let (Some(a), Some(b)) = places else {
                continue;
            };
            let m = bytes[result] as usize;
            let n = bytes[other] as usize;
            if m > 0 && n > 0 && a < b + n && b < a + m {
                return Some(false);
            }
        }
    }
    Some(true)
}

/// Changes a frame; returns whether the call must be refused for it, or `None` if a kernel has
/// nothing to do.
fn damage(frame: &mut CallFrame, damage: Damage) -> Option<bool> {
    static NULLS: [usize; 8] = [0; 8];
    // SAFETY: the frame has a first argument.
    let buffer = |frame: &mut CallFrame| unsafe { (*frame.args.pointers).cast::<abi::Buffer>() };
    match damage {
        Damage::Frame(bytes) => {
            frame.struct_size = usize::from(bytes) % size_of::<CallFrame>();
            // A frame that is too short for the table of functions has nobody who makes an error.
            if frame.struct_size < 32 {
                frame.struct_size = 32;
            }
            Some(true)
        }
        Damage::List { results, bytes } => {
            let list = if results {
                &mut frame.rets
            } else {
                &mut frame.args
            };
            let whole = list.struct_size;
            list.struct_size = bytes.into();
            Some(list.struct_size != whole)
        }
        Damage::Attributes(bytes) => {
            frame.attrs.struct_size = usize::from(bytes) % size_of::<abi::Attributes>();
            Some(true)
        }
        Damage::Buffer(bytes) => {
            let buffer = buffer(frame);
            // SAFETY: the argument is there.
            unsafe { (*buffer).struct_size = usize::from(bytes) % size_of::<abi::Buffer>() };
            Some(true)
        }
        Damage::Count { of, size } => {
            // What a frame says is there, is there: a count is smaller, or larger than memory.
            let size = match size {
                0.. if size < i64::MAX / 4 => 0,
                size => size,
            };
            let count = match of % 3 {
                0 => &mut frame.args.size,
                1 => &mut frame.rets.size,
                _ => &mut frame.attrs.size,
            };
            let is_other = *count != size;
            *count = size;
            Some(is_other)
        }
        Damage::Null(of) => {
            match of % 7 {
                0 => frame.args.types = null(),
                1 => frame.args.pointers = null(),
                2 => frame.rets.types = null(),
                3 => frame.rets.pointers = null(),
                4 => frame.args.pointers = NULLS.as_ptr().cast(),
                5 => frame.rets.pointers = NULLS.as_ptr().cast(),
                // SAFETY: the argument is there.
                _ => unsafe { (*buffer(frame)).dims = null() },
            }
            Some(true)
        }
        Damage::Kind(kind) => {
            static KINDS: [AtomicI32; 2] = [const { AtomicI32::new(0) }; 2];
            KINDS
                .iter()
                .for_each(|own| own.store(kind, Ordering::Relaxed));
            frame.args.types = KINDS.as_ptr().cast();
            Some(kind != abi::BUFFER)
        }
        Damage::Rank(rank) => {
            // SAFETY: the argument is there.
            let found = unsafe { &mut (*buffer(frame)).rank };
            let rank = if rank < 0 { rank } else { rank | 1 << 61 };
            *found = rank;
            Some(true)
        }
        Damage::Stage(stage) => {
            frame.stage = stage;
            (stage == abi::EXECUTE).then_some(false)
        }
        Damage::Longer(bytes) => {
            frame.struct_size += usize::from(bytes);
            frame.attrs.struct_size += usize::from(bytes);
            // SAFETY: the argument is there.
            unsafe { (*buffer(frame)).struct_size += usize::from(bytes) };
            Some(false)
        }
    }
}

/// The arrays of an input.
fn arrays(input: &Input) -> [Given; 4] {
    let [r, a, b, n] = input.names.map(|name| i64::from(name % 8));
    let own = [
        vec![r + 1],
        vec![3 * b - a],
        vec![2 * a + 1],
        vec![n, 2 * r - a],
    ];
    let mut number = 0;
    let mut given = own.map(|own| {
        let mut sizes = Vec::new();
        if let Some((batch, ones)) = &input.batch {
            for (d, size) in batch.iter().take(3).enumerate() {
                let is_one = ones[number] >> d & 1 == 1;
                sizes.push(if is_one { 1 } else { i64::from(size % 4) });
            }
        }
        sizes.extend(own);
        let at = Some(number * APART);
        number += 1;
        Given {
            dtype: F32,
            sizes,
            at,
        }
    });
    for (number, other) in &input.others {
        let array = &mut given[usize::from(number % 4)];
        match other {
            Other::Size(d, size) => {
                let rank = array.sizes.len().max(1);
                if let Some(own) = array.sizes.get_mut(usize::from(*d) % rank) {
                    *own = size.get();
                }
            }
            Other::Sizes(sizes) => {
                array.sizes = sizes.iter().take(6).map(|size| size.get()).collect()
            }
            Other::Dtype(dtype) => array.dtype = *dtype,
            Other::Nowhere => array.at = None,
            Other::At(at) => array.at = Some(usize::from(*at) % BYTES),
        }
    }
    given
}

fuzz_target!(|input: Input| {
    let given = arrays(&input);
    let is_batch = input.batch.is_some();
    let mut memory = vec![0.0_f32; BYTES / 4];
    let start = memory.as_mut_ptr();
    let values = [NUMBER; 2];
    let mut call = Call::default();
    for (number, array) in given.iter().enumerate() {
        let at = array
            .at
            .map_or(null_mut(), |at| start.wrapping_byte_add(at));
        let array = Array::at(array.dtype, &array.sizes, at);
        if number < 2 {
            call.arguments.push(array);
        } else {
            call.results.push(array);
        }
    }
    let (value, mut is_right) = match input.number {
        Number::Right => (Some(Value::scalar(F32, &values[0])), true),
        Number::Dtype(dtype) => (Some(Value::scalar(dtype, &values[0])), dtype == F32),
        Number::Array => (Some(Value::array(F32, &values)), false),
        Number::Dictionary => (Some(Value::Dictionary), false),
        Number::Null => (Some(Value::Null(abi::SCALAR)), false),
        Number::NoValue => {
            let scalar = abi::ScalarValue {
                dtype: F32,
                value: null(),
            };
            (Some(Value::Scalar(scalar)), false)
        }
        Number::Missing => (None, false),
    };
    call.attributes
        .extend(value.map(|value| ("a".to_owned(), value)));
    let mut length = 0;
    let text = match &input.text {
        None => None,
        Some(Text::Bytes(bytes)) => {
            is_right &= std::str::from_utf8(bytes).is_ok();
            length = bytes.len();
            Some(Value::string(bytes))
        }
        Some(Text::Number) => {
            is_right = false;
            Some(Value::scalar(F32, &values[0]))
        }
        Some(Text::Null) => {
            is_right = false;
            Some(Value::Null(abi::STRING))
        }
    };
    call.attributes
        .extend(text.map(|text| ("text".to_owned(), text)));
    if input.unknown {
        is_right = false;
        call.attributes
            .push(("other".to_owned(), Value::scalar(F32, &values[0])));
    }
    let Some(are_arrays) = are_right(&given, is_batch) else {
        return;
    };
    if !have_memory(&given[2..]) {
        return;
    }
    is_right &= are_arrays;

    let handler = if is_batch { of_batch } else { plain };
    let mut answers = Vec::new();
    for is_full in [false, true] {
        FULL_CHECK_TOO.set(is_full);
        let mut changed = Some(false);
        let answer = call.run_with(handler, |frame| {
            if let Some(of) = input.damage {
                changed = damage(frame, of);
            }
        });
        FULL_CHECK_TOO.set(false);
        // The damage of a buffer stays with the call.
        for buffer in call
            .arguments
            .iter_mut()
            .take(1)
            .map(|array| &mut array.buffer)
        {
            buffer.struct_size = size_of::<abi::Buffer>();
            buffer.rank = given[0].sizes.len() as i64;
        }
        let expected = changed.is_none() || is_right && changed == Some(false);
        assert_eq!(answer.is_ok(), expected, "{answer:?}");
        if let Err((code, message)) = &answer {
            assert!(
                *code == 3 && message.starts_with("kernel `"),
                "{code}: {message}"
            );
        }
        let runs = expected && changed.is_some();
        for (k, element) in memory.iter_mut().enumerate() {
            let begin = 4 * k as i128;
            // Shares a byte with it: a result that is refused may begin anywhere.
            let is_in = |array: &Given| {
                let at = array.at.map_or(0, |at| at as i128);
                let bytes = array.bytes();
                bytes > 0 && at < begin + 4 && begin < at.saturating_add(bytes)
            };
            let written = match (runs, is_in(&given[2]), is_in(&given[3])) {
                (true, true, _) => NUMBER,
                (true, _, true) => NUMBER + length as f32,
                _ => 0.0,
            };
            let is_filled = !runs && (is_in(&given[2]) || is_in(&given[3]));
            assert!(
                *element == written || is_filled,
                "element {k} is {element}, not {written}"
            );
            *element = 0.0;
        }
        answers.push(answer);
    }
    assert_eq!(answers[0], answers[1]);
});
