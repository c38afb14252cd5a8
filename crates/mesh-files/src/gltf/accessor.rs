//! Reading of accessors: any component type, normalized, interleaved, sparse, or without a buffer view.

use serde::Deserialize;
use serde_json::Value;

use crate::MeshFileError;

/// An accessor as in the file; not checked yet.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Accessor {
    buffer_view: Option<usize>,
    #[serde(default)]
    byte_offset: usize,
    component_type: u32,
    #[serde(default)]
    normalized: bool,
    count: usize,
    #[serde(rename = "type")]
    shape: String,
    sparse: Option<Sparse>,
}

/// Elements that replace those of the buffer view.
#[derive(Debug, Deserialize)]
struct Sparse {
    count: usize,
    indices: SparsePart,
    values: SparsePart,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SparsePart {
    buffer_view: usize,
    #[serde(default)]
    byte_offset: usize,
    component_type: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct View {
    buffer: usize,
    #[serde(default)]
    byte_offset: usize,
    byte_length: usize,
    byte_stride: Option<usize>,
}

/// A component type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Kind {
    fn of(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The integer that maps to 1 if the accessor is normalized.
    fn whole(self) -> f32 {
        match self {
            Self::I8 => 127.0,
            Self::U8 => 255.0,
            Self::I16 => 32_767.0,
            Self::U16 => 65_535.0,
            Self::U32 | Self::F32 => 1.0,
        }
    }

    /// The number in the first [`Kind::size`] bytes.
    fn read(self, bytes: &[u8]) -> f64 {
        let two = || [bytes[0], bytes[1]];
        let four = || [bytes[0], bytes[1], bytes[2], bytes[3]];
        match self {
            Self::I8 => f64::from(bytes[0].cast_signed()),
            Self::U8 => f64::from(bytes[0]),
            Self::I16 => f64::from(i16::from_le_bytes(two())),
            Self::U16 => f64::from(u16::from_le_bytes(two())),
            Self::U32 => f64::from(u32::from_le_bytes(four())),
            Self::F32 => f64::from(f32::from_le_bytes(four())),
        }
    }
}

/// Reads the accessors of a file.
pub(super) struct Accessors<'a> {
    pub(super) json: &'a Value,
    pub(super) buffers: &'a [Vec<u8>],
}

impl Accessors<'_> {
    /// The number of elements of an accessor.
    pub(super) fn count(&self, at: usize) -> Result<usize, MeshFileError> {
        Ok(self.accessor(at)?.count)
    }

    /// Elements of `N` numbers. Normalized integers become numbers from -1 or 0 to 1.
    pub(super) fn vectors<const N: usize>(
        &self,
        at: usize,
    ) -> Result<Vec<[f32; N]>, MeshFileError> {
        let accessor = self.accessor(at)?;
        let scale = match Kind::of(accessor.component_type) {
            Some(kind) if accessor.normalized => kind.whole(),
            _ => 1.0,
        };
        let lowest = if accessor.normalized { -1.0 } else { f32::NEG_INFINITY };
        let read = self.elements::<N>(at, &accessor)?;
        let scaled = |number: f64| (number as f32 / scale).max(lowest);
        Ok(read.into_iter().map(|element| element.map(scaled)).collect())
    }

    /// Vertex indices.
    pub(super) fn indices(&self, at: usize) -> Result<Vec<u32>, MeshFileError> {
        let accessor = self.accessor(at)?;
        if !matches!(Kind::of(accessor.component_type), Some(Kind::U8 | Kind::U16 | Kind::U32)) {
            return Err(invalid(at, "has a form that its use does not allow"));
        }
        let read = self.elements::<1>(at, &accessor)?;
        Ok(read.into_iter().map(|[number]| number as u32).collect())
    }

    fn accessor(&self, at: usize) -> Result<Accessor, MeshFileError> {
        let accessor = &self.json["accessors"][at];
        if accessor.is_null() {
            return Err(invalid(at, "is not in the file"));
        }
        Accessor::deserialize(accessor).map_err(|error| invalid(at, &error.to_string()))
    }

    fn elements<const N: usize>(
        &self,
        at: usize,
        accessor: &Accessor,
    ) -> Result<Vec<[f64; N]>, MeshFileError> {
        let parts = match accessor.shape.as_str() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 0,
        };
        let kind = Kind::of(accessor.component_type);
        let (Some(kind), true) = (kind, parts == N) else {
            return Err(invalid(at, "has a form that its use does not allow"));
        };
        let element =
            |bytes: &[u8]| std::array::from_fn(|part| kind.read(&bytes[part * kind.size()..]));
        let size = N * kind.size();
        let mut elements = match accessor.buffer_view {
            Some(view) => {
                let packed = self.packed(at, view, accessor.byte_offset, accessor.count, size)?;
                packed.map(element).collect()
            }
            // Callers check the count against the limits before.
            None => vec![[0.0; N]; accessor.count],
        };
        let Some(sparse) = &accessor.sparse else { return Ok(elements) };
        let places = sparse.indices.component_type.and_then(Kind::of);
        let Some(places @ (Kind::U8 | Kind::U16 | Kind::U32)) = places else {
            return Err(invalid(at, "has sparse indices of a form that is not allowed"));
        };
        let indices = &sparse.indices;
        let indices =
            self.packed(at, indices.buffer_view, indices.byte_offset, sparse.count, places.size())?;
        let values = &sparse.values;
        let values = self.packed(at, values.buffer_view, values.byte_offset, sparse.count, size)?;
        for (index, value) in indices.zip(values) {
            let place = elements.get_mut(places.read(index) as usize);
            *place.ok_or_else(|| invalid(at, "replaces an element that it does not have"))? =
                element(value);
        }
        Ok(elements)
    }

    /// The bytes of each of `count` elements of `size` bytes, after checking that all are in the buffer.
    fn packed(
        &self,
        at: usize,
        view: usize,
        offset: usize,
        count: usize,
        size: usize,
    ) -> Result<impl Iterator<Item = &[u8]>, MeshFileError> {
        let view = View::deserialize(&self.json["bufferViews"][view])
            .map_err(|_| invalid(at, "lies in a buffer view that is not in the file"))?;
        let buffer = self.buffers.get(view.buffer).map(Vec::as_slice).unwrap_or_default();
        let end = view.byte_offset.checked_add(view.byte_length);
        let bytes = end.and_then(|end| buffer.get(view.byte_offset..end));
        let bytes = bytes
            .ok_or_else(|| invalid(at, "lies in a buffer view that reaches beyond its buffer"))?;
        let stride = view.byte_stride.unwrap_or(size);
        let end = count
            .checked_sub(1)
            .and_then(|last| last.checked_mul(stride))
            .and_then(|last| last.checked_add(offset))
            .and_then(|last| last.checked_add(size));
        if stride < size || (count > 0 && end.is_none_or(|end| end > bytes.len())) {
            return Err(invalid(at, "reaches beyond its buffer view"));
        }
        Ok((0..count).map(move |element| &bytes[offset + element * stride..][..size]))
    }
}

fn invalid(at: usize, what: &str) -> MeshFileError {
    MeshFileError::malformed(format!("accessor {at} {what}"))
}
