//! Protobuf's text format, as far as the unit tests use it for shapes.

use xlayout_proto::{LayoutProto, ShapeProto, SplitConfigProto, TileProto};

use super::fields::{LEVELS, named_type};

/// What the braces around a message, or the end of the text, enclose.
enum Item {
    Word(String),
    Message(Vec<(String, Item)>),
}

pub(super) fn shape(text: &str) -> Result<ShapeProto, String> {
    let spaced = text
        .chars()
        .flat_map(|c| match c {
            '{' | '}' | '[' | ']' | ':' | '<' | '>' => vec![' ', c, ' '],
            ',' | ';' => vec![' '],
            _ => vec![c],
        })
        .collect::<String>();
    let mut words = spaced.split_whitespace().peekable();
    let fields = message(&mut words, 0)?;
    match words.next() {
        None => shape_of(&fields),
        Some(word) => Err(format!("`{word}` after the end of the text proto")),
    }
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn message(words: &mut Words<'_>, depth: usize) -> Result<Vec<(String, Item)>, String> {
    if depth > 200 {
        return Err("the text proto is nested too deeply".into());
    }
    let mut fields = Vec::new();
    while let Some(name) = words.next_if(|word| !matches!(*word, "}" | ">")) {
        words.next_if_eq(&":");
        let listed = words.next_if_eq(&"[").is_some();
        loop {
            if listed && words.next_if_eq(&"]").is_some() {
                break;
            }
            let value = match words.next() {
                Some("{" | "<") => {
                    let inner = message(words, depth + 1)?;
                    words
                        .next()
                        .ok_or("a message in the text proto is not closed")?;
                    Item::Message(inner)
                }
                Some(word) => Item::Word(word.into()),
                None => return Err(format!("`{name}` has no value")),
            };
            fields.push((name.to_owned(), value));
            if !listed {
                break;
            }
        }
    }
    Ok(fields)
}

impl Item {
    fn fields(&self) -> Result<&[(String, Self)], String> {
        match self {
            Self::Message(fields) => Ok(fields),
            Self::Word(word) => Err(format!("`{word}` is no message")),
        }
    }

    fn word(&self) -> Result<&str, String> {
        match self {
            Self::Word(word) => Ok(word),
            Self::Message(_) => Err("a message where a word is required".into()),
        }
    }

    fn number(&self) -> Result<i64, String> {
        let word = self.word()?;
        word.parse().map_err(|_| format!("`{word}` is no number"))
    }

    fn flag(&self) -> Result<bool, String> {
        match self.word()? {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            word => Err(format!("`{word}` is neither true nor false")),
        }
    }

    /// The number of an enum, by number or by name.
    fn named(&self, number: impl Fn(&str) -> Option<i32>) -> Result<i32, String> {
        let word = self.word()?;
        let found = number(word).or_else(|| word.parse().ok());
        found.ok_or_else(|| format!("`{word}` is no name of an enum"))
    }

    fn primitive_type(&self) -> Result<i32, String> {
        self.named(|word| match word {
            "PRIMITIVE_TYPE_INVALID" => Some(0),
            word => named_type(&word.to_ascii_lowercase()),
        })
    }

    fn level(&self) -> Result<i32, String> {
        self.named(|word| {
            let name = word.strip_prefix("DIM_")?;
            LEVELS
                .iter()
                .position(|level| *level == name)
                .map(|number| number as i32)
        })
    }
}

fn shape_of(fields: &[(String, Item)]) -> Result<ShapeProto, String> {
    let mut shape = ShapeProto::default();
    for (name, item) in fields {
        match name.as_str() {
            "element_type" => shape.element_type = item.primitive_type()?,
            "dimensions" => shape.dimensions.push(item.number()?),
            "tuple_shapes" => shape.tuple_shapes.push(shape_of(item.fields()?)?),
            "layout" => shape.layout = Some(Box::new(layout_of(item.fields()?)?)),
            "is_dynamic_dimension" => shape.is_dynamic_dimension.push(item.flag()?),
            _ => return Err(format!("ShapeProto has no field `{name}`")),
        }
    }
    Ok(shape)
}

fn layout_of(fields: &[(String, Item)]) -> Result<LayoutProto, String> {
    let mut layout = LayoutProto::default();
    for (name, item) in fields {
        match name.as_str() {
            "minor_to_major" => layout.minor_to_major.push(item.number()?),
            "element_size_in_bits" => layout.element_size_in_bits = item.number()?,
            "memory_space" => layout.memory_space = item.number()?,
            "dim_level_types" => layout.dim_level_types.push(item.level()?),
            "dim_unique" => layout.dim_unique.push(item.flag()?),
            "dim_ordered" => layout.dim_ordered.push(item.flag()?),
            "physical_shape" => layout.physical_shape = Some(Box::new(shape_of(item.fields()?)?)),
            "index_primitive_type" => layout.index_primitive_type = item.primitive_type()?,
            "pointer_primitive_type" => layout.pointer_primitive_type = item.primitive_type()?,
            "dynamic_shape_metadata_prefix_bytes" => {
                layout.dynamic_shape_metadata_prefix_bytes = item.number()?;
            }
            "tail_padding_alignment_in_elements" => {
                layout.tail_padding_alignment_in_elements = item.number()?;
            }
            "tiles" => {
                let mut dimensions = Vec::new();
                for (name, item) in item.fields()? {
                    match name.as_str() {
                        "dimensions" => dimensions.push(item.number()?),
                        _ => return Err(format!("TileProto has no field `{name}`")),
                    }
                }
                layout.tiles.push(TileProto { dimensions });
            }
            "split_configs" => {
                let mut split = SplitConfigProto::default();
                for (name, item) in item.fields()? {
                    match name.as_str() {
                        "dimension" => split.dimension = item.number()?,
                        "split_indices" => split.split_indices.push(item.number()?),
                        _ => return Err(format!("SplitConfigProto has no field `{name}`")),
                    }
                }
                layout.split_configs.push(split);
            }
            _ => return Err(format!("LayoutProto has no field `{name}`")),
        }
    }
    Ok(layout)
}
