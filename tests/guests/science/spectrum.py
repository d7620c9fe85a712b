# The frequencies in a signal, and lengths with large prime factors.
import numpy as np

rate = 500
time = np.arange(rate) / rate
signal = 3 * np.sin(2 * np.pi * 50 * time) + np.sin(2 * np.pi * 120 * time)
spectrum = np.abs(np.fft.rfft(signal)) / rate * 2
frequencies = np.fft.rfftfreq(rate, 1 / rate)
for peak in np.argsort(spectrum)[::-1][:2]:
    print(frequencies[peak], round(float(spectrum[peak]), 6))
for length in (1, 7, 64, 97, 1009, 4099):
    data = np.cos(np.arange(length) * 0.3)
    back = np.fft.ifft(np.fft.fft(data))
    print(length, np.allclose(back, data), np.allclose(np.fft.irfft(np.fft.rfft(data), length), data))
image = np.add.outer(np.arange(4), np.arange(6)).astype(float)
print(np.round(np.fft.fft2(image)[:2, :2], 6))
print(np.fft.fftshift(np.fft.fftfreq(8)))
print(np.round(np.convolve([1, 2, 3], [0, 1, 0.5]), 6))
