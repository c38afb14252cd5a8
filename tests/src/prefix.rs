//! What a prompt cache would serve of a conversation's requests, and whether each begins with the one
//! before it.

use std::collections::HashSet;

use serde_json::Value;

/// A cache keeps nothing shorter.
const MIN_CACHED_TOKENS: u64 = 1_024;
/// Blocks before a mark in which Anthropic looks for an older mark's prefix.
const LOOKBACK: usize = 20;

/// A request's prompt in the order in which a cache reads it: tools, system, messages, block by block.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prompt {
    blocks: Vec<Block>,
}

#[derive(Debug, Clone, PartialEq)]
struct Block {
    text: String,
    tokens: u64,
    /// Whether `cache_control` stands on it.
    marked: bool,
}

/// How much of some requests a cache would have served.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Share {
    /// Tokens of all requests.
    pub tokens: u64,
    /// Tokens that began as an earlier request did.
    pub cached: u64,
}

impl Share {
    /// 0 to 1.
    pub fn ratio(self) -> f64 {
        if self.tokens == 0 { 0.0 } else { self.cached as f64 / self.tokens as f64 }
    }
}

impl Prompt {
    /// Of a request of any of the providers.
    pub fn of(body: &Value) -> Self {
        let mut prompt = Self::default();
        prompt.push("tools", &body["tools"]);
        for system in ["system", "instructions", "systemInstruction"] {
            for part in parts(&body[system]) {
                prompt.push("system", part);
            }
        }
        let turns =
            ["messages", "input", "contents"].into_iter().find_map(|it| body[it].as_array());
        for turn in turns.into_iter().flatten() {
            let kind = if turn["role"].is_null() { &turn["type"] } else { &turn["role"] };
            let role = kind.as_str().unwrap_or_default();
            for part in parts(&turn["content"]).into_iter().chain(parts(&turn["parts"])) {
                prompt.push(role, part);
            }
            let rest: serde_json::Map<String, Value> = turn
                .as_object()
                .into_iter()
                .flatten()
                .filter(|(name, _)| !["role", "content", "parts"].contains(&name.as_str()))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            if !rest.is_empty() {
                prompt.push(role, &Value::Object(rest));
            }
        }
        if !body["cache_control"].is_null()
            && let Some(last) = prompt.blocks.last_mut()
        {
            last.marked = true;
        }
        prompt
    }

    fn push(&mut self, role: &str, value: &Value) {
        if value.is_null() {
            return;
        }
        let (plain, marked) = unmarked(value);
        let tokens = tokens(&plain);
        self.blocks.push(Block { text: format!("{role} {plain}"), tokens, marked });
    }

    /// All tokens, about.
    pub fn tokens(&self) -> u64 {
        self.blocks.iter().map(|block| block.tokens).sum()
    }

    /// Where this prompt stops to begin as `before` did: what stood there and what stands there now.
    /// `None` when it only adds to it.
    pub fn breaks(&self, before: &Self) -> Option<String> {
        let same = self.common_blocks(before);
        let then = before.blocks.get(same)?;
        let short = |text: &str| text.chars().take(300).collect::<String>();
        let now = self.blocks.get(same).map_or("(nothing)".to_owned(), |block| short(&block.text));
        Some(format!("block {same} was {}\nand is {now}", short(&then.text)))
    }

    fn common_blocks(&self, other: &Self) -> usize {
        let same = |(a, b): &(&Block, &Block)| a.text == b.text;
        self.blocks.iter().zip(&other.blocks).take_while(same).count()
    }

    /// Tokens that begin as `earlier` did.
    fn common_tokens(&self, earlier: &Self) -> u64 {
        let same = self.common_blocks(earlier);
        let whole: u64 = self.blocks[..same].iter().map(|block| block.tokens).sum();
        let within = match (self.blocks.get(same), earlier.blocks.get(same)) {
            (Some(now), Some(then)) => {
                let same =
                    now.text.bytes().zip(then.text.bytes()).take_while(|(a, b)| a == b).count();
                now.tokens * same as u64 / now.text.len().max(1) as u64
            }
            _ => 0,
        };
        whole + within
    }

    /// Lengths in blocks of the prefixes that end at a mark.
    fn marks(&self) -> Vec<usize> {
        let marked = self.blocks.iter().enumerate().filter(|(_, block)| block.marked);
        marked.map(|(index, _)| index + 1).collect()
    }

    fn prefix(&self, blocks: usize) -> Vec<&str> {
        self.blocks[..blocks].iter().map(|block| block.text.as_str()).collect()
    }
}

/// What a cache of prefixes would serve, as most providers have one: each request's longest beginning
/// that an earlier one had too.
pub fn automatic(prompts: &[Prompt]) -> Share {
    let mut share = Share::default();
    for (index, prompt) in prompts.iter().enumerate() {
        let earlier = prompts[..index].iter().map(|earlier| prompt.common_tokens(earlier));
        let cached = earlier.max().unwrap_or(0);
        share.tokens += prompt.tokens();
        share.cached += if cached >= MIN_CACHED_TOKENS { cached } else { 0 };
    }
    share
}

/// What Anthropic's cache would serve: the longest beginning that an earlier request marked, found from
/// a mark of this one.
pub fn marked(prompts: &[Prompt]) -> Share {
    let mut share = Share::default();
    let mut written: HashSet<Vec<&str>> = HashSet::new();
    for prompt in prompts {
        let near = |mark: usize| (mark.saturating_sub(LOOKBACK)..=mark).rev();
        let found = prompt
            .marks()
            .into_iter()
            .flat_map(near)
            .filter(|at| written.contains(&prompt.prefix(*at)));
        let served = found.max().unwrap_or(0);
        share.tokens += prompt.tokens();
        share.cached += prompt.blocks[..served].iter().map(|block| block.tokens).sum::<u64>();
        written.extend(prompt.marks().into_iter().map(|mark| prompt.prefix(mark)));
    }
    share
}

fn parts(content: &Value) -> Vec<&Value> {
    match content {
        Value::Array(parts) => parts.iter().collect(),
        Value::Object(fields) if fields.contains_key("parts") => parts(&content["parts"]),
        Value::Null => Vec::new(),
        one => vec![one],
    }
}

/// Without `cache_control`, and whether there was one.
fn unmarked(value: &Value) -> (Value, bool) {
    let mut found = false;
    let plain = match value {
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .filter(|(name, _)| {
                    let marks = *name == "cache_control";
                    found |= marks;
                    !marks
                })
                .map(|(name, value)| (name.clone(), unmarked(value).0))
                .collect(),
        ),
        Value::Array(values) => {
            let values = values.iter().map(unmarked).map(|(value, marked)| {
                found |= marked;
                value
            });
            Value::Array(values.collect())
        }
        other => other.clone(),
    };
    (plain, found)
}

/// About four bytes a token; a picture is a thousand.
fn tokens(value: &Value) -> u64 {
    crate::fake_chat::estimate_tokens(value).max(1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// More than a cache keeps.
    fn long(word: &str) -> String {
        format!("{word} ").repeat(4_000)
    }

    fn chat(system: &str, said: &[&str]) -> Prompt {
        let said = said.iter().map(|text| json!({ "role": "user", "content": text }));
        let messages: Vec<Value> =
            std::iter::once(json!({ "role": "system", "content": system })).chain(said).collect();
        Prompt::of(&json!({ "messages": messages }))
    }

    #[test]
    fn a_prompt_that_only_adds_breaks_nothing() {
        let (first, second) = (chat("s", &["a"]), chat("s", &["a", "b"]));
        assert_eq!(second.breaks(&first), None);
        assert!(first.breaks(&second).unwrap().contains("is (nothing)"));
        assert!(
            chat("t", &["a", "b"]).breaks(&first).unwrap().starts_with("block 0 was system \"s\"")
        );
        assert!(
            chat("s", &["c", "b"]).breaks(&first).unwrap().starts_with("block 1 was user \"a\"")
        );
    }

    #[test]
    fn a_cache_serves_what_began_the_same() {
        let (a, b) = (long("a"), long("b"));
        let added = automatic(&[chat(&a, &["x"]), chat(&a, &["x", &b])]);
        let half = added.ratio();
        assert!((0.3..0.4).contains(&half), "{half}");
        assert_eq!(automatic(&[chat(&a, &["x"]), chat(&b, &["x", &a])]).cached, 0);
        assert_eq!(automatic(&[chat("a", &["x"]), chat("a", &["x", "y"])]).cached, 0, "too short");
    }

    #[test]
    fn without_a_mark_anthropic_caches_nothing() {
        let body = |marked: bool, more: usize| {
            let mut system = json!([{ "type": "text", "text": long("a") }]);
            if marked {
                system[0]["cache_control"] = json!({ "type": "ephemeral" });
            }
            let said: Vec<Value> =
                (0..more).map(|_| json!({ "type": "text", "text": "x" })).collect();
            Prompt::of(
                &json!({ "system": system, "messages": [{ "role": "user", "content": said }] }),
            )
        };
        assert_eq!(marked(&[body(false, 1), body(false, 2)]).cached, 0);
        let share = marked(&[body(true, 1), body(true, 2)]);
        assert!(share.ratio() > 0.49, "{share:?}");
    }
}
