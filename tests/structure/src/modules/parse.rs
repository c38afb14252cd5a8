//! One file's modules out of its tokens.

use super::imports;
use super::module::{Crate, Mention};
use crate::tokens::Token;

/// `mod name;`: a module in a file of its own.
pub(super) struct File {
    /// The module that declares it.
    pub(super) parent: usize,
    pub(super) name: String,
    /// The modules with a body of their own around the declaration, outermost first.
    pub(super) inline: Vec<String>,
}

/// Reads a file into the module `index` and the modules with a body within it. Returns the modules
/// that stand in files of their own.
pub(super) fn parse(krate: &mut Crate, index: usize, tokens: &[Token]) -> Vec<File> {
    let mut reader = Reader {
        krate,
        tokens,
        at: 0,
        depth: 0,
        open: vec![Open { module: index, name: String::new(), depth: 0 }],
        macro_depth: None,
        files: Vec::new(),
    };
    while reader.at < tokens.len() {
        reader.step();
    }
    reader.files
}

struct Reader<'a> {
    krate: &'a mut Crate,
    tokens: &'a [Token],
    at: usize,
    /// Of braces.
    depth: usize,
    /// The module that the code is in, last, and those around it.
    open: Vec<Open>,
    /// Within the braces of a macro called in the place of an item: how deep those are.
    macro_depth: Option<usize>,
    files: Vec<File>,
}

struct Open {
    module: usize,
    name: String,
    /// Of the braces that its items stand in.
    depth: usize,
}

const ITEMS: [&str; 8] = ["struct", "enum", "union", "trait", "type", "const", "static", "fn"];

impl Reader<'_> {
    fn step(&mut self) {
        let text = self.text(0);
        match text {
            "#" if self.text(1) == "[" || self.text(1) == "!" && self.text(2) == "[" => {
                self.attribute();
            }
            "{" => {
                let called = self.at_item_level() && self.called();
                self.depth += 1;
                if called {
                    self.macro_depth = Some(self.depth);
                }
                self.at += 1;
            }
            "}" => self.close(),
            "use" if self.is_word(1) || self.text(1) == "::" || self.text(1) == "{" => {
                self.import();
            }
            "mod" if self.is_word(1) => self.module(),
            // A visibility: `pub(crate)`, `pub(in crate::a)`.
            "pub" if self.text(1) == "(" => self.at += self.group(1) + 1,
            "macro_rules" if self.text(1) == "!" => {
                let (module, name) = (self.inside(), self.text(2).to_owned());
                self.krate.modules[module].items.insert(name.clone());
                self.krate.macros.insert(name, module);
                self.at += 3;
            }
            _ if ITEMS.contains(&text) && self.is_word(1) => {
                if self.at_item_level() && !ITEMS.contains(&self.text(1)) {
                    let module = self.inside();
                    let name = self.text(1).into();
                    self.krate.modules[module].items.insert(name);
                }
                // The name of an item is no mention, but that of `const fn name` is to be read.
                self.at += if ITEMS.contains(&self.text(1)) { 1 } else { 2 };
            }
            _ if self.is_word(0) => self.mention(),
            _ => self.at += 1,
        }
    }

    fn text(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", |token| &token.text)
    }

    fn is_word(&self, ahead: usize) -> bool {
        self.tokens.get(self.at + ahead).is_some_and(Token::is_word)
    }

    fn before(&self, back: usize) -> &str {
        self.at.checked_sub(back).map_or("", |at| &self.tokens[at].text)
    }

    fn inside(&self) -> usize {
        self.open.last().map_or(0, |open| open.module)
    }

    fn at_item_level(&self) -> bool {
        let items = self.open.last().map_or(0, |open| open.depth);
        self.depth == items || self.macro_depth.is_some()
    }

    /// Whether a brace opens what a macro is given, `name! {`; no definition of a macro.
    fn called(&self) -> bool {
        self.before(1) == "!" && self.at > 1 && self.tokens[self.at - 2].is_word()
    }

    fn close(&mut self) {
        if self.macro_depth == Some(self.depth) {
            self.macro_depth = None;
        }
        if self.open.len() > 1 && self.open.last().is_some_and(|open| open.depth == self.depth) {
            self.open.pop();
        }
        self.depth = self.depth.saturating_sub(1);
        self.at += 1;
    }

    /// The tokens from `ahead`, an opening bracket, to its closing one.
    fn group(&self, ahead: usize) -> usize {
        let mut depth = 0;
        for (length, token) in self.tokens[self.at + ahead..].iter().enumerate() {
            match token.text.as_str() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return length + 1;
            }
        }
        self.tokens.len() - self.at - ahead
    }

    /// Skips an attribute, and the item that it is of if that is for tests alone.
    fn attribute(&mut self) {
        let bracket = if self.text(1) == "!" { 2 } else { 1 };
        let length = self.group(bracket);
        let inner = &self.tokens[self.at + bracket..self.at + bracket + length];
        let has = |word: &str| inner.iter().any(|token| token.is(word));
        let test = inner.get(1).is_some_and(|t| t.is("cfg")) && has("test") && !has("not");
        self.at += bracket + length;
        if test {
            self.skip_item();
        }
    }

    /// Skips to the end of an item, a field, a variant, a statement or an arm.
    fn skip_item(&mut self) {
        let mut ends_at_brace = true;
        while self.at < self.tokens.len() {
            match self.text(0) {
                "}" => return,
                ";" | "," => {
                    self.at += 1;
                    return;
                }
                "#" if self.text(1) == "[" => self.at += 1 + self.group(1),
                "{" => {
                    self.at += self.group(0);
                    if ends_at_brace {
                        return;
                    }
                }
                "(" | "[" => self.at += self.group(0),
                word => {
                    let to_semicolon = ["use", "const", "static", "let"].contains(&word);
                    let function = word == "fn";
                    ends_at_brace = (ends_at_brace && !to_semicolon) || function;
                    self.at += 1;
                }
            }
        }
    }

    fn import(&mut self) {
        let end = self.tokens[self.at..].iter().position(|token| token.is(";"));
        let end = self.at + end.unwrap_or(self.tokens.len() - self.at);
        let reexported = self.before(1) == "pub" || self.before(1) == ")";
        let found = imports::imports(&self.tokens[self.at + 1..end], reexported);
        let module = self.inside();
        self.krate.modules[module].imports.extend(found);
        self.at = end + 1;
    }

    fn module(&mut self) {
        let (parent, name) = (self.inside(), self.text(1).to_owned());
        if self.text(2) == ";" {
            let inline = self.open.iter().skip(1).map(|open| open.name.clone()).collect();
            self.files.push(File { parent, name, inline });
        } else {
            let file = self.krate.modules[parent].file;
            let module = self.krate.add(Some(parent), &name, file);
            self.depth += 1;
            self.open.push(Open { module, name, depth: self.depth });
        }
        self.at += 3;
    }

    /// A path, if it may lead to another file: one word does only if it is a type's or a constant's,
    /// or if it is called.
    fn mention(&mut self) {
        let (line, continued) = (self.tokens[self.at].line, ["::", "."].contains(&self.before(1)));
        let mut path = vec![self.text(0).to_owned()];
        self.at += 1;
        while self.text(0) == "::" && self.is_word(1) {
            path.push(self.text(1).into());
            self.at += 2;
        }
        let makes_macro_call = self.text(0) == "!" && ["(", "[", "{"].contains(&self.text(1));
        let called = makes_macro_call || self.text(0) == "(" || self.text(0) == "::";
        let named = path[0].starts_with(char::is_uppercase);
        if !continued && (path.len() > 1 || named || called) {
            let module = self.inside();
            let mention = Mention { path, makes_macro_call, line };
            self.krate.modules[module].mentions.push(mention);
        }
    }
}
