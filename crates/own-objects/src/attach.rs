//! The meshes and pictures of objects in the library of assets, from which scenes take them.

use std::sync::Arc;

use assets::{AssetHash, Library, LibraryError, MediaType};
use catalogue::OwnObject;

use crate::error::OwnObjectError;
use crate::file::{KeptAsset, ObjectFile};

/// Puts what the library lacks into it. All of it is checked before any is stored.
pub async fn attach(
    library: &Arc<Library>,
    kept: Vec<KeptAsset>,
    now_ms: u64,
) -> Result<(), LibraryError> {
    let mut checked = Vec::new();
    for asset in kept {
        if library.asset(asset.hash.as_str()).is_none() {
            checked.push(library.check(asset.bytes, &asset.name, Some(asset.media_type)).await?);
        }
    }
    for checked in checked {
        library.add(checked, now_ms).await?;
    }
    Ok(())
}

/// The file of an object whose meshes and pictures are in the library.
pub async fn with_assets(
    library: &Library,
    object: OwnObject,
) -> Result<ObjectFile, OwnObjectError> {
    let mut kept = Vec::new();
    for name in object.asset_names() {
        let gone = |reason: String| {
            OwnObjectError::Malformed(format!("the asset '{name}' cannot be kept: {reason}"))
        };
        let hash = AssetHash::parse(name.as_str());
        let asset = hash.and_then(|hash| library.asset(hash.as_str()));
        let asset = asset.ok_or_else(|| gone("it was not uploaded; upload it again".to_owned()))?;
        let media_type = MediaType::named(&asset.media_type);
        let media_type = media_type
            .ok_or_else(|| gone(format!("its type {} is not known", asset.media_type)))?;
        let bytes = library.bytes_of(&asset.hash).await.map_err(|error| gone(error.to_string()))?;
        kept.push(KeptAsset {
            hash: asset.hash.clone(),
            name: asset.name.clone(),
            media_type,
            bytes,
        });
    }
    Ok(ObjectFile { object, assets: kept })
}
