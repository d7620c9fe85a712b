// Date, in UTC.
const date = new Date(Date.UTC(2024, 1, 29, 13, 5, 9, 7));
console.log(date.toISOString(), date.getTime(), date.toJSON(), JSON.stringify({ date }), +date === date.valueOf());
console.log(
  date.getUTCFullYear(),
  date.getUTCMonth(),
  date.getUTCDate(),
  date.getUTCDay(),
  date.getUTCHours(),
  date.getUTCMinutes(),
  date.getUTCSeconds(),
  date.getUTCMilliseconds(),
);
console.log(
  date.toUTCString(),
  new Date(0).toUTCString(),
  new Date("2024-03-10").toISOString(),
  new Date("2024-03-10T10:00:00Z").toISOString(),
  new Date("2024-03-10T10:00:00+02:30").toISOString(),
  new Date("2024").toISOString(),
  new Date("2024-03").toISOString(),
  new Date("2024-03-10T10:00:00.123456Z").getUTCMilliseconds(),
);
date.setUTCMonth(0, 31);
console.log(date.toISOString());
date.setUTCMonth(1);
console.log(
  date.toISOString(),
  date.setUTCDate(0),
  date.setUTCHours(25, 61),
  date.setUTCFullYear(2023, 11, 32),
  date.toISOString(),
);
const later = new Date(date);
later.setUTCDate(later.getUTCDate() + 30);
console.log(
  (later - date) / 86400000,
  later > date,
  Math.max(later, date) === +later,
  new Date(8.64e15).toISOString(),
  String(new Date(8.64e15 + 1)),
);
console.log(
  new Date(NaN).getTime(),
  isNaN(new Date("nonsense")),
  new Date(undefined).getTime(),
  new Date(null).getTime(),
  new Date("1970-01-01T00:00:01Z") - 0,
  Date.UTC(99, 0),
  Date.parse("2000-01-01T00:00:00Z"),
);
try {
  new Date(NaN).toISOString();
} catch (error) {
  console.log(error.name);
}
console.log(
  typeof Date.now(),
  Math.abs(Date.now() - new Date()) < 1000,
  typeof Date(),
  Object.prototype.toString.call(date),
  new Date(2020, 5).constructor === Date,
);
const leap = (year) => new Date(Date.UTC(year, 2, 0)).getUTCDate() === 29;
console.log(
  [1900, 2000, 2023, 2024].map(leap),
  new Date(Date.UTC(-1, 0)).toISOString(),
  new Date(Date.UTC(10000, 0)).toISOString(),
);
console.log(date[Symbol.toPrimitive]("number") === +date, new Date(1e12), [new Date(0)], { at: new Date(86400000) });
const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const schedule = Array.from({ length: 5 }, (_, index) => new Date(Date.UTC(2024, 11, 29 + index)));
console.log(schedule.map((day) => `${days[day.getUTCDay()]} ${day.toISOString().slice(0, 10)}`));
const week = (day) => {
  const d = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()));
  d.setUTCDate(d.getUTCDate() + 4 - (d.getUTCDay() || 7));
  return Math.ceil(((d - Date.UTC(d.getUTCFullYear(), 0, 1)) / 86400000 + 1) / 7);
};
console.log(
  schedule.map(week),
  new Date("Thu, 01 Jan 1970 00:00:05 GMT").getTime(),
  new Date("Jan 5, 2021 10:20:30 UTC").toISOString(),
);
