//! What `#[xlayout_kernel::kernel]` writes, as a macro by example.

use std::cell::Cell;

std::thread_local! {
    /// Whether the full check also checks the calls of this thread that the fast check accepts.
    pub static FULL_CHECK_TOO: Cell<bool> = const { Cell::new(false) };
}

/// A kernel `$handler` for `$function`.
macro_rules! kernel {
    ($handler:ident = $function:ident $(batch = $batch:literal)? (
        $($name:ident: $type:ty),* $(,)?
    )) => {
        pub(crate) unsafe extern "C" fn $handler(
            frame: *mut ::xlayout_kernel::__private::CallFrame,
        ) -> *mut ::xlayout_kernel::__private::XlaError {
            use ::xlayout_kernel::__private as p;
            enum Table {}
            impl p::Declares for Table {
                const KERNEL: p::Kernel = p::Kernel::new(p::Source {
                    name: stringify!($handler),
                    doc: "",
                    module: module_path!(),
                    file: file!(),
                    line: 7,
                    batch: false $(| $batch)?,
                    parameters: &[$(
                        p::Declared::new(
                            stringify!($name),
                            <$type as p::Parameter<'_>>::KIND,
                        )
                    ),*],
                    independent: &[],
                    vjp: "",
                    handlers: ::xlayout_kernel::__private::Handlers::baseline($handler),
                });
                fn passes(_fast_check: &p::FastCheck<'_, Self>) -> bool {
                    !$crate::support::expand::FULL_CHECK_TOO.get()
                        && $crate::support::expand::all_pass!(_fast_check, 0_usize, $($type),*)
                }
            }
            static KERNEL: p::Kernel = <Table as p::Declares>::KERNEL;
            p::submit!(KERNEL);
            enum Run {}
            impl p::Runs for Run {
                fn run(call: &p::Call<'_>) -> p::Result<()> {
                    let mut _next = 0..;
                    // SAFETY: each parameter is taken once, as it is declared.
                    $(let $name = unsafe {
                        <$type as p::Parameter<'_>>::take(
                            call,
                            &KERNEL,
                            Iterator::next(&mut _next).unwrap(),
                        )?
                    };)*
                    call.caught(move || p::into_result($function($($name),*)))
                }
            }
            // SAFETY: a frame as XLA makes them; each parameter is taken once, as it is declared.
            unsafe { p::handle::<Table, Run>(frame, &KERNEL) }
        }
    };
}

/// Whether all parameters from a number on are as declared.
macro_rules! all_pass {
    ($fast_check:ident, $number:expr, $type:ty $(, $rest:ty)*) => {
        <$type as ::xlayout_kernel::__private::Parameter<'_>>::passes::<Table, { $number }>($fast_check)
            && $crate::support::expand::all_pass!($fast_check, $number + 1, $($rest),*)
    };
    ($fast_check:ident, $number:expr, ) => {
        true
    };
}

pub(crate) use {all_pass, kernel};
