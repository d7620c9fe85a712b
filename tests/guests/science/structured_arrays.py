# Arrays of records, views of bytes, bits and masks.
import io

import numpy as np
import numpy.lib.recfunctions as recfunctions

kind = np.dtype([("name", "U8"), ("age", "u1"), ("pos", [("x", "f4"), ("y", "f4")]), ("tags", "i2", (2,))])
records = np.array([("ann", 30, (1.5, 2), (1, 2)), ("bob", 25, (0.5, -1), (3, 4))], dtype=kind)
print(records["name"], records["pos"]["x"].mean(), records["tags"].sum(axis=0), kind.itemsize, kind.names, kind.fields["age"][1])
print(np.sort(records, order="age")["name"], records[records["age"] > 26], recfunctions.structured_to_unstructured(records[["age"]]).ravel())
print(np.dtype([("a", "i1"), ("b", "f8")], align=True).itemsize, np.dtype({"names": ["a"], "formats": ["<i4"], "offsets": [8], "itemsize": 16}))
raw = np.array([1.0, -2.0], dtype="<f4")
print(raw.view("u4").tolist(), raw.tobytes().hex(), np.frombuffer(b"\x01\x00\x02\x00", "<i2"), np.array([1], ">i4").byteswap().view("<i4"))
print(np.packbits([1, 0, 1, 1]), np.unpackbits(np.array([5], np.uint8)), np.bitwise_and([12, 10], 6), np.left_shift(1, [3, 62]), ~np.uint8(1))
masked = np.ma.masked_invalid([1.0, np.nan, 3.0])
print(masked, masked.mean(), masked.filled(-1), masked.mask.tolist(), np.ma.masked_where(np.arange(4) % 2 == 0, np.arange(4)).sum())
file = io.BytesIO()
np.savez_compressed(file, a=np.arange(3), r=records)
file.seek(0)
with np.load(file) as archive:
    print(sorted(archive.files), archive["r"]["name"].tolist())
for shape in ((2, -1), (-1, -1), (7,)):
    try:
        print(np.arange(6).reshape(shape).shape)
    except ValueError as error:
        print(error)
