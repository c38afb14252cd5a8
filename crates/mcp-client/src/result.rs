//! Conversion of a call's result for a model, within limits.

use agent::ToolOutput;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use llm::Part;
use serde_json::{Value, json};

use agent::untrusted::{cut, note, without_base64};

/// The longest text of a result in bytes: about 10,000 tokens.
pub(crate) const MAX_TEXT: usize = 40_000;
/// The longest text of an error in bytes.
const MAX_ERROR: usize = 4_000;
/// The most pictures of a result.
const MAX_PICTURES: usize = 4;
/// The longest side of a picture in pixels; larger ones are scaled down. No provider uses more.
const MAX_SIDE: u32 = 1_568;
/// The largest picture file in bytes; larger ones are encoded again.
const MAX_PICTURE_BYTES: usize = 1024 * 1024;

/// Converts a `tools/call` result. Decodes pictures, so it is slow.
pub(crate) fn output(result: &Value) -> ToolOutput {
    if result["resultType"] == "input_required" {
        return ToolOutput::failure(
            "the tool asks for input from the user, which is not supported here; call it with all \
             it needs, or do without it",
        );
    }
    let mut read = ResultContent::default();
    for block in result["content"].as_array().into_iter().flatten() {
        read.block(block);
    }
    let ResultContent { texts, pictures } = read;
    let text = texts.join("\n");
    if result["isError"] == true {
        let text = bounded(&text, MAX_ERROR);
        let why = if text.trim().is_empty() { "the tool gave no reason".into() } else { text };
        return ToolOutput::failure(why);
    }
    let structured = result.get("structuredContent").filter(|value| !value.is_null());
    let value = match structured.map(plain) {
        Some(value) => {
            let json = value.to_string();
            if json.len() <= MAX_TEXT { value } else { json!({ "text": bounded(&json, MAX_TEXT) }) }
        }
        None => json!({ "text": bounded(&text, MAX_TEXT) }),
    };
    ToolOutput { pictures, ..ToolOutput::success(value) }
}

/// The beginning of a text, with a note if it was truncated.
fn bounded(text: &str, max: usize) -> String {
    if text.len() <= max {
        return text.to_owned();
    }
    let total = text.len();
    format!(
        "{}\n[cut off: these are the first {max} of {total} bytes; ask for less, or for a part]",
        cut(text, max)
    )
}

/// A value without base64 and control characters in its strings.
fn plain(value: &Value) -> Value {
    match value {
        Value::String(text) => plain_text(text).into(),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(object) => {
            object.iter().map(|(name, value)| (name.clone(), plain(value))).collect()
        }
        other => other.clone(),
    }
}

fn plain_text(text: &str) -> String {
    let text = without_base64(text);
    let is_text = |letter: char| !letter.is_control() || matches!(letter, '\n' | '\t');
    if text.chars().all(is_text) {
        return text;
    }
    text.chars().filter(|letter| is_text(*letter)).collect()
}

/// The accumulated output of a result's content blocks.
#[derive(Default)]
struct ResultContent {
    texts: Vec<String>,
    pictures: Vec<Part>,
}

impl ResultContent {
    fn block(&mut self, block: &Value) {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match block["type"].as_str().unwrap_or_default() {
            "text" => self.texts.push(plain_text(&text(&block["text"]))),
            "image" => self.picture(block["mimeType"].as_str(), &text(&block["data"])),
            "audio" => self.left_out(block["mimeType"].as_str(), &text(&block["data"])),
            "resource" => self.resource(&block["resource"]),
            "resource_link" => {
                let kind = block["mimeType"].as_str().map(|kind| format!(", {kind}"));
                let size = block["size"].as_u64().map(|size| format!(", {size} bytes"));
                self.texts.push(plain_text(&format!(
                    "[link to '{}': {}{}{}]",
                    block["name"].as_str().unwrap_or_default(),
                    block["uri"].as_str().unwrap_or_default(),
                    kind.unwrap_or_default(),
                    size.unwrap_or_default()
                )));
            }
            other => {
                let other = cut(other, 40);
                self.texts.push(format!("[content of the unknown type '{other}' left out]"));
            }
        }
    }

    fn resource(&mut self, resource: &Value) {
        let kind = resource["mimeType"].as_str();
        let uri = plain_text(resource["uri"].as_str().unwrap_or_default());
        match (resource["text"].as_str(), resource["blob"].as_str()) {
            (Some(text), _) => self.texts.push(format!("[{uri}]\n{}", plain_text(text))),
            (None, Some(blob)) => {
                self.texts.push(format!("[{uri}]"));
                if kind.is_some_and(|kind| kind.starts_with("image/")) {
                    self.picture(kind, blob);
                } else {
                    self.left_out(kind, blob);
                }
            }
            (None, None) => self.texts.push(format!("[{uri}: empty]")),
        }
    }

    fn left_out(&mut self, kind: Option<&str>, base64: &str) {
        self.texts.push(note(kind, base64.len() / 4 * 3));
    }

    fn picture(&mut self, kind: Option<&str>, base64: &str) {
        let read = if self.pictures.len() < MAX_PICTURES {
            picture(base64)
        } else {
            Err(format!("one result gives at most {MAX_PICTURES} pictures"))
        };
        match read {
            Ok(part) => self.pictures.push(part),
            Err(why) => {
                let note = note(kind.or(Some("image")), base64.len() / 4 * 3);
                self.texts.push(format!("{note} ({why})"));
            }
        }
    }
}

/// Converts a picture to a part: a valid PNG, JPEG or WebP of limited size.
fn picture(base64: &str) -> Result<Part, String> {
    let base64: String = base64.chars().filter(|letter| !letter.is_whitespace()).collect();
    let bytes = STANDARD.decode(&base64).or_else(|_| STANDARD_NO_PAD.decode(&base64));
    let bytes = bytes.map_err(|_| "it is no base64")?;
    let fitted = llm::fit_picture(&bytes, MAX_SIDE, MAX_PICTURE_BYTES)?;
    Ok(Part::inline_data(fitted.mime_type, STANDARD.encode(&fitted.bytes)))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use damage::{damage, value, with_value};
    use image::{ImageFormat, Rgb, RgbImage};
    use proptest::prelude::*;

    use super::*;

    #[expect(clippy::needless_pass_by_value, reason = "cases are written without borrowing")]
    fn text_of(result: Value) -> String {
        let output = output(&result).outcome.unwrap();
        output["text"].as_str().unwrap_or_else(|| panic!("no text: {output}")).to_owned()
    }

    fn png(side: u32) -> String {
        let mut bytes = Vec::new();
        // Noise does not compress.
        let mut state = 1_u32;
        let noise = RgbImage::from_fn(side, side, |_, _| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Rgb([(state >> 8) as u8, (state >> 16) as u8, (state >> 24) as u8])
        });
        noise.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).unwrap();
        STANDARD.encode(bytes)
    }

    #[test]
    fn long_texts_are_cut_with_a_note() {
        let text =
            text_of(json!({ "content": [{ "type": "text", "text": "ä x".repeat(1_300_000) }] }));
        assert!(text.len() < MAX_TEXT + 200);
        assert!(text.ends_with(
            "[cut off: these are the first 40000 of 5200000 bytes; ask for less, or for a part]"
        ));
        let error = output(
            &json!({ "isError": true, "content": [{ "type": "text", "text": "e ".repeat(9_999) }] }),
        );
        assert!(error.outcome.unwrap_err().len() < MAX_ERROR + 200);
        let rows: Vec<Value> = (0..9_999).map(|n| json!({ "row": n })).collect();
        let text = text_of(json!({ "content": [], "structuredContent": { "rows": rows } }));
        assert!(text.starts_with("{\"rows\"") && text.contains("cut off"));
    }

    #[test]
    fn data_is_told_and_not_given() {
        let data = "aB3d".repeat(1_000);
        let result = json!({ "content": [
            { "type": "audio", "mimeType": "audio/wav", "data": data },
            { "type": "resource", "resource": { "uri": "x://a", "mimeType": "application/gzip", "blob": data } },
            { "type": "resource", "resource": { "uri": "x://b", "text": format!("see {data}\u{0}") } },
            { "type": "resource_link", "uri": "x://c", "name": "c", "size": 5 },
            { "type": "text", "text": format!("data:image/png;base64,{data}") },
            { "type": "hologram" }, 5] });
        let expected = "[audio/wav left out: 3000 bytes]\n[x://a]\n[application/gzip left out: 3000 bytes]\n\
                        [x://b]\nsee [base64 data left out: 3000 bytes]\n[link to 'c': x://c, 5 bytes]\n\
                        [image/png left out: 3000 bytes]\n[content of the unknown type 'hologram' left out]\n\
                        [content of the unknown type '' left out]";
        assert_eq!(text_of(result), expected);
        let structured = output(&json!({ "structuredContent": { "a": [data], "b": 1 } })).outcome;
        assert_eq!(structured, Ok(json!({ "a": ["[base64 data left out: 3000 bytes]"], "b": 1 })));
    }

    #[test]
    fn pictures_are_checked_scaled_and_counted() {
        let image = |data: &str| json!({ "type": "image", "mimeType": "image/png", "data": data });
        let small = png(8);
        let with_lines = format!("{}\n{}", &small[..20], &small[20..]);
        let large = png(2_000);
        let result = json!({ "content": [image(&with_lines), image("iVBORw0KGgo="), image("?"), image(&large),
            { "type": "resource", "resource": { "uri": "x://p", "mimeType": "image/png", "blob": small } },
            image(&small), image(&small), image(&small)] });
        let output = output(&result);
        let pictures: Vec<(String, usize)> = output
            .pictures
            .iter()
            .map(|part| {
                let data = &part.raw()["inlineData"];
                (
                    data["mimeType"].as_str().unwrap().to_owned(),
                    data["data"].as_str().unwrap().len(),
                )
            })
            .collect();
        assert_eq!(pictures.len(), MAX_PICTURES);
        assert_eq!(pictures[0], ("image/png".to_owned(), small.len()));
        assert_eq!(pictures[1].0, "image/jpeg");
        assert!(
            pictures[1].1 <= (MAX_PICTURE_BYTES + 3) / 3 * 4 && large.len() > 2 * MAX_PICTURE_BYTES
        );
        let text = output.outcome.unwrap()["text"].as_str().unwrap().to_owned();
        assert!(text.contains("cannot be read") && text.contains("no base64"), "{text}");
        assert_eq!(text.matches("at most 4 pictures").count(), 2, "{text}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn damaged_results_are_bounded_and_show_no_broken_picture(
            lies in prop::collection::vec((0.0..1.0, value()), 0..4), damage in damage(),
        ) {
            let mut result = json!({ "content": [{ "type": "text", "text": "two" },
                { "type": "image", "data": png(8), "mimeType": "image/png" },
                { "type": "resource", "resource": { "uri": "file:///a", "text": "b", "mimeType": "text/plain" } },
                { "type": "resource_link", "uri": "file:///c", "name": "c" },
                { "type": "audio", "data": "AAAA", "mimeType": "audio/wav" }],
                "structuredContent": { "n": 1 }, "isError": false });
            lies.iter().for_each(|(at, lie)| with_value(&mut result, *at, lie));
            let mut text = result.to_string().into_bytes();
            damage.of(&mut text);
            let damaged = serde_json::from_slice(&text).unwrap_or_default();
            for output in [result, damaged].map(|result| output(&result)) {
                let size = match &output.outcome {
                    Ok(value) => value.to_string().len(),
                    Err(error) => error.len(),
                };
                prop_assert!(size < 2 * MAX_TEXT, "{size} bytes");
                prop_assert!(output.pictures.len() <= MAX_PICTURES);
            }
        }
    }
}
