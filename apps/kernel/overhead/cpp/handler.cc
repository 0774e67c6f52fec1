// The rival: the kernel of src/lib.rs as a handler of XLA's own C++ headers, with the same checks.
#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;

static ffi::Error ScaledSum(float a, ffi::BufferR1<ffi::F32> x, ffi::BufferR1<ffi::F32> y,
                            ffi::ResultBufferR1<ffi::F32> z) {
  const int64_t n = x.dimensions()[0];
  if (y.dimensions()[0] != n || z->dimensions()[0] != n) {
    return ffi::Error::InvalidArgument("x, y and z are of different sizes");
  }
  const float* xs = x.typed_data();
  const float* ys = y.typed_data();
  float* zs = z->typed_data();
  for (int64_t i = 0; i < n; ++i) zs[i] = a * xs[i] + ys[i];
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(scaled_sum_cpp, ScaledSum,
                              ffi::Ffi::Bind()
                                  .Attr<float>("a")
                                  .Arg<ffi::BufferR1<ffi::F32>>()
                                  .Arg<ffi::BufferR1<ffi::F32>>()
                                  .Ret<ffi::BufferR1<ffi::F32>>());
