//! `xlayout explain`: what a layout means, in words and numbers.

#[cfg(test)]
mod tests;

use std::io::Write;

use xlayout_view::{Explanation, MapText, Question, ShardedArray, part};

use crate::{shape, shard};
use xlayout_command::json::print;
use xlayout_command::table;
use xlayout_command::{Failure, Outcome};

/// The arguments of `xlayout explain`.
#[derive(clap::Args, Debug)]
#[command(
    mut_arg("sizes", |sizes| sizes.visible_alias("dims")),
)]
pub(crate) struct ExplainArguments {
    // No doc comments: rustdoc would take `[2,3]` for a link.
    #[arg(
        value_name = "SHAPE",
        help = "The array and its layout, in quotes: 'f32[2,3]{0,1}'"
    )]
    shape: String,

    /// Where the element with this index lies; may be given several times
    #[arg(long, value_name = "I,J,…", allow_hyphen_values = true)]
    at: Vec<String>,

    /// Which element lies this many elements from the beginning; may be given several times
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    offset: Vec<String>,

    /// Which elements have bits in this byte; may be given several times
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    byte_offset: Vec<String>,

    #[command(flatten)]
    given: shape::Given,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl ExplainArguments {
    fn questions(&self) -> Vec<Question<'_>> {
        let at = self.at.iter().map(|text| Question::At(text));
        let offsets = self.offset.iter().map(|text| Question::Offset(text));
        let bytes = self.byte_offset.iter();
        let bytes = bytes.map(|text| Question::ByteOffset(text));
        at.chain(offsets).chain(bytes).collect()
    }
}

pub(crate) fn run(arguments: &ExplainArguments, out: &mut dyn Write) -> Outcome {
    let text = shape::text("SHAPE", &arguments.shape)?;
    if ShardedArray::is_sharding(&text) {
        let given = arguments.given.of_notation();
        let shape = given
            .element_type
            .zip(given.sizes)
            .map(|(element_type, sizes)| {
                format!("{element_type}[{}]", xlayout_words::joined(sizes, ","))
            });
        let sharded = ShardedArray::read(&text, shape.as_deref(), None)?;
        return shard::explain(&sharded, 32, arguments.json, out);
    }
    let questions = arguments.questions();
    let given = arguments.given.of_notation();
    let part = if arguments.json {
        None
    } else {
        part(&text, &given)?
    };
    let mut what_is_read = String::new();
    if let Some(part) = part {
        what_is_read = format!("of the text, this is read: {part}\n\n");
        if text.contains("sharding") {
            what_is_read += "`xlayout shard explain` reads the sharding in it.\n\n";
        }
    }
    let text = part.unwrap_or(&text);
    if let Some(map) = MapText::read("SHAPE", text, &given) {
        let map = map?;
        out.write_all(what_is_read.as_bytes())?;
        return explain_map(&map, arguments, out);
    }
    let mut explanation = Explanation::read(text, &given)?;
    if !questions.is_empty() {
        explanation = explanation.asked(questions)?;
    }
    if arguments.json {
        print(out, &explanation.to_json())?;
    } else {
        let text = explanation.to_text(table::width());
        out.write_all(what_is_read.as_bytes())?;
        out.write_all(text.styled().as_bytes())?;
    }
    Ok(())
}

fn explain_map(map: &MapText, arguments: &ExplainArguments, out: &mut dyn Write) -> Outcome {
    if !arguments.offset.is_empty() || !arguments.byte_offset.is_empty() {
        return Err(
            Failure::usage("which element lies at an offset is not answered for a map").help(
                "ask for the place of an element: --at 1,0; `xlayout algebra invert` has the rest",
            ),
        );
    }
    let at: Vec<&str> = arguments.at.iter().map(String::as_str).collect();
    if arguments.json {
        print(out, &map.to_json(&at)?)?;
        return Ok(());
    }
    let text = map.explain(table::width(), &at)?;
    Ok(out.write_all(text.styled().as_bytes())?)
}
