//! What `#[xlayout::kernel]` writes, as a macro by example.

/// A kernel `$handler` for `$function`; `= [...]` is the list of names of sizes.
macro_rules! kernel {
    ($handler:ident = $function:ident $(batch = $batch:literal)? (
        $($name:ident: $type:ty $(= [$($size:literal),*])?),* $(,)?
    )) => {
        pub(crate) unsafe extern "C" fn $handler(
            frame: *mut ::xlayout_kernel::__private::CallFrame,
        ) -> *mut ::xlayout_kernel::__private::XlaError {
            use ::xlayout_kernel::__private as p;
            static KERNEL: p::Kernel = p::Kernel::new(p::Source {
                name: stringify!($handler),
                doc: "",
                module: module_path!(),
                file: file!(),
                line: 7,
                batch: false $(| $batch)?,
                parameters: &[$(p::Declared::of::<$type>(stringify!($name), &[$($($size),*)?])),*],
                handler: $handler,
            });
            p::submit!(KERNEL);
            // SAFETY: a frame as XLA makes them; each parameter is taken once, as it is declared.
            unsafe {
                p::handle(frame, &KERNEL, |_call| {
                    let mut _next = 0..;
                    p::into_result($function($(
                        _call.take::<$type>(Iterator::next(&mut _next).unwrap())?
                    ),*))
                })
            }
        }
    };
}
pub(crate) use kernel;
