"""Complex numbers and `cmath`."""

import cmath

z = 3 + 4j
print(z, abs(z), z.conjugate(), z.real, z.imag, z * (1 - 2j), z == complex(3, 4))
print(complex("1+2j"), -z, z**2, 1j * 1j)
r, phi = cmath.polar(1 + 1j)
print(f"{r:.6f} {phi:.6f}", cmath.sqrt(-4), f"{cmath.exp(1j * cmath.pi).real:.1f}")
