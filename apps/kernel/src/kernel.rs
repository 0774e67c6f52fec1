//! A kernel and its parameters, as tables that are made when the kernel is compiled.

mod computed;
mod declared;
mod independent;
mod relation;

pub(crate) use declared::{AttributeSpec, BufferSpec, Direction, Form, Kind, Side, Size};
pub use declared::{Declared, Source};
pub(crate) use independent::Independent;
pub(crate) use relation::{Computed, Relation};

use crate::const_text::stop;
use declared::compare;
use relation::Dimension;

/// The most parameters that a kernel can have.
const MAX_PARAMETERS: usize = 64;
/// The most pairs of sizes that a kernel can ask to be equal.
const MAX_PAIRS: usize = 128;
/// The most sizes of a kernel that are computed.
pub(crate) const MAX_RELATIONS: usize = 16;

/// A kernel.
#[derive(Debug)]
pub struct Kernel {
    pub(crate) source: Source,
    pub(crate) independent: Independent,
    pub(crate) arguments: usize,
    pub(crate) results: usize,
    /// The number of this combination of the parameters' layouts, and the number of combinations.
    pub(crate) combination: (usize, usize),
    /// The parameters that are arrays, as a mask, and those that are written.
    pub(crate) arrays: u64,
    pub(crate) written: u64,
    /// Whether an array is converted: `Converted<L>`.
    pub(crate) converts: bool,
    /// Whether a call may pass arrays row-major that are declared in another layout: those of a
    /// batch.
    pub(crate) by_items: bool,
    /// Whether a call may leave an attribute out.
    pub(crate) optional: bool,
    /// The numbers of the parameters that are attributes, sorted by name.
    pub(crate) attributes: [usize; MAX_PARAMETERS],
    pub(crate) attributes_len: usize,
    /// The numbers of each parameter's argument and result, or of its attribute.
    pub(crate) places: [FramePosition; MAX_PARAMETERS],
    /// Pairs of sizes that must be equal. The first size of a pair is declared first.
    pub(crate) pairs: [(Dimension, Dimension); MAX_PAIRS],
    pub(crate) pairs_len: usize,
    /// Sizes that are computed; a size that one tells is told before others need it.
    pub(crate) relations: [Relation; MAX_RELATIONS],
    pub(crate) relations_len: usize,
}

/// Where a parameter is in a call frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FramePosition {
    /// The number of the argument, or of the attribute in the order of names.
    pub(crate) argument: usize,
    pub(crate) result: usize,
}

impl Kernel {
    /// The kernel, its tables made.
    ///
    /// # Panics
    /// Where the parameters contradict each other; in a `static`, where it belongs, that is an
    /// error of the compiler.
    #[must_use]
    #[track_caller]
    pub const fn new(source: Source) -> Self {
        let batch = source.batch;
        let parameters = source.parameters;
        if parameters.len() > MAX_PARAMETERS {
            stop("a kernel can have 64 parameters at most");
        }
        let independent = Independent::new(source.independent, parameters);
        let mut kernel = Self {
            source,
            independent,
            arguments: 0,
            results: 0,
            combination: (0, 1),
            arrays: 0,
            written: 0,
            converts: false,
            by_items: false,
            optional: false,
            attributes: [0; MAX_PARAMETERS],
            attributes_len: 0,
            places: [FramePosition {
                argument: 0,
                result: 0,
            }; MAX_PARAMETERS],
            pairs: [((0, 0), (0, 0)); MAX_PAIRS],
            pairs_len: 0,
            relations: [Relation::NONE; MAX_RELATIONS],
            relations_len: 0,
        };
        each!(p, 0..parameters.len(), {
            match &parameters[p].kind {
                Kind::Buffer(direction, spec) => {
                    kernel.places[p] = FramePosition {
                        argument: kernel.arguments,
                        result: kernel.results,
                    };
                    kernel.arguments += direction.is_argument() as usize;
                    kernel.results += direction.is_result() as usize;
                    kernel.arrays |= 1 << p;
                    kernel.written |= (direction.is_result() as u64) << p;
                    kernel.converts |= spec.converted.is_some();
                    kernel.by_items |= batch && spec.by_items;
                    kernel.pair(p, spec);
                }
                Kind::Attribute(spec) => {
                    kernel.optional |= spec.optional;
                    kernel.sort_in(p);
                }
                Kind::Context => {}
            }
        });
        Relation::sort(&mut kernel.relations, kernel.relations_len);
        each!(k, 0..kernel.attributes_len, {
            kernel.places[kernel.attributes[k]].argument = k;
        });
        kernel
    }

    /// The same kernel for one combination of its parameters' layouts: the number of the
    /// combination, and the number of all.
    #[must_use]
    pub const fn combination(mut self, number: usize, count: usize) -> Self {
        self.combination = (number, count);
        self
    }

    /// Inserts attribute `p`, sorted by name.
    #[track_caller]
    const fn sort_in(&mut self, p: usize) {
        let name = self.source.parameters[p].name;
        let mut k = self.attributes_len;
        while k > 0 {
            let before = self.source.parameters[self.attributes[k - 1]].name;
            match compare(before, name) {
                0 => stop("two attributes of a kernel have the same name"),
                1 => self.attributes[k] = self.attributes[k - 1],
                _ => break,
            }
            k -= 1;
        }
        self.attributes[k] = p;
        self.attributes_len += 1;
    }

    /// Records, for each size of parameter `p`, the earlier size that it must equal and the sum
    /// that it must be.
    #[track_caller]
    const fn pair(&mut self, p: usize, spec: &BufferSpec) {
        each!(d, 0..spec.dims.len(), {
            let size = spec.size(d);
            if let Some(first) = self.first(size, p, d) {
                if self.pairs_len == MAX_PAIRS {
                    stop("too many `?` of a kernel's parameters are to be equal: 128 at most");
                }
                self.pairs[self.pairs_len] = (first, (p, d));
                self.pairs_len += 1;
            }
            if let Size::Computed(text) = size {
                if self.relations_len == MAX_RELATIONS {
                    stop("too many sizes of a kernel's parameters are computed: 16 at most");
                }
                self.relations[self.relations_len] = Relation::new(self, (p, d), Computed(text));
                self.relations_len += 1;
            }
        });
    }

    /// Returns the first dimension with this size, if it is before dimension `d` of parameter `p`.
    const fn first(&self, size: Size, p: usize, d: usize) -> Option<(usize, usize)> {
        each!(q, 0..self.source.parameters.len(), {
            if let Kind::Buffer(_, spec) = &self.source.parameters[q].kind {
                each!(e, 0..spec.dims.len(), {
                    if (q < p || q == p && e < d) && size.is_one(spec.size(e)) {
                        return Some((q, e));
                    }
                });
            }
        });
        None
    }

    /// The attribute at this position in the order of names.
    pub(crate) const fn attribute(&self, place: usize) -> &'static Declared {
        &self.source.parameters[self.attributes[place]]
    }
}
