//! Stanford PLY files.

use media::MeshData;
use ply_rs_bw::parser::{Parser, Reader};
use ply_rs_bw::ply::{
    ElementDef, Encoding, Header, Property, PropertyAccess, PropertyAccessResult, PropertyType,
    ScalarType,
};

use crate::MeshFileError;
use crate::limits::{Limits, MAX_LINE, line_too_long};

/// Bytes of the header, which usually has a few dozen lines.
const MAX_HEADER: usize = 1 << 16;

pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<MeshData, MeshFileError> {
    let (header, mut rest) = read_header(bytes)?;
    let mut left = bytes.len();
    for (name, element) in &header.elements {
        let least = smallest_size(element, header.encoding);
        let fits = element.count.checked_mul(least).filter(|&needed| needed <= left);
        let needed = fits.ok_or_else(|| {
            MeshFileError::malformed(format!(
                "the header promises {} of '{name}', more than the file can hold",
                element.count
            ))
        })?;
        left -= needed;
    }
    let mut mesh = MeshData::default();
    for (name, element) in &header.elements {
        match name.as_str() {
            "vertex" => {
                limits.check_vertices(element.count)?;
                let mut vertices = Vec::new();
                each(&mut rest, element, header.encoding, |vertex: Vertex| {
                    vertices.push(vertex);
                    Ok(())
                })?;
                take_vertices(&mut mesh, element, &vertices)?;
            }
            "face" => {
                limits.check_triangles(element.count)?;
                each(&mut rest, element, header.encoding, |face: Face| {
                    take_face(&mut mesh, &face.corners, limits)
                })?;
            }
            _ => each(&mut rest, element, header.encoding, |Ignored| Ok(()))?,
        }
    }
    Ok(mesh)
}

/// The header and the rest of the file. Lines that begin with no keyword are comments without the keyword.
fn read_header(bytes: &[u8]) -> Result<(Header, &[u8]), MeshFileError> {
    const WORDS: [&str; 7] =
        ["ply", "format", "comment", "obj_info", "element", "property", "end_header"];
    let mut clean = String::new();
    let mut rest = bytes;
    while bytes.len() - rest.len() < MAX_HEADER && !rest.is_empty() {
        let end = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at(end);
        rest = after;
        let line = String::from_utf8_lossy(line);
        let word = line.split_whitespace().next().unwrap_or_default();
        if WORDS.contains(&word) {
            clean.push_str(line.trim());
            clean.push('\n');
        }
        if word == "end_header" {
            let mut reader = Reader::new(clean.as_bytes());
            let header = Parser::<Vertex>::new().read_header(&mut reader);
            return Ok((header.map_err(MeshFileError::malformed)?, rest));
        }
    }
    Err(MeshFileError::malformed(format!("there is no end_header in the first {MAX_HEADER} bytes")))
}

/// Reads the items of an element one by one, so that a wrong count is found before memory is allocated.
fn each<E: PropertyAccess>(
    rest: &mut &[u8],
    element: &ElementDef,
    encoding: Encoding,
    mut take: impl FnMut(E) -> Result<(), MeshFileError>,
) -> Result<(), MeshFileError> {
    let parser = Parser::<E>::new();
    for _ in 0..element.count {
        let one = match encoding {
            Encoding::Ascii => parser.read_ascii_element(line(rest)?, element),
            Encoding::BinaryBigEndian => parser.read_big_endian_element(rest, element),
            Encoding::BinaryLittleEndian => parser.read_little_endian_element(rest, element),
        };
        take(one.map_err(MeshFileError::malformed)?)?;
    }
    Ok(())
}

/// The next line, with its end.
fn line<'a>(rest: &mut &'a [u8]) -> Result<&'a str, MeshFileError> {
    if rest.is_empty() {
        return Err(MeshFileError::malformed("the file ends before all that its header promises"));
    }
    let end = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| at + 1);
    if end > MAX_LINE {
        return Err(line_too_long());
    }
    let (line, after) = rest.split_at(end);
    *rest = after;
    std::str::from_utf8(line).map_err(MeshFileError::malformed)
}

/// The minimum length of an element. In text a property takes a digit and a separator.
fn smallest_size(element: &ElementDef, encoding: Encoding) -> usize {
    let size = |scalar: &ScalarType| match scalar {
        _ if encoding == Encoding::Ascii => 2,
        ScalarType::Char | ScalarType::UChar => 1,
        ScalarType::Short | ScalarType::UShort => 2,
        ScalarType::Int | ScalarType::UInt | ScalarType::Float => 4,
        ScalarType::Double => 8,
    };
    let property = |data_type: &PropertyType| match data_type {
        PropertyType::Scalar(scalar) => size(scalar),
        PropertyType::List(count, _) => size(count),
    };
    let sum: usize = element.properties.values().map(|def| property(&def.data_type)).sum();
    // Any count would fit for an element without properties.
    if sum == 0 { usize::MAX } else { sum }
}

/// Position, normal and texture coordinates.
struct Vertex([f32; 8]);

/// The property names of each number of [`Vertex`]; UV coordinates have several.
const PARTS: [&[&str]; 8] = [
    &["x"],
    &["y"],
    &["z"],
    &["nx"],
    &["ny"],
    &["nz"],
    &["u", "s", "texture_u"],
    &["v", "t", "texture_v"],
];

impl PropertyAccess for Vertex {
    fn new() -> Self {
        Self([0.0; 8])
    }

    fn set_float(&mut self, name: &str, value: f32) -> PropertyAccessResult {
        match PARTS.iter().position(|names| names.contains(&name)) {
            Some(part) => {
                self.0[part] = value;
                PropertyAccessResult::Set
            }
            None => PropertyAccessResult::Ignored,
        }
    }

    fn set_double(&mut self, name: &str, value: f64) -> PropertyAccessResult {
        self.set_float(name, value as f32)
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        match property {
            Property::Float(value) => self.set_float(name, value),
            Property::Double(value) => self.set_double(name, value),
            Property::Int(value) => self.set_double(name, f64::from(value)),
            Property::UInt(value) => self.set_double(name, f64::from(value)),
            Property::Short(value) => self.set_double(name, f64::from(value)),
            Property::UShort(value) => self.set_double(name, f64::from(value)),
            _ => PropertyAccessResult::Ignored,
        }
    }
}

fn take_vertices(
    mesh: &mut MeshData,
    element: &ElementDef,
    vertices: &[Vertex],
) -> Result<(), MeshFileError> {
    let has = |part: usize| {
        PARTS[part].iter().any(|name| element.properties.contains_key(&(*name).to_owned()))
    };
    if !(0..3).all(has) {
        return Err(MeshFileError::malformed("the vertices have no x, y and z"));
    }
    mesh.positions = vertices.iter().map(|Vertex([x, y, z, ..])| [*x, *y, *z]).collect();
    if (3..6).all(has) {
        mesh.normals = vertices.iter().map(|Vertex([_, _, _, x, y, z, ..])| [*x, *y, *z]).collect();
    }
    if (6..8).all(has) {
        mesh.uv = vertices.iter().map(|Vertex([.., u, v])| [*u, *v]).collect();
    }
    Ok(())
}

/// The vertices of a polygon.
struct Face {
    corners: Vec<i64>,
}

impl PropertyAccess for Face {
    fn new() -> Self {
        Self { corners: Vec::new() }
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        if !["vertex_indices", "vertex_index"].contains(&name) {
            return PropertyAccessResult::Ignored;
        }
        self.corners = match property {
            Property::ListInt(list) => list.into_iter().map(i64::from).collect(),
            Property::ListUInt(list) => list.into_iter().map(i64::from).collect(),
            Property::ListShort(list) => list.into_iter().map(i64::from).collect(),
            Property::ListUShort(list) => list.into_iter().map(i64::from).collect(),
            Property::ListChar(list) => list.into_iter().map(i64::from).collect(),
            Property::ListUChar(list) => list.into_iter().map(i64::from).collect(),
            _ => return PropertyAccessResult::Ignored,
        };
        PropertyAccessResult::Set
    }
}

/// Adds a polygon as a triangle fan.
fn take_face(mesh: &mut MeshData, corners: &[i64], limits: &Limits) -> Result<(), MeshFileError> {
    limits.check_triangles(mesh.triangles.len() + corners.len().saturating_sub(2))?;
    let vertex = |corner: i64| {
        u32::try_from(corner).map_err(|_| {
            MeshFileError::malformed(format!("a face names vertex {corner}, which cannot be"))
        })
    };
    let [first, rest @ ..] = corners else {
        return Err(MeshFileError::malformed("a face has no vertex_indices"));
    };
    for pair in rest.windows(2) {
        mesh.triangles.push([vertex(*first)?, vertex(pair[0])?, vertex(pair[1])?]);
    }
    Ok(())
}

/// An element without vertices or faces.
struct Ignored;

impl PropertyAccess for Ignored {
    fn new() -> Self {
        Self
    }

    fn set_property(&mut self, _: &str, _: Property) -> PropertyAccessResult {
        PropertyAccessResult::Ignored
    }
}
