//! Normalization of OBJ and MTL files for the parser (`tobj`).
//!
//! Programs have written OBJ for forty years, with any encoding, vertex colours, materials without a name
//! and colours of one number. These are rewritten; an invalid number is an error with its line.

use crate::MeshFileError;
use crate::limits::{MAX_LINE, line_too_long};

/// The text of a file in UTF-8, or in UTF-16 with a byte order mark. Other encodings garble names only.
pub(super) fn decoded(bytes: &[u8]) -> String {
    let wide = |order: fn([u8; 2]) -> u16| {
        let (units, _) = bytes[2..].as_chunks();
        String::from_utf16_lossy(&units.iter().map(|unit| order(*unit)).collect::<Vec<_>>())
    };
    match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
            .into_owned(),
    }
}

/// The lines of an OBJ file as the parser accepts them.
pub(super) fn mesh_lines(text: &str) -> Result<String, MeshFileError> {
    let mut clean = String::with_capacity(text.len());
    for (number, line) in text.lines().enumerate() {
        if line.len() > MAX_LINE {
            return Err(line_too_long());
        }
        let invalid = |what: &str| {
            let shown: String = line.chars().take(60).collect();
            Err(MeshFileError::malformed(format!("line {}: {what}: '{shown}'", number + 1)))
        };
        let mut words = line.split_whitespace();
        match words.next() {
            // Weights (a fourth number) and vertex colours are not read.
            Some("v") => {
                let numbers: Vec<&str> = words.take(3).collect();
                if numbers.len() < 3 || !numbers.iter().all(|word| is_number(word)) {
                    return invalid("a vertex is three numbers");
                }
                clean.push_str("v ");
                clean.push_str(&numbers.join(" "));
            }
            // Some programs write an empty name.
            Some("usemtl") => match line.trim().split_once(char::is_whitespace) {
                Some((_, name)) => {
                    clean.push_str("usemtl ");
                    clean.push_str(name.trim());
                }
                None => clean.push_str("usemtl unnamed"),
            },
            Some("mtllib") => {
                let name = line.trim().split_once(char::is_whitespace).map_or("", |(_, name)| name);
                clean.push_str("mtllib ");
                clean.push_str(name.trim());
            }
            Some("f" | "l") if words.any(|word| word.split('/').next() == Some("0")) => {
                return invalid("vertices are counted from 1");
            }
            _ => clean.push_str(line),
        }
        clean.push('\n');
    }
    Ok(clean)
}

/// The lines of an MTL file that the parser accepts.
pub(super) fn material_lines(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let Some(key) = words.next() else { continue };
        let numbers = words.clone().take_while(|word| is_number(word)).count();
        match (key, numbers, words.next()) {
            // One number is a grey value.
            ("Ka" | "Kd" | "Ks", 1 | 2, Some(grey)) => {
                clean.push_str(&format!("{key} {grey} {grey} {grey}"));
            }
            ("Ka" | "Kd" | "Ks", 0, _) | ("Ns" | "Ni" | "d" | "illum", 0, _) => continue,
            // A texture without a file name is left out.
            (
                "map_Ka" | "map_Kd" | "map_Ks" | "map_Ns" | "map_ns" | "map_NS" | "map_d",
                0,
                None,
            ) => {
                continue;
            }
            ("map_Bump" | "map_bump" | "bump", 0, None) => continue,
            ("newmtl", _, None) => clean.push_str("newmtl unnamed"),
            _ => clean.push_str(line.trim()),
        }
        clean.push('\n');
    }
    clean
}

fn is_number(word: &str) -> bool {
    word.parse::<f32>().is_ok_and(f32::is_finite)
}
