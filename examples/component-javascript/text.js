/**
 * A custom component in JavaScript, with the same functions as `examples/component-rust`. Build an image of it:
 *
 *     npm install --prefix examples/component-javascript
 *     cargo xtask image build --component examples/component-javascript --name text \
 *         --capability examples/weather/wit --capability examples/component-rust/wit/deps/places
 */

import { between, find } from "acme:places/distances@1.0.0";
import { get } from "acme:weather/forecast@1.0.0";

const words = (text) => text.split(/\s+/u).filter((word) => word !== "");

export const analysis = {
    countWords(text, atLeast = 1) {
        const counts = new Map();
        for (const word of words(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
        return [...counts]
            .filter(([, count]) => count >= atLeast)
            .map(([word, count]) => ({ word, count }))
            .sort((left, right) => right.count - left.count || (left.word < right.word ? -1 : 1));
    },

    weather(text) {
        let failure = { tag: "empty" };
        for (const word of words(text)) {
            try {
                return [word, get(word).highC];
            } catch {
                failure = { tag: "unknown-place", val: word };
            }
        }
        throw failure;
    },

    distance(text) {
        const places = words(text).map(find);
        return places.length < 2 ? undefined : between(places[0], places.at(-1));
    },
};

export function initials(names) {
    return names.filter((name) => name !== "").map((name) => String.fromCodePoint(name.codePointAt(0)));
}
