//! The meaning of brackets: blocks belong to the program, bodies of functions do not.

use super::token::{Frame, Kind, Token};

const HEADS: &[&str] = &["if", "for", "while", "with", "switch", "catch"];
const BEFORE_BLOCKS: &[&str] = &["else", "do", "try", "finally", "catch"];
const BEFORE_PATTERNS: &[&str] = &["let", "const", "var", "import", "export"];

/// A pair of brackets that is open.
struct Open {
    frame: Frame,
    /// The token that opened it.
    opening: usize,
}

/// The open brackets at the position of the lexer.
#[derive(Default)]
pub(super) struct Frames {
    open: Vec<Open>,
    /// The token that opened the pair that was closed last.
    last_opening: usize,
    /// The number of question marks without a colon, for each open pair, and first for the program.
    questions: Vec<usize>,
    /// Whether the last colon belongs to a question mark.
    is_answer: bool,
    /// The depths at which bodies of `class` are expected.
    classes: Vec<usize>,
}

impl Frames {
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    pub(super) fn current(&self) -> Option<Frame> {
        self.open.last().map(|open| open.frame)
    }

    pub(super) fn enter(&mut self, frame: Frame, opening: usize) {
        self.open.push(Open { frame, opening });
        self.questions.resize(self.open.len() + 1, 0);
    }

    pub(super) fn leave(&mut self) -> Option<Frame> {
        let Open { frame, opening } = self.open.pop()?;
        self.last_opening = opening;
        self.questions.truncate(self.open.len() + 1);
        while self.classes.pop_if(|depth| *depth > self.open.len()).is_some() {}
        Some(frame)
    }

    /// Records the keyword `class`.
    pub(super) fn see_class(&mut self) {
        self.classes.push(self.depth());
    }

    /// Records a punctuator that is not a bracket.
    pub(super) fn see_mark(&mut self, mark: &str) {
        self.questions.resize(self.open.len() + 1, 0);
        let Some(questions) = self.questions.last_mut() else { return };
        match mark {
            "?" => *questions += 1,
            ":" => {
                self.is_answer = *questions > 0;
                *questions = questions.saturating_sub(1);
            }
            ";" => *questions = 0,
            _ => {}
        }
    }

    /// The meaning of an opening parenthesis after these tokens.
    pub(super) fn parenthesis(source: &str, tokens: &[Token]) -> Frame {
        let is_head = match tokens {
            [.., before, last] if last.is_keyword(source, "await") => before.is_keyword(source, "for"),
            [.., last] => last.is_one_of(source, HEADS),
            [] => false,
        };
        if is_head { Frame::Head } else { Frame::Parentheses }
    }

    /// The meaning of an opening brace after these tokens. `newline` states that it is the first on its line.
    pub(super) fn brace(&mut self, source: &str, tokens: &[Token], newline: bool) -> Frame {
        if self.classes.last() == Some(&self.depth()) {
            self.classes.pop();
            return Frame::Class;
        }
        let Some(last) = tokens.last() else { return Frame::Block };
        match last.text(source) {
            ")" if last.frame == Some(Frame::Head) => Frame::Block,
            ")" if newline && !self.is_behind_parameters(source, tokens) => Frame::Block,
            ")" | "=>" => Frame::Function,
            ";" | "}" => Frame::Block,
            "{" if matches!(last.frame, Some(Frame::Block | Frame::Function)) => Frame::Block,
            ":" if self.is_answer || self.current() == Some(Frame::Object) => Frame::Object,
            ":" => Frame::Block,
            "static" if self.current() == Some(Frame::Class) => Frame::Function,
            _ if last.is_one_of(source, BEFORE_PATTERNS) => Frame::Object,
            _ if last.ends_operand || last.is_one_of(source, BEFORE_BLOCKS) => Frame::Block,
            _ => Frame::Object,
        }
    }

    /// Whether the parentheses that were closed last are the parameters of a function or a method, and not a call on the line
    /// before.
    fn is_behind_parameters(&self, source: &str, tokens: &[Token]) -> bool {
        let is_function = |back: usize| {
            let token = self.last_opening.checked_sub(back).and_then(|index| tokens.get(index));
            token.is_some_and(|token| token.is_keyword(source, "function") || token.is_mark(source, "*"))
        };
        matches!(self.current(), Some(Frame::Object | Frame::Class)) || is_function(1) || is_function(2)
    }

    /// Whether a name after these tokens is a key of an object literal or a member of a class, and not an expression.
    pub(super) fn is_key(&self, source: &str, tokens: &[Token]) -> bool {
        let Some(last) = tokens.last() else { return false };
        let is_behind = |marks: &[&str]| last.kind == Kind::Mark && marks.contains(&last.text(source));
        match self.current() {
            // `get`, `set` and `async` precede a key and look like one.
            Some(Frame::Object) => {
                is_behind(&["{", ",", "*"])
                    || last.kind == Kind::Property && matches!(last.text(source), "get" | "set" | "async")
            }
            Some(Frame::Class) => is_behind(&["{", ";", "}"]),
            _ => false,
        }
    }
}
