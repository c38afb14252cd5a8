//! The lines of Wavefront files, in the form the library reads.
//!
//! Files of this kind come from forty years of programs: in any encoding, with colours on some
//! vertices, materials without a name, colours of one number. What can be understood is rewritten; a
//! number that cannot is told with its line.

use crate::MeshFileError;
use crate::limits::{MAX_LINE, too_long_a_line};

/// A file as text: UTF-8, or UTF-16 where it begins so. Of other encodings only names suffer.
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

/// The lines of a mesh file as the library reads them.
pub(super) fn mesh_lines(text: &str) -> Result<String, MeshFileError> {
    let mut clean = String::with_capacity(text.len());
    for (number, line) in text.lines().enumerate() {
        if line.len() > MAX_LINE {
            return Err(too_long_a_line());
        }
        let invalid = |what: &str| {
            let shown: String = line.chars().take(60).collect();
            Err(MeshFileError::malformed(format!("line {}: {what}: '{shown}'", number + 1)))
        };
        let mut words = line.split_whitespace();
        match words.next() {
            // A fourth number is a weight, and more are a colour: neither is read.
            Some("v") => {
                let numbers: Vec<&str> = words.take(3).collect();
                if numbers.len() < 3 || !numbers.iter().all(|word| is_number(word)) {
                    return invalid("a vertex is three numbers");
                }
                clean.push_str("v ");
                clean.push_str(&numbers.join(" "));
            }
            // The material of a program that had none.
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

/// The lines of a file of materials as the library reads them: without those it cannot.
pub(super) fn material_lines(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let Some(key) = words.next() else { continue };
        let numbers = words.clone().take_while(|word| is_number(word)).count();
        match (key, numbers, words.next()) {
            // One number is a grey.
            ("Ka" | "Kd" | "Ks", 1 | 2, Some(grey)) => {
                clean.push_str(&format!("{key} {grey} {grey} {grey}"));
            }
            ("Ka" | "Kd" | "Ks", 0, _) | ("Ns" | "Ni" | "d" | "illum", 0, _) => continue,
            // An image without a name is none.
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
