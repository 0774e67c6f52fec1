//! What is shown for each part of the page.
//!
//! ```text
//! layout   what explain, draw and emit of the program answer
//! compare  what diff, or shard diff, answers
//! algebra  what algebra answers
//! module   the page of hlo
//! ```

use std::path::Path;

use serde_json::{Value, json};
use xlayout_emit::{Language, Options};
use xlayout_view::{
    AlgebraQuestion, BankedMemory, Derivation, Difference, Explanation, Given, MapText, Mistake,
    Moves, Picture, Question, Section, ShardedArray, functions, part, read_both,
};

use crate::errors::words;
use crate::request::{FIELDS, GivenFields, Mistakes, Outcome, Request, mistakes};
use xlayout_words::error::TextSpan;

/// The columns of a text, and the most devices in it.
const WIDTH: usize = 76;
const DEVICES: usize = 32;

/// The languages of code, with what the page calls them.
const LANGUAGES: [(&str, Language); 6] = [
    ("Rust", Language::Rust),
    ("C", Language::C),
    ("CUDA", Language::Cuda),
    ("WGSL", Language::Wgsl),
    ("MLIR", Language::Mlir),
    ("Python", Language::Python),
];

pub(crate) fn of(request: &Request) -> Outcome<Value> {
    match &*request.ask {
        "layout" => layout(request),
        "compare" => compare(request),
        "algebra" => algebra(request),
        "module" => module(request),
        other => Err(vec![
            Mistake::usage(format_args!("`{other}` is no part of this page"))
                .help("load the page again: its parts do not fit together"),
        ]),
    }
}

fn layout(request: &Request) -> Outcome<Value> {
    let text = request.field("text");
    let fields = request.given()?;
    if ShardedArray::is_sharding(text) {
        let sharded = sharding(request, text, &fields)?;
        shown_whole(request, "a sharding", &[])?;
        return Ok(json!({
            "notation": "a sharding",
            "arrays": [{"title": text, "text": sharded.to_text(WIDTH, DEVICES).plain()}],
            "svg": sharded.to_svg(),
        }));
    }
    let given = fields.of_notation();
    let part = part(text, &given).map_err(mistakes)?;
    let read = part.unwrap_or(text);
    let mut value = match MapText::read("SHAPE", read, &given) {
        Some(map) => of_map(request, &map.map_err(mistakes)?)?,
        None => of_array(request, read, &given)?,
    };
    value["part"] = json!(part);
    if !request.is_check {
        value["code"] = code(read, &given);
    }
    Ok(value)
}

fn sharding(request: &Request, text: &str, fields: &GivenFields) -> Outcome<ShardedArray> {
    let shape = fields.shape();
    ShardedArray::read(text, shape.as_deref(), request.filled("mesh")).map_err(mistakes)
}

fn json_of(sections: &[Section]) -> Value {
    sections.iter().map(Section::to_json).collect()
}

/// Refuses what is asked of a text that has no such answer, so that no field is ignored in silence.
fn shown_whole(request: &Request, what: &str, answered: &[&str]) -> Outcome<()> {
    let questions = ["at", "offset", "slice", "dims", "rows", "columns", "slices"];
    let mut refused = FIELDS
        .iter()
        .filter(|(_, field, _)| questions.contains(field) && !answered.contains(field));
    let Some((flag, field, name)) = refused.find(|row| request.filled(row.1).is_some()) else {
        return Ok(());
    };
    let mistake = Mistake::usage(format_args!(
        "{name} says nothing of {what}, which is shown as a whole"
    ));
    let place = TextSpan::of_whole(flag, request.field(field));
    Err(vec![mistake.at(place).help("leave it out")])
}

fn of_map(request: &Request, map: &MapText) -> Outcome<Value> {
    shown_whole(request, "a map", &["at"])?;
    let mut sections = Vec::new();
    if let Some(index) = request.filled("at") {
        sections = map.sections(&[index]).map_err(mistakes)?;
    }
    sections.extend(map.sections(&[]).map_err(mistakes)?);
    let mut value = json!({
        "notation": map.notation(),
        "remarks": map.notes(),
        "arrays": [{"title": map.title(), "sections": json_of(&sections)}],
    });
    if !request.is_check {
        value["svg"] = json!(map.picture().map_err(mistakes)?.to_svg());
    }
    Ok(value)
}

fn of_array(request: &Request, text: &str, given: &Given<'_>) -> Outcome<Value> {
    let explanation = Explanation::read(text, given).map_err(mistakes)?;
    let at = request.filled("at").map(Question::At);
    let offset = request.filled("offset").map(Question::Offset);
    let questions: Vec<Question<'_>> = at.into_iter().chain(offset).collect();
    let mut answers = Vec::new();
    if !questions.is_empty() {
        let explained = explanation.clone().asked(questions).map_err(mistakes)?;
        answers = explained.sections();
    }
    let options = request.picture()?;
    let cuts = ["slice", "dims", "rows", "columns", "slices"];
    let is_cut = cuts.iter().any(|field| request.filled(field).is_some());
    if request.is_check && !is_cut {
        return Ok(Value::Null);
    }
    let (svg, without_picture) = match Picture::read(text, given, &options) {
        Ok(picture) => (Some(picture.to_svg()), None),
        Err(error) if is_cut => return Err(mistakes(error)),
        // A token has no picture, which is no mistake.
        Err(error) => (None, Some(crate::errors::line(error.mistakes()))),
    };
    let answers: Vec<Value> = answers.iter().map(|(_, all)| json_of(all)).collect();
    let array = |(title, sections): &(String, Vec<Section>)| {
        let sections = json_of(sections);
        json!({"title": title, "sections": sections})
    };
    Ok(json!({
        "notation": explanation.notation().map_or("XLA", |notation| notation.name),
        "remarks": explanation.remarks(),
        "asked": answers,
        "arrays": explanation.sections().iter().map(array).collect::<Value>(),
        "svg": svg,
        "without_picture": without_picture,
    }))
}

/// The code in each language, or why there is none.
fn code(text: &str, given: &Given<'_>) -> Value {
    let functions = match functions("SHAPE", text, given, None) {
        Ok(functions) => functions,
        Err(error) => return json!({"error": crate::errors::line(error.mistakes())}),
    };
    let emitted = |(name, language): (&str, Language)| match functions.emit(&Options::new(language))
    {
        Ok(code) => json!({"language": name, "code": code}),
        Err(error) => json!({"language": name, "error": error.to_string()}),
    };
    json!({"languages": LANGUAGES.map(emitted)})
}

fn compare(request: &Request) -> Outcome<Value> {
    let fields = request.given()?;
    let given = fields.of_notation();
    let texts = [("A", request.field("a")), ("B", request.field("b"))];
    if texts
        .iter()
        .all(|(_, text)| ShardedArray::is_sharding(text))
    {
        let a = sharding(request, texts[0].1, &fields)?;
        let moves = Moves::between(a, sharding(request, texts[1].1, &fields)?);
        let moves = moves.map_err(mistakes)?;
        let verdict = if moves.nothing_moves() {
            "nothing moves"
        } else {
            "devices receive parts"
        };
        return Ok(json!({
            "verdict": verdict,
            "text": moves.to_text(WIDTH, DEVICES).plain(),
            "svg": moves.to_svg(),
        }));
    }
    let is_map = |&(name, text): &(&str, &str)| MapText::read(name, text, &given).is_some();
    if texts.iter().any(is_map) {
        let (a, b) = MapText::of_both(texts[0], texts[1], &given).map_err(mistakes)?;
        let compared = a.compare(&b).map_err(mistakes)?;
        let maps = [("A", *a.map()), ("B", *b.map())];
        let picture = Picture::of_maps("xlayout diff", Vec::new(), &maps, None);
        let picture = picture.map_err(|error| mistakes(error.into()))?;
        return Ok(json!({
            "verdict": if compared.is_equal { "equal" } else { "different" },
            "text": compared.words,
            "svg": picture.to_svg(),
        }));
    }
    let (a, b) = read_both(texts[0], texts[1], &given).map_err(mistakes)?;
    let titles = [a.to_string(), b.to_string()];
    let difference = Difference::of(a, b);
    let picture = difference.picture(&request.picture()?).map_err(mistakes)?;
    let mut found = difference.to_json();
    Ok(json!({
        "verdict": found["change"].take(),
        "titles": titles,
        "differences": found["differences"].take(),
        "sections": json_of(&difference.sections()),
        "svg": picture.to_svg(),
    }))
}

fn algebra(request: &Request) -> Outcome<Value> {
    let a = || request.field("a").to_owned();
    let b = || request.field("b").to_owned();
    let memory = || -> Outcome<BankedMemory> {
        Ok(BankedMemory {
            bytes: request.needed("--bytes", "bytes")?,
            banks: request.needed("--banks", "banks")?,
            width: request.needed("--width", "width")?,
        })
    };
    let question = match request.field("operation") {
        "compose" => AlgebraQuestion::Compose { a: a(), b: b() },
        "divide" => AlgebraQuestion::Divide { a: a(), b: b() },
        "complement" => AlgebraQuestion::Complement {
            a: a(),
            size: request.needed("--size", "size")?,
        },
        "invert" => AlgebraQuestion::Invert {
            a: a(),
            right: false,
        },
        "right_invert" => AlgebraQuestion::Invert {
            a: a(),
            right: true,
        },
        "equal" => AlgebraQuestion::Equal { a: a(), b: b() },
        "swizzle" => AlgebraQuestion::Swizzle {
            accesses: [a(), b()]
                .into_iter()
                .filter(|map| !map.is_empty())
                .collect(),
            memory: memory()?,
        },
        "between" => AlgebraQuestion::Between { a: a(), b: b() },
        "conflicts" => AlgebraQuestion::Conflicts {
            access: a(),
            memory: memory()?,
            swizzle: request.filled("swizzle").map(str::to_owned),
        },
        other => {
            let mistake = Mistake::usage(format_args!("`{other}` is no operation"));
            return Err(vec![mistake.help("choose one of the list")]);
        }
    };
    let fields = request.given()?;
    let found = Derivation::of(&question, &fields.of_notation()).map_err(mistakes)?;
    let mut value = found.to_json();
    if !request.is_check {
        value["svg"] = json!(found.picture().map_err(mistakes)?.to_svg());
    }
    Ok(value)
}

fn module(request: &Request) -> Outcome<Value> {
    let name = request.filled("name").unwrap_or("the pasted text");
    let shown = xlayout_hlo::page::of_input(&request.module, Path::new(name));
    let shown = shown.map_err(|error| vec![of_hlo(&error)])?;
    let mistake = |mistake: &xlayout_hlo::Mistake| {
        let span = mistake.excerpt.span.clone();
        let text = &mistake.excerpt.text;
        json!({
            "line": mistake.mark.line,
            "column": mistake.mark.column,
            "message": words(&mistake.message),
            "help": mistake.help.as_deref().map(words),
            "marked": [&text[..span.start], &text[span.clone()], &text[span.end..]],
        })
    };
    let refused: Mistakes = shown.refused.iter().map(of_hlo).collect();
    Ok(json!({
        "page": shown.html,
        "mistakes": shown.mistakes.iter().map(mistake).collect::<Value>(),
        "mistakes_in_all": shown.mistakes_in_all,
        "refused": crate::errors::plain(&refused),
    }))
}

fn of_hlo(error: &xlayout_hlo::Error) -> Mistake {
    let mut mistake = Mistake::file(&error.message);
    if let Some(input) = &error.input {
        mistake = mistake.note(&input.1);
    }
    if let Some((_, number, line)) = error.line.as_deref() {
        mistake = mistake.note(format_args!("line {number}: `{line}`"));
    }
    mistake = error.notes.iter().fold(mistake, Mistake::note);
    error.helps.iter().fold(mistake, Mistake::help)
}
