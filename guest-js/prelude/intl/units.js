// The units of ECMA-402.

export const UNITS = (
  "acre bit byte celsius centimeter day degree fahrenheit fluid-ounce foot gallon gigabit gigabyte gram hectare hour inch " +
  "kilobit kilobyte kilogram kilometer liter megabit megabyte meter microsecond mile mile-scandinavian milliliter " +
  "millimeter millisecond minute month nanosecond ounce percent petabyte pound second stone terabit terabyte week yard year"
).split(" ");

export function isUnit(name) {
  const [numerator, denominator, more] = name.split("-per-");
  return more === undefined && UNITS.includes(numerator) && (denominator === undefined || UNITS.includes(denominator));
}
