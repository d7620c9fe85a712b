# Fractals and a Fourier filter, as text.
import numpy as np

y, x = np.mgrid[-1.2:1.2:13j, -2:0.6:40j]
c = x + 1j * y
z = np.zeros_like(c)
count = np.zeros(c.shape, int)
for _ in range(30):
    inside = np.abs(z) <= 2
    z[inside] = z[inside] ** 2 + c[inside]
    count += inside
print("\n".join("".join(" .:-=+*#%@"[min(value // 3, 9)] for value in row) for row in count))
t = np.arange(256) / 256
signal = np.sin(2 * np.pi * 5 * t) + 0.5 * np.sin(2 * np.pi * 60 * t)
spectrum = np.fft.rfft(signal)
spectrum[20:] = 0
smooth = np.fft.irfft(spectrum)
print(np.abs(smooth - np.sin(2 * np.pi * 5 * t)).max() < 1e-12, np.argsort(np.abs(np.fft.rfft(signal)))[-2:].tolist())
print(np.abs(np.fft.fft2(np.eye(4))).round(6).tolist()[0], np.fft.fftfreq(4, 0.5), np.hanning(5).round(6), np.sinc([0, 0.5]).round(6))
print((1j**np.arange(4)).round(6), np.angle(1 + 1j, deg=True), np.abs(3 + 4j), np.conj([1 + 2j]), np.sqrt(np.complex128(-1)))
