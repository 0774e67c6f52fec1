//! Maps that are composed, divided, inverted and compared, with the steps of the derivation.

mod operand;
mod steps;

use std::str::FromStr;

use serde_json::{Value, json};
use xlayout::algebra::{Banks, Budget, Map, Swizzle, Wavefronts, bank_conflicts, best_swizzle};
use xlayout::interop::Given;

use crate::error::{Error, Outcome};
use crate::maps::map_text::failure;
use crate::maps::swizzle_words;
use crate::picture::Picture;
use crate::table::{DIM, Text};
use crate::words::counted;
use operand::Operand;

/// What is asked of maps, which are texts in any notation.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "`a` and `b` are the operands")]
pub enum AlgebraQuestion {
    /// A after B: the offset of B is the index of A.
    Compose { a: String, b: String },
    /// The tiles that B takes out of A.
    Divide { a: String, b: String },
    /// The offsets whose translates of A fill 0 to `size`.
    Complement { a: String, size: u64 },
    /// The index of each offset; if `right`, as far as the offsets have no hole.
    Invert { a: String, right: bool },
    /// Whether A and B are one map of the index.
    Equal { a: String, b: String },
    /// The swizzle with the fewest conflicts for all accesses, maps from lanes to elements.
    Swizzle {
        accesses: Vec<String>,
        memory: BankedMemory,
    },
    /// The swizzle that turns the offsets of A into those of B.
    Between { a: String, b: String },
    /// How often memory is asked for an access.
    Conflicts {
        access: String,
        memory: BankedMemory,
        /// The three numbers of a swizzle of the offsets: `3,3,3`.
        swizzle: Option<String>,
    },
}

/// Memory with banks, and what is read from it.
#[derive(Clone, Copy, Debug)]
pub struct BankedMemory {
    /// The bytes of an element.
    pub bytes: u32,
    /// The number of banks.
    pub banks: u32,
    /// The bytes of a bank that are next to each other.
    pub width: u32,
}

impl BankedMemory {
    /// The banks: in one phase each bank is accessed once.
    fn banks(&self) -> Banks {
        Banks {
            banks: self.banks,
            width: self.width,
            phase_bytes: self.banks.saturating_mul(self.width),
        }
    }

    /// The bank of the first byte of an element.
    fn bank(&self, offset: usize) -> usize {
        let byte = offset as u128 * u128::from(self.bytes);
        // Both divisors are above 0: `bank_conflicts` refuses 0.
        let word = byte / u128::from(self.width.max(1));
        (word % u128::from(self.banks.max(1))) as usize
    }
}

/// The answer to a question, with its steps.
///
/// ```
/// use xlayout_view::{AlgebraQuestion, Derivation, Given};
/// let [a, b] = ["(4,8):(8,1)", "(8,4):(4,1)"].map(str::to_owned);
/// let found = Derivation::of(&AlgebraQuestion::Compose { a, b }, &Given::default())?;
/// assert!(found.to_text().plain().ends_with("CuTe      32:1\n"));
/// assert_eq!(found.to_json()["steps"][0]["name"], "A");
/// # Ok::<(), xlayout_view::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Derivation {
    lines: Vec<Line>,
    answer: Vec<String>,
    is_no: bool,
    notes: Vec<String>,
    maps: Vec<(&'static str, Map)>,
    /// The memory whose banks the colours show. Without it they show offsets.
    memory: Option<BankedMemory>,
}

/// A map with its name, or a note, which has none.
#[derive(Clone, Debug)]
struct Line {
    name: &'static str,
    text: String,
}

impl Derivation {
    /// Answers a question.
    ///
    /// # Errors
    /// A text that is no map, and maps that have no answer.
    pub fn of(question: &AlgebraQuestion, given: &Given<'_>) -> Result<Self, Error> {
        let mut steps = Self::default();
        derive(question, given, &mut steps)?;
        Ok(steps)
    }

    /// Whether the answer to a question of whether is "no".
    #[must_use]
    pub fn is_no(&self) -> bool {
        self.is_no
    }

    /// The steps and the answer, a line each.
    #[must_use]
    pub fn to_text(&self) -> Text {
        Text::of(usize::MAX, |out| {
            for Line { name, text } in &self.lines {
                match *name {
                    "" => writeln!(out, "{DIM}          {text}{DIM:#}"),
                    name => writeln!(out, "{name:<8}  {text}"),
                }
            }
            for line in &self.answer {
                writeln!(out, "{line}");
            }
        })
    }

    /// The same as an object: `steps` with `name` and `text`, of which a note has no name, and the
    /// lines of the `answer`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let line = |line: &Line| json!({"name": line.name, "text": line.text});
        let steps = self.lines.iter().map(line);
        json!({"steps": steps.collect::<Value>(), "answer": self.answer, "is_no": self.is_no})
    }

    /// A picture of each map, with a cell for each index. The colours show offsets, or banks.
    ///
    /// # Errors
    /// More indices than this machine counts.
    pub fn picture(&self) -> Result<Picture, Error> {
        let bank = |place| self.memory.map_or(place, |memory| memory.bank(place));
        let bank = self
            .memory
            .is_some()
            .then_some(&bank as &dyn Fn(usize) -> usize);
        Picture::of_maps("xlayout algebra", self.notes.clone(), &self.maps, bank)
            .map_err(Error::from)
    }
}

/// Reads the three numbers of a swizzle: `3,3,3`.
fn read_swizzle(text: &str) -> Outcome<Swizzle> {
    let (bits, base, shift) = swizzle_numbers(text)?;
    Ok(Swizzle::new(bits, base, shift)?)
}

/// The three numbers of CuTe's `Swizzle<3,3,3>`, as `3,3,3`.
///
/// # Errors
/// Another text.
pub fn swizzle_numbers<B: FromStr, S: FromStr>(text: &str) -> Result<(B, B, S), Error> {
    let numbers = || {
        let mut parts = text.split(',').map(str::trim);
        let bits = parts.next()?.parse().ok()?;
        let base = parts.next()?.parse().ok()?;
        let shift = parts.next()?.parse().ok()?;
        parts.next().is_none().then_some((bits, base, shift))
    };
    numbers().ok_or_else(|| {
        Error::new(format_args!("`{text}` is no swizzle"))
            .help("write the three numbers of CuTe's `Swizzle<3,3,3>`: `--swizzle 3,3,3`")
    })
}

fn derive(question: &AlgebraQuestion, given: &Given<'_>, steps: &mut Derivation) -> Outcome {
    let read_operand = |name, text: &str| Operand::read(name, text, given);
    let read_map = |name, text: &str| {
        let map = read_operand(name, text)?.map();
        map.map_err(|error| failure(error, name, text))
    };
    match question {
        AlgebraQuestion::Compose { a, b } => {
            let outer = read_operand("A", a)?;
            let inner = read_map("B", b)?;
            // The offsets of B are indices of A.
            let (_, greatest_offset) = inner.range();
            let index_count = greatest_offset.unsigned_abs() + 1;
            let outer = outer
                .extended(index_count)
                .map_err(|error| failure(error, "A", a))?;
            let composed = outer.after(&inner)?;
            steps.step("A", &outer);
            steps.step("B", &inner);
            steps.note("The offset of B is put in place of the index of A.");
            steps.result(&composed);
        }
        AlgebraQuestion::Divide { a, b } => {
            let array = read_map("A", a)?;
            let tile = read_map("B", b)?;
            let rest = tile.complement(array.size())?;
            let divided = array.divide(&tile)?;
            steps.step("A", &array);
            steps.step("B", &tile);
            steps.step("rest", &rest);
            steps.note(
                "The rest says where tiles begin: its offsets and those of B fill \
                      the indices of A.",
            );
            steps.note("i0 is the number of the tile, i1 the index in it.");
            steps.result(&divided);
        }
        AlgebraQuestion::Complement { a, size } => {
            let array = read_map("A", a)?;
            let complement = array.complement(*size)?;
            steps.step("A", &array);
            let note = format!("Its offsets, moved by those of the result, fill 0 to {size}.");
            steps.note(note);
            steps.result(&complement);
        }
        AlgebraQuestion::Invert { a, right } => {
            let array = read_map("A", a)?;
            let inverse = if *right {
                array.right_inverse(Budget::DEFAULT)?
            } else {
                array.left_inverse(Budget::DEFAULT)?
            };
            steps.step("A", &array);
            if *right {
                let hole = array.first_hole(Budget::DEFAULT)?;
                steps.note(format_args!("Offsets below {hole} have no hole."));
            } else {
                let note = "i0 is an offset that an index has; of others the result says nothing.";
                steps.note(note);
            }
            steps.result(&inverse);
        }
        AlgebraQuestion::Equal { a, b } => {
            let left = read_map("A", a)?;
            let right = read_map("B", b)?;
            let difference = left.first_difference(&right, Budget::DEFAULT)?;
            steps.step("A", &left);
            steps.step("B", &right);
            let Some(index) = difference else {
                steps.answer(format_args!("equal: {} indices", left.size()));
                return Ok(());
            };
            let offset_text = |map: &Map| match map.at_index(index) {
                Some(offset) => offset.to_string(),
                None => "no offset".to_owned(),
            };
            let a = offset_text(&left);
            let b = offset_text(&right);
            steps.answer(format_args!(
                "different: index {index} has {a} in A and {b} in B"
            ));
            steps.is_no = true;
        }
        AlgebraQuestion::Swizzle { accesses, memory } => {
            let maps = accesses.iter().map(|text| read_map("ACCESS", text));
            let maps = maps.collect::<Outcome<Vec<Map>>>()?;
            for map in &maps {
                steps.step("access", map);
                let without_swizzle = bank_conflicts(map, memory.bytes, memory.banks())?;
                steps.note(wavefronts(without_swizzle));
            }
            let best = best_swizzle(&maps, memory.bytes, memory.banks(), Budget::DEFAULT)?;
            steps.memory = Some(*memory);
            if let Some(swizzle) = best.swizzle {
                for map in &maps {
                    steps.draw("swizzled", &map.swizzle(swizzle)?);
                }
            }
            let found = match best.swizzle.map(|swizzle| swizzle.numbers()) {
                Some((bits, base, shift)) => {
                    format!("Swizzle<{bits},{base},{shift}> of the offset of an element")
                }
                None => format!(
                    "the offset of an element is multiplied by these columns, over bits: {:?}",
                    best.bits.columns()
                ),
            };
            let proof = if best.optimal {
                "no XOR swizzle that keeps rows needs fewer"
            } else {
                "a longer search may find fewer"
            };
            let best = wavefronts(best.wavefronts);
            steps.answer(found);
            steps.answer(format_args!("{best}; {proof}"));
        }
        AlgebraQuestion::Between { a, b } => {
            let from = read_map("A", a)?;
            let to = read_map("B", b)?;
            steps.step("A", &from);
            steps.step("B", &to);
            let Some(swizzle) = Swizzle::between(&from, &to, Budget::DEFAULT)? else {
                steps.answer(
                    "no swizzle of the offset turns A into B, index by index; `xlayout diff A B` \
                     compares coordinates",
                );
                steps.is_no = true;
                return Ok(());
            };
            let (bits, base, shift) = swizzle.numbers();
            let what = swizzle_words(swizzle);
            steps.answer(format_args!(
                "Swizzle<{bits},{base},{shift}> of the offset: {what}"
            ));
        }
        AlgebraQuestion::Conflicts {
            access,
            memory,
            swizzle,
        } => {
            let mut lanes = read_map("ACCESS", access)?;
            steps.step("access", &lanes);
            if let Some(text) = swizzle {
                let swizzle = read_swizzle(text)?;
                lanes = lanes.swizzle(swizzle)?;
                steps.step("swizzled", &lanes);
            }
            steps.memory = Some(*memory);
            let found = bank_conflicts(&lanes, memory.bytes, memory.banks())?;
            steps.answer(wavefronts(found));
        }
    }
    Ok(())
}

/// How many wavefronts an access takes, and the least number that it could take.
fn wavefronts(found: Wavefronts) -> String {
    let Wavefronts { wavefronts, least } = found;
    let counted = counted(wavefronts, "wavefront");
    if found.is_free() {
        format!("{counted}: no bank conflicts")
    } else {
        format!("{counted} in place of {least}")
    }
}
