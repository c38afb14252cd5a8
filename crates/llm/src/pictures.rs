//! Pictures in a history: the newest are worth sending again, all of them would soon be too much.

use serde_json::{Map, Value, json};

use crate::content::{Content, Part};

/// What stands where an older picture was.
const LEFT_OUT: &str = "[An earlier picture, left out of this request.]";

/// Leaves out all pictures of people and tools but the newest whose base64 data fits into
/// `budget_bytes` together. What the model said is never touched.
pub fn shed_pictures(mut contents: Vec<Content>, budget_bytes: usize) -> Vec<Content> {
    let mut left = budget_bytes;
    let mut keep = |data: &Value| {
        let size = data["data"].as_str().map_or(0, str::len);
        let fits = size <= left;
        // Once one does not fit, no older one is kept either.
        left = if fits { left - size } else { 0 };
        fits
    };
    for content in contents.iter_mut().rev().filter(|content| content.role != crate::Role::Model) {
        for part in content.parts.iter_mut().rev() {
            if let Some(data) = part.raw().get("inlineData") {
                if !keep(data) {
                    *part = Part::text(LEFT_OUT);
                }
            } else if let Some(pictures) = part.raw().get("functionResponse").and_then(pictures_of)
                && !pictures.iter().rev().all(|picture| keep(&picture["inlineData"]))
            {
                *part = without_pictures(part.raw());
            }
        }
    }
    contents
}

/// Bytes of base64 of the pictures that users and tools gave in a content.
pub fn picture_bytes(content: &Content) -> usize {
    if content.role == crate::Role::Model {
        return 0;
    }
    let size = |data: &Value| data["data"].as_str().map_or(0, str::len);
    let of_part = |part: &Part| {
        let shown = part.raw().get("functionResponse").and_then(pictures_of);
        let shown = shown.into_iter().flatten().map(|picture| size(&picture["inlineData"]));
        part.raw().get("inlineData").map_or(0, size) + shown.sum::<usize>()
    };
    content.parts.iter().map(of_part).sum()
}

fn pictures_of(response: &Value) -> Option<&Vec<Value>> {
    response.get("parts")?.as_array()
}

/// The response with a word in its result in place of its pictures.
fn without_pictures(part: &Map<String, Value>) -> Part {
    let mut part = Value::Object(part.clone());
    if let Some(response) = part["functionResponse"].as_object_mut() {
        response.shift_remove("parts");
        response["response"]["note"] = json!(LEFT_OUT);
    }
    Part::from_value(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(size: usize) -> Part {
        Part::inline_data("image/jpeg", "x".repeat(size))
    }

    fn shown(id: &str, size: usize) -> Content {
        let pictures = vec![picture(size)];
        let result = json!({ "success": true, "result": {} });
        Content::function(vec![Part::response(Some(id), "render_preview", result, pictures)])
    }

    fn call(id: &str) -> Content {
        Content::model(vec![Part::call(Some(id), "render_preview", json!({}))])
    }

    #[test]
    fn the_newest_pictures_stay_and_the_history_stays_one_the_api_accepts() {
        let mut first = Content::user("like this?");
        first.parts.push(picture(30));
        let history =
            vec![first, call("a"), shown("a", 30), call("b"), shown("b", 30), Content::user("ok")];
        assert_eq!(shed_pictures(history.clone(), 90), history);
        let shed = shed_pictures(history.clone(), 70);
        assert_eq!(shed[0].parts[1], Part::text(LEFT_OUT));
        assert_eq!(shed[1..], history[1..]);
        let shed = shed_pictures(history, 50);
        assert!(shed[2].parts[0].raw()["functionResponse"].get("parts").is_none());
        assert!(shed[4].parts[0].raw()["functionResponse"].get("parts").is_some());
        assert_eq!(crate::faults(&shed), Vec::<String>::new());
    }
}
