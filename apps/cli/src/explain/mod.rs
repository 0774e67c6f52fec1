//! `xlayout explain`: what a layout means, in words and numbers.

#[cfg(test)]
mod tests;

use std::io::Write;

use xlayout_view::{Explanation, Question, ShardedArray};

use crate::{algebra_triton, shape, shard};
use xlayout_command::Outcome;
use xlayout_command::json::print;
use xlayout_command::table::{self, DIM};

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
    let is_map = !arguments.json && questions.is_empty();
    if let Some(linear) = algebra_triton::linear("SHAPE", &text).filter(|_| is_map) {
        let linear = linear?;
        writeln!(out, "{DIM}read as the notation of Triton{DIM:#}")?;
        return linear.explain(out);
    }
    let mut explanation = Explanation::read(&text, &arguments.given.of_notation())?;
    if !questions.is_empty() {
        explanation = explanation.asked(questions)?;
    }
    if arguments.json {
        print(out, &explanation.to_json())?;
    } else {
        let text = explanation.to_text(table::width());
        out.write_all(text.styled().as_bytes())?;
    }
    Ok(())
}
