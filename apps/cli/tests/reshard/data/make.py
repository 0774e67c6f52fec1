"""Records arrays that zarr-python has written, and what it reads of them: `zarr.json`.

    pip install zarr==3.1.6
    python make.py

Each case has the files of a group in hexadecimal digits, and of each array the type, the sizes and the elements as
little-endian bytes, row-major. `written` has arrays as `xlayout reshard` is to write them, which is how zarr-python does.
"""
import json
import pathlib
import tempfile

import numcodecs
import numpy
import zarr
from zarr.codecs import BloscCodec, BytesCodec, Crc32cCodec, GzipCodec, ShardingCodec, TransposeCodec, ZstdCodec


def numbers(sizes, dtype):
    """Numbers that repeat: what is compressed becomes shorter."""
    count = int(numpy.prod(sizes))
    all_numbers = (numpy.arange(count) * 7 % 23).astype(dtype)
    return all_numbers.reshape(sizes)


def files(folder):
    found = sorted(path for path in pathlib.Path(folder).rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes().hex() for path in found}


def case(name, version, arrays):
    """`arrays` has for each name what `create_array` gets, and which rows are written."""
    with tempfile.TemporaryDirectory() as folder:
        group = zarr.create_group(folder, zarr_format=version)
        known = {}
        for array_name, (sizes, dtype, rows, options) in arrays.items():
            array = group.create_array(array_name, shape=sizes, dtype=dtype, **options)
            # Noise, and the same again behind more than 8,191 bytes.
            if rows == "far":
                noise = numpy.random.default_rng(1).integers(0, 256, 400)
                array[...] = numpy.concatenate([noise, numpy.zeros(8000), noise]).astype(dtype)
            else:
                array[rows] = numbers(sizes, dtype)[rows]
            read = numpy.array(array[...], order="C")
            known[array_name] = {
                "type": read.dtype.name,
                "sizes": read.shape,
                "bytes": read.astype(read.dtype.newbyteorder("<")).tobytes().hex(),
            }
        return {"name": name, "files": files(folder), "arrays": known}


ALL = ...
BLOSC = [(inner, "shuffle") for inner in ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]]
BLOSC += [("blosclz", "noshuffle"), ("lz4", "noshuffle"), ("lz4", "bitshuffle"), ("zstd", "bitshuffle")]
NONE = {"compressors": None}
CASES = [
    case("version 3", 3, {
        "plain": ((5, 7), "uint32", ALL, {"chunks": (2, 3), **NONE}),
        "a/b/big": ((5, 7), ">i4", ALL, {"chunks": (2, 3), **NONE, "serializer": BytesCodec(endian="big")}),
        "points": ((4, 6), "float64", ALL, {
            "chunks": (4, 4), **NONE, "chunk_key_encoding": {"name": "default", "separator": "."}}),
        "old_names": ((4, 6), "uint8", ALL, {
            "chunks": (3, 4), **NONE, "chunk_key_encoding": {"name": "v2", "separator": "."}}),
        "scalar": ((), "float32", ALL, {}),
        "empty": ((0, 3), "float32", ALL, {"chunks": (1, 3)}),
        "bool": ((9,), "bool", ALL, {"chunks": (4,)}),
        "complex": ((3, 3), "complex64", ALL, {"chunks": (2, 2)}),
    }),
    case("compressed", 3, {
        "gzip": ((40, 30), "int16", ALL, {"chunks": (16, 16), "compressors": GzipCodec()}),
        "zstd": ((40, 30), "float32", ALL, {"chunks": (16, 16), "compressors": ZstdCodec(checksum=True)}),
        "both": ((20, 30), "float16", ALL, {"chunks": (20, 7), "compressors": [GzipCodec(), ZstdCodec(), Crc32cCodec()]}),
        "turned": ((4, 5, 6), "uint16", ALL, {
            "chunks": (3, 2, 4), "filters": [TransposeCodec(order=(2, 0, 1))], "compressors": ZstdCodec()}),
        "turned_plain": ((4, 5, 6), "uint16", ALL, {
            "chunks": (3, 2, 4), "filters": [TransposeCodec(order=(2, 0, 1))], **NONE}),
    }),
    case("not all stored", 3, {
        "nan": ((6, 5), "float32", slice(0, 2), {"chunks": (2, 5), "fill_value": float("nan")}),
        "negative": ((6, 5), "int64", slice(0, 2), {"chunks": (2, 3), "fill_value": -3, **NONE}),
        "none": ((6, 5), "float16", slice(0, 0), {"chunks": (2, 3), "fill_value": 1.5}),
        "complex": ((6,), "complex128", slice(0, 2), {"chunks": (2,), "fill_value": 1 - 2j}),
        "in_shards": ((9, 9), "uint32", slice(0, 3), {"chunks": (2, 2), "shards": (4, 4), "fill_value": 7}),
    }),
    case("shards", 3, {
        "plain": ((9, 10), "uint32", ALL, {"chunks": (2, 3), "shards": (4, 6), **NONE}),
        "gzip": ((9, 10), "int32", ALL, {"chunks": (2, 3), "shards": (4, 6), "compressors": GzipCodec()}),
        "start": ((9, 10), "int32", ALL, {
            "chunks": (4, 6), **NONE, "serializer": ShardingCodec(
                chunk_shape=(2, 3), codecs=[BytesCodec(), ZstdCodec()], index_location="start")}),
        "turned": ((4, 6, 5), "int32", ALL, {
            "chunks": (6, 6, 6), **NONE, "filters": [TransposeCodec(order=(1, 2, 0))], "serializer": ShardingCodec(
                chunk_shape=(3, 6, 2), codecs=[TransposeCodec(order=(2, 0, 1)), BytesCodec(), GzipCodec()])}),
        "nested": ((8, 8), "int32", ALL, {
            "chunks": (8, 8), **NONE, "serializer": ShardingCodec(
                chunk_shape=(4, 4), codecs=[ShardingCodec(chunk_shape=(2, 4), codecs=[BytesCodec()])])}),
    }),
    case("version 2", 2, {
        "gzip": ((5, 7), "<i2", ALL, {"chunks": (2, 3), "order": "F", "compressors": numcodecs.GZip()}),
        "zlib": ((5, 7), ">f4", ALL, {"chunks": (2, 3), "compressors": numcodecs.Zlib()}),
        "zstd": ((5, 7), "<f8", ALL, {"chunks": (5, 7), "compressors": numcodecs.Zstd()}),
        "folders": ((5, 7), "|u1", ALL, {
            "chunks": (2, 3), **NONE, "chunk_key_encoding": {"name": "v2", "separator": "/"}}),
        "scalar": ((), "<i4", ALL, NONE),
        "rows": ((6, 5), "<i4", slice(0, 2), {"chunks": (2, 5), "fill_value": None, **NONE}),
    }),
    case("blosc", 3, {
        **{f"{inner}_{shuffle}": ((20, 30), "int16", ALL, {
            "chunks": (16, 16), "compressors": BloscCodec(typesize=2, cname=inner, shuffle=shuffle)})
           for inner, shuffle in BLOSC},
        "wide": ((70,), "complex128", ALL, {"chunks": (33,), "compressors": BloscCodec(cname="lz4", shuffle="bitshuffle")}),
        # Several blocks, of which the last one is shorter, and matches that are far away.
        "blocks": ((1100,), "float32", ALL, {
            "chunks": (1100,), "compressors": BloscCodec(typesize=4, cname="zstd", shuffle="shuffle", blocksize=2048)}),
        "far": ((8800,), "uint8", "far", {
            "chunks": (8800,), "compressors": BloscCodec(
                typesize=1, cname="blosclz", shuffle="noshuffle", clevel=9, blocksize=65536)}),
        "in_shards": ((9, 10), "uint32", ALL, {
            "chunks": (2, 5), "shards": (4, 10), "compressors": [BloscCodec(cname="lz4"), Crc32cCodec()]}),
    }),
    case("version 2, blosc and lz4", 2, {
        "default": ((20, 30), "<f4", ALL, {"chunks": (16, 16), "compressors": numcodecs.Blosc()}),
        "bits": ((20, 30), ">i2", ALL, {"chunks": (16, 16), "compressors": numcodecs.Blosc(cname="zstd", shuffle=2)}),
        "lz4": ((20, 30), "<i4", ALL, {"chunks": (16, 16), "compressors": numcodecs.LZ4()}),
        "short": ((3,), "<i2", ALL, {"chunks": (3,), "compressors": numcodecs.Blosc(cname="blosclz", shuffle=1)}),
    }),
]
WRITTEN = case("written", 3, {
    "rows": ((7, 6), "float32", ALL, {"chunks": (2, 6), **NONE}),
    "model/columns": ((6, 7), "int16", ALL, {"chunks": (6, 3), **NONE}),
    "turned": ((5, 6, 7), "float32", ALL, {
        "chunks": (2, 3, 4), "filters": [TransposeCodec(order=(2, 1, 0))], **NONE}),
    "whole": ((5,), "bool", ALL, {"chunks": (5,), **NONE}),
    "scalar": ((), "float64", ALL, {"config": {"write_empty_chunks": True}, **NONE}),
    "empty": ((0, 3), "float32", ALL, {"chunks": (1, 3), **NONE}),
})
path = pathlib.Path(__file__).with_name("zarr.json")
path.write_text(json.dumps({"zarr": zarr.__version__, "read": CASES, "written": WRITTEN}, separators=(",", ":")) + "\n")
