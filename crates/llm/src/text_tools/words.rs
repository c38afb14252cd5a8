//! The vocabulary of models for the parts of a call.

/// `word` in lower case without white space and punctuation: `Action Input`, `action_input` and
/// `actionInput` are the same.
pub(super) fn plain(word: &str) -> String {
    word.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// `word` without a prefix: the `input` of `actioninput`.
fn bare(plain: &str) -> &str {
    let owners = ["tool", "function", "action", "call", "api"];
    owners
        .into_iter()
        .filter_map(|owner| plain.strip_prefix(owner))
        .find(|rest| !rest.is_empty())
        .unwrap_or(plain)
}

/// Whether the key is for a tool's name.
pub(super) fn is_name(plain: &str) -> bool {
    const WORDS: [&str; 14] = [
        "name",
        "tool",
        "function",
        "action",
        "call",
        "toolcall",
        "functioncall",
        "toolname",
        "functionname",
        "recipientname",
        "recipient",
        "method",
        "command",
        "tooluse",
    ];
    WORDS.contains(&plain) || (bare(plain) == "name" && plain != "name")
}

/// Whether the key is for all arguments.
pub(super) fn are_arguments(plain: &str) -> bool {
    const WORDS: [&str; 11] = [
        "arguments",
        "args",
        "argument",
        "arg",
        "params",
        "param",
        "parameters",
        "parameter",
        "input",
        "inputs",
        "kwargs",
    ];
    WORDS.contains(&bare(plain))
}

/// Whether the key is for calls.
pub(super) fn are_calls(plain: &str) -> bool {
    are_certainly_calls(plain)
        || [
            "calls",
            "actions",
            "call",
            "function",
            "tool",
            "action",
            "invoke",
            "steps",
            "functions",
        ]
        .contains(&plain)
}

/// Whether the key is for calls only.
pub(super) fn are_certainly_calls(plain: &str) -> bool {
    ["toolcalls", "toolcall", "functioncalls", "functioncall", "tools", "tooluses", "tooluse"]
        .contains(&plain)
}

/// Whether the key is for thoughts.
pub(super) fn are_thoughts(plain: &str) -> bool {
    ["thought", "thoughts", "thinking", "think", "reasoning", "rationale", "reason"]
        .contains(&plain)
}

/// Whether the key, beside calls, is for text to the user.
pub(super) fn is_text(plain: &str) -> bool {
    ["content", "text", "message", "response", "answer", "action", "say"].contains(&plain)
}

/// Whether the key is for dependencies.
pub(super) fn are_needs(plain: &str) -> bool {
    ["needs", "dependson", "dependencies"].contains(&plain)
}

/// Whether the key is metadata of a call, not an argument.
pub(super) fn is_about_the_call(plain: &str) -> bool {
    ["id", "type", "callid", "toolcallid", "tooluseid", "index", "status", "role", "explanation"]
        .contains(&plain)
        || are_thoughts(plain)
        || are_needs(plain)
}

/// Whether the key is for results.
pub(super) fn are_results(plain: &str) -> bool {
    let owner = ["tool", "function", "code", "api"].iter().any(|owner| plain.contains(owner));
    let result = ["result", "response", "output"].iter().any(|result| plain.contains(result));
    (owner && result) || ["observation", "observations", "results"].contains(&plain)
}
