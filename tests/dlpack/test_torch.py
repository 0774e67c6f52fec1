"""Arrays of xlayout to and from PyTorch by DLPack. It needs torch and numpy, and no pytest: `run.sh` calls it."""

import gc
import resource
import unittest
import weakref

import dlpack_test as rust
import torch

TYPES = {
    "pred": torch.bool,
    "s8": torch.int8,
    "s32": torch.int32,
    "s64": torch.int64,
    "u8": torch.uint8,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "f8e4m3fn": torch.float8_e4m3fn,
    "f32": torch.float32,
    "f64": torch.float64,
    "c64": torch.complex64,
}


def equal(a, b):
    """Whether two tensors have one type, one shape and the same bits."""
    bits = lambda x: x.detach().contiguous().flatten().view(torch.uint8)
    return a.dtype == b.dtype and a.shape == b.shape and torch.equal(bits(a), bits(b))


def memory():
    """The most bytes that the process has had."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


class TorchTakes(unittest.TestCase):
    def test_every_type(self):
        for name, dtype in TYPES.items():
            for sizes in [(2, 3), (), (0, 3), (4, 0), (1, 1)]:
                with self.subTest(name=name, sizes=sizes):
                    x = torch.from_dlpack(rust.ones(f"{name}[{','.join(map(str, sizes))}]"))
                    self.assertTrue(equal(x, torch.ones(sizes, dtype=torch.float32).to(dtype)))

    def test_strides(self):
        x = torch.from_dlpack(rust.give("f32[2,3]{0,1}"))
        self.assertEqual((x.stride(), x.tolist()), ((1, 2), [[0, 1, 2], [10, 11, 12]]))
        self.assertEqual(torch.from_dlpack(rust.give("f32[2,1,3]{1,2,0}")).shape, (2, 1, 3))

    def test_one_memory(self):
        given = rust.give("f32[2,3]")
        a, b = torch.from_dlpack(given), torch.utils.dlpack.from_dlpack(given)
        a[1, 2] = 5
        self.assertEqual((b[1, 2].item(), a.data_ptr()), (5, b.data_ptr()))
        # A capsule, in both versions of the structure.
        for options in ({}, {"max_version": (1, 0)}):
            self.assertEqual(torch.from_dlpack(given.__dlpack__(**options))[1, 2], 5)
        # The memory lives as long as one tensor.
        del given, b
        gc.collect()
        self.assertEqual(a.tolist(), [[0, 1, 2], [10, 11, 5]])

    def test_what_torch_refuses(self):
        with self.assertRaises((BufferError, RuntimeError, ValueError)):
            torch.from_dlpack(rust.give_signed([2, 3], [-3, 1]))  # torch has no negative strides
        with self.assertRaisesRegex(BufferError, "not copied"):
            torch.from_dlpack(rust.give("f32[2]"), copy=True)

    def test_no_leak(self):
        def use():
            torch.from_dlpack(rust.give("f32[1000,1000]"))
            rust.give("f32[1000,1000]").__dlpack__(max_version=(1, 0))

        use()
        before = memory()
        for _ in range(15):  # 120 MB
            use()
        self.assertLess(memory() - before, 40e6)


class TorchGives(unittest.TestCase):
    def test_every_type(self):
        for name, dtype in TYPES.items():
            for sizes in [(5, 3), (), (0, 3), (4, 0), (2, 3, 4)]:
                with self.subTest(name=name, sizes=sizes):
                    x = torch.randint(0, 2, sizes).to(dtype)
                    self.assertTrue(equal(torch.from_dlpack(rust.copy_through_tiles(x)), x))

    def test_strides(self):
        x = torch.arange(24.0).reshape(4, 6)
        parts = [x.T, x[1::2, 1:4], x[:, 2], x.unfold(0, 2, 2), x.reshape(2, 2, 6).permute(2, 0, 1), x[3:, :1]]
        for part in parts:
            with self.subTest(strides=part.stride()):
                self.assertTrue(equal(torch.from_dlpack(rust.copy_through_tiles(part)), part))
        self.assertEqual(repr(rust.Held(x[1::2, 1:4])), "f32[2,3], strides Some([12, 1])")

    def test_in_place(self):
        x = torch.zeros(3, 4)
        rust.add_one(x[:, ::2])
        self.assertEqual(x.tolist(), [[1, 0, 1, 0]] * 3)

    def test_lifetime(self):
        x = torch.ones(100)
        held = rust.Held(x)
        x[0] = 3  # one memory
        tensor = weakref.ref(x)
        del x
        gc.collect()
        self.assertEqual(held.sum(), 102)
        # Nothing else holds the tensor.
        self.assertIsNotNone(tensor())
        held.release()
        gc.collect()
        self.assertIsNone(tensor())
        with self.assertRaisesRegex(ValueError, "the tensor was released"):
            held.sum()

    def test_no_leak(self):
        def use():
            x = torch.ones(1000, 1000)
            held = rust.Held(x)
            del x
            held.release()
            rust.Held(torch.ones(1000, 1000))

        use()
        before = memory()
        for _ in range(50):  # 400 MB
            use()
        self.assertLess(memory() - before, 100e6)

    def test_messages(self):
        x = torch.ones(2, 3)
        with self.assertRaisesRegex(BufferError, r"detach\(\)"):
            rust.copy_through_tiles(x.requires_grad_())
        self.assertTrue(equal(torch.from_dlpack(rust.copy_through_tiles(x.detach())), x))
        with self.assertRaisesRegex(ValueError, "meta"):
            rust.copy_through_tiles(torch.ones(2, device="meta"))
        with self.assertRaisesRegex(ValueError, "stride"):
            rust.copy_through_tiles(torch.ones(1, 3).expand(4, 3))
        with self.assertRaisesRegex(TypeError, "type f64.*type f32"):
            rust.take(torch.ones(2, dtype=torch.float64), "f32[2]")
        with self.assertRaisesRegex(BufferError, "strided"):
            rust.copy_through_tiles(torch.ones(2).to_sparse())

        class Gpu(torch.Tensor):
            def __dlpack_device__(self):
                return (2, 0)

        with self.assertRaisesRegex(BufferError, r"(?s)device 0 of type 2.*x\.cpu\(\)"):
            rust.copy_through_tiles(torch.ones(2).as_subclass(Gpu))


if __name__ == "__main__":
    print(f"torch {torch.__version__}", flush=True)
    unittest.main()
