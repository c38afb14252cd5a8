//! Finding the end of a JSON object in text.

/// Follows a JSON object byte by byte; braces in strings do not count.
#[derive(Debug, Clone, Default)]
pub(super) struct Braces {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Braces {
    /// Takes the next byte; true when it closes the object.
    pub(super) fn closes(&mut self, byte: u8) -> bool {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return false;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }
}

/// Whether `text` ends within a string of the JSON it holds.
pub(super) fn ends_in_string(text: &str) -> bool {
    let mut braces = Braces::default();
    for byte in text.bytes() {
        braces.closes(byte);
    }
    braces.in_string
}

/// The length of the longest end of `text` with which `tag` could begin.
pub(super) fn begun(text: &str, tag: &str) -> usize {
    let longest = tag.len().saturating_sub(1).min(text.len());
    (1..=longest)
        .rev()
        .find(|length| text.as_bytes().ends_with(&tag.as_bytes()[..*length]))
        .unwrap_or(0)
}
