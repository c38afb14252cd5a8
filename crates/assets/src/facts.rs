//! What is known of an asset.

use scene::Aabb;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::hash::AssetHash;

/// The smallest box around a mesh, as it is in its file.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Extent {
    /// The smallest corner.
    pub min: [f64; 3],
    /// The largest corner.
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

/// What a file was found to hold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Facts {
    /// Triangles.
    Mesh {
        /// Around all of them.
        bounds: Extent,
        /// How many vertices.
        vertices: usize,
        /// How many triangles.
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

/// An asset that is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Asset {
    /// What scenes call it.
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
    /// What clients are told: `asset`, `name`, `media_type`, `bytes`, `kind` and what there is to know of
    /// such a kind.
    pub fn to_json(&self) -> Value {
        let mut told = json!({
            "asset": self.hash.as_str(),
            "name": self.name,
            "media_type": self.media_type,
            "bytes": self.bytes,
            "uploaded_ms": self.uploaded_ms,
        });
        // Numbers and a word: it always serialises.
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

    /// `None` for what another version wrote.
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

    /// Around the triangles of a mesh; `None` for a picture.
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
