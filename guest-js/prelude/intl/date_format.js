// `Intl.DateTimeFormat`.

import { fieldsOf, patternParts } from "./date_fields.js";
import { dateSlots } from "./date_options.js";
import { rangeParts } from "./date_range.js";
import { supported } from "./locale_matching.js";
import { range } from "./options.js";
import { defineService, slotsOf } from "./service.js";

const NAME = "Intl.DateTimeFormat";
const LAST = 8.64e15;

function timeOf(value) {
  const number = value === undefined ? Date.now() : Number(value);
  if (!(Math.abs(number) <= LAST)) throw range("Invalid time value");
  return Math.trunc(number) + 0;
}

const partsOf = (slots, time) => patternParts(slots, slots.pattern, fieldsOf(time, slots.timeZone));
const textOf = (parts) => parts.map(({ value }) => value).join("");

// Node uses a plain blank instead of a narrow one, in whole texts only.
const plain = (text) => text.replaceAll("\u202f", " ");
export const formatDate = (slots, value) => plain(textOf(partsOf(slots, timeOf(value))));

function bounds(start, end) {
  if (start === undefined || end === undefined) throw new TypeError("Invalid time value");
  return [timeOf(start), timeOf(end)];
}

const RESOLVED = [
  "locale", "calendar", "numberingSystem", "timeZone", "hourCycle", "hour12", "weekday", "era", "year", "month", "day",
  "dayPeriod", "hour", "minute", "second", "fractionalSecondDigits", "timeZoneName", "dateStyle", "timeStyle",
];

export function makeDateTimeFormat() {
  return defineService({
    name: "DateTimeFormat",
    callable: true,
    initialise: (locales, options) => dateSlots(locales, options),
    resolved: RESOLVED,
    supported: (locales, options) => supported(locales, options, NAME),
    bound: { format: (slots) => (date) => formatDate(slots, date) },
    methods: {
      formatToParts(date) {
        return partsOf(slotsOf(this, "DateTimeFormat", "formatToParts"), timeOf(date));
      },
      formatRange(start, end) {
        const slots = slotsOf(this, "DateTimeFormat", "formatRange");
        const parts = rangeParts(slots, ...bounds(start, end));
        // If both dates are equal, only one is formatted.
        return parts.every(({ source }) => source === "shared") ? plain(textOf(parts)) : textOf(parts);
      },
      formatRangeToParts(start, end) {
        const slots = slotsOf(this, "DateTimeFormat", "formatRangeToParts");
        return rangeParts(slots, ...bounds(start, end));
      },
    },
  });
}
