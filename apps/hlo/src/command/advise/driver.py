"""Compiles the program of a Python file, or an exported program, with layouts that `xlayout advise` asks for.

Arguments: FILE FUNCTION ARGUMENTS PLATFORM DEVICE. DEVICE is empty if the user gave none. Each line of the input is a request as
JSON, and gets a line as an answer. The numbers are those of the parameters and results of the compiled module:
    {"to": PATH, "in": {"0": [1, 0]}, "out": {}}    the layout of parameter 0, as major_to_minor
    {"to": PATH, "in": {}, "out": {}, "auto": true} layouts that the compiler chooses, for all that are not named
    {} or {"error": TEXT}                           the text of the compiled module is in PATH, or is not
    {"paste": true, "in": {}, "out": {"0": [1, 0]}} asks for the lines that give these layouts to `jax.jit`
    {"paste": [LINE]}

The program without other layouts is that of the user: what `f.lower(*args, **kwargs).compile()` compiles. With layouts it is the
same trace (`jax.stages.Traced`), of which the layouts alone are replaced: what the `jit` and its arguments say of donation,
shardings, memory and options is in the trace, and stays there. The sharding that goes with a layout is the one which the user's
program was compiled with.
"""

import copy
import json
import math
import os
import re
import sys
import types

answers = os.fdopen(os.dup(1), "w")
# What the program prints goes to the errors.
os.dup2(2, 1)

DEFAULT_DEVICE = "v5e:2x2"
# A longer list of shardings is not written out.
MOST_SHARDINGS = 8


def answer(**words):
    print(json.dumps(words), file=answers, flush=True)


def described(error):
    return f"{type(error).__name__}: {error}"[:600]


class Target:
    """The devices that the command line asks for. Only what needs them makes the topology of a TPU."""

    def __init__(self, platform, name):
        self.platform = platform
        self.name = name
        self._devices = None

    @property
    def words(self):
        return "`--cpu`" if self.platform == "cpu" else f"`--device {self.name or DEFAULT_DEVICE}`"

    @property
    def devices(self):
        if self._devices is None:
            import jax
            from jax.experimental import topologies

            if self.platform == "cpu":
                self._devices = jax.devices("cpu")
            else:
                name = self.name or DEFAULT_DEVICE
                self._devices = topologies.get_topology_desc(platform="tpu", topology_name=name).devices
        return self._devices

    def check(self, found):
        """The program is for devices that the command line asks for: those of another kind are an error."""
        kind = found[0].device_kind
        count = f"{len(found)} device{'s' if len(found) > 1 else ''} of {kind}"
        if found[0].platform != self.platform:
            if self.platform == "cpu":
                help = "leave `--cpu` out"
            else:
                help = (
                    "make its mesh and shardings of `jax.experimental.topologies.get_topology_desc(platform='tpu', "
                    f"topology_name='{self.name or DEFAULT_DEVICE}').devices`, or compile with `--cpu`"
                )
            raise ValueError(f"the program names {count}, and {self.words} asks for {self.platform}: {help}")
        if self.name and kind != self.devices[0].device_kind:
            raise ValueError(
                f"the program names {count}, and {self.words} asks for {self.devices[0].device_kind}: leave `--device` out, or "
                "make the meshes of the program of such devices"
            )


def of_file(file, function, arguments):
    """The trace of the program of a Python file."""
    import runpy

    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    names = runpy.run_path(file)
    for name in (function, arguments):
        if name not in names:
            raise NameError(f"the file does not define `{name}`")
    given = names[arguments]
    given = tuple(given() if callable(given) else given)
    named = names.get("kwargs", {})
    if not isinstance(named, dict):
        raise TypeError(f"`kwargs` is a dict of arguments by name, and a {type(named).__name__} was found")
    return of_function(names[function], function, given, named)


def of_function(call, name, given, named):
    """The trace of a function, which `jax.jit` made or takes."""
    import jax

    jit = type(jax.jit(len))
    if isinstance(call, types.MethodType) and isinstance(call.__func__, jit):
        given = (call.__self__, *given)
        call = call.__func__
    if isinstance(call, jit):
        return call.trace(*given, **named)
    if hasattr(call, "lower"):
        raise TypeError(
            f"`{name}` is a {type(call).__module__}.{type(call).__qualname__}, whose settings cannot be read: give what `jax.jit` "
            "returns"
        )
    traced = jax.jit(call).trace(*given, **named)
    # A `jit` inside of another one loses these.
    for equation in traced.jaxpr.eqns:
        lost = [
            word
            for key, word in [("donated_invars", "donates arguments"), ("compiler_options_kvs", "has compiler options")]
            if any(equation.params.get(key, ()))
        ]
        if lost:
            raise TypeError(
                f"`{name}` calls a `jit` that {lost[0]}, and is none itself, so that this would be lost: give the `jit`, or make "
                f"`{name}` one with the same settings"
            )
    return traced


def of_export(file, target):
    """The trace of a call of an exported program, with the donation and the shardings that it was exported with."""
    import jax
    import numpy as np
    from jax import export
    from jax.sharding import Mesh, NamedSharding, PartitionSpec, SingleDeviceSharding

    with open(file, "rb") as exported:
        exported = export.deserialize(bytearray(exported.read()))
    count = exported.nr_devices
    if count > len(target.devices):
        raise ValueError(f"the exported program is for {count} devices, and {target.words} has {len(target.devices)}")
    if count == 1:
        shardings = [SingleDeviceSharding(target.devices[0])] * len(exported.in_avals)
    else:
        # The names of axes are in the file, if its JAX wrote them: then the mesh must have the same.
        named = next((one.mesh for one in exported._in_named_shardings if one is not None), None)
        if named is None:
            mesh = Mesh(np.array(target.devices[:count]), ("devices",))
        else:
            devices = np.array(target.devices[:count]).reshape(named.axis_sizes)
            mesh = Mesh(devices, named.axis_names, axis_types=named.axis_types)
        replicated = NamedSharding(mesh, PartitionSpec())
        shardings = [one or replicated for one in exported.in_shardings_jax(mesh)]
    # `call` says nothing of these, and the text of the entry function has them: `@main(%arg0: tensor<…> {…}, …) -> …`.
    head = re.search(r"func\.func public @main\((.*?)\) ->", exported.mlir_module(), re.DOTALL)
    _, *entries = re.split(r"%arg\d+: ", head[1])
    for lost in ("mhlo.layout_mode", "mhlo.memory_kind"):
        if any(lost in entry for entry in entries):
            raise ValueError(f"the exported program has arguments with `{lost}`, which a call of it loses: give the Python file")
    donated = {
        flat
        for flat, entry in zip(exported.module_kept_var_idx, entries, strict=True)
        if "tf.aliasing_output" in entry or "jax.buffer_donor" in entry
    }
    shapes = [
        jax.ShapeDtypeStruct(one.shape, one.dtype, sharding=sharding)
        for one, sharding in zip(exported.in_avals, shardings, strict=True)
    ]

    def call(*flat):
        given, named = jax.tree.unflatten(exported.in_tree, flat)
        return exported.call(*given, **named)

    call.__name__ = exported.fun_name
    return jax.jit(call, donate_argnums=tuple(sorted(donated))).trace(*shapes)


def names_devices(traced):
    """Whether the `jit`, its arguments or the settings of JAX say on which devices the program runs."""
    import jax
    from jax._src.sharding_impls import UnspecifiedValue

    settings = traced._params
    placed = [one for one in traced._meta_tys_flat if one.sharding is not None and one.committed]
    shardings = [*settings["in_shardings"], *settings["out_shardings"]]
    return (
        bool(placed)
        or any(not isinstance(one, UnspecifiedValue) for one in shardings)
        or not settings["ctx_mesh"].empty
        or jax.config.jax_default_device is not None
    )


def changed(traced, arguments, **settings):
    """The same trace with other arguments and settings."""
    other = copy.copy(traced)
    other._meta_tys_flat = arguments
    other._params = {**traced._params, **settings}
    other._lojax = None
    return other


def on(traced, device):
    """The same program on a device, if it names none."""
    from jax.sharding import SingleDeviceSharding

    sharding = SingleDeviceSharding(device)
    arguments = [one.replace(sharding=sharding, format=None, committed=True) for one in traced._meta_tys_flat]
    if arguments:
        return changed(traced, arguments)
    return changed(traced, arguments, out_shardings=(sharding,) * len(traced._params["out_shardings"]))


class Program:
    """A program, compiled as it is, and again with other layouts."""

    def __init__(self, traced, target):
        import jax

        if not hasattr(traced, "_meta_tys_flat"):
            raise RuntimeError(f"the settings of a `jit` cannot be read in JAX {jax.__version__}: use JAX 0.10")
        if traced.jaxpr.is_high:
            raise ValueError("the program has arguments or results of types that are no arrays for XLA, such as references")
        self.traced = traced
        self.lowered = None
        if not names_devices(traced) and jax.devices()[0].platform != target.platform:
            placed = on(traced, target.devices[0])
            try:
                self.lowered = placed.lower()
                self.traced = placed
            except ValueError as error:
                # The body of the program may name devices, as a constraint of a sharding does.
                if "incompatible devices" not in str(error):
                    raise
        if self.lowered is None:
            self.lowered = traced.lower()
        target.check(tuple(self.lowered._lowering._device_list))
        if self.lowered._lowering.compile_args["ordered_effects"]:
            raise ValueError(
                "the program has ordered effects, such as `jax.debug.print(…, ordered=True)`, and JAX does not tell the layouts of "
                "such a program: leave `ordered=True` out"
            )

    def compile(self):
        """The program as it is."""
        self._compiled = self.lowered.compile()
        return self._compiled

    def compile_with(self, parameters, results, auto):
        """The program with these layouts of parameters and results; with `auto` the compiler chooses the others."""
        kept = self._kept()
        ins = {kept[int(number)]: order for number, order in parameters.items()}
        outs = {int(number): order for number, order in results.items()}
        shardings = leaves(self._compiled.input_shardings)
        # The layouts of the examples are those that are replaced.
        first = len(self.traced._consts)
        arguments = list(self.traced._meta_tys_flat)
        for leaf, sharding in enumerate(shardings):
            if sharding is not None and (auto or leaf in ins):
                arguments[first + leaf] = arguments[first + leaf].replace(format=None, sharding=None)
        settings = {
            **self._settings("in", ins, shardings, auto, first),
            **self._settings("out", outs, leaves(self._compiled.output_shardings), auto, 0),
        }
        compiled = changed(self.traced, arguments, **settings).lower().compile()
        for orders, formats, what in [(ins, compiled.input_formats, "argument"), (outs, compiled.output_formats, "result")]:
            formats = leaves(formats)
            for leaf, order in orders.items():
                found = formats[leaf].layout.major_to_minor
                if tuple(found) != tuple(order):
                    raise ValueError(f"JAX gives {what} {leaf} the layout {found}, whatever is asked for")
        return compiled

    def _settings(self, side, orders, shardings, auto, first):
        """The layouts and shardings of the arguments, from `first` on, or results of the `jit`, with these layouts."""
        from jax.experimental.layout import Layout

        names = f"{side}_layouts", f"{side}_shardings"
        layouts, fixed = (list(self.traced._params[name]) for name in names)
        for leaf, sharding in enumerate(shardings):
            # An argument that the program does not use has none.
            if sharding is None or not (auto or orders):
                continue
            # As in the lines to paste, all have their sharding.
            fixed[first + leaf] = sharding
            if leaf in orders:
                layouts[first + leaf] = Layout(tuple(orders[leaf]))
            elif auto:
                layouts[first + leaf] = Layout.AUTO
        return dict(zip(names, (tuple(layouts), tuple(fixed)), strict=True))

    def _kept(self):
        """The number of the argument, counted in leaves, of each parameter of the module; negative ones are constants."""
        executable = self._compiled._executable
        constants = len(self._compiled._params.const_args)
        return [number - constants for number in sorted(executable._kept_var_idx)]

    def pasted(self, parameters, results):
        """The lines that give these layouts to `jax.jit`; `s` is the sharding that the program has already."""
        import jax

        kept = self._kept()
        ins = {kept[int(number)]: order for number, order in parameters.items()}
        outs = {int(number): order for number, order in results.items()}
        trees = self.traced.in_tree, self.traced.out_tree
        (given, named), out = (jax.tree.unflatten(tree, range(tree.num_leaves)) for tree in trees)
        if len(given) == 1 and isinstance(given[0], int):
            # One sharding is that of all arguments.
            (given,) = given
        # `jax.jit` takes no shardings for arguments by name.
        lines = [
            line("in_shardings", (given, named) if named else given, ins, by_path=bool(named)),
            line("out_shardings", out, outs),
        ]
        return [one for one in lines if one is not None]


def leaves(tree):
    """The leaves of a tree, of which some are `None`."""
    import jax

    return jax.tree.leaves(tree, is_leaf=lambda one: one is None)


def line(name, tree, orders, by_path=False):
    """`in_shardings=(Format(Layout(major_to_minor=(1, 0)), s), s)`, for a tree of numbers; `None` if no layout is wanted."""
    import jax

    if not orders:
        return None

    def text(tree):
        """The tree as Python writes it; `None` where it holds other things than tuples, lists and dicts."""
        if not any(leaf in orders for leaf in jax.tree.leaves(tree)):
            return "s"
        if isinstance(tree, int):
            return f"Format(Layout(major_to_minor={tuple(orders[tree])}), s)"
        if type(tree) not in (tuple, list, dict):
            return None
        inside = [text(each) for each in (tree.values() if type(tree) is dict else tree)]
        if None in inside:
            return None
        if type(tree) is dict:
            return "{" + ", ".join(f"{key!r}: {each}" for key, each in zip(tree, inside, strict=True)) + "}"
        if type(tree) is list:
            return f"[{', '.join(inside)}]"
        return f"({', '.join(inside)}{',' if len(inside) == 1 else ''})"

    whole = None if by_path else text(tree)
    if whole is not None and len(re.findall(r"\bs\b", whole)) <= MOST_SHARDINGS:
        return f"{name}={whole}"
    found = jax.tree_util.tree_leaves_with_path(tree)
    each = [f"{jax.tree_util.keystr(path)}: {text(leaf)}" for path, leaf in found if leaf in orders]
    return f"{name}: of {len(found)}, {', '.join(each)}"


def main():
    file, function, arguments, platform, *device = sys.argv[1:]
    name = device[0] if device else None
    if platform == "tpu":
        chip, _, sizes = (name or DEFAULT_DEVICE).partition(":")
        count = math.prod(int(size) for size in sizes.split("x")) if sizes.replace("x", "").isdigit() else 4
        kind = {"v5e": "v5litepod-"}.get(chip, chip + "-")
        os.environ.setdefault("TPU_ACCELERATOR_TYPE", f"{kind}{count if chip in ('v5e', 'v6e') else 2 * count}")
        os.environ.setdefault("TPU_SKIP_MDS_QUERY", "1")
        os.environ.setdefault("TPU_WORKER_HOSTNAMES", "localhost")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    target = Target(platform, name)
    traced = of_file(file, function, arguments) if file.endswith(".py") else of_export(file, target)
    program = Program(traced, target)
    answer()
    for request in map(json.loads, sys.stdin):
        wanted = request["in"], request["out"]
        try:
            if "paste" in request:
                answer(paste=program.pasted(*wanted))
                continue
            auto = request.get("auto", False)
            compiled = program.compile_with(*wanted, auto) if auto or any(wanted) else program.compile()
            with open(request["to"], "w") as module:
                module.write(compiled.as_text())
            answer()
        except Exception as error:
            answer(error=described(error))


try:
    main()
except (Exception, SystemExit) as error:
    answer(error=described(error))
    sys.exit(1)
