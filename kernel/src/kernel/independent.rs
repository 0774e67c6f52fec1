//! Which dimensions of a kernel are independent: `#[kernel(independent = "…")]`.
//!
//! A dimension is independent if the kernel may be called once for each part of it, and the concatenated results of
//! these calls equal the results of one call. XLA then divides it among devices. It is written in one of two forms:
//! - the names of sizes: `M`, or `B S`;
//! - Shardy's rule, one list for each argument and each result: `i j, j -> i`. A factor that is missing in a result or
//!   in all arguments is not divided, and so is a dimension `_`.

mod text;

pub(super) use text::Message;
use text::{Name, Text};

use crate::kernel::{Declared, Direction, Kind, Size, stop};

/// One dimension of an argument or of a result.
#[derive(Clone, Copy)]
struct At {
    parameter: usize,
    is_result: bool,
    dimension: usize,
}

/// The declaration, beside the parameters that it is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Independent {
    text: Text,
    parameters: &'static [Declared],
}

impl Independent {
    /// Checks the declaration.
    ///
    /// # Panics
    /// If it does not fit the parameters.
    #[track_caller]
    pub(crate) const fn new(text: &'static str, parameters: &'static [Declared]) -> Self {
        let this = Self {
            text: Text(text),
            parameters,
        };
        if text.is_empty() {
            return this;
        }
        match this.text.arrow() {
            Some(arrow) => this.check_counts(arrow),
            None => this.check_names(),
        }
        let mut any = false;
        let mut p = 0;
        while p < parameters.len() {
            if let Kind::Buffer(direction, spec) = &parameters[p].kind {
                let mut d = 0;
                while d < spec.dims.len() {
                    let mut at = At {
                        parameter: p,
                        is_result: false,
                        dimension: d,
                    };
                    if direction.is_argument() {
                        this.check(at);
                    }
                    if direction.is_result() {
                        at.is_result = true;
                        this.check(at);
                        any = any || this.factor(at).is_some();
                    }
                    d += 1;
                }
            }
            p += 1;
        }
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
        let at = At {
            parameter,
            is_result,
            dimension,
        };
        self.factor(at).map(|(start, end)| &self.text.0[start..end])
    }

    /// Checks that this dimension, whose size is computed or is a term of a computed size, is not divided.
    #[track_caller]
    pub(super) const fn check_whole(&self, (parameter, dimension): (usize, usize)) {
        if let Kind::Buffer(direction, _) = &self.parameters[parameter].kind {
            let at = At {
                parameter,
                is_result: direction.is_result(),
                dimension,
            };
            if self.factor(at).is_some() {
                stop(
                    "a size is computed from one that `independent` divides among devices, where a part has \
                     another sum: leave the name out, or write `?_` in the place of the sum and pass `out_shapes`",
                );
            }
        }
    }

    /// Whether anything is declared.
    pub(crate) const fn is_declared(&self) -> bool {
        !self.text.0.is_empty()
    }

    /// The number of an array's list among the arguments, or among the results.
    const fn list(&self, parameter: usize, is_result: bool) -> usize {
        let (mut list, mut p) = (0, 0);
        while p < parameter {
            if let Kind::Buffer(direction, _) = &self.parameters[p].kind {
                list += belongs(*direction, is_result) as usize;
            }
            p += 1;
        }
        list
    }

    /// What is written for a dimension.
    const fn written(&self, at: At) -> Option<Name> {
        let Kind::Buffer(_, spec) = &self.parameters[at.parameter].kind else {
            return None;
        };
        let name = match self.text.arrow() {
            Some(arrow) => {
                let side = self.text.side(arrow, at.is_result);
                self.text
                    .word(side, self.list(at.parameter, at.is_result), at.dimension)
            }
            None => match spec.size(at.dimension) {
                Size::Named(name) => self.text.listed(name),
                _ => None,
            },
        };
        match name {
            Some((start, end)) if end == start + 1 && self.text.byte(start) == b'_' => None,
            name => name,
        }
    }

    /// Whether a name is written for a dimension of this argument or result.
    const fn has(&self, parameter: usize, is_result: bool, name: Name) -> bool {
        let Kind::Buffer(_, spec) = &self.parameters[parameter].kind else {
            return false;
        };
        let mut d = 0;
        while d < spec.dims.len() {
            let at = At {
                parameter,
                is_result,
                dimension: d,
            };
            if let Some(other) = self.written(at)
                && self.text.same(name, other)
            {
                return true;
            }
            d += 1;
        }
        false
    }

    /// Whether a name is in every result, and in an argument.
    const fn is_independent(&self, name: Name) -> bool {
        let (mut argument, mut p) = (false, 0);
        while p < self.parameters.len() {
            if let Kind::Buffer(direction, _) = &self.parameters[p].kind {
                if direction.is_result() && !self.has(p, true, name) {
                    return false;
                }
                argument = argument || direction.is_argument() && self.has(p, false, name);
            }
            p += 1;
        }
        argument
    }

    /// The independent factor of a dimension.
    const fn factor(&self, at: At) -> Option<Name> {
        match self.written(at) {
            Some(name) if self.is_independent(name) => Some(name),
            _ => None,
        }
    }

    #[track_caller]
    const fn check_counts(&self, arrow: usize) {
        let (mut p, mut arguments, mut results) = (0, 0, 0);
        while p < self.parameters.len() {
            if let Kind::Buffer(direction, spec) = &self.parameters[p].kind {
                let rank = spec.dims.len();
                if direction.is_argument() {
                    self.check_rank(self.text.side(arrow, false), arguments, rank);
                    arguments += 1;
                }
                if direction.is_result() {
                    self.check_rank(self.text.side(arrow, true), results, rank);
                    results += 1;
                }
            }
            p += 1;
        }
        let (left, right) = (self.text.side(arrow, false), self.text.side(arrow, true));
        if self.lacks_lists(left, arguments) {
            stop(
                "the rule of `independent` has another number of arguments than the kernel: write \
                 one list of names for each `In` and `InOut`, with commas between them",
            );
        }
        if self.lacks_lists(right, results) {
            stop(
                "the rule of `independent` has another number of results than the kernel: write \
                 one list of names for each `Out` and `InOut`, with commas between them",
            );
        }
    }

    /// Whether a side of the rule has fewer than `count` lists. An array without dimensions has an empty list.
    const fn lacks_lists(&self, side: Name, count: usize) -> bool {
        let lists = self.text.lists(side.0, side.1);
        lists > count || count > 1 && lists != count
    }

    #[track_caller]
    const fn check_rank(&self, side: Name, list: usize, rank: usize) {
        if self.text.word(side, list, rank).is_some()
            || rank > 0 && self.text.word(side, list, rank - 1).is_none()
        {
            stop(
                "the rule of `independent` has another number of names than an array has \
                 dimensions: write one name for each dimension, `_` for one that is not independent",
            );
        }
    }

    /// Every name in a list of names must be that of a size, in every result and in an argument.
    #[track_caller]
    const fn check_names(&self) {
        let whole = (0, self.text.0.len());
        if self.text.lists(0, self.text.0.len()) > 1 {
            stop(
                "`independent` has a `,` and no `->`: write `M N` for sizes, `i _, _ -> i` for a rule",
            );
        }
        let mut k = 0;
        while let Some(word) = self.text.word(whole, 0, k) {
            if !self.is_independent(word) {
                self.refuse_name(word);
            }
            k += 1;
        }
    }

    /// Stops with an error that lists the valid names: those of the first result that are in all results and in an
    /// argument.
    #[track_caller]
    const fn refuse_name(&self, (start, end): Name) -> ! {
        let (_, name) = self.text.0.split_at(start);
        let (name, _) = name.split_at(end - start);
        let mut message = Message::NONE;
        message.add(&[
            "`independent` names `",
            name,
            "`, which is not the name of a size in every result and in an argument: ",
        ]);
        let (mut p, mut separator) = (0, "write ");
        while p < self.parameters.len() {
            if let Kind::Buffer(direction, spec) = &self.parameters[p].kind
                && direction.is_result()
            {
                let mut d = 0;
                while d < spec.dims.len() {
                    if let Size::Named(name) = spec.size(d)
                        && self.is_in_all(spec.size(d))
                    {
                        message.add(&[separator, "`", name, "`"]);
                        separator = ", ";
                    }
                    d += 1;
                }
                break;
            }
            p += 1;
        }
        if separator.len() == 2 {
            message.add(&[", or "]);
        }
        message.add(&["name the size in the layouts, as in `f32[?M, 128]`"]);
        message.stop()
    }

    /// Whether a size is in every result and in an argument.
    const fn is_in_all(&self, size: Size) -> bool {
        let (mut argument, mut p) = (false, 0);
        while p < self.parameters.len() {
            if let Kind::Buffer(direction, spec) = &self.parameters[p].kind {
                let (mut d, mut found) = (0, false);
                while d < spec.dims.len() {
                    found = found || size.is_one(spec.size(d));
                    d += 1;
                }
                if direction.is_result() && !found {
                    return false;
                }
                argument = argument || direction.is_argument() && found;
            }
            p += 1;
        }
        argument
    }

    /// Checks one dimension of an argument or a result.
    #[track_caller]
    const fn check(&self, at: At) {
        let Kind::Buffer(_, spec) = &self.parameters[at.parameter].kind else {
            return;
        };
        let factor = self.factor(at);
        if let Some(name) = factor {
            if let Size::Static(_) = spec.size(at.dimension) {
                stop(
                    "a dimension that is declared as independent has a fixed size, and a part of it \
                     would be refused: write `?` for the size, or `_` in the rule",
                );
            }
            let mut d = 0;
            while d < at.dimension {
                if let Some(other) = self.factor(At { dimension: d, ..at })
                    && self.text.same(name, other)
                {
                    stop(
                        "one array has the same independent name for two dimensions: write another \
                         name for one of them, or `_` for one that is not independent",
                    );
                }
                d += 1;
            }
        }
        self.check_equal(at, spec.size(at.dimension), factor);
    }

    /// Checks that sizes which must be equal have the same factor.
    #[track_caller]
    const fn check_equal(&self, at: At, size: Size, factor: Option<Name>) {
        let mut p = 0;
        while p <= at.parameter {
            if let Kind::Buffer(direction, spec) = &self.parameters[p].kind {
                let mut d = 0;
                while d < spec.dims.len() {
                    if size.is_one(spec.size(d)) {
                        let mut other = At {
                            parameter: p,
                            is_result: false,
                            dimension: d,
                        };
                        let argument = self.factor(other);
                        other.is_result = true;
                        if direction.is_argument() && !self.text.alike(factor, argument)
                            || direction.is_result() && !self.text.alike(factor, self.factor(other))
                        {
                            stop(
                                "two dimensions are one size, and `independent` names only one of \
                                 them: give both the same name, or write `?_` or another name for \
                                 the size of one",
                            );
                        }
                    }
                    d += 1;
                }
            }
            p += 1;
        }
    }
}

const fn belongs(direction: Direction, is_result: bool) -> bool {
    if is_result {
        direction.is_result()
    } else {
        direction.is_argument()
    }
}
