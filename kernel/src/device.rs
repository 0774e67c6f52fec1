//! Arrays in the memory of a device, and the stream of a call.
#![allow(unsafe_code)]

use core::ffi::c_void;
use core::fmt;
use core::marker::PhantomData;

use xlayout_core::ArrayLayout;

use crate::abi::{Api, ExecutionContext};
use crate::arrays::wrong;
use crate::context::lacks;
use crate::error::Error;
use crate::fault::Wrong;
use crate::handler::Call;
use crate::kernel::{BufferSpec, Direction, Kernel, Kind};
use crate::memory::NotView;
use crate::operand::Operand;
use crate::parameter::{Parameter, sealed::Sealed};
use crate::xla;

const fn on_device(mut spec: BufferSpec) -> BufferSpec {
    spec.on_device = true;
    spec.by_items = false;
    if spec.converted.is_some() {
        spec.refused = Some(
            "an array of a device is not converted: host code cannot copy it; write `DeviceIn<layout!(…)>`",
        );
    }
    spec
}

macro_rules! arrays {
    ($($(#[$doc:meta])* $name:ident $direction:ident;)*) => {$(
        $(#[$doc])*
        pub struct $name<'call, L: Operand> {
            address: u64,
            layout: L::Layout,
            call: PhantomData<&'call ()>,
        }

        impl<L: Operand> $name<'_, L> {
            /// The array at an address of device memory. For tests of kernels.
            ///
            /// It is safe: host code cannot read or write at the address.
            #[must_use]
            pub const fn new(address: u64, layout: L::Layout) -> Self {
                Self { address, layout, call: PhantomData }
            }

            /// The address of the first byte in device memory: a `CUdeviceptr`. It is 0 or anything where
            /// the array has no elements. The array is there until the work of the call's stream is done.
            #[must_use]
            pub const fn address(&self) -> u64 {
                self.address
            }

            /// The layout, with the sizes of this call.
            #[must_use]
            pub const fn layout(&self) -> &L::Layout {
                &self.layout
            }

            /// The bytes of the array.
            #[must_use]
            pub fn bytes(&self) -> usize {
                // It was compared with the call, whose bytes fit into memory.
                (self.layout.buffer_len() * const { L::SPEC.bits }).div_ceil(8)
            }
        }

        impl<L: Operand> fmt::Debug for $name<'_, L> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (address, shape) = (self.address, self.layout.shape());
                f.write_fmt(format_args!("{}({shape} at {address:#x})", stringify!($name)))
            }
        }

        impl<L: Operand> Sealed for $name<'_, L> {}

        impl<'call, L: Operand> Parameter<'call> for $name<'call, L> {
            const KIND: Kind = Kind::Buffer(Direction::$direction, on_device(L::SPEC));

            unsafe fn take(call: &Call<'call>, kernel: &'static Kernel, parameter: usize) -> Result<Self, Error> {
                let spec = &const { on_device(L::SPEC) };
                let (data, dims) = call.address(kernel, parameter, Direction::$direction, spec)?;
                let address = data as u64;
                let beyond = data % spec.align;
                if beyond != 0 {
                    return Err(call.refuse(parameter, Wrong::Alignment { beyond }));
                }
                match L::layout(dims) {
                    Ok(layout) => Ok(Self::new(address, layout)),
                    Err(error) => Err(call.refuse(parameter, wrong(&NotView::LayoutError(error)))),
                }
            }
        }
    )*};
}
arrays! {
    /// An array in the memory of a device (a GPU), that the kernel reads: the next argument of the call.
    ///
    /// It has an address, which a kernel of the device takes, and a layout. Host code cannot read it.
    /// A kernel with such a parameter is one of the platform CUDA: all of its arrays are on the device,
    /// and it may take the [`Stream`]. The function runs on the host and puts work on the stream. It must
    /// not wait for the stream.
    ///
    /// ```
    /// use xlayout::{ArrayLayout, layout};
    /// use xlayout_kernel::{DeviceIn, DeviceOut, Result, Scalar, Stream};
    /// # /// What launches a kernel of the device: through cudarc, `cuLaunchKernel`.
    /// # fn launch(_: *mut core::ffi::c_void, _: u64, _: u64, _: f32, _: usize) -> Result<()> { Ok(()) }
    ///
    /// /// y = a * x on a GPU.
    /// #[xlayout::kernel(command_buffer)]
    /// fn scale(
    ///     stream: Stream,
    ///     a: Scalar<f32>,
    ///     x: DeviceIn<layout!(f32[?M, 128]{1,0})>,
    ///     y: DeviceOut<layout!(f32[?M, 128]{1,0})>,
    /// ) -> Result<()> {
    ///     launch(stream.as_ptr(), x.address(), y.address(), *a, x.layout().elements())
    /// }
    /// # fn main() {}
    /// ```
    ///
    /// XLA passes dense arrays on the GPU, too. Element types, ranks, sizes and addresses are checked as
    /// on the CPU. The bytes of a `pred` are not.
    ///
    /// **What was tried:** calls through a frame like XLA's, and JAX's lowering for CUDA. No GPU ran a call.
    DeviceIn In;
    /// An array in the memory of a device that the kernel writes: the next result of the call. See
    /// [`DeviceIn`].
    DeviceOut Out;
    /// An array in the memory of a device that the kernel reads and overwrites: the next argument and the
    /// next result, in the same memory. See [`DeviceIn`].
    DeviceInOut InOut;
}

/// The stream of the device on which XLA runs the call: a `CUstream`, which is also a `cudaStream_t`.
///
/// `cuStreamGetCtx` has the CUDA context of the stream.
#[doc(alias = "XLA_FFI_Stream_Get")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream<'call> {
    stream: *mut c_void,
    call: PhantomData<&'call ()>,
}

impl Stream<'_> {
    /// A stream by its pointer. For tests of kernels.
    #[must_use]
    pub const fn new(stream: *mut c_void) -> Self {
        Self {
            stream,
            call: PhantomData,
        }
    }

    /// The `CUstream`. Null is the default stream.
    #[must_use]
    pub const fn as_ptr(self) -> *mut c_void {
        self.stream
    }
}

impl Sealed for Stream<'_> {}

impl<'call> Parameter<'call> for Stream<'call> {
    const KIND: Kind = Kind::Context;

    unsafe fn take(
        call: &Call<'call>,
        _: &'static Kernel,
        parameter: usize,
    ) -> Result<Self, Error> {
        let (api, context) = call.xla();
        // SAFETY: table and context are those of the frame, which is XLA's (`handle`).
        match unsafe { xla::stream(api, context) } {
            Ok(stream) => Ok(Self::new(stream)),
            Err(why) => Err(lacks(
                call.kernel(),
                parameter,
                "the stream of a device",
                why,
            )),
        }
    }
}

/// XLA's context of the call, with its table of functions: for functions of [`abi`](crate::abi) that this
/// crate does not call, as `XLA_FFI_DeviceMemory_Allocate`.
#[doc(alias = "XLA_FFI_ExecutionContext")]
#[derive(Clone, Copy, Debug)]
pub struct Context<'call> {
    api: *const Api,
    context: *mut ExecutionContext,
    call: PhantomData<&'call ()>,
}

impl Context<'_> {
    /// XLA's table of functions; null where XLA passes none.
    #[must_use]
    pub const fn api(self) -> *const Api {
        self.api
    }

    /// What XLA's functions take as `ctx`.
    #[must_use]
    pub const fn as_ptr(self) -> *mut ExecutionContext {
        self.context
    }
}

impl Sealed for Context<'_> {}

impl<'call> Parameter<'call> for Context<'call> {
    const KIND: Kind = Kind::Context;

    unsafe fn take(call: &Call<'call>, _: &'static Kernel, _: usize) -> Result<Self, Error> {
        let (api, context) = call.xla();
        Ok(Self {
            api,
            context,
            call: PhantomData,
        })
    }
}
