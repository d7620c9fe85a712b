// `Intl.Segmenter`.

import { resolve, supported } from "./locale_matching.js";
import { native } from "./native.js";
import { choice, optionsOf } from "./options.js";
import { defineService, hidden, slotsOf } from "./service.js";

const NAME = "Intl.Segmenter";
// Languages whose word boundaries need dictionaries, which the image does not contain.
const WITHOUT_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function initialise(locales, given) {
  const options = optionsOf(given, NAME, true);
  choice(options, "localeMatcher", ["lookup", "best fit"], "best fit", NAME);
  const found = resolve(locales, {}, {});
  return { locale: found.locale, granularity: choice(options, "granularity", ["grapheme", "word", "sentence"], "grapheme", NAME) };
}

const inside = new WeakMap();

class Segments {
  containing(index) {
    const { text, ends, granularity } = inside.get(this);
    const at = Math.trunc(Number(index)) || 0;
    if (at < 0 || at >= text.length) return undefined;
    let low = 0;
    let high = ends.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle] >> 1 > at) high = middle;
      else low = middle + 1;
    }
    return segment(text, ends, low, granularity);
  }

  *[Symbol.iterator]() {
    const { text, ends, granularity } = inside.get(this);
    for (let number = 0; number < ends.length; number += 1) yield segment(text, ends, number, granularity);
  }
}
Object.defineProperty(Segments.prototype, Symbol.toStringTag, { value: "%Segments.prototype%", configurable: true });

function segment(text, ends, number, granularity) {
  const start = number === 0 ? 0 : ends[number - 1] >> 1;
  const result = { segment: text.slice(start, ends[number] >> 1), index: start, input: text };
  if (granularity === "word") result.isWordLike = (ends[number] & 1) === 1;
  return result;
}

export function makeSegmenter() {
  const Segmenter = defineService({
    name: "Segmenter",
    initialise,
    resolved: ["locale", "granularity"],
    supported: (locales, options) => supported(locales, options, NAME),
    methods: {
      segment(value) {
        const { granularity } = slotsOf(this, "Segmenter", "segment");
        const text = `${value}`;
        if (granularity === "word" && WITHOUT_BLANKS.test(text))
          throw new RangeError(
            "The sandbox has no dictionary to find words of Chinese, Japanese, Thai, Lao, Khmer or Burmese\nhint: use the granularity grapheme or sentence",
          );
        const ends = native.segment(text, granularity).filter((end) => end > 1);
        const segments = new Segments();
        inside.set(segments, { text, ends, granularity });
        return segments;
      },
    },
  });
  hidden(Segments.prototype, "constructor", Object);
  return Segmenter;
}
