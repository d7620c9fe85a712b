// Calculating with dates, in UTC.
const day = 86400000;
const iso = (date) => date.toISOString().slice(0, 10);
const utc = (...parts) => new Date(Date.UTC(...parts));
const addDays = (date, days) => new Date(+date + days * day);
const addMonths = (date, months) => {
  const moved = new Date(date);
  const wanted = moved.getUTCDate();
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  moved.setUTCDate(Math.min(wanted, utc(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0).getUTCDate()));
  return moved;
};
console.log(
  iso(addDays(utc(2024, 1, 28), 2)),
  iso(addMonths(utc(2024, 0, 31), 1)),
  iso(addMonths(utc(2023, 11, 15), 3)),
  iso(addMonths(utc(2024, 2, 31), -1)),
);
const weekdays = (from, to) =>
  Array.from({ length: (to - from) / day + 1 }, (_, i) => addDays(from, i)).filter((date) => date.getUTCDay() % 6);
console.log(weekdays(utc(2024, 0, 1), utc(2024, 0, 31)).length, weekdays(utc(2024, 5, 1), utc(2024, 5, 9)).map(iso));
const age = (born, today) =>
  today.getUTCFullYear() -
  born.getUTCFullYear() -
  (today.getUTCMonth() < born.getUTCMonth() ||
    (today.getUTCMonth() === born.getUTCMonth() && today.getUTCDate() < born.getUTCDate()));
console.log(age(utc(1990, 5, 15), utc(2024, 5, 14)), age(utc(1990, 5, 15), utc(2024, 5, 15)));
const duration = (milliseconds) => {
  const units = [
    ["d", day],
    ["h", 3600000],
    ["m", 60000],
    ["s", 1000],
  ];
  return (
    units
      .map(([name, size]) => {
        const count = Math.floor(milliseconds / size);
        milliseconds %= size;
        return count && `${count}${name}`;
      })
      .filter(Boolean)
      .join(" ") || "0s"
  );
};
console.log(duration(93784000), duration(59000), duration(0), duration(day * 400));
const easter = (year) => {
  const a = year % 19,
    b = Math.floor(year / 100),
    c = year % 100,
    d = b >> 2,
    e = b % 4,
    g = Math.floor((8 * b + 13) / 25),
    h = (19 * a + b - d - g + 15) % 30,
    i = c >> 2,
    k = c % 4,
    l = (32 + 2 * e + 2 * i - h - k) % 7,
    m = Math.floor((a + 11 * h + 19 * l) / 433),
    n = h + l - 7 * m + 90,
    month = Math.floor(n / 25);
  return utc(year, month - 1, (n + 33 * month + 19) % 32);
};
console.log([2023, 2024, 2025].map(easter).map(iso));
const calendar = (year, month) => {
  const first = utc(year, month, 1).getUTCDay();
  const count = utc(year, month + 1, 0).getUTCDate();
  const cells = [
    ...Array((first + 6) % 7).fill("  "),
    ...Array.from({ length: count }, (_, i) => String(i + 1).padStart(2)),
  ];
  return cells
    .join(" ")
    .match(/.{1,21}/g)
    .map((line) => line.trimEnd())
    .join("\n");
};
console.log(calendar(2024, 1));
const overlaps = ([a, b], [c, d]) => a < d && c < b;
const meetings = [
  [9, 10],
  [9.5, 11],
  [12, 13],
  [12.5, 14],
  [15, 16],
];
const merged = meetings.reduce(
  (list, [from, to]) =>
    list.length && from <= list.at(-1)[1]
      ? [...list.slice(0, -1), [list.at(-1)[0], Math.max(list.at(-1)[1], to)]]
      : [...list, [from, to]],
  [],
);
console.log(
  overlaps([9, 10], [10, 11]),
  merged,
  merged.reduce((sum, [from, to]) => sum + to - from, 0),
);
const cron = (minute, hour) => {
  const next = utc(2024, 0, 1, 8, 30);
  do next.setUTCMinutes(next.getUTCMinutes() + 1);
  while (next.getUTCMinutes() !== minute || next.getUTCHours() !== hour);
  return next.toISOString();
};
console.log(
  cron(15, 3),
  new Date("2024-02-30T00:00:00Z").toISOString(),
  new Date(2024, 0).getMonth(),
  new Date("2024-01-01T00:00:00.5Z").getTime() % 1000,
  Date.UTC(2024),
  new Date(2 ** 31 * 1000).toISOString(),
);
console.log(
  [utc(2024, 2, 1), utc(2023, 5, 1), utc(2024, 0, 1)].sort((a, b) => a - b).map(iso),
  utc(2024, 0, 1) < utc(2024, 0, 2),
  utc(2024, 0, 1) == utc(2024, 0, 1),
  +utc(2024, 0, 1) === +utc(2024, 0, 1),
);
