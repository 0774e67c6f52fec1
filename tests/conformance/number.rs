//! The bits of small whole numbers in XLA's element types.

use xlayout::ElementType;

/// A floating-point type.
struct Float {
    /// The bits of the mantissa.
    mantissa: u32,
    bias: i32,
    /// The largest number as bits.
    largest: u64,
    /// The value for a larger number.
    beyond: u64,
}

/// Numbers above the largest become infinity, or the one NaN of types without it; types without
/// either keep the largest.
fn float(element_type: ElementType) -> Option<Float> {
    let ieee = |exponent: u32, mantissa: u32| {
        let infinity = ((1 << exponent) - 1) << mantissa;
        let bias = (1 << (exponent - 1)) - 1;
        Float {
            mantissa,
            bias,
            largest: infinity - 1,
            beyond: infinity,
        }
    };
    let finite = |mantissa, bias, largest, beyond| Float {
        mantissa,
        bias,
        largest,
        beyond,
    };
    Some(match element_type.name() {
        "f64" => ieee(11, 52),
        "f32" => ieee(8, 23),
        "bf16" => ieee(8, 7),
        "f16" => ieee(5, 10),
        "f8e5m2" => ieee(5, 2),
        "f8e4m3" => ieee(4, 3),
        "f8e3m4" => ieee(3, 4),
        "f8e4m3fn" => finite(3, 7, 0x7e, 0x7f),
        "f8e4m3fnuz" => finite(3, 8, 0x7f, 0x80),
        "f8e4m3b11fnuz" => finite(3, 11, 0x7f, 0x80),
        "f8e5m2fnuz" => finite(2, 16, 0x7f, 0x80),
        "f6e3m2fn" => finite(2, 3, 0x1f, 0x1f),
        "f6e2m3fn" => finite(3, 1, 0x1f, 0x1f),
        "f4e2m1fn" => finite(1, 1, 0x7, 0x7),
        _ => return None,
    })
}

impl Float {
    /// The bits of a number, rounded to the nearest, and to the even one of two.
    fn bits(&self, number: u64) -> u64 {
        if number == 0 {
            return 0;
        }
        let power = number.ilog2() as i32;
        // The places of the mantissa: below the leading one, or fewer where the number is below
        // the least normal one.
        let exponent = (power + self.bias).max(0);
        let scale = self.mantissa as i32 - power.max(1 - self.bias);
        let (quotient, half, rest) = if scale >= 0 {
            // No bit is lost: numbers are below 2^32, mantissas have 52 bits at most.
            (u128::from(number) << scale, 0, 0)
        } else {
            let cut = u128::from(number);
            (
                cut >> -scale,
                1_u128 << (-scale - 1),
                cut & ((1 << -scale) - 1),
            )
        };
        let up = rest > half || (half != 0 && rest == half && quotient % 2 == 1);
        let rounded = quotient as u64 + u64::from(up);
        // The leading one adds to the exponent, as does a carry out of the mantissa.
        let bits = (((exponent - 1).max(0) as u64) << self.mantissa) + rounded;
        if bits > self.largest {
            self.beyond
        } else {
            bits
        }
    }
}

/// The bits of a number cut to an element type; nothing for a type without a known encoding.
pub(super) fn bits(element_type: ElementType, number: u64) -> Option<u128> {
    let width = element_type.bits()?;
    let mask = u128::MAX >> (128 - width);
    if element_type == ElementType::Pred {
        return Some(u128::from(number != 0));
    }
    if element_type.is_integral() {
        return Some(u128::from(number) & mask);
    }
    let real = match element_type {
        // The imaginary part, in the upper half, is 0.
        ElementType::C64 => ElementType::F32,
        ElementType::C128 => ElementType::F64,
        other => other,
    };
    float(real).map(|float| u128::from(float.bits(number)))
}

/// NumPy's name of an element type, as XLA's: `int4` is `s4`, `float8_e4m3fn` is `f8e4m3fn`.
pub(super) fn of_numpy(name: &str) -> Option<ElementType> {
    let digits = |prefix: &str, letter: &str| {
        let rest = name.strip_prefix(prefix)?;
        format!("{letter}{}", rest.replace('_', ""))
            .parse::<ElementType>()
            .ok()
    };
    match name {
        "bool" => Some(ElementType::Pred),
        "bfloat16" => Some(ElementType::Bf16),
        _ => [
            ("uint", "u"),
            ("int", "s"),
            ("float", "f"),
            ("complex", "c"),
        ]
        .into_iter()
        .find_map(|(prefix, letter)| digits(prefix, letter)),
    }
}
