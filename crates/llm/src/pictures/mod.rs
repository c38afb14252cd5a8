//! Pictures in a history: only the newest ones are sent again, to limit the size of requests.

mod fit;

use serde_json::{Map, Value, json};

pub(crate) use fit::PictureFitter;
pub use fit::{FittedPicture, fit_picture};

use crate::content::{Content, Part, Role};

/// The note in place of an old picture.
pub(crate) const LEFT_OUT: &str = "[An earlier picture, left out of this request.]";

/// The most pictures per request: Anthropic's limit, the lowest of the large providers.
pub(crate) const MAX_PICTURES: usize = 100;

/// Removes the oldest pictures of users and tools if all together have more than `budget_bytes` of
/// base64 data, or are more than providers accept. Answers of the model are never changed.
///
/// If there are too many, half of them are removed, so that requests share a prefix until the limit
/// is reached again. The result depends only on the pictures so far, and a removed picture stays
/// removed.
pub fn shed_pictures(contents: Vec<Content>, budget_bytes: usize) -> Vec<Content> {
    limit_pictures(contents, budget_bytes, MAX_PICTURES)
}

/// [`shed_pictures`] with another maximum count. A picture that was already replaced by
/// [`LEFT_OUT`] counts as a picture of no bytes, so that the result does not depend on how many
/// were removed before.
pub(crate) fn limit_pictures(
    contents: Vec<Content>,
    budget_bytes: usize,
    max_count: usize,
) -> Vec<Content> {
    let places: Vec<Option<usize>> = places(&contents);
    let sizes: Vec<usize> = places.iter().map(|size| size.unwrap_or(0)).collect();
    let first = first_kept(&sizes, budget_bytes, max_count);
    let goes: Vec<bool> = places
        .iter()
        .enumerate()
        .filter_map(|(index, size)| size.map(|size| index < first || size > budget_bytes))
        .collect();
    if !goes.contains(&true) {
        return contents;
    }
    let mut goes = goes.into_iter();
    change_pictures(contents, |_| match goes.next() {
        Some(true) => PictureEdit::Note(LEFT_OUT),
        _ => PictureEdit::Keep,
    })
}

/// The index of the oldest picture that stays.
fn first_kept(sizes: &[usize], budget_bytes: usize, max_count: usize) -> usize {
    let (mut first, mut total) = (0, 0);
    for (index, size) in sizes.iter().enumerate() {
        // A single picture above the budget is removed alone.
        let counted = |size: usize| if size <= budget_bytes { size } else { 0 };
        total += counted(*size);
        if total > budget_bytes || index + 1 - first > max_count {
            while first < index
                && (total > budget_bytes / 2 || index + 1 - first > max_count.div_ceil(2))
            {
                total -= counted(sizes[first]);
                first += 1;
            }
        }
    }
    first
}

fn size(data: &Value) -> usize {
    data["data"].as_str().map_or(0, str::len)
}

/// The sizes of all pictures of users and tools, the oldest first; `None` for a removed one.
fn places(contents: &[Content]) -> Vec<Option<usize>> {
    let parts = contents.iter().filter(|content| content.role != Role::Model);
    let mut places = Vec::new();
    for part in parts.flat_map(|content| &content.parts) {
        let note = &part.raw().get("functionResponse").unwrap_or(&Value::Null)["response"]["note"];
        if part.as_text() == Some(LEFT_OUT) || note == LEFT_OUT {
            places.push(None);
        }
        places.extend(pictures_in(part).map(|data| Some(size(data))));
    }
    places
}

/// The `inlineData` of all pictures of users and tools, the oldest first.
pub(crate) fn pictures_of(contents: &[Content]) -> impl Iterator<Item = &Value> {
    let parts = contents.iter().filter(|content| content.role != Role::Model);
    parts.flat_map(|content| &content.parts).flat_map(pictures_in)
}

fn pictures_in(part: &Part) -> impl Iterator<Item = &Value> {
    let within = part.raw().get("functionResponse").and_then(pictures_within);
    let within = within.into_iter().flatten().filter_map(|picture| picture.get("inlineData"));
    part.raw().get("inlineData").into_iter().chain(within)
}

/// The pictures within a response, as parts.
pub(crate) fn of_response(part: &Part) -> Vec<Part> {
    let within = part.raw().get("functionResponse").and_then(pictures_within);
    within.into_iter().flatten().map(|raw| Part::from_value(raw.clone())).collect()
}

/// A change of one picture.
pub(crate) enum PictureEdit {
    /// Keep it.
    Keep,
    /// Replace it with this `inlineData`.
    Replace(Value),
    /// Replace it with this note.
    Note(&'static str),
}

/// Changes the pictures of users and tools. `edit` gets the `inlineData` of each, the oldest first.
pub(crate) fn change_pictures(
    mut contents: Vec<Content>,
    mut edit: impl FnMut(&Value) -> PictureEdit,
) -> Vec<Content> {
    for content in contents.iter_mut().filter(|content| content.role != Role::Model) {
        for part in &mut content.parts {
            if let Some(data) = part.raw().get("inlineData") {
                match edit(data) {
                    PictureEdit::Keep => {}
                    PictureEdit::Replace(other) => {
                        let mut raw = part.raw().clone();
                        raw.insert("inlineData".into(), other);
                        *part = Part::from_value(Value::Object(raw));
                    }
                    PictureEdit::Note(note) => *part = Part::text(note),
                }
            } else if let Some(pictures) =
                part.raw().get("functionResponse").and_then(pictures_within)
            {
                let edits: Vec<PictureEdit> =
                    pictures.iter().map(|it| edit(&it["inlineData"])).collect();
                if !edits.iter().all(|edit| matches!(edit, PictureEdit::Keep)) {
                    *part = with_pictures(part.raw(), edits);
                }
            }
        }
    }
    contents
}

/// The base64 bytes of a content's pictures.
pub fn picture_bytes(content: &Content) -> usize {
    pictures_of(std::slice::from_ref(content)).map(size).sum()
}

fn pictures_within(response: &Value) -> Option<&Vec<Value>> {
    response.get("parts")?.as_array()
}

/// The response with changed pictures; a note in the result replaces removed ones.
fn with_pictures(part: &Map<String, Value>, edits: Vec<PictureEdit>) -> Part {
    let mut part = Value::Object(part.clone());
    let Some(response) = part["functionResponse"].as_object_mut() else {
        return Part::from_value(part);
    };
    let before = response.shift_remove("parts").unwrap_or_default();
    let mut pictures = Vec::new();
    let mut gone = None;
    for (mut picture, edit) in before.as_array().cloned().unwrap_or_default().into_iter().zip(edits)
    {
        match edit {
            PictureEdit::Keep => pictures.push(picture),
            PictureEdit::Replace(other) => {
                picture["inlineData"] = other;
                pictures.push(picture);
            }
            PictureEdit::Note(note) => gone = Some(note),
        }
    }
    if !pictures.is_empty() {
        response.insert("parts".into(), pictures.into());
    }
    if let Some(note) = gone {
        if !response.get("response").is_some_and(Value::is_object) {
            response.insert("response".into(), json!({}));
        }
        response["response"]["note"] = json!(note);
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
        assert!(shed[2].parts[0].raw()["functionResponse"].get("parts").is_none());
        assert_eq!(shed[3..], history[3..]);
        assert_eq!(crate::history_errors(&shed), Vec::<String>::new());
        assert_eq!(pictures_of(&shed_pictures(history.clone(), 29)).count(), 0);
        assert_eq!(pictures_of(&limit_pictures(history, 1_000, 2)).count(), 1);
    }

    #[test]
    fn what_is_left_out_changes_seldom_as_a_history_grows() {
        let mut history = Vec::new();
        let mut before: Vec<Content> = Vec::new();
        let mut changes = 0;
        for number in 0..200 {
            history.extend([call(&number.to_string()), shown(&number.to_string(), 10)]);
            let shed = limit_pictures(history.clone(), 1_000, 20);
            changes += usize::from(shed[..before.len()] != before);
            let kept = pictures_of(&shed).count();
            assert!((10..=20).contains(&kept) || number < 20, "{kept}");
            before = shed;
        }
        // Each change removes ten or eleven pictures.
        assert_eq!(changes, 17);
    }

    #[test]
    fn the_same_pictures_go_where_others_were_left_out_before() {
        let mut history = Vec::new();
        let mut last: Option<Vec<Content>> = None;
        for number in 0..60 {
            history.extend([call(&number.to_string()), shown(&number.to_string(), 10)]);
            let all = limit_pictures(history.clone(), 1_000, 5);
            let fewer = limit_pictures(limit_pictures(history.clone(), 200, 100), 1_000, 5);
            assert_eq!(fewer, all, "{number}");
            // A removed picture stays removed.
            let gone =
                |contents: &[Content]| places(contents).iter().filter(|it| it.is_none()).count();
            assert!(last.is_none_or(|last| gone(&last) <= gone(&all)));
            last = Some(all);
        }
    }

    #[test]
    fn a_picture_too_large_alone_goes_alone() {
        let history = vec![shown("a", 10), shown("b", 500), shown("c", 10)];
        let shed = shed_pictures(history, 100);
        let left: Vec<usize> = pictures_of(&shed).map(size).collect();
        assert_eq!(left, [10, 10]);
    }
}
