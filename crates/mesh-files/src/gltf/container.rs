//! The container of a file: JSON, or GLB with a JSON and a binary chunk.

use serde_json::Value;

use crate::MeshFileError;

/// The most values and lists in the JSON. Each may take some hundred bytes of memory.
const MAX_VALUES: usize = 1 << 18;
/// Magic, version and length of a GLB file.
const GLB_HEADER: usize = 12;
/// Length and type of a chunk of a GLB file.
const CHUNK_HEADER: usize = 8;
const BINARY: &[u8] = b"BIN\0";

/// The JSON of a file and its binary chunk, if it has one.
pub(super) fn open(bytes: &[u8]) -> Result<(Value, Option<Vec<u8>>), MeshFileError> {
    let (json, binary) = parts(bytes)?;
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    check_values(json)?;
    let value = serde_json::from_slice(json).map_err(MeshFileError::malformed)?;
    Ok((value, binary.map(<[u8]>::to_vec)))
}

fn parts(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), MeshFileError> {
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes, None));
    }
    let number = |at: usize| {
        let four = bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        four.map(u32::from_le_bytes)
    };
    if number(4) == Some(1) {
        return Err(MeshFileError::OldGltf("1".into()));
    }
    let length = number(8).map_or(0, |length| length as usize);
    if !(GLB_HEADER..=bytes.len()).contains(&length) {
        return Err(MeshFileError::malformed(format!(
            "the header promises {length} bytes, but there are {}",
            bytes.len()
        )));
    }
    let (mut at, mut json, mut binary) = (GLB_HEADER, None, None);
    while let Some(kind) = bytes.get(at + 4..at + CHUNK_HEADER) {
        let length = number(at).map_or(0, |length| length as usize);
        let start = at + CHUNK_HEADER;
        let Some(content) = bytes.get(start..start.saturating_add(length)) else {
            return Err(MeshFileError::malformed(format!(
                "a part of {length} bytes reaches beyond the end of the file"
            )));
        };
        // The first chunk is the JSON. After the first binary chunk, all others are ignored.
        if json.is_none() {
            json = Some(content);
        } else if kind == BINARY && binary.is_none() {
            binary = Some(content);
        }
        at = start + length;
    }
    let json = json.ok_or_else(|| MeshFileError::malformed("the file has no JSON part"))?;
    Ok((json, binary))
}

/// Counts the values of the JSON without parsing it: a file of empty nodes would take a hundred
/// times its size in memory.
fn check_values(json: &[u8]) -> Result<(), MeshFileError> {
    let (mut values, mut quoted, mut escaped) = (0, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' | b',' if !quoted => values += 1,
            _ => {}
        }
    }
    if values > MAX_VALUES {
        return Err(MeshFileError::TooMuch { what: "values in its JSON", max: MAX_VALUES });
    }
    Ok(())
}
