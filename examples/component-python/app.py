"""A custom component in Python, with the same functions as `examples/component-rust`."""

from collections import Counter

from componentize_py_types import Err
from wit_world import WitWorld as World, exports
from wit_world.exports.analysis import Failure_Empty, Failure_UnknownPlace, Word
from wit_world.imports import distances, forecast


class Analysis(exports.Analysis):
    def count_words(self, text, at_least):
        counts = sorted(Counter(text.split()).items(), key=lambda item: (-item[1], item[0]))
        return [Word(word, count) for word, count in counts if count >= (at_least or 1)]

    def weather(self, text):
        failure = Failure_Empty()
        for word in text.split():
            try:
                return word, forecast.get(word).high_c
            except Err:
                failure = Failure_UnknownPlace(word)
        raise Err(failure)

    def distance(self, text):
        places = [distances.find(word) for word in text.split()]
        return distances.between(places[0], places[-1]) if len(places) > 1 else None


class WitWorld(World):
    def initials(self, names):
        return [name[0] for name in names if name]
