//! Metadata of an asset.

use scene::Aabb;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::hash::AssetHash;

/// The bounding box of a mesh, in the coordinates of its file.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Extent {
    /// The minimum corner.
    pub min: [f64; 3],
    /// The maximum corner.
    pub max: [f64; 3],
}

impl From<Aabb> for Extent {
    fn from(Aabb { min, max }: Aabb) -> Self {
        Self { min, max }
    }
}

impl From<Extent> for Aabb {
    fn from(Extent { min, max }: Extent) -> Self {
        Self { min, max }
    }
}

/// Facts about the content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Facts {
    /// Triangles.
    Mesh {
        /// The bounding box.
        bounds: Extent,
        /// The number of vertices.
        vertices: usize,
        /// The number of triangles.
        triangles: usize,
    },
    /// A picture.
    Image {
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
    },
}

/// The metadata of a stored asset.
#[derive(Debug, Clone, PartialEq)]
pub struct Asset {
    /// The hash by which scenes refer to it.
    pub hash: AssetHash,
    /// Its display name; may be empty.
    pub name: String,
    /// As in `Content-Type`.
    pub media_type: String,
    /// Its size.
    pub bytes: u64,
    /// What it holds.
    pub facts: Facts,
    /// When it was last uploaded, in milliseconds since 1970.
    pub uploaded_ms: u64,
}

impl Asset {
    /// The JSON for clients: `asset`, `name`, `media_type`, `bytes`, `kind` and the facts of that kind.
    pub fn to_json(&self) -> Value {
        let mut told = json!({
            "asset": self.hash.as_str(),
            "name": self.name,
            "media_type": self.media_type,
            "bytes": self.bytes,
            "uploaded_ms": self.uploaded_ms,
        });
        // It holds only numbers and strings, so serialising it cannot fail.
        let facts = serde_json::to_value(self.facts).unwrap_or_default();
        if let (Some(told), Value::Object(facts)) = (told.as_object_mut(), facts) {
            told.extend(facts);
        }
        told
    }

    pub(crate) fn to_record(&self) -> store::Asset {
        store::Asset {
            hash: self.hash.to_string(),
            name: self.name.clone(),
            media_type: self.media_type.clone(),
            bytes: self.bytes,
            facts: serde_json::to_string(&self.facts).unwrap_or_default(),
            uploaded_ms: self.uploaded_ms,
        }
    }

    /// `None` if another version wrote it in another form.
    pub(crate) fn from_record(record: store::Asset) -> Option<Self> {
        Some(Self {
            hash: AssetHash::parse(&record.hash)?,
            name: record.name,
            media_type: record.media_type,
            bytes: record.bytes,
            facts: serde_json::from_str(&record.facts).ok()?,
            uploaded_ms: record.uploaded_ms,
        })
    }

    /// The bounding box of a mesh; `None` for a picture.
    pub fn bounds(&self) -> Option<Aabb> {
        match self.facts {
            Facts::Mesh { bounds, .. } => Some(bounds.into()),
            Facts::Image { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_and_told_to_clients() {
        let bounds = Extent { min: [-0.1, 0.0, 0.0], max: [1.0, 2.0, 1e-9] };
        let mesh = Asset {
            hash: AssetHash::of(b"abc"),
            name: "bunny.ply".into(),
            media_type: "model/ply".into(),
            bytes: 3,
            facts: Facts::Mesh { bounds, vertices: 4, triangles: 2 },
            uploaded_ms: 7,
        };
        assert_eq!(Asset::from_record(mesh.to_record()), Some(mesh.clone()));
        let told = mesh.to_json();
        assert_eq!(told["asset"], AssetHash::of(b"abc").as_str());
        assert_eq!((&told["kind"], &told["triangles"]), (&json!("mesh"), &json!(2)));
        assert_eq!(told["bounds"]["max"], json!([1.0, 2.0, 1e-9]));
        let picture = Asset { facts: Facts::Image { width: 3, height: 4 }, ..mesh };
        assert_eq!(Asset::from_record(picture.to_record()), Some(picture.clone()));
        assert_eq!((&picture.to_json()["kind"], picture.bounds()), (&json!("image"), None));
    }
}
