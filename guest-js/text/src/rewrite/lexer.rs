//! Splits a text into tokens.

use super::{
    frames::Frames,
    token::{Frame, Kind, Token},
};

/// Keywords before an expression.
const OPERATORS: &[&str] = &[
    "await",
    "case",
    "delete",
    "do",
    "else",
    "extends",
    "in",
    "instanceof",
    "new",
    "of",
    "return",
    "throw",
    "typeof",
    "void",
    "yield",
    "default",
];

pub(super) struct Lexer<'a> {
    source: &'a str,
    at: usize,
    newline: bool,
    frames: Frames,
    tokens: Vec<Token>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Lexer { source, at: 0, newline: false, frames: Frames::default(), tokens: Vec::new() }
    }

    /// All tokens. It never fails: the engine reports invalid text.
    pub(super) fn tokens(mut self) -> Vec<Token> {
        if self.source.starts_with("#!") {
            self.skip_line();
        }
        while let Some(next) = self.skip_space() {
            match next {
                '"' | '\'' => self.text(next),
                '`' => self.template(),
                '0'..='9' => self.number(),
                '.' if self.peek(1).is_some_and(|next| next.is_ascii_digit()) => self.number(),
                '/' if !self.last_ends_operand() => self.expression(),
                '(' | '[' | '{' => self.open(next),
                ')' | ']' | '}' => self.close(next),
                '#' | '\\' | '$' | '_' => self.name(),
                next if next.is_alphanumeric() => self.name(),
                next => self.mark(next),
            }
        }
        self.tokens
    }

    fn rest(&self) -> &'a str {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.source.as_bytes().get(self.at + ahead).copied()
    }

    fn last_ends_operand(&self) -> bool {
        self.tokens.last().is_some_and(|last| last.ends_operand)
    }

    fn push(&mut self, kind: Kind, start: usize, ends_operand: bool, frame: Option<Frame>) {
        let newline = std::mem::take(&mut self.newline);
        let depth = self.frames.depth();
        self.tokens.push(Token { kind, start, end: self.at, newline, depth, ends_operand, frame });
    }

    /// The first character of the next token.
    fn skip_space(&mut self) -> Option<char> {
        loop {
            let next = self.rest().chars().next()?;
            match next {
                '\n' | '\r' | '\u{2028}' | '\u{2029}' => self.newline = true,
                '/' if self.peek(1) == Some(b'/') => {
                    self.skip_line();
                    continue;
                }
                '/' if self.peek(1) == Some(b'*') => {
                    let comment = self.rest();
                    let length = comment.find("*/").map_or(comment.len(), |end| end + 2);
                    self.newline |= comment[..length].contains(['\n', '\r', '\u{2028}', '\u{2029}']);
                    self.at += length;
                    continue;
                }
                _ if next.is_whitespace() || next == '\u{feff}' => {}
                _ => return Some(next),
            }
            self.at += next.len_utf8();
        }
    }

    fn skip_line(&mut self) {
        let line = self.rest();
        self.at += line.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(line.len());
    }

    /// Moves past the first unescaped `end`; returns false, and does not move, if a line ends before that.
    fn skip_to(&mut self, end: char, in_class: bool) -> bool {
        let mut class = false;
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((offset, next)) = characters.next() {
            match next {
                '\\' => {
                    // A line break after a backslash may be two characters.
                    if let Some((_, '\r')) = characters.next() {
                        characters.next();
                    }
                }
                '\n' | '\r' => return false,
                '[' if in_class => class = true,
                ']' if in_class => class = false,
                _ if next == end && !class => {
                    self.at += offset + next.len_utf8();
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    fn text(&mut self, quote: char) {
        let start = self.at;
        if !self.skip_to(quote, false) {
            self.at += 1;
        }
        self.push(Kind::Text, start, true, None);
    }

    fn expression(&mut self) {
        let start = self.at;
        if !self.skip_to('/', true) {
            return self.mark('/');
        }
        let flags = self.rest();
        self.at += flags.find(|next: char| !next.is_alphanumeric()).unwrap_or(flags.len());
        self.push(Kind::Literal, start, true, None);
    }

    fn number(&mut self) {
        let start = self.at;
        let is_decimal = !matches!(self.rest().as_bytes(), [b'0', b'x' | b'X' | b'b' | b'B' | b'o' | b'O', ..]);
        let mut before = ' ';
        for next in self.rest().chars() {
            let signed = is_decimal && matches!(next, '+' | '-') && matches!(before, 'e' | 'E');
            if !(next.is_alphanumeric() || matches!(next, '.' | '_') || signed) {
                break;
            }
            before = next;
            self.at += next.len_utf8();
        }
        self.push(Kind::Literal, start, true, None);
    }

    /// Reads a template from its first or from its next part on.
    fn template(&mut self) {
        let start = self.at;
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((offset, next)) = characters.next() {
            match next {
                '\\' => {
                    characters.next();
                }
                '`' => {
                    self.at = start + offset + 1;
                    return self.push(Kind::Literal, start, true, None);
                }
                '$' if self.rest()[offset + 1..].starts_with('{') => {
                    self.at = start + offset + 2;
                    self.push(Kind::Literal, start, false, Some(Frame::Substitution));
                    return self.frames.enter(Frame::Substitution, self.tokens.len() - 1);
                }
                _ => {}
            }
        }
        self.at = self.source.len();
        self.push(Kind::Literal, start, true, None);
    }

    fn name(&mut self) {
        let start = self.at;
        for next in self.rest().chars() {
            if !(next.is_alphanumeric()
                || matches!(next, '$' | '_' | '#' | '\\' | '\u{200c}' | '\u{200d}')
                || is_mark_of_letter(next))
            {
                break;
            }
            self.at += next.len_utf8();
        }
        let text = &self.source[start..self.at];
        let is_member =
            self.tokens.last().is_some_and(|last| last.is_mark(self.source, ".") || last.is_mark(self.source, "?."));
        if is_member || self.frames.is_key(self.source, &self.tokens) {
            return self.push(Kind::Property, start, true, None);
        }
        if text == "class" {
            self.frames.see_class();
        }
        self.push(Kind::Name, start, !OPERATORS.contains(&text), None);
    }

    fn mark(&mut self, next: char) {
        let start = self.at;
        let two = self.source.get(start..start + 2).unwrap_or_default();
        let two_digits = self.peek(2).is_some_and(|digit| digit.is_ascii_digit());
        let doubled = matches!(two, "=>" | "++" | "--" | "??") || two == "?." && !two_digits;
        self.at += if doubled { 2 } else { next.len_utf8() };
        self.frames.see_mark(&self.source[start..self.at]);
        self.push(Kind::Mark, start, matches!(two, "++" | "--"), None);
    }

    fn open(&mut self, bracket: char) {
        let frame = match bracket {
            '(' => Frames::parenthesis(self.source, &self.tokens),
            '[' => Frame::Square,
            _ => self.frames.brace(self.source, &self.tokens, self.newline),
        };
        let start = self.at;
        self.at += 1;
        self.push(Kind::Mark, start, false, Some(frame));
        self.frames.enter(frame, self.tokens.len() - 1);
    }

    fn close(&mut self, bracket: char) {
        let start = self.at;
        let frame = self.frames.leave();
        if frame == Some(Frame::Substitution) && bracket == '}' {
            return self.template();
        }
        self.at += 1;
        let ends_statement = matches!(frame, Some(Frame::Head | Frame::Block | Frame::Function | Frame::Class));
        self.push(Kind::Mark, start, !ends_statement, frame);
    }
}

/// Characters that may follow letters: marks, digits of other scripts.
fn is_mark_of_letter(next: char) -> bool {
    next > '\u{7f}' && !next.is_whitespace() && next != '\u{feff}'
}
