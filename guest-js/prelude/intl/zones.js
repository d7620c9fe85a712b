// Time zones: offsets, and names in locales.

import { common, section } from "./data.js";
import { native } from "./native.js";

// The name of a zone in ICU's spelling; undefined if it does not exist.
export function zoneName(text) {
  const name = native.zone(text);
  if (name === undefined) return undefined;
  const canonical = common("aliases")[name] ?? name;
  return ["Etc/UTC", "Etc/GMT", "GMT", "Etc/UCT"].includes(canonical) ? "UTC" : canonical;
}

export const offsetAt = (zone, time) => (zone === "UTC" ? [0, false] : native.offset(zone, time));

const idOf = (zone) => (zone === "UTC" ? "Etc/UTC" : zone);

function metazoneAt(zone, time) {
  for (const [name, from, to] of common("metazones").uses[idOf(zone)] ?? []) {
    const since = from === "" ? 0 : Date.parse(`${from.replace(" ", "T")}Z`);
    const until = to === "" ? Infinity : Date.parse(`${to.replace(" ", "T")}Z`);
    if (time >= since && time < until) return name;
  }
  return undefined;
}

const two = (number) => String(number).padStart(2, "0");

export function offsetName(locale, seconds, isLong) {
  const names = section("zones", locale);
  const [plus, minus] = names.hourFormat.split(";");
  const all = Math.abs(seconds);
  const [hours, minutes, rest] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const [, before, hour, separator] = /^(.*?)(H+)(.*?)mm/.exec(seconds < 0 ? minus : plus);
  let text = before + (isLong ? two(hours) : String(hours));
  if (isLong || minutes > 0 || rest > 0) text += separator + two(minutes);
  if (rest > 0) text += separator + two(rest);
  return names.gmtFormat.replace("{0}", text);
}

function specific(locale, zone, time, width, isDaylight) {
  const { zones, metazones } = section("zones", locale);
  const kind = isDaylight ? "daylight" : "standard";
  return zones[idOf(zone)]?.[width]?.[kind] ?? metazones[metazoneAt(zone, time)]?.[width]?.[kind];
}

// `z` and `zzzz`.
export function specificName(locale, zone, time, isLong) {
  const [seconds, isDaylight] = offsetAt(zone, time);
  return specific(locale, zone, time, isLong ? "long" : "short", isDaylight) ?? offsetName(locale, seconds, isLong);
}

const cityOf = (locale, zone) =>
  section("zones", locale).zones[zone]?.city ?? zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");

function usesDaylight(zone, time) {
  const [, now] = offsetAt(zone, time);
  if (now) return true;
  for (let day = 1; day <= 184; day += 1) {
    if (offsetAt(zone, time + day * 86_400_000)[1] || offsetAt(zone, time - day * 86_400_000)[1]) return true;
  }
  return false;
}

function regionOf(locale) {
  return /-([A-Z]{2}|\d{3})$/.exec(native.maximize(locale))?.[1] ?? "001";
}

function locationName(locale, zone) {
  const { regionFormat } = section("zones", locale);
  const { territory } = common("metazones");
  const region = territory[zone];
  if (region === undefined) return undefined;
  const isPrimary = common("metazones").primary[region] === zone || Object.values(territory).filter((other) => other === region).length === 1;
  const name = isPrimary ? section("names", locale).territories[region] : cityOf(locale, zone);
  return regionFormat.replace("{0}", name);
}

// `v` and `vvvv`.
export function genericName(locale, zone, time, isLong) {
  const width = isLong ? "long" : "short";
  const names = section("zones", locale);
  const own = names.zones[idOf(zone)]?.[width]?.generic;
  if (own !== undefined) return own;
  const metazone = metazoneAt(zone, time);
  const [seconds] = offsetAt(zone, time);
  if (metazone !== undefined) {
    const generic = names.metazones[metazone]?.[width]?.generic;
    if (!usesDaylight(zone, time)) {
      const standard = specific(locale, zone, time, width, false);
      if (standard !== undefined && standard.toLowerCase() !== generic?.toLowerCase()) return standard;
    }
    if (generic !== undefined) {
      const golden = common("metazones").golden[metazone];
      const reference = golden?.[regionOf(locale)] ?? golden?.["001"];
      if (reference === undefined || reference === zone || offsetAt(reference, time)[0] === seconds) return generic;
      const region = common("metazones").territory[zone];
      const isMain = golden?.[region] === zone;
      const place = isMain ? section("names", locale).territories[region] : cityOf(locale, zone);
      return names.fallbackFormat.replace("{1}", generic).replace("{0}", place);
    }
  }
  return locationName(locale, idOf(zone)) ?? offsetName(locale, seconds, isLong);
}
