//! Each operation against all offsets.

use super::{Map, Random, Report, offsets};

pub(super) fn check(map: &Map, values: &[i64], random: &mut Random, report: &mut Report) {
    let flat = map.flatten().map(|flat| offsets(&flat));
    report.answer("flatten", map, flat, |found| found == values);
    let (divisor, size) = (1 + random.below(6), random.below(6));
    let digits = map.digit(divisor, size).map(|digits| offsets(&digits));
    report.answer(
        "digit",
        &format_args!("({map}) / {divisor} % {size}"),
        digits,
        |found| {
            let digit = |value: &i64| {
                let digit = value.div_euclid(divisor as i64);
                if size == 0 {
                    digit
                } else {
                    digit.rem_euclid(size as i64)
                }
            };
            values.iter().map(digit).eq(found.iter().copied())
        },
    );
}
