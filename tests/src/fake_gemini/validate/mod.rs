//! What the real API would refuse in a request.

mod common;
mod fields;
mod issued;
mod messages;
mod tools;
mod turns;

use serde_json::Value;

pub(super) use issued::Issued;

/// Every reason to refuse `body`; empty when the real API would accept it. `issued` are the answers
/// given so far, which must come back as they were.
pub(super) fn errors(
    model: &str,
    body: &Value,
    issued: &[Issued],
    foreign_answers: bool,
) -> Vec<String> {
    let mut errors = Vec::new();
    fields::check(body, &fields::Kind::Message(&messages::REQUEST), "", &mut errors);
    if !errors.is_empty() {
        // The rest reads the body by its documented form.
        return errors;
    }
    tools::check(body, &mut errors);
    turns::check(model, body, &mut errors);
    issued::check(body, issued, foreign_answers, &mut errors);
    errors
}

#[cfg(test)]
mod tests;
