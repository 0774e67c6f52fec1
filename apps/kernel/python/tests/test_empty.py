"""Reductions over dimensions of size 0: every element of a result is written.

The kernels are a debug build, which fills results with NaN before the call.
"""

import jax
import numpy as np
import pytest


@pytest.mark.parametrize("call", [lambda f: f, jax.jit], ids=["eager", "jit"])
@pytest.mark.parametrize("m", [0, 1, 3])
def test_sums_of_nothing_are_zero(k, call, m):
    rows, nothing = np.ones((m, 0), "f4"), np.ones(0, "f4")
    expected = np.zeros(m, "f4")
    np.testing.assert_array_equal(call(k.row_sums)(rows), expected)
    np.testing.assert_array_equal(call(k.row_sums_or_panic)(rows), expected)
    np.testing.assert_array_equal(call(k.sums_of_columns)(rows.T), expected)
    np.testing.assert_array_equal(call(k.batch_product)(rows, nothing), expected)
    product, columns = call(k.rows_product)(rows, nothing)
    np.testing.assert_array_equal(product, expected)
    np.testing.assert_array_equal(columns, np.zeros(m, "i4"))
