//! The sentence of a report, which a terminal may have wrapped at any place: the lines behind it
//! are taken to it until it is complete.

use super::forms::{Cause, Form};
use super::parser::LONGEST_LINE;
use super::sections::{Part, Section, Sums};
use super::squeezed::{Squeezed, squeezed};
use super::{Allocation, OF_UNKNOWN_TYPE, Report};
use xlayout::{ArrayLayout, DynLayout};

/// The most lines that a terminal makes of a headline.
const MOST_LINES: usize = 16;

/// A headline that may continue on the next line.
pub(super) struct Headline {
    form: &'static Form,
    text: String,
    /// Where the words of the form begin.
    begin: usize,
    lines: usize,
}

impl Headline {
    pub(super) fn new(form: &'static Form, text: String, begin: usize) -> Self {
        Self {
            form,
            text,
            begin,
            lines: 1,
        }
    }

    /// Takes the next line to the headline; returns whether it may continue.
    pub(super) fn line(&mut self, line: &str, report: &mut Report) -> bool {
        self.lines += 1;
        if self.text.len() + line.len() > LONGEST_LINE {
            return false;
        }
        self.text += "\n";
        self.text += line;
        !self.fill(report, false) && self.lines < MOST_LINES
    }

    /// Sets what the text says; returns whether it says all that the form has. At its end a number
    /// is complete.
    pub(super) fn fill(&self, report: &mut Report, is_end: bool) -> bool {
        let squeezed = Squeezed::new(&self.text);
        let mut used = None;
        let mut more = None;
        let mut taken = 0_u64;
        let mut device_bytes = u64::MAX;
        let mut array = Allocation::default();
        let mut given = Allocation::default();
        let mut sizes = None;
        let mut element_type = String::new();
        let mut is_complete = true;
        set_name(&mut report.memory_space, self.form.space);
        for says in self.form.says {
            let put = |name: &str, value: &str, bytes: Option<u64>| match name {
                "used" => used = bytes,
                // Bytes beside those that are used.
                "more" => more = bytes,
                "limit" => report.limit_bytes = bytes,
                // Bytes that the device has, of which not all may be used.
                "most" => device_bytes = bytes.unwrap_or(device_bytes),
                // Bytes of the limit that are in use.
                "taken" => taken = taken.saturating_add(bytes.unwrap_or(0)),
                "excess" => report.excess_bytes = bytes,
                "piece" => report.largest_free_bytes = bytes,
                // Reserved, and not in use.
                "kept" => report.kept_bytes = bytes,
                "space" => {
                    let space = joined(value).to_ascii_lowercase();
                    set_name(&mut report.memory_space, &space);
                }
                "module" => set_name(&mut report.module, &joined(value)),
                "kernel" => array = kernel(value),
                "shape" => array.shape = joined(value),
                "got" => given.shape = joined(value),
                // The sizes and the type of an array of TensorFlow's.
                "sizes" => sizes = Some(joined(value)),
                "type" => element_type = xla_type(&joined(value)),
                "tag" => array.label = value.replace('\n', ""),
                "" => {}
                _ => unreachable!("no form has a field `{name}`"),
            };
            is_complete &= squeezed.read((says, self.begin), is_end, put);
        }
        // What is said to be free may count the memory of the host.
        let limit = report.limit_bytes.map(|limit| limit.min(device_bytes));
        report.limit_bytes = limit.map(|limit| limit.saturating_sub(taken));
        if let Some(sizes) = sizes {
            let shape = format!("{element_type}[{sizes}]");
            match shape.parse::<DynLayout>().ok() {
                Some(layout) => {
                    used = Some(layout.bytes() as u64);
                    array.shape = shape;
                }
                None => {
                    array.label = format!("[{sizes}]");
                    OF_UNKNOWN_TYPE.clone_into(&mut array.kind);
                }
            }
        }
        let is_cut = self.form.says.iter().any(|says| says.contains("{more}"))
            && report.limit_bytes.is_none();
        let all = used.map(|used| used.saturating_add(more.unwrap_or(0)));
        report.used_bytes = all.filter(|_| more.is_some() || !is_cut);
        report.cause = self.cause(report, &squeezed);
        if let (Some(used), Some(more)) = (used, more) {
            let part = |name: &str, bytes| Part {
                name: name.to_owned(),
                bytes: Some(bytes),
            };
            let parts = vec![part("TensorCore", used), part("SparseCore", more)];
            let mut usage = Section::new(Sums::Usage, report.used_bytes);
            usage.parts = parts;
            report.sections = vec![usage];
        }
        if !array.shape.is_empty() || !array.label.is_empty() {
            // Of a kernel, and of an unknown type, the text says no bytes of the array.
            array.bytes = used.filter(|_| array.kind.is_empty());
            array.logical_bytes = array.bytes;
            report.allocations = vec![array];
        }
        if report.cause == Cause::Buffer {
            given.bytes = report.limit_bytes.take();
            given.logical_bytes = given.bytes;
            report.used_bytes = None;
            report.allocations.push(given);
            for (array, kind) in report.allocations.iter_mut().zip(["expected", "given"]) {
                kind.clone_into(&mut array.kind);
            }
        }
        is_complete || report.excess_bytes.is_some()
    }

    /// What the sentence is about, which other words of it may say.
    fn cause(&self, report: &mut Report, text: &Squeezed<'_>) -> Cause {
        let is_of_host = ["bytesonhost", "pinnedhostmemory", "device:cpu:"]
            .iter()
            .any(|words| text.has(words));
        if is_of_host {
            set_name(&mut report.memory_space, "host");
        } else if text.has("_hbm") {
            set_name(&mut report.memory_space, "hbm");
        }
        match self.form.cause {
            Cause::Program if !matches!(&*report.memory_space, "" | "hbm") => Cause::Kernel,
            _ if ["isnotafailure", "fromdevice:", "bytesonhost"]
                .iter()
                .any(|words| text.has(words)) =>
            {
                Cause::Attempt
            }
            _ if is_of_host => Cause::Host,
            _ if ["heapisonly", "allowedbuffersize"]
                .iter()
                .any(|words| text.has(words)) =>
            {
                Cause::OneBuffer
            }
            cause => cause,
        }
    }

    /// Whether the words alone are a report.
    pub(super) fn is_sure(&self) -> bool {
        // `It should not be possible to run out of smem`, without figures.
        self.form.says.is_empty() || squeezed(&self.text).contains("possibletorunoutof")
    }
}

/// A name without the blanks that a terminal puts into it.
fn joined(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Sets a name that the text has.
fn set_name(name: &mut String, value: &str) {
    if !value.is_empty() {
        value.clone_into(name);
    }
}

/// The type that TensorFlow calls by a name, as XLA calls it.
fn xla_type(name: &str) -> String {
    let own = match name {
        "half" => "f16",
        "float" => "f32",
        "double" => "f64",
        "bool" => "pred",
        name => name,
    };
    let own = own.replace("bfloat", "bf").replace("complex", "c");
    own.replace("int", "s").replace("us", "u")
}

/// Reads `%k.18 = bf16[2048,4096]{1,0:T(8,128)(2,1)} custom-call(%a, …`.
pub(super) fn kernel(text: &str) -> Allocation {
    let (label, rest) = text.split_once('=').unwrap_or((text, ""));
    // The layout has no braces inside.
    let dimensions = rest.find(']').map_or(0, |end| end + 1);
    let layout = &rest[dimensions..];
    let has_layout = layout.trim_start().starts_with('{');
    let end = layout
        .find('}')
        .filter(|_| has_layout)
        .map_or(0, |end| end + 1);
    let tuple = rest
        .find(") ")
        .filter(|_| rest.trim_start().starts_with('('));
    Allocation {
        shape: joined(&rest[..tuple.map_or(dimensions + end, |end| end + 1)]),
        label: joined(label),
        kind: super::RESULT_OF_KERNEL.to_owned(),
        ..Allocation::default()
    }
}
