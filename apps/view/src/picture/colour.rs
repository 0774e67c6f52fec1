//! A map of colours for positions in memory.
//!
//! The map is made in Oklab, where equal steps look equally large: from a dark violet through blue
//! and green to a light yellow. Lightness grows all the way, so that it can be read without seeing
//! colours, and on a grey print.

/// A colour in sRGB: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// The colour of a place in memory: a position in a map of colours, dark for the first place and
/// light for the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shade(u16);

impl Shade {
    pub(crate) const LAST: u16 = 1023;

    /// The shade of position `k` of `count`.
    pub(crate) fn of(k: usize, count: usize) -> Self {
        let last = count.saturating_sub(1).max(1) as u128;
        let k = (k as u128).min(last);
        // No overflow: a position has 64 bits. The result is at most LAST.
        Self((k * u128::from(Self::LAST) / last) as u16)
    }

    /// The colour itself.
    #[must_use]
    pub fn colour(self) -> Rgb {
        let steps = (MAP.len() - 1) as u32;
        let last = u32::from(Self::LAST);
        let at = u32::from(self.0) * steps;
        let k = (at / last) as usize;
        let rest = at % last;
        let from = Rgb::of(MAP[k]);
        let to = Rgb::of(MAP[(k + 1).min(MAP.len() - 1)]);
        let mix = |a: u8, b: u8| {
            ((u32::from(a) * (last - rest) + u32::from(b) * rest + last / 2) / last) as u8
        };
        Rgb(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
    }
}

/// The colours of xterm that are nearest to the map among those of increasing lightness. The
/// nearest one to each colour would not do: some of these are grey.
const INDEXED: [u8; 11] = [54, 55, 25, 31, 37, 72, 78, 114, 149, 185, 227];
/// The number of colours on which white text has more contrast than black text.
const INDEXED_DARK: usize = 4;
const INDEXED_WHITE: u8 = 231;
const INDEXED_BLACK: u8 = 16;

impl Shade {
    /// The colour among xterm's 256, and that of a text on it.
    #[must_use]
    pub fn indexed(self) -> (u8, u8) {
        let k = usize::from(self.0) * INDEXED.len() / (usize::from(Self::LAST) + 1);
        if k < INDEXED_DARK {
            (INDEXED[k], INDEXED_WHITE)
        } else {
            (INDEXED[k], INDEXED_BLACK)
        }
    }
}

impl Rgb {
    /// `0x440154`
    const fn of(number: u32) -> Self {
        let [_, red, green, blue] = number.to_be_bytes();
        Self(red, green, blue)
    }

    /// Black or white, whichever has more contrast on this colour.
    #[must_use]
    pub fn text(self) -> Self {
        // Both have a contrast of 4.58 where the luminance is .179; a dark grey would have less.
        if self.luminance() > 0.179 {
            Self(0, 0, 0)
        } else {
            Self(0xff, 0xff, 0xff)
        }
    }

    /// WCAG's relative luminance.
    fn luminance(self) -> f64 {
        let linear = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.040_45 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    /// `#440154`
    pub(crate) fn hex(self) -> String {
        format!("#{:06x}", u32::from_be_bytes([0, self.0, self.1, self.2]))
    }
}

/// The map at equal steps. The test below recomputes it.
const MAP: [u32; 33] = [
    0x481776, 0x46237e, 0x432d85, 0x40378b, 0x3c4090, 0x384895, 0x335199, 0x2e599c, 0x28619f,
    0x2169a2, 0x1a71a4, 0x1179a5, 0x0980a6, 0x0388a7, 0x038fa8, 0x0996a8, 0x149da7, 0x20a4a7,
    0x2baaa6, 0x37b1a4, 0x44b7a2, 0x50bda0, 0x5dc39d, 0x6ac99a, 0x78ce96, 0x87d392, 0x95d88e,
    0xa4dd89, 0xb4e183, 0xc4e57d, 0xd5e878, 0xe6eb72, 0xf7ed6c,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Lightness, hue and chroma change evenly from the first colour to the last; at the ends there
    /// is more chroma, where the screen has more of it.
    fn made(t: f64) -> [f64; 3] {
        let lightness = 0.34 + 0.59 * t;
        let hue = (302.0 - 197.0 * t).to_radians();
        let chroma = 0.105 + 0.045 * (2.0 * t - 1.0) * (2.0 * t - 1.0);
        let a = chroma * hue.cos();
        let b = chroma * hue.sin();
        // Oklab to linear sRGB (Ottosson 2020).
        let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
        let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
        let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
        [
            4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
            -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
            -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
        ]
    }

    #[test]
    fn the_map_is_what_it_says() {
        for (k, colour) in MAP.map(Rgb::of).into_iter().enumerate() {
            let linear = made(k as f64 / (MAP.len() - 1) as f64);
            for (found, linear) in [colour.0, colour.1, colour.2].into_iter().zip(linear) {
                assert!((-0.001..1.001).contains(&linear), "no colour of a screen");
                let expected = 255.0
                    * if linear <= 0.003_130_8 {
                        12.92 * linear
                    } else {
                        1.055 * linear.powf(1.0 / 2.4) - 0.055
                    };
                assert!((f64::from(found) - expected).abs() < 1.0, "{k}");
            }
        }
    }

    #[test]
    fn luminance_grows_with_256_colours() {
        let mut before = -1.0;
        for colour in INDEXED.map(|colour| colour - 16) {
            let level = |k: u8| if k == 0 { 0 } else { 55 + 40 * k };
            let rgb = Rgb(level(colour / 36), level(colour / 6 % 6), level(colour % 6));
            assert!(rgb.luminance() > before);
            before = rgb.luminance();
        }
        assert_eq!(Shade::of(0, 9).indexed(), (54, INDEXED_WHITE));
        assert_eq!(Shade::of(8, 9).indexed(), (227, INDEXED_BLACK));
    }

    #[test]
    fn luminance_grows_and_text_can_be_read() {
        let mut before = -1.0;
        for k in 0..=usize::from(Shade::LAST) {
            let colour = Shade::of(k, usize::from(Shade::LAST) + 1).colour();
            let luminance = colour.luminance();
            assert!(luminance >= before - 0.002, "{k}");
            before = luminance;
            let text = colour.text().luminance();
            let light = luminance.max(text);
            let dark = luminance.min(text);
            assert!((light + 0.05) / (dark + 0.05) >= 4.5, "{k}");
        }
        assert_eq!(Shade::of(usize::MAX, usize::MAX), Shade(Shade::LAST));
        assert_eq!(Shade::of(5, 0), Shade(Shade::LAST));
        assert_eq!(Shade::of(0, 1), Shade(0));
    }
}
