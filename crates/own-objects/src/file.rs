//! The file of an object: the form of `catalogue::OwnObject`, and `assets` with the meshes and pictures it
//! names.

use assets::{AssetHash, MediaType};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use catalogue::OwnObject;
use serde_json::{Map, Value, json};

use crate::error::OwnObjectError;
use crate::limits::MAX_FILE_BYTES;

/// An object with the meshes and pictures it names.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectFile {
    /// The object.
    pub object: OwnObject,
    /// What it names, each once.
    pub assets: Vec<KeptAsset>,
}

/// A mesh or picture that is kept with an object. Its content has its hash; nothing else of it is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAsset {
    /// The name by which shapes refer to it.
    pub hash: AssetHash,
    /// The name of the file it was uploaded as; may be empty.
    pub name: String,
    /// What the content is.
    pub media_type: MediaType,
    /// The content.
    pub bytes: Bytes,
}

impl ObjectFile {
    /// Reads a file. What its shapes name has to be in it, with the right hash.
    pub fn read(file: &[u8]) -> Result<Self, OwnObjectError> {
        if file.len() as u64 > MAX_FILE_BYTES {
            return Err(OwnObjectError::TooLarge(file.len() as u64));
        }
        let value: Value = serde_json::from_slice(file).map_err(|error| {
            OwnObjectError::Malformed(format!("it is not the JSON of an object: {error}"))
        })?;
        let object = OwnObject::from_json(&value)?;
        let mut carried = read_assets(&value["assets"]).map_err(OwnObjectError::Malformed)?;
        let mut assets = Vec::new();
        for name in object.asset_names() {
            let at = carried.iter().position(|asset| asset.hash.as_str() == name.as_str());
            let at = at.ok_or_else(|| {
                OwnObjectError::Malformed(format!(
                    "'assets' lacks '{name}', which its shapes name; export the object again"
                ))
            })?;
            assets.push(carried.swap_remove(at));
        }
        Ok(Self { object, assets })
    }

    /// The file's content.
    pub fn write(&self) -> Result<Vec<u8>, OwnObjectError> {
        let mut form = self.object.to_json();
        if !self.assets.is_empty() {
            form["assets"] = self.assets.iter().map(KeptAsset::to_json).collect();
        }
        let mut text = serde_json::to_vec(&form)
            .map_err(|error| OwnObjectError::Malformed(error.to_string()))?;
        text.push(b'\n');
        match text.len() as u64 {
            length if length > MAX_FILE_BYTES => Err(OwnObjectError::TooLarge(length)),
            _ => Ok(text),
        }
    }
}

impl KeptAsset {
    fn to_json(&self) -> Value {
        json!({
            "asset": self.hash.as_str(),
            "name": self.name,
            "media_type": self.media_type.name(),
            "data": STANDARD.encode(&self.bytes),
        })
    }

    fn read(fields: &Map<String, Value>) -> Result<Self, String> {
        let text = |name: &str| fields.get(name).and_then(Value::as_str);
        let hash = text("asset").and_then(AssetHash::parse);
        let hash = hash.ok_or("'assets': 'asset' must be 64 hexadecimal digits")?;
        let media_type = text("media_type").and_then(MediaType::named);
        let media_type = media_type.ok_or_else(|| {
            let known = MediaType::ALL.map(MediaType::name).join(", ");
            format!("'assets': 'media_type' of '{hash}' must be one of {known}")
        })?;
        let data = text("data").ok_or_else(|| format!("'assets': '{hash}' has no 'data'"))?;
        let bytes = STANDARD
            .decode(data)
            .map_err(|error| format!("'assets': 'data' of '{hash}' is not base64: {error}"))?;
        if AssetHash::of(&bytes) != hash {
            return Err(format!(
                "'assets': the content of '{hash}' has another hash, so it is damaged; export the object again"
            ));
        }
        let name = text("name").unwrap_or_default().to_owned();
        Ok(Self { hash, name, media_type, bytes: bytes.into() })
    }
}

fn read_assets(value: &Value) -> Result<Vec<KeptAsset>, String> {
    /// An object names few; more are not looked at.
    const MAX_ASSETS: usize = 100;
    let listed = match value {
        Value::Null => return Ok(Vec::new()),
        Value::Array(listed) if listed.len() <= MAX_ASSETS => listed,
        _ => return Err(format!("'assets' must be a list of at most {MAX_ASSETS} objects")),
    };
    let read = |asset: &Value| {
        KeptAsset::read(asset.as_object().ok_or("'assets' must be a list of objects")?)
    };
    listed.iter().map(read).collect()
}
