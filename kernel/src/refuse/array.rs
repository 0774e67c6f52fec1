//! The texts for arrays.

use xlayout_core::PrimitiveType;

use super::{Refusal, list, plural};
use crate::abi::Buffer;
use crate::batch::Batch;
use crate::fault::{Place, Wrong};
use crate::frame::dims;
use crate::kernel::{BufferSpec, Direction, Kind, Size};

impl Refusal<'_> {
    pub(super) fn array(
        &self,
        parameter: usize,
        direction: Direction,
        spec: &BufferSpec,
        place: Place,
        wrong: Wrong,
    ) -> String {
        let name = self.name(parameter);
        let result = match place {
            Place::Own => direction == Direction::Out,
            Place::Argument(_) => false,
            Place::Result(_) => true,
        };
        let what = if result { "result" } else { "argument" };
        let buffer = self.buffer(parameter, result);
        let found = buffer.map_or_else(|| "nothing".into(), shape);
        let sizes = buffer.and_then(|buffer| dims(buffer).ok()).unwrap_or(&[]);
        let head = format!(
            "{what} `{name}` is declared as {}, and the call has {found}",
            (spec.shape)()
        );
        let dtype = spec.element_type;
        let size = |d: usize| sizes.get(d).copied().unwrap_or(0);
        // The leading dimensions of a batch.
        let leading = sizes.len().saturating_sub(spec.dims.len());
        let behind = if leading == 0 {
            String::new()
        } else {
            format!(" (behind {leading} of the batch)")
        };
        let why = match wrong {
            Wrong::ElementType if result => {
                format!("declare the result of the call as {}", jax(dtype))
            }
            Wrong::ElementType => format!("pass {}, as with `x.astype(…)`", jax(dtype)),
            Wrong::Dimensions => "its dimensions cannot be read".into(),
            Wrong::Rank => self.rank(sizes.len(), spec),
            Wrong::Negative { dimension } => {
                format!("dimension {dimension}{behind} is negative")
            }
            Wrong::Size { dimension } => {
                let expected = spec.dims[dimension].to_xla();
                let found = size(leading + dimension);
                format!("dimension {dimension}{behind} must be {expected}, not {found}")
            }
            Wrong::Unequal { dimension, first } => self.unequal(parameter, dimension, first),
            Wrong::TooLarge => "it is larger than memory can be".into(),
            Wrong::NoData => "there is no memory for it (a null pointer)".into(),
            Wrong::OtherSizes => {
                let argument = self.buffer(parameter, false);
                format!(
                    "but its argument is {}; an `InOut` is one array, so that both are the same",
                    argument.map_or_else(String::new, shape)
                )
            }
            Wrong::NotAliased => {
                let own = self.kernel.places[parameter];
                format!(
                    "which lies elsewhere than its argument; an `InOut` is one array: call it with \
                     `input_output_aliases={{{}: {}}}`, or declare an `In` and an `Out`",
                    own.argument, own.result
                )
            }
            Wrong::Overlap { other } => format!(
                "in memory that it shares with `{}`; what a kernel writes can be no other array: \
                 declare the two as one `InOut`, or leave them out of `input_output_aliases`",
                self.name(other)
            ),
            Wrong::Alignment { beyond } => format!(
                "whose memory begins {} behind a multiple of {}, where an element may begin; pass a \
                 copy of it",
                plural(beyond, "byte"),
                spec.align
            ),
            Wrong::NotBool { at } => format!(
                "whose byte {at} is neither 0 nor 1, as those of a pred are; make it by a \
                 comparison (`x != 0`), not from bytes"
            ),
            Wrong::Batch { dimension } => format!(
                "whose leading dimension {dimension} is {}, not {} as that of the batch{}",
                size(dimension),
                self.batch_size(dimension),
                if direction == Direction::In {
                    ", nor 1"
                } else {
                    ""
                }
            ),
            Wrong::NegativeBatch { dimension } => {
                format!("leading dimension {dimension} is negative")
            }
            Wrong::BatchInBytes => "whose items do not end with a byte, so that those of a batch \
                                    share bytes; map the call with `vmap_method=\"sequential\"`"
                .into(),
            _ => "which its layout cannot hold".into(),
        };
        // Where the text goes on with the array that was found, and where it starts again.
        let joint = match wrong {
            Wrong::ElementType | Wrong::Size { .. } | Wrong::Unequal { .. } | Wrong::Rank => "; ",
            Wrong::Negative { .. } | Wrong::NegativeBatch { .. } | Wrong::Dimensions => ": ",
            Wrong::TooLarge | Wrong::NoData => ": ",
            _ => ", ",
        };
        let whole = match (spec.sharding, wrong) {
            (Some(sharding), Wrong::Rank | Wrong::Size { .. } | Wrong::Unequal { .. }) => {
                let (sharding, global) = sharding();
                format!(
                    " ({global} is the whole, of which this is the part of a device: {sharding})"
                )
            }
            _ => String::new(),
        };
        format!("{head}{joint}{why}{whole}")
    }

    fn rank(&self, found: usize, spec: &BufferSpec) -> String {
        let expected = spec.dims.len();
        let text = format!("pass {}, not {found}", plural(expected, "dimension"));
        if self.kernel.source.batch {
            let leading = self.leading();
            let them = if expected == 1 { "it" } else { "them" };
            return format!(
                "pass {}, and before {them} {}, as the results have",
                plural(expected, "dimension"),
                leading.len()
            );
        }
        if found > expected {
            return format!(
                "{text}, or map the call (`jax.vmap`); a kernel with the option `batch` takes \
                 leading dimensions, too"
            );
        }
        text
    }

    /// The leading sizes of a batch.
    fn leading(&self) -> &[i64] {
        let batch = self.frame.and_then(|frame| {
            Batch::of(
                self.kernel,
                &frame.arguments().ok()?,
                &frame.results().ok()?,
            )
            .ok()
        });
        batch.map_or(&[], |batch| batch.sizes())
    }

    fn batch_size(&self, dimension: usize) -> i64 {
        self.leading().get(dimension).copied().unwrap_or(1)
    }

    fn unequal(&self, parameter: usize, dimension: usize, first: (usize, usize)) -> String {
        let (other, at) = first;
        let size = |p: usize, d: usize| -> i64 {
            let Kind::Buffer(direction, spec) = &self.kernel.source.parameters[p].kind else {
                return 0;
            };
            let buffer = self.buffer(p, *direction == Direction::Out);
            let sizes = buffer.and_then(|buffer| dims(buffer).ok()).unwrap_or(&[]);
            // Those of a batch stand before.
            let leading = sizes.len().saturating_sub(spec.dims.len());
            sizes.get(leading + d).copied().unwrap_or(0)
        };
        let declared = &self.kernel.source.parameters[parameter];
        let why = match &declared.kind {
            Kind::Buffer(_, spec) => match spec.size(dimension) {
                Size::Named(name) => format!("`?{name}` is one size"),
                _ => format!(
                    "`?` as dimension {dimension} is one size for all (`?_` is any, and `?M` one \
                     by name)"
                ),
            },
            _ => String::new(),
        };
        let of = if other == parameter {
            String::new()
        } else {
            format!(" of `{}`", self.name(other))
        };
        format!(
            "dimension {dimension} is {}, and dimension {at}{of} is {}: {why}",
            size(parameter, dimension),
            size(other, at)
        )
    }

    /// The argument or the result that XLA passed for a parameter.
    fn buffer(&self, parameter: usize, result: bool) -> Option<&Buffer> {
        let own = self.kernel.places[parameter];
        let frame = self.frame?;
        let (operands, number) = if result {
            (frame.results().ok()?, own.result)
        } else {
            (frame.arguments().ok()?, own.argument)
        };
        operands.buffer(number).ok()
    }
}

/// `f32 (jnp.float32)`
fn jax(dtype: PrimitiveType) -> String {
    match dtype.numpy_name() {
        Some(name) => format!("{dtype} (`{name}` in JAX)"),
        None => dtype.to_string(),
    }
}

/// Element type and sizes of a buffer, as XLA writes them: `f32[4,128]`.
fn shape(buffer: &Buffer) -> String {
    let dtype = PrimitiveType::from_number(buffer.dtype.into()).map_or_else(
        || format!("(element type {})", buffer.dtype),
        |dtype| dtype.to_string(),
    );
    match dims(buffer) {
        Ok(sizes) => format!("{dtype}[{}]", list(sizes)),
        Err(_) => format!("{dtype} with rank {}", buffer.rank),
    }
}
