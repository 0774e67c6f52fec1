//! The fast check of a call. Its rules are those of `full_check`, but the declaration is constants
//! in the code and not a table, because the type of each parameter has the code that compares. The
//! fast check can only accept a call. All other calls, those with a batch or a fault, go to
//! `full_check`.

use core::marker::PhantomData;

use crate::batch::Batch;
use crate::frame::{Attributes, Frame, Operands};
use crate::full_check::{self, BY_ITEMS, Seen, find};
use crate::kernel::{BufferSpec, Direction, Kernel, Kind, MAX_RELATIONS};
use crate::slots::Slots;

/// A kernel as a type, so that its table is known where a call is compiled.
///
/// The macro implements it, in the crate of the kernel, so it is not sealed. Unchecked code trusts
/// it in [`handle`](crate::handler::handle) only, which is `unsafe`: its caller promises that the
/// table is that of the kernel. All other users of a `FastCheck` get it from `handle`.
pub trait Declares {
    /// The kernel.
    const KERNEL: Kernel;
    /// Whether `FastCheck::at` accepts all parameters.
    fn passes(fast_check: &FastCheck<'_, Self>) -> bool
    where
        Self: Sized;
}

/// The pairs of arrays that may share no byte, because one of the two is written.
struct Apart {
    pairs: [(usize, usize); MOST],
    len: usize,
}

/// The most pairs that are checked here; a kernel with more is always checked by `full_check`.
const MOST: usize = MAX_RELATIONS;

impl Apart {
    const fn of(kernel: &Kernel) -> Self {
        let parameters = kernel.source.parameters;
        let mut apart = Self {
            pairs: [(0, 0); MOST],
            len: 0,
        };
        each!(q, 1..parameters.len(), {
            each!(p, 0..q, {
                if let (Kind::Buffer(a, _), Kind::Buffer(b, _)) =
                    (&parameters[p].kind, &parameters[q].kind)
                    && (a.is_result() || b.is_result())
                {
                    if apart.len < MOST {
                        apart.pairs[apart.len] = (p, q);
                    }
                    apart.len += 1;
                }
            });
        });
        apart
    }
}

/// A call during its check: its operands, and the arrays that are accepted so far.
pub struct FastCheck<'call, K> {
    pub(crate) arguments: Operands<'call>,
    pub(crate) results: Operands<'call>,
    pub(crate) attributes: Attributes<'call>,
    pub(crate) seen: Slots<Seen<'call>>,
    kernel: PhantomData<K>,
}

impl<'call, K: Declares> FastCheck<'call, K> {
    const APART: Apart = Apart::of(&K::KERNEL);
    /// Whether the kernel has few enough pairs for the fast check.
    const FEW: bool = Self::APART.len <= MOST && K::KERNEL.pairs_len <= MOST;

    /// Begins the check of a call: checks the numbers of arguments, results and attributes.
    #[inline(always)]
    pub(crate) fn new(frame: Frame<'call>) -> Option<Self> {
        if !Self::FEW {
            return None;
        }
        let arguments = frame.arguments(Some(const { K::KERNEL.arguments })).ok()?;
        let results = frame.results(Some(const { K::KERNEL.results })).ok()?;
        let declared = const { K::KERNEL.attributes_len };
        let expected = (!K::KERNEL.optional).then_some(declared);
        let attributes = frame.attributes(expected).ok()?;
        // The call has at most as many attributes as are declared. So an undeclared attribute is in
        // the position of a declared one, and the access to the declared one reports it.
        if attributes.len() > declared {
            return None;
        }
        // `BY_ITEMS` may be in the position of an attribute that is left out.
        if const { K::KERNEL.by_items && K::KERNEL.optional }
            && find(&attributes, BY_ITEMS).is_some()
        {
            return None;
        }
        Some(Self {
            arguments,
            results,
            attributes,
            seen: Slots::new(),
            kernel: PhantomData,
        })
    }

    /// Checks parameter `P`, which is declared as `kind`. Returns whether it is as declared.
    #[inline(always)]
    pub(crate) fn at<const P: usize>(&self, kind: &'static Kind) -> bool {
        let place = const { K::KERNEL.places[P] };
        match kind {
            Kind::Buffer(direction, spec) => {
                let argument = place.argument;
                let result = place.result;
                let seen = match direction {
                    Direction::In => array(&self.arguments, argument, spec),
                    Direction::Out => array(&self.results, result, spec),
                    Direction::InOut => {
                        let (Some(from), Some(to)) = (
                            array(&self.arguments, argument, spec),
                            array(&self.results, result, spec),
                        ) else {
                            return false;
                        };
                        // As in `full_check`, the sizes of the result are used.
                        (from.data == to.data && from.dims == to.dims).then_some(to)
                    }
                };
                let Some(seen) = seen else { return false };
                self.seen.set(P, seen);
                true
            }
            // The access to an attribute checks that it exists, and its type.
            Kind::Attribute(_) | Kind::Context => true,
        }
    }

    /// Checks the relations between parameters: equal and computed sizes, and that no written array
    /// overlaps another. All parameters are checked before.
    #[inline(always)]
    pub(crate) fn agree(&self) -> bool {
        macro_rules! each {
            ($($k:literal)*) => {$(
                if const { $k < K::KERNEL.pairs_len } {
                    let (first, second) = const { K::KERNEL.pairs[$k] };
                    if self.size(first) != self.size(second) {
                        return false;
                    }
                }
                if const { $k < K::KERNEL.relations_len } {
                    let relation = const { &K::KERNEL.relations[$k] };
                    if !relation.holds(const { &K::KERNEL.relations }, |at| self.size(at)) {
                        return false;
                    }
                }
                if const { $k < Self::APART.len } {
                    let (p, q) = const { Self::APART.pairs[$k] };
                    match (self.seen.get(p), self.seen.get(q)) {
                        (Some(p), Some(q)) if apart(p, q) => {}
                        _ => return false,
                    }
                }
            )*};
        }
        each!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        true
    }

    #[inline(always)]
    fn size(&self, (parameter, dimension): (usize, usize)) -> Option<i64> {
        self.seen.get(parameter)?.sizes().get(dimension).copied()
    }
}

/// Whether neither array begins inside the other. For empty arrays the result may be `false`.
#[inline(always)]
fn apart(a: &Seen<'_>, b: &Seen<'_>) -> bool {
    let distance = a.data.addr().wrapping_sub(b.data.addr());
    distance >= b.bytes && distance.wrapping_neg() >= a.bytes
}

/// Returns an array if it is as declared. None has leading dimensions here, so none repeats.
#[inline(always)]
fn array<'call>(
    operands: &Operands<'call>,
    number: usize,
    spec: &'static BufferSpec,
) -> Option<Seen<'call>> {
    full_check::array::<true>(operands.buffer(number).ok()?, spec, &Batch::NONE, false).ok()
}

#[cfg(test)]
mod tests {
    #![allow(unsafe_code)]

    use core::ffi::{c_int, c_void};
    use core::ptr::{null, null_mut};

    use xlayout_core::types::{MinorToMajor, MixedLayout, Nat, RunTime};

    use super::{Declares, FastCheck};
    use crate::abi::{self, ByteSpan, CallFrame, Handler, Operands};
    use crate::frame::{Asked, Frame};
    use crate::isa::Handlers;
    use crate::kernel::{Declared, Kernel, Source};
    use crate::parameter::Parameter;
    use crate::{In, Out, Scalar};

    type Rows = MixedLayout<f32, (RunTime, Nat<2>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;

    enum OneKernel {}
    impl Declares for OneKernel {
        const KERNEL: Kernel = Kernel::new(Source {
            name: "k",
            doc: "",
            module: "",
            file: "",
            line: 1,
            batch: false,
            parameters: &[
                Declared::new("a", <Scalar<f32> as Parameter<'_>>::KIND),
                Declared::new("x", <In<'_, Rows> as Parameter<'_>>::KIND),
                Declared::new("y", <Out<'_, Rows> as Parameter<'_>>::KIND),
            ],
            independent: &[],
            vjp: "",
            handlers: Handlers::baseline(HANDLER),
        });
        fn passes(fast_check: &FastCheck<'_, Self>) -> bool {
            <Scalar<f32> as Parameter<'_>>::passes::<Self, 0>(fast_check)
                && <In<'_, Rows> as Parameter<'_>>::passes::<Self, 1>(fast_check)
                && <Out<'_, Rows> as Parameter<'_>>::passes::<Self, 2>(fast_check)
        }
    }
    const HANDLER: Handler = {
        extern "C" fn handler(_: *mut CallFrame) -> *mut abi::XlaError {
            null_mut()
        }
        handler
    };

    /// Whether the fast check accepts a call after `change` changed its sizes and counts.
    fn is_plain(change: impl FnOnce(&mut [i64; 2], &mut CallFrame)) -> bool {
        let mut data = [[0.0_f32; 6]; 2];
        let number = 1.0_f32;
        let mut dims = [3_i64, 2];
        let mut frame = CallFrame {
            struct_size: size_of::<CallFrame>(),
            extensions: null_mut(),
            api: null(),
            context: null_mut(),
            stage: abi::EXECUTE,
            args: operands(),
            rets: operands(),
            attrs: abi::Attributes {
                struct_size: size_of::<abi::Attributes>(),
                extensions: null_mut(),
                size: 1,
                types: const { &abi::SCALAR },
                names: null(),
                values: null(),
            },
        };
        change(&mut dims, &mut frame);
        let buffer = |data: &mut [f32; 6]| abi::Buffer {
            struct_size: size_of::<abi::Buffer>(),
            extensions: null_mut(),
            dtype: 11,
            data: data.as_mut_ptr().cast(),
            rank: 2,
            dims: dims.as_ptr(),
        };
        let [mut x, mut y] = data.each_mut().map(buffer);
        let (args, rets): ([*mut c_void; 1], [*mut c_void; 1]) =
            ([(&raw mut x).cast()], [(&raw mut y).cast()]);
        (frame.args.pointers, frame.rets.pointers) = (args.as_ptr(), rets.as_ptr());
        let name = ByteSpan {
            data: b"a".as_ptr(),
            len: 1,
        };
        let value = abi::ScalarValue {
            dtype: 11,
            value: (&raw const number).cast(),
        };
        let names = [&raw const name];
        let values = [(&raw const value).cast::<c_void>()];
        (frame.attrs.names, frame.attrs.values) = (names.as_ptr(), values.as_ptr());
        // SAFETY: a frame as XLA makes them, whose parts live until here.
        let Ok(Asked::Execute(frame)) = (unsafe { Frame::read(&raw const frame) }) else {
            panic!("it is a frame");
        };
        FastCheck::<OneKernel>::new(frame)
            .is_some_and(|fast_check| OneKernel::passes(&fast_check) && fast_check.agree())
    }

    fn operands() -> Operands {
        static TYPES: [c_int; 1] = [abi::BUFFER];
        Operands {
            struct_size: size_of::<Operands>(),
            extensions: null_mut(),
            size: 1,
            types: TYPES.as_ptr(),
            pointers: null(),
        }
    }

    /// The full check accepts it, too, but is slower.
    #[test]
    fn a_plain_call_needs_no_full_check() {
        assert!(is_plain(|_, _| ()));
    }

    #[test]
    fn what_is_not_plain_goes_to_the_full_check() {
        assert!(!is_plain(|dims, _| dims[1] = 3));
        assert!(!is_plain(|dims, _| dims[0] = -1));
        assert!(!is_plain(|dims, _| dims[0] = i64::MAX));
        assert!(!is_plain(|_, frame| frame.args.size = 0));
        assert!(!is_plain(|_, frame| frame.rets.size = 2));
        assert!(!is_plain(|_, frame| frame.attrs.size = 0));
    }
}
