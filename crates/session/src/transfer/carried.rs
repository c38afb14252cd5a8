//! The assets in the file of a session: a line with the metadata, then lines with chunks of the
//! content.

use assets::{Asset, AssetHash, BlobError, MediaType};
use async_stream::try_stream;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::{Bytes, BytesMut};
use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt};
use serde::{Deserialize, Serialize};
use serde_json::value::to_raw_value;
use store::StoreError;

use super::line::{Kind, Line, line};

/// Bytes of a chunk: a multiple of three, so that base64 needs no padding.
const PIECE: usize = 192 * 1024;

/// The metadata of an asset; its facts are computed again on import.
#[derive(Serialize, Deserialize)]
struct AssetLine {
    asset: String,
    #[serde(default)]
    name: String,
    media_type: String,
}

/// An upper bound of the bytes of one asset's lines.
pub(super) fn size(asset: &Asset) -> u64 {
    /// Bytes of a line besides its piece; the first has a name of some hundred characters.
    const LINE: u64 = 64;
    const FIRST: u64 = 1024;
    let pieces = asset.bytes.div_ceil(PIECE as u64);
    FIRST + asset.bytes.div_ceil(3) * 4 + pieces * LINE
}

/// The lines of one asset.
pub(super) fn asset_lines(
    asset: &Asset,
    mut content: BoxStream<'static, Result<Bytes, BlobError>>,
) -> impl Stream<Item = Result<Bytes, StoreError>> {
    try_stream! {
        let about = AssetLine {
            asset: asset.hash.to_string(),
            name: asset.name.clone(),
            media_type: asset.media_type.clone(),
        };
        yield of_kind(Kind::Asset, &about)?;
        let mut waiting = BytesMut::new();
        while let Some(piece) = content.next().await {
            let piece = piece.map_err(|error| StoreError::Failed(error.to_string()))?;
            waiting.extend_from_slice(&piece);
            while waiting.len() >= PIECE {
                yield of_kind(Kind::Data, &STANDARD.encode(waiting.split_to(PIECE)))?;
            }
        }
        if !waiting.is_empty() {
            yield of_kind(Kind::Data, &STANDARD.encode(waiting))?;
        }
    }
}

fn of_kind(kind: Kind, body: &impl Serialize) -> Result<Bytes, StoreError> {
    let body = to_raw_value(body).map_err(|error| StoreError::Failed(error.to_string()))?;
    Ok(line(&Line { kind, body }))
}

/// An asset of a file: its content matches its hash, and is not validated yet.
pub(crate) struct AssetFile {
    pub(crate) hash: AssetHash,
    pub(crate) name: String,
    pub(crate) media_type: MediaType,
    pub(crate) bytes: Bytes,
}

/// The assets of a file, as they are read.
pub(super) struct AssetFiles {
    most_bytes: usize,
    read: Vec<AssetFile>,
    /// The asset that is being read, and its content so far.
    current: Option<(AssetFile, Vec<u8>)>,
}

impl AssetFiles {
    /// No assets yet; each may have at most `most_bytes`.
    pub(super) fn new(most_bytes: usize) -> Self {
        Self { most_bytes, read: Vec::new(), current: None }
    }

    /// Begins an asset; the one before is complete.
    pub(super) fn begin(&mut self, body: &str) -> Result<(), String> {
        self.end()?;
        let AssetLine { asset, name, media_type } =
            serde_json::from_str(body).map_err(|error| error.to_string())?;
        let hash = AssetHash::parse(&asset).ok_or("'asset' must be 64 hexadecimal digits")?;
        let media_type = MediaType::named(&media_type)
            .ok_or_else(|| format!("'media_type' {media_type:?} is not known here"))?;
        let file = AssetFile { hash, name, media_type, bytes: Bytes::new() };
        self.current = Some((file, Vec::new()));
        Ok(())
    }

    /// Adds the next chunk of its content.
    pub(super) fn add(&mut self, body: &str) -> Result<(), String> {
        let (_, content) = self.current.as_mut().ok_or("no asset begins before it")?;
        let text: &str = serde_json::from_str(body).map_err(|error| error.to_string())?;
        let piece = STANDARD.decode(text).map_err(|error| error.to_string())?;
        if content.len() + piece.len() > self.most_bytes {
            return Err(format!("an asset may have at most {} bytes", self.most_bytes));
        }
        content.extend(piece);
        Ok(())
    }

    /// All of them.
    pub(super) fn finish(mut self) -> Result<Vec<AssetFile>, String> {
        self.end()?;
        Ok(self.read)
    }

    fn end(&mut self) -> Result<(), String> {
        let Some((file, content)) = self.current.take() else { return Ok(()) };
        let (told, found) = (&file.hash, AssetHash::of(&content));
        if found != *told {
            return Err(format!("the content of asset '{told}' has another hash, '{found}'"));
        }
        self.read.push(AssetFile { bytes: content.into(), ..file });
        Ok(())
    }
}
