//! `use` trees.

use super::module::Import;
use crate::tokens::Token;

/// The imports of a `use` tree, given its tokens between `use` and `;`.
pub(super) fn imports(tree: &[Token], reexported: bool) -> Vec<Import> {
    let mut found = Vec::new();
    branch(tree, &[], reexported, &mut found);
    found
}

fn branch(tree: &[Token], before: &[String], reexported: bool, found: &mut Vec<Import>) {
    let mut path = before.to_vec();
    let mut import = |path: Vec<String>, name: &str, glob: bool, line: usize| {
        let name = if name == "_" { String::new() } else { name.into() };
        found.push(Import { name, path, glob, reexported, line });
    };
    for (at, token) in tree.iter().enumerate() {
        match token.text.as_str() {
            // `::name` is another crate's.
            "::" if at == 0 && before.is_empty() => return,
            "::" => {}
            "*" => return import(path, "", true, token.line),
            "as" => return import(path, &tree[at + 1].text, false, token.line),
            "{" => {
                let inner = &tree[at + 1..tree.len() - 1];
                for part in split(inner).into_iter().filter(|part| !part.is_empty()) {
                    branch(part, &path, reexported, found);
                }
                return;
            }
            // `a::{self}` is `a`.
            "self" if !before.is_empty() => {}
            name => path.push(name.into()),
        }
    }
    if let (Some(name), Some(last)) = (path.last().cloned(), tree.last()) {
        import(path, &name, false, last.line);
    }
}

/// Parts at commas outside braces.
fn split(tokens: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0;
    tokens
        .split(|token| {
            match token.text.as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            depth == 0 && token.is(",")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::tokens;

    fn paths(tree: &str) -> Vec<(String, String)> {
        let found = imports(&tokens(tree), false).into_iter();
        found.map(|import| (import.path.join("::"), import.name)).collect()
    }

    #[test]
    fn nested_braces_names_and_globs() {
        let found = paths("crate::{a::{self, B, c::{D as E}}, f::*, G as _,}");
        let wanted = [
            ("crate::a", "a"),
            ("crate::a::B", "B"),
            ("crate::a::c::D", "E"),
            ("crate::f", ""),
            ("crate::G", ""),
        ];
        assert_eq!(found, wanted.map(|(path, name)| (path.into(), name.into())));
    }

    #[test]
    fn a_leading_separator_leads_out_of_the_crate() {
        assert!(paths("::scene::Scene").is_empty());
    }
}
