//! The texts for arrays.

use xlayout_core::ElementType;
use xlayout_words::joined;

use super::attribute::element_type;
use super::{Refusal, counted, read_before};
use crate::abi::Buffer;
use crate::batch::Batch;
use crate::fault::{Fault, Place, Wrong};
use crate::frame::{Operands, dims};
use crate::kernel::{BufferSpec, Direction, Kind, Size};

impl<'a> Refusal<'a> {
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
        let head = format!(
            "{what} `{name}` is declared as {}, and the call has {}",
            (spec.shape)(),
            shape(buffer)
        );
        let dtype = spec.element_type;
        // The leading dimensions of a batch.
        let leading = || sizes(buffer).len() - spec.dims.len();
        let behind = || match leading() {
            0 => String::new(),
            leading => format!(" (behind {leading} of the batch)"),
        };
        let why = match wrong {
            Wrong::ElementType if result => {
                format!("; declare the result of the call as {}", jax(dtype))
            }
            Wrong::ElementType => format!("; pass {}, as with `x.astype(…)`", jax(dtype)),
            Wrong::Dimensions => ": its dimensions cannot be read".into(),
            Wrong::Rank => format!("; {}", self.rank(sizes(buffer).len(), spec)),
            Wrong::Negative { dimension } => {
                format!(": dimension {dimension}{} is negative", behind())
            }
            Wrong::Size { dimension } => {
                let expected = spec.dims[dimension].to_xla();
                let found = sizes(buffer)[leading() + dimension];
                let behind = behind();
                format!("; dimension {dimension}{behind} must be {expected}, not {found}")
            }
            Wrong::Unequal { dimension, first } => self.unequal(parameter, dimension, first),
            Wrong::Computed { relation } => self.computed(relation),
            Wrong::TooLarge => ": it is larger than memory can be".into(),
            Wrong::NoData => ": there is no memory for it (a null pointer)".into(),
            Wrong::NoMemory => {
                let layout = spec.converted.unwrap_or_else(|| {
                    unreachable!("no memory is asked for an array that is not converted")
                });
                let layout = layout();
                format!(
                    ", which the kernel converts to {layout}, and there is no memory for it in \
                     that layout: pass a smaller array, or declare the layout without padding"
                )
            }
            Wrong::OtherSizes => {
                let argument = self.buffer(parameter, false);
                format!(
                    ", but its argument is {}; an `InOut` is one array, so that both are the same",
                    shape(argument)
                )
            }
            Wrong::NotAliased => {
                let own = self.kernel.places[parameter];
                format!(
                    ", which lies elsewhere than its argument; an `InOut` is one array: call it \
                     with `input_output_aliases={{{}: {}}}`, or declare an `In` and an `Out`",
                    own.argument, own.result
                )
            }
            Wrong::Overlap { other } => format!(
                ", in memory that it shares with `{}`; what a kernel writes can be no other array: \
                 declare the two as one `InOut`, or leave them out of `input_output_aliases`",
                self.name(other)
            ),
            Wrong::Alignment { beyond } => format!(
                ", whose memory begins {} behind a multiple of {}, where an element may begin; \
                 pass a copy of it",
                counted(beyond, "byte"),
                spec.align
            ),
            Wrong::NotBool { at } => format!(
                ", whose byte {at} is neither 0 nor 1, as those of a pred are; make it by a \
                 comparison (`x != 0`), not from bytes"
            ),
            Wrong::Batch { dimension } => format!(
                ", whose leading dimension {dimension} is {}, not {} as that of the batch{}",
                sizes(buffer)[dimension],
                read_before(self.batch()).sizes[dimension],
                if direction == Direction::In {
                    ", nor 1"
                } else {
                    ""
                }
            ),
            Wrong::NegativeBatch { dimension } => {
                format!(": leading dimension {dimension} is negative")
            }
            Wrong::BatchInBytes => {
                ", whose items do not end with a byte, so that those of a batch \
                                    share bytes; map the call with `vmap_method=\"sequential\"`"
                    .into()
            }
            Wrong::Missing
            | Wrong::Kind
            | Wrong::AttributeType
            | Wrong::NoValue
            | Wrong::NoWord
            | Wrong::NotUtf8 { .. } => unreachable!("no array has {wrong:?}"),
        };
        // The text between the declaration and the array that XLA passed.
        let whole = match (spec.sharding, wrong) {
            (Some(sharding), Wrong::Rank | Wrong::Size { .. } | Wrong::Unequal { .. }) => {
                let (sharding, global) = sharding();
                format!(
                    " ({global} is the whole, of which this is the part of a device: {sharding})"
                )
            }
            _ => String::new(),
        };
        format!("{head}{why}{whole}")
    }

    fn rank(&self, found: usize, spec: &BufferSpec) -> String {
        let rank = spec.dims.len();
        let expected = counted(rank, "dimension");
        let text = format!("pass {expected}, not {found}");
        if self.kernel.source.batch {
            // The results define the batch. If they have too few dimensions, there is no batch.
            let Ok(batch) = self.batch() else {
                return format!("pass {expected} or more, not {found}");
            };
            let them = if rank == 1 { "it" } else { "them" };
            return format!(
                "pass {expected}, and before {them} {}, as the results have",
                batch.rank()
            );
        }
        if found > rank {
            return format!(
                "{text}, or map the call (`jax.vmap`); a kernel with the option `batch` takes \
                 leading dimensions, too"
            );
        }
        text
    }

    fn batch(&self) -> Result<Batch<'a>, Fault> {
        Batch::of(self.kernel, &self.arguments(), &self.results())
    }

    fn unequal(&self, parameter: usize, dimension: usize, first: (usize, usize)) -> String {
        let (other, at) = first;
        let why = match self.declared(parameter).1.size(dimension) {
            Size::Anonymous(_) => format!(
                "`?` as dimension {dimension} is one size for all (`?_` is any, and `?M` one by \
                 name)"
            ),
            size @ (Size::Named(_) | Size::Computed(_)) => format!("`{size}` is one size"),
            Size::Static(_) | Size::Free => unreachable!("it is compared with no other size"),
        };
        let owner = if other == parameter {
            String::new()
        } else {
            format!(" of `{}`", self.name(other))
        };
        format!(
            "; dimension {dimension} is {}, and dimension {at}{owner} is {}: {why}",
            self.size((parameter, dimension)),
            self.size(first)
        )
    }

    fn computed(&self, relation: usize) -> String {
        let all = &self.kernel.relations;
        let relation = &all[relation];
        let (parameter, dimension) = relation.dimension;
        let found = self.size(relation.dimension);
        let declared = self.declared(parameter).1.size(dimension);
        if let Some((_, name)) = relation.tells() {
            return format!(
                "; dimension {dimension} is {found}, and no size `?{name}` makes `{declared}` that"
            );
        }
        let Some(sum) = relation.sum(all, &|at| Some(self.size(at))) else {
            unreachable!("all sizes are there, and relations that tell some were checked before")
        };
        format!("; dimension {dimension} is {found}, and `{declared}` is {sum}")
    }

    /// The size of a dimension of a parameter, whose sizes were read before.
    fn size(&self, (parameter, dimension): (usize, usize)) -> i64 {
        let (direction, spec) = self.declared(parameter);
        let sizes = sizes(self.buffer(parameter, direction == Direction::Out));
        // The sizes of a batch come first.
        sizes[sizes.len() - spec.dims.len() + dimension]
    }

    /// The declaration of a parameter that is an array.
    fn declared(&self, parameter: usize) -> (Direction, &'static BufferSpec) {
        match &self.kernel.source.parameters[parameter].kind {
            Kind::Buffer(direction, spec) => (*direction, spec),
            Kind::Attribute(_) | Kind::Context => unreachable!("only arrays have sizes"),
        }
    }

    fn arguments(&self) -> Operands<'a> {
        read_before(self.frame.arguments(None))
    }

    fn results(&self) -> Operands<'a> {
        read_before(self.frame.results(None))
    }

    /// The argument or the result that XLA passed for a parameter, and that was found wrong.
    fn buffer(&self, parameter: usize, result: bool) -> &'a Buffer {
        let own = self.kernel.places[parameter];
        read_before(if result {
            self.results().buffer(own.result)
        } else {
            self.arguments().buffer(own.argument)
        })
    }
}

/// The sizes of a buffer, of which one was found wrong.
fn sizes(buffer: &Buffer) -> &[i64] {
    read_before(dims(buffer))
}

/// `f32 (jnp.float32)`
fn jax(dtype: ElementType) -> String {
    match xlayout_interop::numpy_name(dtype) {
        Some(name) => format!("{dtype} (`{name}` in JAX)"),
        None => dtype.to_string(),
    }
}

/// Element type and sizes of a buffer, as XLA writes them: `f32[4,128]`.
fn shape(buffer: &Buffer) -> String {
    let dtype = element_type(buffer.dtype);
    match dims(buffer) {
        Ok(sizes) => format!("{dtype}[{}]", joined(sizes, ",")),
        Err(_) => format!("{dtype} with rank {}", buffer.rank),
    }
}
