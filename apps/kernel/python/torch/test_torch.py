"""Kernels called with tensors of PyTorch, without JAX. It needs torch and numpy, and no pytest: `numpy.sh` calls it."""

import importlib.util
import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "python"))

import numpy as np
import torch

import xlayout.kernels

k = xlayout.kernels.load(os.environ["XLAYOUT_TEST_KERNELS"])
TYPES = {
    "pred": "bool",
    **{f"s{n}": f"int{n}" for n in (8, 16, 32, 64)},
    **{f"u{n}": f"uint{n}" for n in (8, 16, 32, 64)},
    **{f"f{n}": f"float{n}" for n in (16, 32, 64)},
    **{f"c{n}": f"complex{n}" for n in (64, 128)},
}
# Those that NumPy does not have itself.
MORE = {"bf16": "bfloat16", "f8e5m2": "float8_e5m2", "f8e4m3fn": "float8_e4m3fn"}


class Calls(unittest.TestCase):
    def equal(self, found, expected):
        self.assertIs(type(found), np.ndarray)
        np.testing.assert_array_equal(found, expected.numpy(), strict=True)

    def test_every_arrangement(self):
        x = torch.arange(6 * 256, dtype=torch.float32).reshape(6, 256)
        apart = x[:, :128].t().contiguous().t()
        for of in (x[:, :128], x[:, :128].contiguous(), x[:, ::2], apart, x[:1, :128].expand(4, 128), x[:0, :128]):
            for _ in range(2):
                self.equal(k.scale(of, a=2.0), 2 * of)
        self.equal(k.double(torch.tensor(2.5)), torch.tensor(5.0))
        y = k.scale(x[:, :128], a=2.0)
        self.assertTrue(torch.equal(torch.from_numpy(y), 2 * x[:, :128]))

    def test_every_type(self):
        has_more = importlib.util.find_spec("ml_dtypes") is not None
        for name, dtype in {**TYPES, **(MORE if has_more else {})}.items():
            x = (torch.arange(12).reshape(3, 4) % 7).to(getattr(torch, dtype))
            for of in (x, x.t()):
                with self.subTest(dtype):
                    found = k[f"turn_{name}"](of)
                    self.assertEqual(found.dtype.name, dtype)
                    wide = "float32" if name in MORE else found.dtype
                    np.testing.assert_array_equal(found.astype(wide), (of.float() if name in MORE else of).numpy())
        if not has_more:
            with self.assertRaisesRegex(TypeError, "ml_dtypes"):
                k.turn_bf16(torch.zeros(2, 3, dtype=torch.bfloat16))

    def test_in_place(self):
        x, y = torch.ones(3), torch.arange(3.0)
        self.equal(k.add(x, y), x + y)
        self.equal(x.numpy(), torch.ones(3))

    def test_attributes_and_shapes(self):
        x = torch.ones(3, 128)
        self.equal(k.scale(x, a=torch.tensor(2.0)), 2 * x)
        self.equal(k.array_s64(a=torch.arange(3), out_shapes=(3,)), torch.arange(3))
        self.equal(k.fill(a=1.0, out_shapes=x.shape), x)
        self.equal(k.axpy(x, x.numpy(), a=2), 3 * x)

    def test_refused(self):
        x = torch.ones(3, 128)
        text = "kernel `scale`: argument `x` is declared as f32[?,128]{1,0}, and the call has "
        imaginary = (1j * torch.ones(3, 128)).conj().imag
        for wrong, what in [
            (x.clone().requires_grad_(), "take `x.detach()`"),
            (torch.nn.Parameter(x), "take `x.detach()`"),
            (x.to(torch.complex64).conj(), "take `x.resolve_conj()`"),
            # -1, which is 1 in memory.
            (imaginary, "take `x.resolve_neg()`"),
            (x.to_sparse(), "take `x.to_dense()`"),
            (torch.nested.nested_tensor([x, x]), "take `x.to_padded_tensor(0)`"),
            (torch.empty(3, 128, device="meta"), "in PyTorch with `x.cpu()`"),
            (x.double(), "f64[3,128]; pass f32, as with `.astype('float32')`"),
        ]:
            with self.assertRaises(TypeError) as caught:
                k.scale(wrong, a=1.0)
            self.assertTrue(str(caught.exception).startswith(text), str(caught.exception))
            self.assertTrue(str(caught.exception).endswith(what), str(caught.exception))
        self.equal(k.scale(imaginary.resolve_neg(), a=2.0), -2 * x)

    @unittest.skipUnless(torch.cuda.is_available(), "no GPU")
    def test_a_tensor_on_a_gpu(self):
        with self.assertRaisesRegex(TypeError, "device type 2 of DLPack.*`x.cpu\\(\\)`"):
            k.scale(torch.ones(3, 128, device="cuda"), a=1.0)


if __name__ == "__main__":
    unittest.main()
