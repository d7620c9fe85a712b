const d = new Date(Date.UTC(2024, 1, 29, 13, 5, 9, 7));
console.log(d.toISOString(), d.getTime(), JSON.stringify(d), d.getUTCDay());
d.setUTCMonth(d.getUTCMonth() + 12); console.log(d.toISOString());
console.log(new Date("2024-03-10").getTime(), new Date("2024-03-10T10:00:00Z").toJSON(), new Date(0).toISOString(), new Date("nonsense").getTime());
const days = (a, b) => Math.round((Date.parse(b) - Date.parse(a)) / 864e5); console.log(days("2024-02-28", "2024-03-01"), days("2023-12-31", "2024-12-31"));
console.log(new Date(2024, 0, 31).getDate(), new Date(2024, 1, 0).getDate(), String(new Date(NaN)), new Date(8.64e15 + 1).getTime());
console.log(Date.UTC(99, 0), new Date("Tue, 05 Nov 2024 10:00:00 GMT").toISOString(), new Date("2024-11-05T10:00:00+02:00").toISOString());
console.log(d.toUTCString(), new Date(2020, 5, 1, 12).toString(), d.toDateString(), new Date(1e12), [new Date(0)]);
try { new Date(NaN).toISOString(); } catch (error) { console.log(error.name, error.message); }
const weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][new Date("2024-07-04").getUTCDay()]; console.log(weekday);
