// Calls both handlers with the call frame that XLA would make, and nothing around them.
//
//   frame <library> <rust|cpp> <calls>            calls one handler so many times (to count its instructions)
//   frame <rust library> <cpp library> time       ns of a call, by turns, the median of many rounds
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "xla/ffi/api/c_api.h"

static void* Symbol(const char* path, const char* name) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void* symbol = library ? dlsym(library, name) : nullptr;
  if (!symbol) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(2);
  }
  return symbol;
}

// The library describes its kernels in JSON; this one has a single kernel.
static XLA_FFI_Handler* Rust(const char* path) {
  auto describe = reinterpret_cast<const char* (*)()>(Symbol(path, "xlayout_kernels"));
  const std::string text = describe();
  const std::string key = "\"handler\":";
  size_t at = text.find(key);
  if (at == std::string::npos) {
    std::fprintf(stderr, "no kernel in %s\n", text.c_str());
    std::exit(2);
  }
  return reinterpret_cast<XLA_FFI_Handler*>(std::strtoull(text.c_str() + at + key.size(), nullptr, 10));
}

static XLA_FFI_Handler* Cpp(const char* path) {
  return reinterpret_cast<XLA_FFI_Handler*>(Symbol(path, "scaled_sum_cpp"));
}

static XLA_FFI_Error* CreateError(XLA_FFI_Error_Create_Args* args) {
  std::fprintf(stderr, "the handler says: %s\n", args->message);
  std::exit(2);
}

struct Frame {
  static constexpr int64_t kSize = 8;
  alignas(64) float x[kSize], y[kSize], z[kSize];
  float a = 2.0f;
  int64_t dims[1] = {kSize};
  XLA_FFI_Buffer buffers[3];
  XLA_FFI_ArgType arg_types[2] = {XLA_FFI_ArgType_BUFFER, XLA_FFI_ArgType_BUFFER};
  XLA_FFI_RetType ret_types[1] = {XLA_FFI_RetType_BUFFER};
  void* args[2];
  void* rets[1];
  XLA_FFI_Scalar scalar;
  XLA_FFI_ByteSpan name = {"a", 1};
  XLA_FFI_AttrType attr_types[1] = {XLA_FFI_AttrType_SCALAR};
  XLA_FFI_ByteSpan* names[1];
  void* attrs[1];
  XLA_FFI_Api api = {};
  XLA_FFI_CallFrame frame = {};

  Frame() {
    float* data[3] = {x, y, z};
    for (int k = 0; k < 3; ++k) {
      buffers[k] = {XLA_FFI_Buffer_STRUCT_SIZE, nullptr, XLA_FFI_DataType_F32, data[k], 1, dims};
    }
    for (int i = 0; i < kSize; ++i) x[i] = i, y[i] = 10 * i, z[i] = -1;
    args[0] = &buffers[0], args[1] = &buffers[1], rets[0] = &buffers[2];
    scalar = {XLA_FFI_DataType_F32, &a};
    names[0] = &name, attrs[0] = &scalar;
    api.struct_size = XLA_FFI_Api_STRUCT_SIZE;
    api.api_version = {XLA_FFI_Api_Version_STRUCT_SIZE, nullptr, XLA_FFI_API_MAJOR, XLA_FFI_API_MINOR};
    api.XLA_FFI_Error_Create = CreateError;
    frame.struct_size = XLA_FFI_CallFrame_STRUCT_SIZE;
    frame.api = &api;
    frame.stage = XLA_FFI_ExecutionStage_EXECUTE;
    frame.args = {XLA_FFI_Args_STRUCT_SIZE, nullptr, 2, arg_types, args};
    frame.rets = {XLA_FFI_Rets_STRUCT_SIZE, nullptr, 1, ret_types, rets};
    frame.attrs = {XLA_FFI_Attrs_STRUCT_SIZE, nullptr, 1, attr_types, names, attrs};
  }

  void Check() {
    for (int i = 0; i < kSize; ++i) {
      if (z[i] != a * x[i] + y[i]) {
        std::fprintf(stderr, "a wrong result: z[%d] is %f\n", i, z[i]);
        std::exit(2);
      }
    }
  }
};

static void Call(XLA_FFI_Handler* handler, Frame& frame, long calls) {
  for (long k = 0; k < calls; ++k) {
    if (handler(&frame.frame) != nullptr) std::exit(2);
  }
}

static double Nanoseconds(XLA_FFI_Handler* handler, Frame& frame) {
  constexpr long kCalls = 20000;
  auto start = std::chrono::steady_clock::now();
  Call(handler, frame, kCalls);
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / kCalls;
}

static double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  Frame frame;
  if (std::strcmp(argv[3], "time") != 0) {
    XLA_FFI_Handler* handler = std::strcmp(argv[2], "rust") == 0 ? Rust(argv[1]) : Cpp(argv[1]);
    Call(handler, frame, std::atol(argv[3]));
    frame.Check();
    return 0;
  }
  XLA_FFI_Handler* handlers[2] = {Rust(argv[1]), Cpp(argv[2])};
  std::vector<double> times[2];
  for (int round = 0; round < 400; ++round) {
    for (int k = 0; k < 2; ++k) times[k].push_back(Nanoseconds(handlers[k], frame));
  }
  frame.Check();
  std::printf("%.2f %.2f\n", Median(times[0]), Median(times[1]));
  return 0;
}
