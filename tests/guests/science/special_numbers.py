# Floats of all sizes, complex numbers, long doubles and how they are printed.
import numpy as np

for kind in (np.float16, np.float32, np.float64):
    information = np.finfo(kind)
    print(kind.__name__, information.max, information.eps, kind(1) / kind(3), np.nextafter(kind(1), kind(2)))
print(np.array([1e-10, 1, 1e10]), np.array([1.0, 2.5]), np.array([1 + 2j, -1j]), np.float32(0.1), np.float64(0.1))
print(np.sqrt(np.array([-1 + 0j])), np.abs(3 + 4j), np.angle(1j), np.exp(1j * np.pi).round(12), np.conj([1 + 1j]))
print(np.isclose(0.1 + 0.2, 0.3), np.float64("nan") == np.float64("nan"), np.signbit(-0.0), np.copysign(1, -0.0), np.rint([0.5, 1.5, 2.5]))
print(np.floor([-1.5, 1.5]), np.trunc([-1.5, 1.5]), np.modf([1.25, -1.25]), np.frexp([8.0, 10.0]), np.hypot(3, 4), np.deg2rad(180))
print(np.longdouble(2) ** 0.5 > 1.41421356, np.array([1], dtype=np.longdouble) + 1, np.float16(65504) + np.float16(1), np.float16(1e-7))
with np.printoptions(precision=3, suppress=True, linewidth=60, threshold=6):
    print(np.linspace(0, 1, 7), np.arange(100), np.array([[1e-9, 1234.56789]]))
print(repr(np.array([1.0, np.nan, np.inf])), repr(np.float64(3)), repr(np.int64(3)), repr(np.array(["a"])), repr(np.zeros((0, 3))))
print(np.array2string(np.eye(2), separator=", "), np.format_float_positional(1e-7), np.format_float_scientific(12345.678, precision=3))
