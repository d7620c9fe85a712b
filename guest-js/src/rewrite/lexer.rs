//! From text to tokens, with what the rest needs to know about where each of them stands.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier or a keyword.
    Name,
    /// The name of a property: behind a dot, or a key of an object literal.
    Property,
    /// A string, between quotes.
    Text,
    /// A number, a template without substitutions or the end of one with some, or a regular expression.
    Literal,
    /// Anything else, one character at a time but for `=>`, `?.`, `++` and `--`.
    Mark,
}

/// What a pair of brackets holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// Statements that belong to the statement around them.
    Block,
    /// The body of a function.
    Function,
    /// The body of a class.
    Class,
    /// An object literal, or a pattern.
    Object,
    /// What is behind `if`, `for`, `while`, `with`, `switch` and `catch`.
    Head,
    /// Any other parentheses.
    Parentheses,
    /// Square brackets.
    Square,
    /// A substitution in a template.
    Substitution,
}

/// A piece of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// There is a line break before it.
    pub(super) newline: bool,
    /// How many pairs of brackets are around it; brackets themselves are outside of what they hold.
    pub(super) depth: usize,
    /// All of them are blocks.
    pub(super) in_program: bool,
    /// An expression can end here.
    pub(super) ends_operand: bool,
    /// For brackets.
    pub(super) frame: Option<Frame>,
}

impl Token {
    /// The token as it is written.
    pub(super) fn text<'a>(&self, source: &'a str) -> &'a str {
        source.get(self.start..self.end).unwrap_or_default()
    }

    /// Whether this is that keyword, and not a property of that name.
    pub(super) fn is_keyword(&self, source: &str, word: &str) -> bool {
        self.kind == Kind::Name && self.text(source) == word
    }

    /// Whether this is that mark.
    pub(super) fn is_mark(&self, source: &str, mark: &str) -> bool {
        self.kind == Kind::Mark && self.text(source) == mark
    }
}

/// Keywords behind which an expression begins.
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
const HEADS: &[&str] = &["if", "for", "while", "with", "switch", "catch"];
const BEFORE_PATTERNS: &[&str] = &["let", "const", "var", "import", "export"];
const BEFORE_BLOCKS: &[&str] = &["else", "do", "try", "finally", "catch"];

pub(super) struct Lexer<'a> {
    source: &'a str,
    at: usize,
    newline: bool,
    frames: Vec<Frame>,
    /// Of each frame: which token opened it.
    openings: Vec<usize>,
    /// Which token opened what was closed last.
    last_opening: usize,
    /// Of each frame and of the program: question marks that wait for their colon.
    questions: Vec<usize>,
    /// The last colon was that of a question mark.
    is_answer: bool,
    /// Frames that are no blocks.
    opaque: usize,
    /// The keyword `class` waits for its body, which begins at this depth.
    class_at: Option<usize>,
    tokens: Vec<Token>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Lexer {
            source,
            at: 0,
            newline: false,
            frames: Vec::new(),
            openings: Vec::new(),
            last_opening: 0,
            questions: vec![0],
            is_answer: false,
            opaque: 0,
            class_at: None,
            tokens: Vec::new(),
        }
    }

    /// All tokens. It never fails: what makes no sense makes none to the engine either.
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

    fn last_is_mark(&self, marks: &[&str]) -> bool {
        self.tokens.last().is_some_and(|last| last.kind == Kind::Mark && marks.contains(&last.text(self.source)))
    }

    fn last_is_keyword(&self, words: &[&str]) -> bool {
        self.tokens.last().is_some_and(|last| last.kind == Kind::Name && words.contains(&last.text(self.source)))
    }

    fn push(&mut self, kind: Kind, start: usize, ends_operand: bool, frame: Option<Frame>) {
        let newline = std::mem::take(&mut self.newline);
        let (depth, in_program) = (self.frames.len(), self.opaque == 0);
        self.tokens.push(Token { kind, start, end: self.at, newline, depth, in_program, ends_operand, frame });
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

    /// Goes behind the first unescaped `end`; gives false, and stays, if a line ends before that.
    fn skip_to(&mut self, end: char, in_class: bool) -> bool {
        let mut class = false;
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((offset, next)) = characters.next() {
            match next {
                '\\' => {
                    // A line break behind a backslash may be two characters.
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

    /// A template from its first or from its next piece on.
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
                    return self.enter(Frame::Substitution);
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
        let is_property = self.last_is_mark(&[".", "?."]) || self.is_key();
        if is_property {
            return self.push(Kind::Property, start, true, None);
        }
        if text == "class" {
            self.class_at = Some(self.frames.len());
        }
        self.push(Kind::Name, start, !OPERATORS.contains(&text), None);
    }

    /// Whether what stands here is a key of an object literal or a member of a class, and not an expression.
    fn is_key(&self) -> bool {
        // `get`, `set` and `async` stand before a key and look like one.
        let Some(last) = self.tokens.last() else { return false };
        match self.frames.last() {
            Some(Frame::Object) => {
                self.last_is_mark(&["{", ",", "*"])
                    || last.kind == Kind::Property && matches!(last.text(self.source), "get" | "set" | "async")
            }
            Some(Frame::Class) => self.last_is_mark(&["{", ";", "}"]),
            _ => false,
        }
    }

    fn mark(&mut self, next: char) {
        let start = self.at;
        let two = self.source.get(start..start + 2).unwrap_or_default();
        let two_digits = self.peek(2).is_some_and(|digit| digit.is_ascii_digit());
        let doubled = matches!(two, "=>" | "++" | "--" | "??") || two == "?." && !two_digits;
        self.at += if doubled { 2 } else { next.len_utf8() };
        if let Some(questions) = self.questions.last_mut() {
            match &self.source[start..self.at] {
                "?" => *questions += 1,
                ":" => {
                    self.is_answer = *questions > 0;
                    *questions = questions.saturating_sub(1);
                }
                ";" => *questions = 0,
                _ => {}
            }
        }
        self.push(Kind::Mark, start, matches!(two, "++" | "--"), None);
    }

    fn enter(&mut self, frame: Frame) {
        self.opaque += usize::from(frame != Frame::Block);
        self.frames.push(frame);
        self.openings.push(self.tokens.len().saturating_sub(1));
        self.questions.push(0);
    }

    fn open(&mut self, bracket: char) {
        let frame = match bracket {
            '(' if self.last_is_keyword(HEADS) || self.is_behind_for_await() => Frame::Head,
            '(' => Frame::Parentheses,
            '[' => Frame::Square,
            _ => self.brace(),
        };
        let start = self.at;
        self.at += 1;
        self.push(Kind::Mark, start, false, Some(frame));
        self.enter(frame);
    }

    fn is_behind_for_await(&self) -> bool {
        let before = self.tokens.len().checked_sub(2).and_then(|index| self.tokens.get(index));
        self.last_is_keyword(&["await"]) && before.is_some_and(|token| token.is_keyword(self.source, "for"))
    }

    /// What an opening brace opens.
    fn brace(&mut self) -> Frame {
        if self.class_at == Some(self.frames.len()) {
            self.class_at = None;
            return Frame::Class;
        }
        let Some(last) = self.tokens.last() else { return Frame::Block };
        match last.text(self.source) {
            ")" if last.frame == Some(Frame::Head) => Frame::Block,
            ")" if self.newline && !self.is_behind_parameters() => Frame::Block,
            ")" | "=>" => Frame::Function,
            ";" | "}" => Frame::Block,
            "{" if matches!(last.frame, Some(Frame::Block | Frame::Function)) => Frame::Block,
            ":" if self.is_answer || self.frames.last() == Some(&Frame::Object) => Frame::Object,
            ":" => Frame::Block,
            "static" if self.frames.last() == Some(&Frame::Class) => Frame::Function,
            _ if self.last_is_keyword(BEFORE_PATTERNS) => Frame::Object,
            _ if last.ends_operand || self.last_is_keyword(BEFORE_BLOCKS) => Frame::Block,
            _ => Frame::Object,
        }
    }

    /// Whether the parentheses that were closed last are those of a function or a method, and not of a call on the line
    /// before.
    fn is_behind_parameters(&self) -> bool {
        let before = |back: usize| self.last_opening.checked_sub(back).and_then(|index| self.tokens.get(index));
        let is_function = |token: Option<&Token>| {
            token.is_some_and(|token| token.is_keyword(self.source, "function") || token.is_mark(self.source, "*"))
        };
        matches!(self.frames.last(), Some(Frame::Object | Frame::Class))
            || is_function(before(1))
            || is_function(before(2))
    }

    fn close(&mut self, bracket: char) {
        let start = self.at;
        let Some(frame) = self.frames.pop() else {
            self.at += 1;
            return self.push(Kind::Mark, start, bracket != '}', None);
        };
        self.questions.pop();
        self.last_opening = self.openings.pop().unwrap_or_default();
        self.opaque -= usize::from(frame != Frame::Block);
        if frame == Frame::Substitution && bracket == '}' {
            return self.template();
        }
        self.at += 1;
        let ends_operand = !matches!(frame, Frame::Head | Frame::Block | Frame::Function | Frame::Class);
        self.push(Kind::Mark, start, ends_operand, Some(frame));
    }
}

/// Letters that follow letters: marks, digits of other scripts.
fn is_mark_of_letter(next: char) -> bool {
    next > '\u{7f}' && !next.is_whitespace() && next != '\u{feff}'
}
