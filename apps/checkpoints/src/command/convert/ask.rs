//! The values of `--from` and `--to`: a shape with a layout, a layout alone, one of NumPy's two
//! orders, a type.

use std::fmt::Display;
use std::ops::Range;

use xlayout::interop::{BoundaryError, Notation};
use xlayout::{ArrayLayout, DynLayout, ElementType};

use crate::{Error, LayoutFor, Outcome, Said, array};
use xlayout_command::shape;
use xlayout_command::{Failure, TextSpan};

/// One of the two arguments.
pub(super) struct Ask {
    origin: &'static str,
    text: String,
    wanted: WantedLayout,
}

enum WantedLayout {
    /// A shape, and whether its layout was written.
    Shape(Box<DynLayout>, bool),
    For(LayoutFor),
    Type(ElementType),
}

impl Ask {
    /// # Errors
    /// All mistakes in the text.
    pub(super) fn read(
        origin: &'static str,
        text: &str,
        given: &shape::Given,
    ) -> xlayout_command::Outcome<Self> {
        let of_notation = given.of_notation();
        let needs_array = |error: xlayout::interop::Error| {
            use BoundaryError::{NoElementType, NoSizes};
            matches!(error.kind(), NoSizes { .. } | NoElementType { .. })
        };
        // A notation in which the text is a layout alone: what it lacks is that of the array.
        let notation = Notation::of(text, &of_notation)
            .filter(|notation| notation.read(text, &of_notation).is_err_and(needs_array));
        let understood = match notation {
            Some(_) => text.into(),
            None => xlayout_view::understood(origin, text, &of_notation, false)?.xla,
        };
        let text = &*understood;
        let trimmed = text.trim();
        let wanted = if let Some(notation) = notation {
            let axes = of_notation.axes.map(str::to_owned);
            WantedLayout::For(LayoutFor::Notation(notation, text.to_owned(), axes))
        } else if trimmed.contains('[') {
            let shape = shape::read(origin, text, given)?;
            let bracket = trimmed.find(']').unwrap_or(trimmed.len() - 1);
            WantedLayout::Shape(Box::new(shape), !trimmed[bracket + 1..].is_empty())
        } else if trimmed.starts_with(['{', '<']) {
            let layout = text.parse();
            let layout = layout.map_err(|error| Failure::of_text(&error, origin, text))?;
            WantedLayout::For(LayoutFor::Layout(Box::new(layout)))
        } else if let Ok(order) = trimmed.parse() {
            WantedLayout::For(LayoutFor::Order(order))
        } else if let Ok(element_type) = trimmed.parse::<ElementType>() {
            WantedLayout::Type(element_type)
        } else {
            let failure = Error::usage(format_args!("`{trimmed}` is no layout"));
            let help = "write a shape with a layout, 'f32[2,3]{0,1}', a layout alone, '{0,1}', or \
                        C (row-major) or F (column-major)";
            let failure = failure.at(TextSpan::of_whole(origin, text)).help(help);
            return Err(failure.into());
        };
        Ok(Self {
            origin,
            text: text.to_owned(),
            wanted,
        })
    }

    /// An error about the whole text, or about the part of a shape that is not its layout.
    fn failure(&self, message: impl Display, label: impl Display) -> Error {
        let end = self.text.find(']').map_or(self.text.len(), |at| at + 1);
        self.failure_at(0..end, message, label)
    }

    fn failure_at(&self, span: Range<usize>, message: impl Display, label: impl Display) -> Error {
        let place = TextSpan::of_argument(self.origin, &self.text, span);
        Error::usage(message).at(place.label(label))
    }

    /// The array in the layout of `--to`.
    ///
    /// # Errors
    /// When `--to` has another type, other sizes, or a layout that is not valid for them.
    pub(super) fn apply(&self, array: &DynLayout) -> Outcome<DynLayout> {
        let wanted = match &self.wanted {
            WantedLayout::Type(ty) => {
                let stays = array.element_type();
                let reason = if *ty == stays {
                    ""
                } else {
                    ". `convert` never changes values"
                };
                return Err(self.failure("a type is no layout", "").help(format_args!(
                    "the elements are {stays} and stay what they are; write a layout: \
                     '{{0,1}}'{reason}"
                )));
            }
            WantedLayout::Shape(shape, _) => {
                self.check_same_array(array, shape)?;
                (**shape).clone()
            }
            WantedLayout::For(layout) => {
                let applied = layout.apply(array.array_shape());
                applied.map_err(|mistake| {
                    let span = mistake.span.unwrap_or(0..self.text.len());
                    self.failure_at(span, mistake.message, "")
                        .help(mistake.help)
                })?
            }
        };
        array::addressable(&wanted).map_err(|message| self.layout_failure(message))?;
        Ok(wanted)
    }

    /// An error about the layout.
    pub(super) fn layout_failure(&self, message: String) -> Error {
        let start = self.text.find(']').map_or(0, |at| at + 1);
        self.failure_at(start..self.text.len(), message, "")
    }

    /// Whether `--to` applies to arrays of this rank.
    pub(super) fn is_for(&self, rank: usize) -> bool {
        !matches!(&self.wanted, WantedLayout::For(layout) if !layout.is_for(rank))
    }

    /// The error if `--to` applies to none of several arrays.
    pub(super) fn for_none(&self) -> Error {
        self.failure(
            "no tensor of the file has as many dimensions as this layout",
            "",
        )
        .help("`xlayout convert … --dry-run` without `--to` lists the tensors")
    }

    /// # Errors
    /// When the shape has another type or other sizes than the array.
    fn check_same_array(&self, array: &DynLayout, shape: &DynLayout) -> Outcome {
        let has = format!("the array is `{}`", array::text(array));
        let ty = array.element_type();
        let bracket = self.text.find('[').unwrap_or(self.text.len());
        if shape.element_type() != ty {
            let what = format!("`convert` moves elements and never changes them: {ty} stays {ty}");
            let failure = self.failure_at(0..bracket, what, has);
            return Err(failure.help(format_args!("write `{ty}` here, or only the layout")));
        }
        if shape.dims() != array.dims() {
            let end = self.text.find(']').map_or(self.text.len(), |at| at + 1);
            let what = "the sizes are not those of the array";
            return Err(self.failure_at(bracket..end, what, has).help(
                "both sides are the same logical array: keep the dimensions, and transpose by the \
                 layout, '{0,1}'",
            ));
        }
        Ok(())
    }
}

impl Ask {
    /// The element type and the layout that `--from` states.
    ///
    /// # Errors
    /// When the file is raw and `--from` is not a full shape.
    pub(super) fn said(&self, is_raw: bool) -> Outcome<Said> {
        let (element_type, layout) = match &self.wanted {
            WantedLayout::Shape(shape, _) => (Some(shape.element_type()), Some((**shape).clone())),
            WantedLayout::Type(element_type) => (Some(*element_type), None),
            WantedLayout::For(_) => (None, None),
        };
        match &layout {
            Some(layout) if is_raw => {
                let known = array::addressable(layout);
                known.map_err(|message| self.layout_failure(message))?;
            }
            None if is_raw => {
                let what = "a raw file says neither the type of its elements nor their number";
                return Err(self.failure(what, "").help(
                    "write a full shape: --from 'f32[2,3]{0,1}', or give --sizes and --type, too",
                ));
            }
            _ => {}
        }
        let place = TextSpan::of_whole(self.origin, &self.text);
        Ok(Said {
            element_type,
            layout,
            place,
        })
    }

    /// Checks that a file contains the stated array.
    ///
    /// # Errors
    /// When the file contains another array.
    pub(super) fn check(&self, found: &DynLayout) -> Outcome {
        let agrees = match &self.wanted {
            WantedLayout::Type(ty) => *ty == found.element_type(),
            WantedLayout::Shape(own, written) => {
                own.element_type() == found.element_type()
                    && own.dims() == found.dims()
                    && (!written || array::same_memory(&self.apply(found)?, found))
            }
            _ => array::same_memory(&self.apply(found)?, found),
        };
        let has = format!("the file has {}", array::text(found));
        if agrees {
            Ok(())
        } else {
            Err(self
                .failure("the file says otherwise", has)
                .help("leave `--from` out: the file's own header is used"))
        }
    }
}
