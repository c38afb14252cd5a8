//! The inline code of a Markdown text.

/// A piece of inline code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// The line where it begins, counted from 1.
    pub line: usize,
    /// What stands between the backticks.
    pub text: String,
}

/// Every piece of inline code outside fenced blocks. A piece may go on in the next line of its paragraph.
pub fn inline_code(markdown: &str) -> Vec<Code> {
    let mut found = Vec::new();
    let mut open: Option<Code> = None;
    let mut fenced = false;
    for (index, line) in markdown.lines().enumerate() {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        if fence || fenced || line.trim().is_empty() {
            open = None;
            continue;
        }
        for (piece, text) in line.split('`').enumerate() {
            if piece > 0 {
                match open.take() {
                    Some(code) => found.push(code),
                    None => open = Some(Code { line: index + 1, text: String::new() }),
                }
            }
            if let Some(code) = &mut open {
                code.text += text;
            }
        }
        if let Some(code) = &mut open {
            code.text.push(' ');
        }
    }
    found
}

/// A word with braces as the words it stands for: `a/{b,c}.rs` is `a/b.rs` and `a/c.rs`.
pub(crate) fn without_braces(word: &str) -> Vec<String> {
    let parts = word.split_once('{').and_then(|(before, rest)| {
        rest.split_once('}').map(|(inner, after)| (before, inner, after))
    });
    let Some((before, inner, after)) = parts else { return vec![word.into()] };
    inner.split(',').flat_map(|one| without_braces(&format!("{before}{one}{after}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(markdown: &str) -> Vec<String> {
        inline_code(markdown).into_iter().map(|code| code.text).collect()
    }

    #[test]
    fn code_is_found_in_text_and_tables() {
        assert_eq!(texts("a `b` c\n\n| `d` | e `f g` |\n"), ["b", "d", "f g"]);
        assert_eq!(inline_code("a\n\nb `c`")[0].line, 3);
    }

    #[test]
    fn fenced_blocks_are_left_out() {
        assert_eq!(texts("`a`\n```sh\n`b`\n```\n`c`"), ["a", "c"]);
    }

    #[test]
    fn code_goes_on_in_the_next_line_and_ends_with_its_paragraph() {
        assert_eq!(texts("`a\nb` c `d\n\n`e`"), ["a b", "e"]);
    }

    #[test]
    fn braces_stand_for_several_words() {
        assert_eq!(without_braces("a/{b,c}/d.{rs,ts}").len(), 4);
        assert_eq!(without_braces("{b,c}.rs"), ["b.rs", "c.rs"]);
        assert_eq!(without_braces("{open"), ["{open"]);
    }
}
