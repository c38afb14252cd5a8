//! Pictures of a conversation, and how many of them a service takes.

use crate::content::{Content, Part, Role};

/// What stands where an older picture was.
pub(super) const LEFT_OUT: &str = "[An earlier picture, left out of this request.]";

/// The pictures within a response.
pub(super) fn of_response(part: &Part) -> Vec<Part> {
    let inside = part.raw().get("functionResponse").and_then(|body| body["parts"].as_array());
    inside.into_iter().flatten().map(|raw| Part::from_value(raw.clone())).collect()
}

/// How many of the first pictures of `contents` have to be left out where only `limit` are taken.
///
/// Leaving one out changes a message that was sent before, so they go in blocks of half the limit:
/// most requests begin with what the one before began with.
pub(super) fn left_out(contents: &[Content], limit: Option<usize>) -> usize {
    let Some(limit) = limit else { return 0 };
    let heard = contents.iter().filter(|content| content.role != Role::Model);
    let count: usize = heard.flat_map(|content| &content.parts).map(count).sum();
    let block = limit.div_ceil(2).max(1);
    count.saturating_sub(limit).div_ceil(block) * block
}

fn count(part: &Part) -> usize {
    let is_picture = |part: &Part| {
        part.raw().get("inlineData").is_some_and(|data| {
            data["mimeType"].as_str().is_some_and(|kind| kind.starts_with("image/"))
        })
    };
    usize::from(is_picture(part)) + of_response(part).iter().filter(|part| is_picture(part)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_left_out_in_blocks() {
        let picture = || Part::inline_data("image/png", "AAAA");
        let history = |count| {
            let parts = (0..count).map(|_| picture()).collect();
            vec![Content { role: Role::User, parts }]
        };
        let left: Vec<usize> = (7..15).map(|count| left_out(&history(count), Some(8))).collect();
        assert_eq!(left, [0, 0, 4, 4, 4, 4, 8, 8]);
        assert_eq!(left_out(&history(100), None), 0);
    }
}
