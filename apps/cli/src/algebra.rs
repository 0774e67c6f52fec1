//! `xlayout algebra`: maps that are composed, divided, inverted and compared, with the steps of the
//! derivation.

use std::io::Write;
use std::path::PathBuf;

use xlayout::algebra::{
    Budget, Map, MapError, Swizzle, Wavefronts, bank_conflicts, best_swizzle, map_of,
};
use xlayout::interop::CuteLayout;

use crate::picture::files::Files;
use crate::shape;
use xlayout_command::{Failure, Outcome, TextSpan};
use xlayout_view::MapText;
use xlayout_words::counted;

mod memory;
mod steps;

use memory::Memory;
use steps::Steps;

/// The arguments of `xlayout algebra`.
#[derive(clap::Args, Debug)]
pub(crate) struct AlgebraArguments {
    #[command(subcommand)]
    operation: Operation,

    #[command(flatten)]
    given: shape::Given,

    /// Write a picture of each map to this file as SVG, with a cell for each index; `-` is stdout
    #[arg(long, value_name = "FILE", global = true)]
    svg: Option<PathBuf>,

    /// Replace FILE if it exists
    #[arg(long, global = true, requires = "svg")]
    force: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Operation {
    /// A after B: the offset of B is the index of A
    Compose { a: String, b: String },
    /// The tiles that B takes out of A: the number of the tile, and the index in it
    Divide { a: String, b: String },
    /// The offsets whose translates of A fill 0 to SIZE
    Complement {
        a: String,
        /// How many offsets are filled
        #[arg(long)]
        size: u64,
    },
    /// The index of each offset
    Invert {
        a: String,
        /// A map R with A(R(k)) = k, as far as the offsets have no hole
        #[arg(long)]
        right: bool,
    },
    /// Whether A and B are one map of the index; exit code 1 if not
    Equal { a: String, b: String },
    /// The swizzle with the fewest conflicts for all accesses, each a map from lanes to elements
    Swizzle {
        #[arg(required = true)]
        accesses: Vec<String>,
        #[command(flatten)]
        memory: Memory,
    },
    /// The swizzle that turns the offsets of A into those of B; exit code 1 if there is none
    Between { a: String, b: String },
    /// How often memory is asked for an access, a map from lanes to elements
    Conflicts {
        access: String,
        #[command(flatten)]
        memory: Memory,
        /// Apply CuTe's Swizzle<BITS,BASE,SHIFT> to the offsets
        #[arg(long, value_name = "BITS,BASE,SHIFT", allow_hyphen_values = true)]
        swizzle: Option<String>,
    },
}

/// A map, as it was written.
enum Operand {
    /// CuTe's text: the modes, of which the first one changes first, and what is done to the
    /// offset.
    Cute {
        sizes: Vec<u64>,
        strides: Vec<i64>,
        offset: i64,
        swizzle: Option<Swizzle>,
    },
    /// Any other text.
    Layout(Box<Map>),
}

impl Operand {
    /// Reads the text as Triton's, then as CuTe's, then as any other notation of a layout. `origin`
    /// is the argument that has the text.
    fn read(origin: &str, text: &str, given: &shape::Given) -> Outcome<Self> {
        let own = MapText::read(origin, text, &given.of_notation()).transpose()?;
        if let Some(own) = own {
            let Some((cute, offset)) = own.cute() else {
                let map = own.map().flatten();
                let map = map.map_err(|error| failure(error, origin, text))?;
                return Ok(Self::Layout(Box::new(map)));
            };
            return Ok(Self::of_cute(cute, offset, own.parts().1));
        }
        let parsed = text.parse::<CuteLayout>();
        // A text that begins with a number is meant as CuTe's: the error of its reader is shown.
        let looks_like_cute = text.trim_start_matches('(').starts_with(char::is_numeric);
        if let (Err(error), true) = (&parsed, looks_like_cute) {
            return Err(Failure::of_text(error, origin, text));
        }
        let Ok(cute) = parsed else {
            let layout = shape::read(origin, text, given)?;
            let map = map_of(&layout).and_then(|map| map.flatten());
            return map
                .map(|map| Self::Layout(Box::new(map)))
                .map_err(|error| failure(error, origin, text));
        };
        Ok(Self::of_cute(&cute, 0, None))
    }

    fn of_cute(cute: &CuteLayout, offset: i64, swizzle: Option<Swizzle>) -> Self {
        let digits = (0..cute.rank()).flat_map(|dimension| cute.digits(dimension));
        let (sizes, strides) = digits
            .map(|(size, stride)| (size.unsigned_abs(), stride))
            .unzip();
        Self::Cute {
            sizes,
            strides,
            offset,
            swizzle,
        }
    }

    fn map(&self) -> Result<Map, MapError> {
        self.extended(0)
    }

    /// The map for `size` indices, if it has fewer: the last mode of CuTe's layout continues.
    fn extended(&self, size: u64) -> Result<Map, MapError> {
        match self {
            Self::Cute {
                sizes,
                strides,
                offset,
                swizzle,
            } => {
                let times = |product: u64, mode: &u64| product.saturating_mul(*mode);
                let own_size = sizes.iter().fold(1, times);
                let map = Map::cute_extended(sizes, strides, own_size.max(size))?;
                let map = map.scale(1, *offset)?;
                swizzle.map_or(Ok(map), |swizzle| map.swizzle(swizzle))
            }
            Self::Layout(map) => Ok(**map),
        }
    }
}

fn failure(error: MapError, origin: &str, text: &str) -> Failure {
    Failure::from(error).at(TextSpan::of_whole(origin, text))
}

pub(crate) fn run(arguments: &AlgebraArguments, out: &mut dyn Write) -> Outcome {
    let files = Files {
        svg: arguments.svg.clone(),
        html: None,
        force: arguments.force,
        no_path: true,
    };
    let mut steps = Steps::default();
    let answer = derive(arguments, &mut steps);
    // If the picture goes to stdout, nothing else does.
    if !files.to_stdout() {
        out.write_all(steps.text.styled().as_bytes())?;
    }
    // The answer "no" is a failure, too, but its steps can be drawn.
    let is_error = answer.as_ref().is_err_and(|failure| !failure.is_answer());
    if !files.any() || is_error {
        return answer;
    }
    files.write(&steps.picture()?, out)?;
    answer
}

/// Writes the steps of the derivation and its result.
fn derive(arguments: &AlgebraArguments, steps: &mut Steps) -> Outcome {
    let read_operand = |name, text: &str| Operand::read(name, text, &arguments.given);
    let read_map = |name, text: &str| {
        let map = read_operand(name, text)?.map();
        map.map_err(|error| failure(error, name, text))
    };
    match &arguments.operation {
        Operation::Compose { a, b } => {
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
        Operation::Divide { a, b } => {
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
        Operation::Complement { a, size } => {
            let array = read_map("A", a)?;
            let complement = array.complement(*size)?;
            steps.step("A", &array);
            let note = format!("Its offsets, moved by those of the result, fill 0 to {size}.");
            steps.note(note);
            steps.result(&complement);
        }
        Operation::Invert { a, right } => {
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
        Operation::Equal { a, b } => {
            let left = read_map("A", a)?;
            let right = read_map("B", b)?;
            let difference = left.first_difference(&right, Budget::DEFAULT)?;
            steps.step("A", &left);
            steps.step("B", &right);
            let Some(index) = difference else {
                writeln!(steps.text, "equal: {} indices", left.size());
                return Ok(());
            };
            let offset_text = |map: &Map| match map.at_index(index) {
                Some(offset) => offset.to_string(),
                None => "no offset".to_owned(),
            };
            let a = offset_text(&left);
            let b = offset_text(&right);
            writeln!(
                steps.text,
                "different: index {index} has {a} in A and {b} in B"
            );
            return Err(Failure::answer_is_no());
        }
        Operation::Swizzle { accesses, memory } => {
            let maps = accesses.iter().map(|text| read_map("ACCESS", text));
            let maps = maps.collect::<Outcome<Vec<Map>>>()?;
            for map in &maps {
                steps.step("access", map);
                let without_swizzle = bank_conflicts(map, memory.bytes, memory.banks())?;
                steps.note(wavefronts(without_swizzle));
            }
            let best = best_swizzle(&maps, memory.bytes, memory.banks(), Budget::DEFAULT)?;
            steps.memory = Some(*memory);
            let drawn = best.swizzle.filter(|_| arguments.svg.is_some());
            if let Some(swizzle) = drawn {
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
            writeln!(steps.text, "{found}\n{best}; {proof}");
        }
        Operation::Between { a, b } => {
            let from = read_map("A", a)?;
            let to = read_map("B", b)?;
            steps.step("A", &from);
            steps.step("B", &to);
            let Some(swizzle) = Swizzle::between(&from, &to, Budget::DEFAULT)? else {
                writeln!(
                    steps.text,
                    "no swizzle of the offset turns A into B, index by index; `xlayout diff A B` \
                     compares coordinates"
                );
                return Err(Failure::answer_is_no());
            };
            let (bits, base, shift) = swizzle.numbers();
            let what = xlayout_view::swizzle_words(swizzle);
            writeln!(
                steps.text,
                "Swizzle<{bits},{base},{shift}> of the offset: {what}"
            );
        }
        Operation::Conflicts {
            access,
            memory,
            swizzle,
        } => {
            let mut lanes = read_map("ACCESS", access)?;
            steps.step("access", &lanes);
            if let Some(text) = swizzle {
                let (bits, base, shift) = shape::swizzle(text)?;
                let swizzle = Swizzle::new(bits, base, shift)?;
                lanes = lanes.swizzle(swizzle)?;
                steps.step("swizzled", &lanes);
            }
            steps.memory = Some(*memory);
            let found = bank_conflicts(&lanes, memory.bytes, memory.banks())?;
            writeln!(steps.text, "{}", wavefronts(found));
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
