async () => {
  // The error of one call is not handled: it is the error of the program, and the others end with it.
  const [order, stock] = await Promise.all([codemode.orders_get({ id: 77 }), codemode.weather_forecast({ city: "Vostok" })]);
  return { order, stock };
};
