//! Parameter lists of directives, such as `"float radius" [ 1 ]`.

use super::lexer::{Lexer, Token};
use crate::SceneFileError;

/// The values of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Values {
    Numbers(Vec<f64>),
    Texts(Vec<String>),
    Flags(Vec<bool>),
}

#[derive(Debug, Clone, PartialEq)]
struct Parameter {
    /// "float", "rgb", "texture" ...
    kind: String,
    name: String,
    values: Values,
}

/// Parameters by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Parameters(Vec<Parameter>);

impl Parameters {
    /// Reads a list up to the next directive.
    pub(super) fn read(lexer: &mut Lexer<'_>) -> Result<Self, SceneFileError> {
        let mut list = Vec::new();
        while let Some(Token::Text(_)) = lexer.peek()? {
            let declaration = lexer.text()?;
            let mut words = declaration.split_whitespace();
            let (Some(kind), Some(name), None) = (words.next(), words.next(), words.next()) else {
                let message =
                    format!("\"{declaration}\" must be a type and a name, as in \"float radius\"");
                return Err(lexer.error(message));
            };
            let (kind, name) = (kind.to_owned(), name.to_owned());
            list.push(Parameter { kind, name, values: values(lexer)? });
        }
        Ok(Self(list))
    }

    /// Replaces the texts of parameters of a type by the numbers that `find` returns for them.
    pub(super) fn resolve(&mut self, kind: &str, mut find: impl FnMut(&str) -> Option<Vec<f64>>) {
        for parameter in self.0.iter_mut().filter(|parameter| parameter.kind == kind) {
            let Values::Texts(texts) = &parameter.values else { continue };
            if let Some(numbers) = texts.first().and_then(|text| find(text)) {
                parameter.values = Values::Numbers(numbers);
            }
        }
    }

    fn find(&self, name: &str) -> Option<&Parameter> {
        self.0.iter().find(|parameter| parameter.name == name)
    }

    /// The type of a parameter: "rgb", "spectrum", "texture" ...
    pub(super) fn kind(&self, name: &str) -> Option<&str> {
        self.find(name).map(|parameter| parameter.kind.as_str())
    }

    /// All numbers of a parameter.
    pub(super) fn list(&self, name: &str) -> Option<&[f64]> {
        match &self.find(name)?.values {
            Values::Numbers(numbers) => Some(numbers),
            _ => None,
        }
    }

    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.list(name)?.first().copied()
    }

    pub(super) fn number_or(&self, name: &str, default: f64) -> f64 {
        self.number(name).unwrap_or(default)
    }

    pub(super) fn triple(&self, name: &str) -> Option<[f64; 3]> {
        self.list(name)?.first_chunk().copied()
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        match &self.find(name)?.values {
            Values::Texts(texts) => texts.first().map(String::as_str),
            _ => None,
        }
    }

    pub(super) fn texts(&self, name: &str) -> &[String] {
        match self.find(name).map(|parameter| &parameter.values) {
            Some(Values::Texts(texts)) => texts,
            _ => &[],
        }
    }

    pub(super) fn flag(&self, name: &str, default: bool) -> bool {
        match self.find(name).map(|parameter| &parameter.values) {
            Some(Values::Flags(flags)) => flags.first().copied().unwrap_or(default),
            // Older files write "true" in quotes.
            Some(Values::Texts(texts)) => texts.first().map_or(default, |text| text == "true"),
            _ => default,
        }
    }

    /// Triples of numbers, e.g. points.
    pub(super) fn triples(&self, name: &str) -> Vec<[f32; 3]> {
        let (triples, _) = self.list(name).unwrap_or_default().as_chunks::<3>();
        triples.iter().map(|triple| triple.map(|number| number as f32)).collect()
    }

    /// Pairs of numbers, e.g. texture coordinates.
    pub(super) fn pairs(&self, name: &str) -> Vec<[f32; 2]> {
        let (pairs, _) = self.list(name).unwrap_or_default().as_chunks::<2>();
        pairs.iter().map(|pair| pair.map(|number| number as f32)).collect()
    }
}

/// Reads one value, or several in brackets.
fn values(lexer: &mut Lexer<'_>) -> Result<Values, SceneFileError> {
    let bracketed = lexer.peek()? == Some(&Token::Open);
    if bracketed {
        lexer.next()?;
    }
    let (mut numbers, mut texts, mut flags) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        match lexer.next()? {
            Some(Token::Number(number)) => numbers.push(number),
            Some(Token::Text(text)) => texts.push(text.to_owned()),
            Some(Token::Word("true")) => flags.push(true),
            Some(Token::Word("false")) => flags.push(false),
            Some(Token::Close) if bracketed => break,
            other => return Err(lexer.expected("a value", other.as_ref())),
        }
        if !bracketed {
            break;
        }
    }
    match (numbers.is_empty(), texts.is_empty(), flags.is_empty()) {
        (_, true, true) => Ok(Values::Numbers(numbers)),
        (true, false, true) => Ok(Values::Texts(texts)),
        (true, true, false) => Ok(Values::Flags(flags)),
        _ => Err(lexer.error("a list of values must be all of one kind")),
    }
}
