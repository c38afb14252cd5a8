//! What a request tells of the scene.

use serde_json::Value;

/// How the scene is told as a whole, and what the user changed; a number follows each.
const WHOLE: &str = "[The scene as it is now, revision ";
const CHANGED: &str = "this stands. It is revision ";

/// The text of the last context in `body`, from its heading on.
pub fn told_text(body: &Value) -> Option<String> {
    let turns = ["messages", "input", "contents"].into_iter().find_map(|it| body.get(it))?;
    let mut found = None;
    texts(turns, &mut |text| {
        let at = [WHOLE, CHANGED].iter().filter_map(|heading| text.rfind(heading)).max();
        if let Some(at) = at {
            found = Some(text[at..].to_owned());
        }
    });
    found
}

/// The revision of the scene that the last context in `body` tells.
pub fn told_revision(body: &Value) -> Option<u64> {
    let text = told_text(body)?;
    let rest = [WHOLE, CHANGED].iter().find_map(|heading| text.strip_prefix(heading))?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

fn texts(value: &Value, each: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => each(text),
        Value::Array(values) => values.iter().for_each(|value| texts(value, each)),
        Value::Object(fields) => fields.values().for_each(|value| texts(value, each)),
        _ => {}
    }
}
