//! Tables of the offsets of a few elements.

use crate::nest::Nest;

/// The most elements that a table is made for.
const MOST: usize = 64;

/// The offsets of a few elements on either side, in bytes.
#[derive(Clone, Copy)]
pub(crate) struct Table {
    pub(super) len: u8,
    pub(crate) src: [u16; MOST],
    pub(crate) dst: [u16; MOST],
    /// If both sides fit into two lines: for each byte of the destination the byte of the source,
    /// and masks of the bytes of each line that are read and written.
    pub(super) lines: [u8; 128],
    pub(super) read: [u64; 2],
    pub(super) written: [u64; 2],
    /// The bytes of either side where registers of 32 bytes permute them in less time than elements
    /// are copied one by one.
    pub(super) permuted: u8,
}

impl Table {
    pub(crate) const NONE: Self = Self {
        len: 0,
        src: [0; MOST],
        dst: [0; MOST],
        lines: [0; 128],
        read: [0; 2],
        written: [0; 2],
        permuted: 0,
    };

    /// Returns the table of a nest. It is empty if there are too many elements, or if they are too
    /// far apart.
    pub(crate) const fn new(nest: &Nest) -> Self {
        let mut table = Self::NONE;
        if nest.loops.len() == 0 || nest.loops.count() > MOST {
            return table;
        }
        let mut len = 1;
        each!(level, nest.loops.as_slice(), {
            // Each loop repeats the `len` entries of the table so far, one step further each time.
            each!(to, len..len * level.size, {
                let src = table.src[to - len] as isize + level.src;
                let dst = table.dst[to - len] as isize + level.dst;
                if src as u16 as isize != src || dst as u16 as isize != dst {
                    return Self::NONE;
                }
                (table.src[to], table.dst[to]) = (src as u16, dst as u16);
            });
            len *= level.size;
        });
        table.len = len as u8;
        table.fill_lines(nest.width);
        table
    }

    const fn fill_lines(&mut self, width: usize) {
        let mut read = [0; 2];
        let mut written = [0; 2];
        each!(k, 0..self.len as usize, {
            let src = self.src[k] as usize;
            let dst = self.dst[k] as usize;
            if src + width > 128 || dst + width > 128 {
                return;
            }
            each!(byte, 0..width, {
                let from = src + byte;
                let to = dst + byte;
                self.lines[to] = from as u8;
                read[from / 64] |= 1 << (from % 64);
                written[to / 64] |= 1 << (to % 64);
            });
        });
        (self.read, self.written) = (read, written);
        // Without gaps, each byte once. For each 32 bytes of the destination all lanes of the
        // source are shuffled.
        let bytes = self.len as usize * width;
        if bytes >= 32 && bytes <= 128 && is_run(read, bytes) && is_run(written, bytes) {
            let shuffles = bytes.div_ceil(32) * bytes.div_ceil(16);
            if shuffles + 4 <= self.len as usize {
                self.permuted = bytes as u8;
            }
        }
    }

    /// Whether both sides fit into a line.
    #[cfg(target_arch = "x86_64")]
    pub(crate) const fn is_line(&self) -> bool {
        self.written[0] != 0 && self.written[1] == 0 && self.read[1] == 0
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the elements take less time one by one than as a block.
    pub(crate) const fn is_few(&self) -> bool {
        self.len < 16
    }
}

/// Whether the bits of two lines are those of the first `bytes`.
const fn is_run(lines: [u64; 2], bytes: usize) -> bool {
    let bits = lines[0] as u128 | (lines[1] as u128) << 64;
    bits == u128::MAX >> (128 - bytes)
}
