// A semaphore that lets two calls through.
class Semaphore {
  #waiting = [];
  constructor(free) {
    this.free = free;
  }
  async acquire() {
    if (this.free > 0) this.free--;
    else await new Promise((resolve) => this.#waiting.push(resolve));
  }
  release() {
    const next = this.#waiting.shift();
    if (next) next();
    else this.free++;
  }
}

const gate = new Semaphore(2);

async function forecast(city) {
  await gate.acquire();
  try {
    return await tools.weather.forecast({ city });
  } finally {
    gate.release();
  }
}

const forecasts = await Promise.all(["Oslo", "Lima", "Cairo", "Pune"].map(forecast));
result = Object.fromEntries(forecasts.map(({ city, degrees }) => [city, degrees]));
