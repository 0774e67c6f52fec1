//! Which dimensions of a kernel are independent: `#[kernel(independent = "…")]`.
//!
//! A dimension is independent if the kernel may be called once for each part of it, and the
//! concatenated results of these calls equal the results of one call. XLA then divides it among
//! devices. It is written in one of two forms:
//! - the names of sizes: `M`, or `B S`;
//! - Shardy's rule, one list for each argument and each result: `i j, j -> i`. A factor that is
//!   missing in a result or in all arguments is not divided, and so is a dimension `_`.

use crate::const_text::{ConstText, stop};

use super::declared::compare;
use super::{BufferSpec, Declared, Kind, Side, Size};

/// One dimension of an argument or of a result: the number of the array, and that of the dimension.
///
/// The argument of parameter `p` has the number `2 * p`, and its result `2 * p + 1`.
type At = (usize, usize);

/// The declaration, beside the parameters that it is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Independent {
    /// The two sides of a rule: the lists of the arguments, and those of the results. Or one side
    /// with one list, the names of sizes. None where nothing is declared.
    sides: &'static [Side],
    parameters: &'static [Declared],
}

impl Independent {
    /// Checks the declaration.
    ///
    /// # Panics
    /// If it does not fit the parameters.
    #[track_caller]
    pub(crate) const fn new(sides: &'static [Side], parameters: &'static [Declared]) -> Self {
        let this = Self { sides, parameters };
        match sides {
            [] => return this,
            [[names]] => this.check_names(names),
            _ => this.check_counts(),
        }
        let mut any = false;
        each!(array, 0..this.arrays(), {
            each!(d, 0..this.rank(array), {
                this.check((array, d));
                any |= array % 2 == 1 && this.factor((array, d)).is_some();
            });
        });
        if !any {
            stop(
                "no dimension is independent: `independent` has no name that is in every result \
                 and in an argument",
            );
        }
        this
    }

    /// The name of the independent factor of a dimension of an argument or a result.
    pub(crate) fn name(
        &self,
        parameter: usize,
        is_result: bool,
        dimension: usize,
    ) -> Option<&'static str> {
        self.factor((2 * parameter + usize::from(is_result), dimension))
    }

    /// Checks that this dimension, whose size is computed or is a term of a computed size, is not
    /// divided.
    #[track_caller]
    pub(super) const fn check_whole(&self, (parameter, dimension): (usize, usize)) {
        let argument = self.factor((2 * parameter, dimension));
        if argument.is_some() || self.factor((2 * parameter + 1, dimension)).is_some() {
            stop(
                "a size is computed from one that `independent` divides among devices, where a \
                 part has another sum: leave the name out, or write `?_` in the place of the sum \
                 and pass `out_shapes`",
            );
        }
    }

    /// Whether anything is declared.
    pub(crate) const fn is_declared(&self) -> bool {
        !self.sides.is_empty()
    }

    /// The number of arrays. Not each is there.
    const fn arrays(&self) -> usize {
        2 * self.parameters.len()
    }

    /// The declaration of an argument or a result; `None` if the parameter does not have it.
    const fn array(&self, array: usize) -> Option<&'static BufferSpec> {
        match (&self.parameters[array / 2].kind, array % 2) {
            (Kind::Buffer(direction, spec), 0) if direction.is_argument() => Some(spec),
            (Kind::Buffer(direction, spec), 1) if direction.is_result() => Some(spec),
            _ => None,
        }
    }

    /// The number of an array's dimensions; 0 if it is not there.
    const fn rank(&self, array: usize) -> usize {
        match self.array(array) {
            Some(spec) => spec.dims.len(),
            None => 0,
        }
    }

    /// How many of the arguments, or of the results, are before this one.
    const fn list(&self, array: usize) -> usize {
        let mut list = 0;
        each!(other, 0..array, {
            list += (other % 2 == array % 2 && self.array(other).is_some()) as usize;
        });
        list
    }

    /// The name of a dimension: that in the rule, or that of its size.
    const fn written(&self, (array, d): At) -> Option<&'static str> {
        let Some(spec) = self.array(array) else {
            return None;
        };
        let name = match (self.sides, spec.size(d)) {
            ([_, _], _) if d < self.names(array).len() => self.names(array)[d],
            ([_], Size::Named(name)) => name,
            _ => return None,
        };
        if compare(name, "_") == 0 {
            return None;
        }
        Some(name)
    }

    /// The names that the rule has for an array.
    const fn names(&self, array: usize) -> &'static [&'static str] {
        let side = self.sides[array % 2];
        let list = self.list(array);
        if list < side.len() { side[list] } else { &[] }
    }

    /// Whether a dimension of this argument or result has this name.
    const fn has(&self, array: usize, name: &str) -> bool {
        each!(d, 0..self.rank(array), {
            if alike(self.written((array, d)), Some(name)) {
                return true;
            }
        });
        false
    }

    /// Whether a name is in every result, and in an argument.
    const fn is_independent(&self, name: &str) -> bool {
        let mut argument = false;
        each!(array, 0..self.arrays(), {
            match (array % 2 == 1, self.has(array, name)) {
                (true, false) if self.array(array).is_some() => return false,
                (false, true) => argument = true,
                _ => {}
            }
        });
        argument
    }

    /// Whether a list of names has this one. A rule has all names of its dimensions.
    const fn is_listed(&self, name: &str) -> bool {
        let [[names]] = self.sides else {
            return true;
        };
        each!(listed, names, {
            if compare(listed, name) == 0 {
                return true;
            }
        });
        false
    }

    /// The independent factor of a dimension.
    const fn factor(&self, at: At) -> Option<&'static str> {
        match self.written(at) {
            Some(name) if self.is_listed(name) && self.is_independent(name) => Some(name),
            _ => None,
        }
    }

    #[track_caller]
    const fn check_counts(&self) {
        each!(array, 0..self.arrays(), {
            if self.array(array).is_some() && self.names(array).len() != self.rank(array) {
                stop(
                    "the rule of `independent` has another number of names than an array has \
                     dimensions: write one name for each dimension, `_` for one that is \
                     not independent",
                );
            }
        });
        if lacks_lists(self.sides[0], self.list(self.arrays())) {
            stop(
                "the rule of `independent` has another number of arguments than the kernel: write \
                 one list of names for each `In` and `InOut`, with commas between them",
            );
        }
        if lacks_lists(self.sides[1], self.list(self.arrays() + 1)) {
            stop(
                "the rule of `independent` has another number of results than the kernel: write \
                 one list of names for each `Out` and `InOut`, with commas between them",
            );
        }
    }

    /// Every name in a list of names must be that of a size, in every result and in an argument.
    #[track_caller]
    const fn check_names(&self, names: &[&str]) {
        each!(name, names, {
            if !self.is_independent(name) {
                self.refuse_name(name);
            }
        });
    }

    /// Stops with an error that lists the valid names: those of the first result that are in all
    /// results and in an argument.
    #[track_caller]
    const fn refuse_name(&self, name: &str) -> ! {
        let mut message = ConstText::new("`independent` names `")
            .text(name)
            .text("`, which is not the name of a size in every result and in an argument: ");
        let mut first = 1;
        while first < self.arrays() && self.array(first).is_none() {
            first += 2;
        }
        let names = if first < self.arrays() {
            self.rank(first)
        } else {
            0
        };
        let mut separator = "write `";
        each!(d, 0..names, {
            if let Some(name) = self.written((first, d))
                && self.is_independent(name)
            {
                message = message.text(separator).text(name).text("`");
                separator = ", `";
            }
        });
        if separator.len() == 3 {
            message = message.text(", or ");
        }
        message = message.text("name the size in the layouts, as in `f32[?M, 128]`");
        stop(message.as_str())
    }

    /// Checks one dimension of an argument or a result.
    #[track_caller]
    const fn check(&self, at: At) {
        let (array, dimension) = at;
        let Some(spec) = self.array(array) else {
            return;
        };
        let factor = self.factor(at);
        if factor.is_some() {
            if let Size::Static(_) = spec.size(dimension) {
                stop(
                    "a dimension that is declared as independent has a fixed size, and a part of \
                     it would be refused: write `?` for the size, or `_` in the rule",
                );
            }
            each!(d, 0..dimension, {
                if alike(factor, self.factor((array, d))) {
                    stop(
                        "one array has the same independent name for two dimensions: write another \
                         name for one of them, or `_` for one that is not independent",
                    );
                }
            });
        }
        self.check_equal(array, spec.size(dimension), factor);
    }

    /// Checks that sizes which must be equal have the same factor.
    #[track_caller]
    const fn check_equal(&self, last: usize, size: Size, factor: Option<&str>) {
        each!(array, 0..last + 1, {
            each!(d, 0..self.rank(array), {
                if let Some(spec) = self.array(array)
                    && size.is_one(spec.size(d))
                    && !alike(factor, self.factor((array, d)))
                {
                    stop(
                        "two dimensions are one size, and `independent` names only one of \
                         them: give both the same name, or write `?_` or another name for \
                         the size of one",
                    );
                }
            });
        });
    }
}

/// Whether a side of the rule has fewer than `count` lists. An array without dimensions has an
/// empty list.
const fn lacks_lists(side: Side, count: usize) -> bool {
    side.len() > count || count > 1 && side.len() != count
}

const fn alike(a: Option<&str>, b: Option<&str>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => compare(a, b) == 0,
        (None, None) => true,
        _ => false,
    }
}
