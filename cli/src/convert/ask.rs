//! What `--from` and `--to` say: a shape with a layout, a layout alone, one of NumPy's two orders, a type.

use std::fmt::Display;

use xlayout::interop::NumpyOrder;
use xlayout::{ArrayLayout, ArrayShape, DynLayout, Layout, LayoutError, PrimitiveType};

use super::arrays;
use crate::failure::{Code, Failure, Outcome, TextSpan};
use crate::shape;

/// One of the two arguments.
pub(super) struct Ask {
    origin: &'static str,
    text: String,
    wanted: Wanted,
}

enum Wanted {
    /// A shape, and whether its layout was written.
    Shape(Box<DynLayout>, bool),
    Layout(Box<Layout>),
    Order(NumpyOrder),
    Type(PrimitiveType),
}

impl Ask {
    /// # Errors
    /// All mistakes in the text.
    pub(super) fn read(origin: &'static str, text: &str) -> Outcome<Self> {
        let text = &*shape::understood(origin, text)?;
        let trimmed = text.trim();
        let wanted = if trimmed.contains('[') {
            let shape = shape::read(origin, text)?;
            let bracket = trimmed.find(']').unwrap_or(trimmed.len() - 1);
            Wanted::Shape(Box::new(shape), !trimmed[bracket + 1..].is_empty())
        } else if trimmed.starts_with(['{', '<']) {
            let layout = text
                .parse()
                .map_err(|error| Failure::of_text(&error, origin, text))?;
            Wanted::Layout(Box::new(layout))
        } else if let Ok(order) = trimmed.parse() {
            Wanted::Order(order)
        } else if let Ok(element_type) = trimmed.parse::<PrimitiveType>() {
            Wanted::Type(element_type)
        } else {
            let place = TextSpan::of_argument(origin, text, 0..text.len());
            return Err(Failure::new(Code::Usage, format_args!("`{trimmed}` is no layout")).at(place).help(
                "write a shape with a layout, 'f32[2,3]{0,1}', a layout alone, '{0,1}', or C (row-major) or F (column-major)",
            ));
        };
        Ok(Self {
            origin,
            text: text.to_owned(),
            wanted,
        })
    }

    fn failure(&self, message: impl std::fmt::Display, label: impl std::fmt::Display) -> Failure {
        Failure::new(Code::Usage, message).at(self.place(label))
    }

    /// The argument, to say something about it.
    fn place(&self, label: impl std::fmt::Display) -> TextSpan {
        TextSpan::of_argument(self.origin, &self.text, self.span()).label(label)
    }

    /// All of the text, or what of a shape is not its layout.
    fn span(&self) -> std::ops::Range<usize> {
        0..self.text.find(']').map_or(self.text.len(), |at| at + 1)
    }

    /// The type, if one was named.
    pub(super) fn element_type(&self) -> Option<PrimitiveType> {
        match &self.wanted {
            Wanted::Shape(shape, _) => Some(shape.element_type()),
            Wanted::Type(element_type) => Some(*element_type),
            Wanted::Layout(_) | Wanted::Order(_) => None,
        }
    }

    /// The layout of a file that says nothing itself.
    ///
    /// # Errors
    /// When this is no full shape.
    pub(super) fn full(&self) -> Outcome<DynLayout> {
        let Wanted::Shape(shape, _) = &self.wanted else {
            return Err(self
                .failure(
                    "a raw file says neither the type of its elements nor their number",
                    "",
                )
                .help("write a full shape: --from 'f32[2,3]{0,1}'"));
        };
        addressable(shape).map_err(|message| self.layout_failure(message))?;
        Ok((**shape).clone())
    }

    /// Whether a file holds what `--from` says.
    ///
    /// # Errors
    /// When it says something else.
    pub(super) fn check(&self, found: &DynLayout) -> Outcome {
        let says = |what: String| {
            self.failure("the file says otherwise", what)
                .help("leave `--from` out: the file's own header is used")
        };
        let shape = arrays::text(found);
        match &self.wanted {
            Wanted::Type(ty) if *ty != found.element_type() => {
                Err(says(format!("the file has {shape}")))
            }
            Wanted::Type(_) => Ok(()),
            Wanted::Shape(own, _)
                if own.element_type() != found.element_type() || own.dims() != found.dims() =>
            {
                Err(says(format!("the file has {shape}")))
            }
            Wanted::Shape(_, false) => Ok(()),
            _ => match arrays::same_memory(&self.apply(found)?, found) {
                true => Ok(()),
                false => Err(says(format!("the file has {shape}"))),
            },
        }
    }

    /// The array in the layout that `--to` says.
    ///
    /// # Errors
    /// When it says another type, other sizes, or a layout that is none for them.
    pub(super) fn apply(&self, array: &DynLayout) -> Outcome<DynLayout> {
        let wanted = match &self.wanted {
            Wanted::Type(ty) => {
                return Err(self.failure("a type is no layout", "").help(format_args!(
                    "the elements are {} and stay what they are; write a layout: '{{0,1}}'{}",
                    array.element_type(),
                    if *ty == array.element_type() {
                        ""
                    } else {
                        ". `convert` never changes values"
                    },
                )));
            }
            Wanted::Order(order) => {
                let sizes: Vec<i64> = array.dims().iter().map(|size| *size as i64).collect();
                arrays::dense(array.element_type(), &sizes, *order)
                    .ok_or_else(|| self.failure("the array is too large", ""))?
            }
            Wanted::Shape(shape, _) => {
                self.same(array, shape)?;
                (**shape).clone()
            }
            Wanted::Layout(layout) => {
                let sizes = array.array_shape().display_without_layout().to_string();
                if layout.minor_to_major.len() != array.rank() {
                    return Err(self
                        .failure(
                            format_args!(
                                "the layout is for {}, but `{sizes}` has {}",
                                dimensions(layout.minor_to_major.len()),
                                dimensions(array.rank())
                            ),
                            "",
                        )
                        .help("list every dimension once, the one that varies fastest first"));
                }
                let shape = ArrayShape::from_parts(
                    array.array_shape().element_type,
                    array.array_shape().dims.clone(),
                    Some((**layout).clone()),
                );
                DynLayout::new(shape).map_err(|layout_error| {
                    let fits_not = |why: &dyn Display| {
                        self.layout_failure(format!("the layout does not fit `{sizes}`: {why}"))
                    };
                    match &layout_error {
                        LayoutError::Invalid(error) => {
                            fits_not(&error.message()).help(error.help())
                        }
                        other => fits_not(other),
                    }
                })?
            }
        };
        addressable(&wanted).map_err(|message| self.layout_failure(message))?;
        Ok(wanted)
    }

    /// Something about the layout.
    pub(super) fn layout_failure(&self, message: String) -> Failure {
        let start = self.text.find(']').map_or(0, |at| at + 1);
        Failure::new(Code::Usage, message).at(TextSpan::of_argument(
            self.origin,
            &self.text,
            start..self.text.len(),
        ))
    }

    /// Whether `--to` may apply to an array: layouts of another rank do not.
    pub(super) fn is_for(&self, rank: usize) -> bool {
        match &self.wanted {
            Wanted::Layout(layout) => layout.minor_to_major.len() == rank,
            _ => true,
        }
    }

    /// Why `--to` applies to none of several arrays.
    pub(super) fn for_none(&self) -> Failure {
        self.failure(
            "no tensor of the file has as many dimensions as this layout",
            "",
        )
        .help("`xlayout convert … --dry-run` without `--to` lists the tensors")
    }

    fn same(&self, array: &DynLayout, shape: &DynLayout) -> Outcome {
        let has = format!("the array is `{}`", arrays::text(array));
        if shape.element_type() != array.element_type() {
            let end = self.text.find('[').unwrap_or(self.text.len());
            let place = TextSpan::of_argument(self.origin, &self.text, 0..end).label(has);
            return Err(Failure::new(
                Code::Usage,
                format_args!(
                    "`convert` moves elements and never changes them: {} stays {}",
                    array.element_type(),
                    array.element_type()
                ),
            )
            .at(place)
            .help(format_args!(
                "write `{}` here, or only the layout",
                array.element_type()
            )));
        }
        if shape.dims() != array.dims() {
            let start = self.text.find('[').unwrap_or(0);
            let place =
                TextSpan::of_argument(self.origin, &self.text, start..self.span().end).label(has);
            return Err(Failure::new(Code::Usage, "the sizes are not those of the array").at(place).help(
                "both sides are the same logical array: keep the dimensions, and transpose by the layout, '{0,1}'",
            ));
        }
        Ok(())
    }
}

fn dimensions(n: usize) -> String {
    crate::words::counted(n, "dimension")
}

/// Whether all that the layout says of memory is known to a file.
fn addressable(layout: &DynLayout) -> Result<(), String> {
    let Some(parts) = &layout.array_shape().layout else {
        return Ok(());
    };
    if parts.dynamic_shape_metadata_prefix_bytes > 0 {
        return Err(
            "the bytes before the data, `M(n)`, are not converted; leave it out".to_owned(),
        );
    }
    if !parts.split_configs.is_empty() {
        return Err(
            "an array that is split over memories, `SC(…)`, is no one file; leave it out"
                .to_owned(),
        );
    }
    Ok(())
}
