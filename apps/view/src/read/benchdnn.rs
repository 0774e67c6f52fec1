//! Command lines of oneDNN's benchdnn, as it prints them of a failure.
//!
//! ```text
//! --matmul --dt=f16 --stag=abx --wtag=abx --dtag=aBx8b 2x3:3x4
//! tags and types of src, wei and dst, and the problem; `x` in a tag are all other dimensions
//! ```

use crate::error::{Error, Outcome, TextSpan};

/// The line that oneDNN logs of a command; `None` for another text.
pub(super) fn logged(origin: &str, text: &str) -> Option<Outcome<String>> {
    let mut words = text.split_whitespace();
    let flag = |name: &str| {
        let mut words = text.split_whitespace();
        words.find_map(|word| {
            word.strip_prefix("--")?
                .strip_prefix(name)?
                .strip_prefix('=')
        })
    };
    let all = ["stag", "wtag", "dtag"].map(flag);
    let all = [all[0].or(flag("tag")), all[1], all[2]];
    if all.iter().all(Option::is_none) {
        return None;
    }
    let wrong = |part: &str, what: &str| {
        let start = part.as_ptr().addr() - text.as_ptr().addr();
        let place = TextSpan::of_argument(origin, text, start..start + part.len());
        let help = "give a line of `ONEDNN_VERBOSE=1`, which says the tags";
        Some(Err(Error::new(what).at(place).help(help)))
    };
    let problem = words.next_back().unwrap_or_default();
    let problem = problem.split("n\"").next().unwrap_or(problem);
    if let Some(strides) = flag("strides") {
        return wrong(strides, "strides of benchdnn are not read");
    }
    let is_listed = problem.starts_with(|c: char| c.is_ascii_digit());
    let kinds = ["matmul", "binary", "reorder"];
    let kind = kinds
        .into_iter()
        .find(|kind| text.contains(&format!("--{kind}")));
    let types: Vec<&str> = flag("dt").unwrap_or("f32").split(':').collect();
    let mut arrays = Vec::new();
    for (number, (name, tag)) in ["src", "wei", "dst"].into_iter().zip(all).enumerate() {
        let Some(tag) = tag else {
            continue;
        };
        if matches!(tag, "any" | "undef") || tag.contains([',', ':']) {
            return wrong(tag, "this says no tag, or several");
        }
        let own = types
            .get(number)
            .or(types.first())
            .copied()
            .unwrap_or_default();
        let element_type = flag(&format!("{}dt", &name[..1])).unwrap_or(own);
        let rank = if is_listed {
            let mut parts = problem.split(':');
            let first = parts.next().unwrap_or_default();
            parts
                .nth(number.wrapping_sub(1))
                .unwrap_or(first)
                .split('x')
                .count()
        } else {
            let spatial = ["id", "ih", "iw"];
            let first = spatial.iter().position(|size| problem.contains(size));
            let is_grouped = problem.starts_with('g') && !problem.starts_with("g1i");
            5 - first.unwrap_or(3) + usize::from(is_grouped && name == "wei")
        };
        let lower = tag.to_ascii_lowercase();
        let rest = ('a'..='l')
            .take(rank)
            .filter(|letter| !lower.contains(*letter));
        let tag = tag.replace('x', &rest.collect::<String>());
        let flags = if name == "dst" && flag("oflag").is_some() {
            "f1"
        } else {
            "f0"
        };
        arrays.push(format!("{name}_{element_type}::blocked:{tag}:{flags}"));
    }
    let kind = kind.unwrap_or("none");
    let arrays = arrays.join(" ");
    Some(Ok(format!(
        "onednn_verbose,exec,cpu,{kind},,undef,{arrays},,,{problem},0"
    )))
}
