//! Numbers and sentences for people.

pub(crate) use xlayout_view::words::{percent, wrapped};
pub(crate) use xlayout_words::{
    bytes, counted, exact_bytes, grouped, joined, listed, shortened, sum,
};

/// Seconds in three digits: `840 ns`, `12.3 µs`, `1.50 ms`, `2.00 s`.
fn duration(seconds: f64) -> String {
    if seconds == 0.0 {
        return "0".to_owned();
    }
    xlayout_words::three_digits(seconds * 1e9, "ns", &["µs", "ms", "s"], 1e3)
}

/// A bandwidth in the units of device makers: `819 GB/s`, `1.64 TB/s`.
pub(crate) fn rate(bytes_per_second: u64) -> String {
    let giga = bytes_per_second as f64 / 1e9;
    match giga {
        ..999.5 => format!("{} GB/s", (giga * 100.0).round() / 100.0),
        _ => format!("{} TB/s", (giga / 10.0).round() / 100.0),
    }
}

/// The least and the most seconds: `12.3 µs`, `0 to 12.3 µs`, `at least 12.3 µs`, `not known`.
pub(crate) fn time_range((least, most): (f64, Option<f64>)) -> String {
    match most.map(duration) {
        None if least == 0.0 => "not known".to_owned(),
        None => format!("at least {}", duration(least)),
        Some(most) if most == duration(least) => most,
        Some(most) => format!("{} to {most}", duration(least)),
    }
}

/// The words for a module's name in an answer; bare instructions have none.
pub(crate) fn module_name(name: &str) -> String {
    match name {
        "" => "no module".to_owned(),
        name => format!("module {name}"),
    }
}

/// The name of a memory space.
pub(crate) fn space_name(space: i8) -> String {
    match space {
        0 => "default".to_owned(),
        1 | 3 => format!("S({space}), fast memory"),
        5 => "S(5), host memory".to_owned(),
        space => format!("S({space})"),
    }
}
