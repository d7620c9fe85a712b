async () => {
  // Forecasts, with a default where there is no station.
  const cities = ["Cairo", "Atlantis", "Lima"];
  return Promise.all(
    cities.map(async (city) => {
      try {
        const { degrees } = await codemode.weather_forecast({ city });
        return { city, degrees };
      } catch {
        return { city, degrees: null };
      }
    }),
  );
};
