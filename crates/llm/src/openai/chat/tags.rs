//! `<think>` at the beginning of an answer, and calls written as text.
//!
//! Servers without a parser for the model they run pass on what it writes: thoughts between tags, and
//! calls in the form of its template.

/// How thoughts begin and end, as models write them.
const THOUGHTS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];

/// The most white space that is kept back at the beginning.
const MAX_BLANK_BYTES: usize = 1024;

/// How a call begins that was written as text.
const CALL: &str = "<tool_call>";

/// A piece of an answer.
#[derive(Debug, PartialEq)]
pub(super) enum Spoken {
    /// For the user.
    Text(String),
    /// A thought from between tags.
    Thought(String),
}

/// Sorts the text of one answer.
#[derive(Debug, Default)]
pub(super) struct Tags {
    /// Whether calls are looked for.
    finds_calls: bool,
    state: State,
    /// Whether a thought came; the white space after it says nothing.
    thought: bool,
    /// What has come and may be the beginning of a tag.
    buffer: String,
    /// A call written as text, from its tag on.
    call: String,
}

#[derive(Debug, Default, Clone, Copy)]
enum State {
    /// Nothing but white space has come.
    #[default]
    Beginning,
    /// In a thought that ends with this.
    Thinking(&'static str),
    /// After the beginning.
    Saying,
    /// In a call; all that follows belongs to it.
    Calling,
}

impl Tags {
    /// Looks for thoughts, and for calls if `finds_calls`.
    pub(super) fn new(finds_calls: bool) -> Self {
        Self { finds_calls, ..Self::default() }
    }

    /// Takes the next piece of text.
    pub(super) fn push(&mut self, piece: &str, said: &mut Vec<Spoken>) {
        self.buffer.push_str(piece);
        while self.step(said) {}
    }

    /// Takes the end of the answer; the call that was written as text, if one was.
    pub(super) fn finish(&mut self, said: &mut Vec<Spoken>) -> Option<String> {
        let rest = std::mem::take(&mut self.buffer);
        match self.state {
            State::Thinking(_) => think(rest, said),
            State::Beginning | State::Saying => say(rest, said),
            State::Calling => self.call.push_str(&rest),
        }
        self.state = State::Saying;
        Some(std::mem::take(&mut self.call)).filter(|call| !call.is_empty())
    }

    /// How many bytes are kept back.
    pub(super) fn held(&self) -> usize {
        self.buffer.len() + self.call.len()
    }

    /// One step; false when more has to come first.
    fn step(&mut self, said: &mut Vec<Spoken>) -> bool {
        if self.buffer.is_empty() {
            return false;
        }
        match self.state {
            State::Beginning => self.begin(),
            State::Thinking(end) => {
                let (before, is_tag) = split_at_tag(&mut self.buffer, end);
                think(before, said);
                if is_tag {
                    self.state = State::Beginning;
                    self.thought = true;
                }
                is_tag
            }
            State::Saying if !self.finds_calls => {
                say(std::mem::take(&mut self.buffer), said);
                false
            }
            State::Saying => {
                let (before, is_tag) = split_at_tag(&mut self.buffer, CALL);
                say(before, said);
                if is_tag {
                    self.call.push_str(CALL);
                    self.state = State::Calling;
                }
                is_tag
            }
            State::Calling => {
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
                self.state = State::Thinking(end);
                return true;
            }
            // White space alone, too: it says nothing yet.
            if begin.starts_with(text) && self.buffer.len() <= MAX_BLANK_BYTES {
                return false;
            }
        }
        if self.thought {
            self.buffer = text.to_owned();
        }
        self.state = State::Saying;
        true
    }
}

/// Takes what stands before `tag` out of `buffer`, and the tag as well if it is there; what may be
/// the beginning of the tag stays.
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

fn say(text: String, said: &mut Vec<Spoken>) {
    if !text.is_empty() {
        said.push(Spoken::Text(text));
    }
}

fn think(text: String, said: &mut Vec<Spoken>) {
    if !text.is_empty() {
        said.push(Spoken::Thought(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text, the thoughts and the call of `answer` in pieces of `size` bytes.
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
                Spoken::Text(piece) => text.push_str(&piece),
                Spoken::Thought(piece) => thought.push_str(&piece),
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
        assert_eq!(said, [Spoken::Text("a <tool_call>{}".into())]);
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
