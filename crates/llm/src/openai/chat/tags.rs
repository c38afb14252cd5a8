//! Parsing of `<think>` at the beginning of an answer, and of calls written as text.
//!
//! Servers without a parser for their model pass its raw output on: thoughts in tags, and calls in
//! the form of its chat template.

/// The tags of thoughts.
const THOUGHTS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];

/// The most leading white space to buffer.
const MAX_BLANK_BYTES: usize = 1024;

/// The opening tag of a call written as text.
const CALL: &str = "<tool_call>";

/// A fragment of an answer.
#[derive(Debug, PartialEq)]
pub(super) enum Fragment {
    /// Text for the user.
    Text(String),
    /// A thought from within tags.
    Thought(String),
}

/// The parser for the text of one answer.
#[derive(Debug, Default)]
pub(super) struct Tags {
    /// Whether to look for calls.
    finds_calls: bool,
    state: State,
    /// Whether there was a thought; the white space after it is dropped.
    thought: bool,
    /// Unprocessed text, which may be an incomplete tag.
    buffer: String,
    /// The text of a call, from its opening tag.
    call: String,
}

#[derive(Debug, Default, Clone, Copy)]
enum State {
    /// Only white space so far.
    #[default]
    Beginning,
    /// Within a thought that this tag closes.
    Thought(&'static str),
    /// Within text.
    Text,
    /// Within a call, which extends to the end of the answer.
    Call,
}

impl Tags {
    /// A parser that looks for thoughts, and for calls if `finds_calls`.
    pub(super) fn new(finds_calls: bool) -> Self {
        Self { finds_calls, ..Self::default() }
    }

    /// Parses the next fragment of text.
    pub(super) fn push(&mut self, piece: &str, said: &mut Vec<Fragment>) {
        self.buffer.push_str(piece);
        while self.step(said) {}
    }

    /// Ends the answer. Returns the call written as text, if there is one.
    pub(super) fn finish(&mut self, said: &mut Vec<Fragment>) -> Option<String> {
        let rest = std::mem::take(&mut self.buffer);
        match self.state {
            State::Thought(_) => think(rest, said),
            State::Beginning | State::Text => say(rest, said),
            State::Call => self.call.push_str(&rest),
        }
        self.state = State::Text;
        Some(std::mem::take(&mut self.call)).filter(|call| !call.is_empty())
    }

    /// The size of the buffered text.
    pub(super) fn held(&self) -> usize {
        self.buffer.len() + self.call.len()
    }

    /// Does one step; returns false if it needs more text.
    fn step(&mut self, said: &mut Vec<Fragment>) -> bool {
        if self.buffer.is_empty() {
            return false;
        }
        match self.state {
            State::Beginning => self.begin(),
            State::Thought(end) => {
                let (before, is_tag) = split_at_tag(&mut self.buffer, end);
                think(before, said);
                if is_tag {
                    self.state = State::Beginning;
                    self.thought = true;
                }
                is_tag
            }
            State::Text if !self.finds_calls => {
                say(std::mem::take(&mut self.buffer), said);
                false
            }
            State::Text => {
                let (before, is_tag) = split_at_tag(&mut self.buffer, CALL);
                say(before, said);
                if is_tag {
                    self.call.push_str(CALL);
                    self.state = State::Call;
                }
                is_tag
            }
            State::Call => {
                self.call.push_str(&std::mem::take(&mut self.buffer));
                false
            }
        }
    }

    fn begin(&mut self) -> bool {
        let text = self.buffer.trim_start();
        for (begin, end) in THOUGHTS {
            if let Some(rest) = text.strip_prefix(begin) {
                self.buffer = rest.to_owned();
                self.state = State::Thought(end);
                return true;
            }
            // This includes text of white space only.
            if begin.starts_with(text) && self.buffer.len() <= MAX_BLANK_BYTES {
                return false;
            }
        }
        if self.thought {
            self.buffer = text.to_owned();
        }
        self.state = State::Text;
        true
    }
}

/// Takes the text before `tag` out of `buffer`, and the tag if it is complete; a possible beginning
/// of the tag stays.
fn split_at_tag(buffer: &mut String, tag: &str) -> (String, bool) {
    if let Some(at) = buffer.find(tag) {
        let rest = buffer.split_off(at + tag.len());
        let mut before = std::mem::replace(buffer, rest);
        before.truncate(at);
        return (before, true);
    }
    let kept = (1..tag.len()).rev().find(|length| buffer.ends_with(&tag[..*length])).unwrap_or(0);
    let rest = buffer.split_off(buffer.len() - kept);
    (std::mem::replace(buffer, rest), false)
}

fn say(text: String, said: &mut Vec<Fragment>) {
    if !text.is_empty() {
        said.push(Fragment::Text(text));
    }
}

fn think(text: String, said: &mut Vec<Fragment>) {
    if !text.is_empty() {
        said.push(Fragment::Thought(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text, the thoughts and the call of `answer`, parsed in fragments of `size` bytes.
    fn read(answer: &str, size: usize) -> (String, String, Option<String>) {
        let mut tags = Tags::new(true);
        let mut said = Vec::new();
        let characters: Vec<char> = answer.chars().collect();
        for piece in characters.chunks(size) {
            tags.push(&piece.iter().collect::<String>(), &mut said);
        }
        let call = tags.finish(&mut said);
        let (mut text, mut thought) = (String::new(), String::new());
        for piece in said {
            match piece {
                Fragment::Text(piece) => text.push_str(&piece),
                Fragment::Thought(piece) => thought.push_str(&piece),
            }
        }
        (text, thought, call)
    }

    #[test]
    fn a_call_of_a_text_protocol_is_text() {
        let mut said = Vec::new();
        let mut tags = Tags::new(false);
        tags.push("a <tool_call>{}", &mut said);
        assert_eq!(tags.finish(&mut said), None);
        assert_eq!(said, [Fragment::Text("a <tool_call>{}".into())]);
    }

    #[test]
    fn tags_are_found_however_they_are_cut() {
        let cases = [
            ("Hello.", "Hello.", "", None),
            ("<think>Hm.</think>\n\nHello.", "Hello.", "Hm.", None),
            (" \n<thinking>a < b</thinking>Hi", "Hi", "a < b", None),
            ("<think>one</think><think>two</think>Hi", "Hi", "onetwo", None),
            ("<think>cut", "", "cut", None),
            ("A <think> in the middle", "A <think> in the middle", "", None),
            ("<thin", "<thin", "", None),
            ("\n Hi", "\n Hi", "", None),
            ("Now: <tool_call>{\"name\":1}", "Now: ", "", Some("<tool_call>{\"name\":1}")),
            ("a <tool", "a <tool", "", None),
        ];
        for (answer, text, thought, call) in cases {
            for size in [1, 2, 3, 100] {
                let expected = (text.to_owned(), thought.to_owned(), call.map(str::to_owned));
                assert_eq!(read(answer, size), expected, "{answer:?} in pieces of {size}");
            }
        }
    }
}
