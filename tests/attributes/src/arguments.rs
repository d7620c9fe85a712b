//! The arguments of `#[scenario]`.

use syn::{
    Error, Expr, ExprLit, Ident, Lit, LitStr, Result, Token, bracketed,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
};

/// The languages that `only` can name.
const LANGUAGES: [&str; 2] = ["Python", "JavaScript"];

/// The endings of guest programs, which `programs` leaves out.
const ENDINGS: [&str; 3] = [".py", ".js", ".ts"];

/// What stands in the parentheses of `#[scenario(…)]`.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub(crate) programs: Vec<LitStr>,
    /// The only language, and the reason.
    pub(crate) only: Option<(Ident, LitStr)>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let (mut programs, mut only, mut because) = (None, None, None);
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            match name.to_string().as_str() {
                "programs" => set(&mut programs, &name, parse_programs(input)?)?,
                "only" => set(&mut only, &name, parse_language(input)?)?,
                "because" => set(&mut because, &name, parse_text(input)?)?,
                other => {
                    let message =
                        format!("`{other}` is no argument of `scenario`: use `programs`, `only` or `because`");
                    return Err(Error::new(name.span(), message));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        let only = match (only, because) {
            (Some(language), Some(reason)) => Some((language, reason)),
            (None, None) => None,
            (Some(language), None) => {
                let message = format!("say why it is for {language} alone: add `because = \"…\"`");
                return Err(Error::new(language.span(), message));
            }
            (None, Some(reason)) => {
                return Err(Error::new(reason.span(), "`because` gives the reason for `only`, which is missing"));
            }
        };
        Ok(Self { programs: programs.unwrap_or_default(), only })
    }
}

fn set<T>(argument: &mut Option<T>, name: &Ident, value: T) -> Result<()> {
    if argument.replace(value).is_some() {
        return Err(Error::new(name.span(), format!("`{name}` is given twice")));
    }
    Ok(())
}

fn parse_programs(input: ParseStream<'_>) -> Result<Vec<LitStr>> {
    if !input.peek(syn::token::Bracket) {
        return Err(input.error("`programs` is a list: `programs = [\"topic/name\"]`"));
    }
    let list;
    let bracket = bracketed!(list in input);
    let programs = Punctuated::<LitStr, Token![,]>::parse_terminated(&list)?;
    if programs.is_empty() {
        return Err(Error::new(bracket.span.join(), "the list is empty: leave `programs` out"));
    }
    for program in &programs {
        let path = program.value();
        if let Some(ending) = ENDINGS.iter().find(|ending| path.ends_with(**ending)) {
            let message = format!("leave out the ending `{ending}`: the language of the test decides it");
            return Err(Error::new(program.span(), message));
        }
    }
    Ok(programs.into_iter().collect())
}

fn parse_language(input: ParseStream<'_>) -> Result<Ident> {
    let language: Ident = input.parse()?;
    if LANGUAGES.iter().any(|known| language == known) {
        return Ok(language);
    }
    let message = format!("`{language}` is no language of a scenario: use `Python` or `JavaScript`");
    Err(Error::new(language.span(), message))
}

fn parse_text(input: ParseStream<'_>) -> Result<LitStr> {
    match input.parse()? {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if !text.value().trim().is_empty() => Ok(text),
        other => Err(Error::new_spanned(other, "`because` is a text that gives the reason")),
    }
}

#[cfg(test)]
mod tests {
    use super::Arguments;

    fn parse(arguments: &str) -> Result<Arguments, String> {
        syn::parse_str(arguments).map_err(|error| error.to_string())
    }

    fn assert_refused(arguments: &str, message: &str) {
        let error = parse(arguments).unwrap_err();
        assert!(error.contains(message), "`{arguments}`: {error}");
    }

    #[test]
    fn arguments_are_optional_and_in_any_order() {
        let none = parse("").unwrap();
        assert!(none.programs.is_empty() && none.only.is_none());
        let all = parse(r#"because = "it has none", programs = ["a/b", "a/c",], only = Python,"#).unwrap();
        assert_eq!(all.programs.iter().map(syn::LitStr::value).collect::<Vec<_>>(), ["a/b", "a/c"]);
        let (language, reason) = all.only.unwrap();
        assert_eq!((language.to_string(), reason.value()), ("Python".into(), "it has none".into()));
    }

    #[test]
    fn wrong_arguments_are_named_with_the_right_ones() {
        assert_refused("program = []", "use `programs`, `only` or `because`");
        assert_refused(r#"programs = "a/b""#, "`programs` is a list");
        assert_refused("programs = []", "leave `programs` out");
        assert_refused(r#"programs = ["a/b.py"]"#, "leave out the ending `.py`");
        assert_refused("only = Ruby", "use `Python` or `JavaScript`");
        assert_refused("only = Python", "why it is for Python alone");
        assert_refused(r#"because = "it has none""#, "`only`, which is missing");
        assert_refused(r#"only = Python, because = """#, "a text that gives the reason");
        assert_refused(r#"only = Python, only = Python, because = "it has none""#, "`only` is given twice");
    }
}
