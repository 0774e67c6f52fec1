//! The output: JSON lines, and the table of ratios to memcpy.

use std::fmt::Write as _;
use std::io::Write as _;

use crate::case::Case;
use crate::goals::Kind;
use crate::rivals::{NAMES, NO_RIVALS, python};

/// The measurements of one case.
pub(crate) struct Row {
    pub(crate) text: String,
    pub(crate) bytes: usize,
    pub(crate) kind: Kind,
    /// Nanoseconds of one copy.
    ns: Vec<(&'static str, f64)>,
}

impl Row {
    pub(crate) fn new(case: &Case, ns: Vec<(&'static str, f64)>) -> Self {
        Self {
            text: case.text.clone(),
            bytes: case.bytes(),
            kind: Kind::of(case),
            ns,
        }
    }

    fn ns(&self, name: &str) -> Option<f64> {
        let found = self.ns.iter().find(|(other, _)| *other == name);
        found.map(|&(_, ns)| ns)
    }

    /// The time of memcpy divided by the time of this contestant: higher is better.
    pub(crate) fn ratio(&self, name: &str) -> Option<f64> {
        Some(self.ns("memcpy")? / self.ns(name)?.max(f64::MIN_POSITIVE))
    }

    /// The time of the faster plain copy divided by our time: higher is better.
    pub(crate) fn of_plain_copy(&self) -> Option<f64> {
        let memcpy = self.ns("memcpy")?;
        let plain = self.ns("nt_copy").map_or(memcpy, |ns| ns.min(memcpy));
        Some(plain / self.ns("xlayout")?.max(f64::MIN_POSITIVE))
    }

    /// The fastest rival, and its ratio.
    pub(crate) fn best(&self) -> Option<(&'static str, f64)> {
        NAMES
            .into_iter()
            .filter(|name| !NO_RIVALS.contains(name))
            .filter_map(|name| Some((name, self.ratio(name)?)))
            .max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// One JSON object on one line. Contestants that did not run are `null`.
    pub(crate) fn json(&self) -> String {
        let mut json = String::from("{\"case\":\"");
        for c in self.text.chars() {
            match c {
                '"' | '\\' => json.extend(['\\', c]),
                c if c.is_control() => json.push(' '),
                c => json.push(c),
            }
        }
        let _ = write!(json, "\",\"bytes\":{},\"ns\":{{", self.bytes);
        for (k, name) in NAMES.into_iter().enumerate() {
            let comma = if k == 0 { "" } else { "," };
            let _ = match self.ns(name) {
                None if name.starts_with("xlayout_") || python::NAMES.contains(&name) => Ok(()),
                Some(ns) => write!(json, "{comma}\"{name}\":{ns:.1}"),
                None => write!(json, "{comma}\"{name}\":null"),
            };
        }
        json.push_str("}}\n");
        json
    }
}

/// The ratios to memcpy of all cases, the best rival's between asterisks: readable as text and as
/// Markdown.
pub(crate) fn table(rows: &[Row]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let ran = |name: &&str| *name != "memcpy" && rows.iter().any(|row| row.ns(name).is_some());
    let names: Vec<&str> = NAMES.into_iter().filter(ran).collect();
    let mut lines = vec![vec!["case".to_owned(), "MiB".to_owned()]];
    lines[0].extend(names.iter().map(|name| (*name).to_owned()));
    lines[0].push("xlayout / best".to_owned());
    for row in rows {
        let best = row.best();
        let mut line = vec![format!("`{}`", row.text), mebibytes(row.bytes)];
        for name in &names {
            line.push(match row.ratio(name) {
                None => "-".to_owned(),
                Some(ratio) if best.is_some_and(|(best, _)| best == *name) => {
                    format!("**{}**", short(ratio))
                }
                Some(ratio) => short(ratio),
            });
        }
        let ahead = best.zip(row.ratio("xlayout"));
        line.push(ahead.map_or("-".to_owned(), |((_, best), ours)| {
            format!("{:.2}", ours / best)
        }));
        lines.push(line);
    }
    let title = "Time of memcpy of the same bytes / time of the library: higher is better.";
    format!("\n{}. {title}\n\n{}", machine(), aligned(&lines))
}

/// The name of this machine: its processor if Linux states it, else its architecture.
fn machine() -> String {
    let list = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = list.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let family = field("cpu family").zip(field("model\t"));
    let family = family.map(|(family, model)| format!(" (family {family}, model {model})"));
    let processor = field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    processor + &family.unwrap_or_default()
}

/// A Markdown table whose columns are aligned.
fn aligned(lines: &[Vec<String>]) -> String {
    let widths: Vec<usize> = (0..lines[0].len())
        .map(|column| {
            lines
                .iter()
                .map(|line| line[column].len())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut table = String::new();
    for (k, line) in lines.iter().enumerate() {
        for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            let _ = if column == 0 {
                write!(table, "| {cell:<width$} |")
            } else {
                write!(table, " {cell:>width$} |")
            };
        }
        table.push('\n');
        if k == 0 {
            for (column, &width) in widths.iter().enumerate() {
                let dashes = "-".repeat(width);
                table += &if column == 0 {
                    format!("|-{dashes}-|")
                } else {
                    format!("-{dashes}:|")
                };
            }
            table.push('\n');
        }
    }
    table
}

/// A ratio as the tables write it: `.401`, `1.38`.
pub(crate) fn short(ratio: f64) -> String {
    let text = format!("{ratio:.3}");
    match text.strip_prefix('0') {
        Some(fraction) => fraction.to_owned(),
        None => format!("{ratio:.2}"),
    }
}

fn mebibytes(bytes: usize) -> String {
    let mebibytes = bytes as f64 / f64::from(1 << 20);
    if mebibytes < 0.1 {
        format!("{mebibytes:.4}")
    } else {
        format!("{mebibytes:.1}")
    }
}

/// Writes to standard output. A closed output does not panic.
pub(crate) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}
