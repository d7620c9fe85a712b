//! Boundaries of characters, words and sentences.

use icu_segmenter::{
    GraphemeClusterSegmenter, SentenceSegmenter, WordSegmenter,
    options::{SentenceBreakInvariantOptions, WordBreakInvariantOptions},
};
use rquickjs::{Ctx, Function, Object, Result, TypedArray};

use crate::text::{self, Text};

pub(super) fn define<'js>(ctx: &Ctx<'js>, native: &Object<'js>) -> Result<()> {
    native.set("segment", Function::new(ctx.clone(), segment)?)
}

/// The end of each segment in UTF-16 units, times two, plus one if it is like a word.
fn segment<'js>(ctx: Ctx<'js>, text: Text<'js>, granularity: Text<'js>) -> Result<TypedArray<'js, u32>> {
    let mut ends = Vec::new();
    let mut units = Units { text: &text, at: 0, units: 0 };
    let mut add = |end: usize, is_word: bool| {
        ends.try_reserve(1).map_err(|_| text::out_of_memory(&ctx))?;
        ends.push(units.until(end) * 2 + u32::from(is_word));
        Ok::<_, rquickjs::Error>(())
    };
    match &*granularity {
        "word" => {
            let segmenter = WordSegmenter::new_for_non_complex_scripts(WordBreakInvariantOptions::default());
            let mut iterator = segmenter.segment_str(&text);
            while let Some(end) = iterator.next() {
                add(end, iterator.is_word_like())?;
            }
        }
        "sentence" => {
            let segmenter = SentenceSegmenter::new(SentenceBreakInvariantOptions::default());
            for end in segmenter.segment_str(&text) {
                add(end, false)?;
            }
        }
        _ => {
            for end in GraphemeClusterSegmenter::new().segment_str(&text) {
                add(end, false)?;
            }
        }
    }
    TypedArray::new(ctx.clone(), ends)
}

/// Counts UTF-16 units while a text is read.
struct Units<'a> {
    text: &'a str,
    at: usize,
    units: u32,
}

impl Units<'_> {
    fn until(&mut self, end: usize) -> u32 {
        let passed = self.text.get(self.at..end).unwrap_or_default();
        self.units = passed.chars().fold(self.units, |units, letter| units + u32::from(letter as u32 > 0xffff) + 1);
        self.at = end;
        self.units
    }
}
