"""Compiles a function of a Python file, or an exported program, with layouts that `xlayout advise` asks for.

Arguments: FILE FUNCTION ARGUMENTS PLATFORM CHIP. Each line of the input is a request as JSON, and gets a line as an answer:
    {"to": PATH, "in": {"0": [1, 0]}, "out": {}}    the layout of parameter 0, as major_to_minor
    {"to": PATH, "in": {}, "out": {}, "auto": true} layouts that the compiler chooses, for all that are not named
    {} or {"error": TEXT}                           the text of the compiled module is in PATH, or is not
"""

import json
import math
import os
import sys

answers = os.fdopen(os.dup(1), "w")
# What the program prints goes to the errors.
os.dup2(2, 1)


def answer(**words):
    print(json.dumps(words), file=answers, flush=True)


def described(error):
    return f"{type(error).__name__}: {error}"[:600]


def device(platform, chip):
    import jax

    if platform == "cpu":
        return jax.devices("cpu")[0]
    from jax.experimental import topologies

    return topologies.get_topology_desc(platform="tpu", topology_name=chip).devices[0]


def program(file, function, arguments):
    """The function, and the shapes of its arguments."""
    import jax
    import jax.numpy as jnp

    if not file.endswith(".py"):
        from jax import export

        with open(file, "rb") as exported:
            exported = export.deserialize(bytearray(exported.read()))
        shapes = [jax.ShapeDtypeStruct(one.shape, one.dtype) for one in exported.in_avals]
        arguments, named = jax.tree.unflatten(exported.in_tree, shapes)
        if named:
            raise ValueError("the exported program has arguments by name: export it with arguments by place")
        return exported.call, arguments
    import runpy

    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    names = runpy.run_path(file)
    for name in (function, arguments):
        if name not in names:
            raise NameError(f"the file does not define `{name}`")
    given = names[arguments]
    given = given() if callable(given) else given
    return names[function], jax.tree.map(lambda one: jax.ShapeDtypeStruct(jnp.shape(one), jnp.result_type(one)), tuple(given))


def main():
    file, function, arguments, platform, chip = sys.argv[1:]
    if platform == "tpu":
        name, _, sizes = chip.partition(":")
        count = math.prod(int(size) for size in sizes.split("x")) if sizes.replace("x", "").isdigit() else 4
        kind = {"v5e": "v5litepod-"}.get(name, name + "-")
        os.environ.setdefault("TPU_ACCELERATOR_TYPE", f"{kind}{count if name in ('v5e', 'v6e') else 2 * count}")
        os.environ.setdefault("TPU_SKIP_MDS_QUERY", "1")
        os.environ.setdefault("TPU_WORKER_HOSTNAMES", "localhost")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax
    from jax.experimental.layout import Format, Layout
    from jax.sharding import SingleDeviceSharding

    call, shapes = program(file, function, arguments)
    sharding = SingleDeviceSharding(device(platform, chip))

    def formats(tree, wanted, other):
        leaves, structure = jax.tree.flatten(tree)
        given = [Format(Layout(tuple(wanted[str(k)])), sharding) if str(k) in wanted else other for k in range(len(leaves))]
        return jax.tree.unflatten(structure, given)

    results = jax.eval_shape(call, *shapes)
    answer()
    for line in sys.stdin:
        request = json.loads(line)
        other = Format(Layout.AUTO, sharding) if request.get("auto") else sharding
        try:
            jitted = jax.jit(
                call,
                in_shardings=formats(shapes, request["in"], other),
                out_shardings=formats(results, request["out"], other),
                keep_unused=True,
            )
            text = jitted.lower(*shapes).compile().as_text()
            with open(request["to"], "w") as module:
                module.write(text)
            answer()
        except Exception as error:
            answer(error=described(error))


try:
    main()
except (Exception, SystemExit) as error:
    answer(error=described(error))
    sys.exit(1)
