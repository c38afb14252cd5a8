//! Protection against decompression bombs: checks that the decoders do not make.
//!
//! JPEG needs none: it states one size, in the header, and has no nested compression.

use std::borrow::Cow;

use exr::meta::{BlockDescription, MetaData};

use crate::{Format, ImageFileError, Limits};

/// Channels of an EXR file, in all its layers.
const MAX_CHANNELS: usize = 64;
/// Pixels of a tile or block of an EXR file, which are decompressed together.
const MAX_BLOCK: u64 = 1 << 22;

/// Bytes of the header of an HDR file, whose lines are all kept while it is read.
const MAX_HDR_HEADER: usize = 1 << 16;

/// The file without optional compressed parts, whose size is not known. Fails for a file with parts beyond
/// the limits.
pub(crate) fn defused<'a>(
    bytes: &'a [u8],
    format: Format,
    limits: &Limits,
) -> Result<Cow<'a, [u8]>, ImageFileError> {
    match format {
        Format::Png => Ok(essential_png(bytes)),
        Format::WebP => check_webp(bytes, limits).map(|()| bytes.into()),
        Format::Exr => check_exr(bytes, limits).map(|()| bytes.into()),
        Format::Hdr => check_hdr(bytes).map(|()| bytes.into()),
        Format::Jpeg => Ok(bytes.into()),
    }
}

/// Checks that a file of this length can contain this many pixels, before memory is allocated. WebP can
/// compress any number into a few bytes.
pub(crate) fn check_packing(
    bytes: usize,
    format: Format,
    [width, height]: [u32; 2],
) -> Result<(), ImageFileError> {
    // Pixels per byte at most. PNG: 8 of one bit, times the ratio of deflate. JPEG: a bit for each block of
    // 8 x 8. HDR: runs of 127 in two bytes for each of four channels.
    let max = match format {
        Format::Png => 8 * 1032,
        Format::Jpeg => 8192,
        Format::Hdr => 64,
        Format::Exr => 1032,
        Format::WebP => return Ok(()),
    };
    if u64::from(width) * u64::from(height) > (bytes as u64).saturating_mul(max) {
        return Err(ImageFileError::malformed(format!(
            "the file says it holds {width} x {height} pixels, more than {bytes} bytes can"
        )));
    }
    Ok(())
}

/// Checks that the header, which an empty line ends, is short.
fn check_hdr(bytes: &[u8]) -> Result<(), ImageFileError> {
    let start = &bytes[..bytes.len().min(MAX_HDR_HEADER)];
    let ends = start.windows(2).any(|pair| pair == b"\n\n")
        || start.windows(3).any(|three| three == b"\n\r\n");
    match ends || bytes.len() < MAX_HDR_HEADER {
        true => Ok(()),
        false => Err(ImageFileError::malformed(format!(
            "the header has no end in the first {MAX_HDR_HEADER} bytes"
        ))),
    }
}

/// A PNG without colour profiles and texts, which are compressed, and without animation.
fn essential_png(bytes: &[u8]) -> Cow<'_, [u8]> {
    const ESSENTIAL: [&[u8; 4]; 5] = [b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"];
    let Some((signature, mut rest)) = bytes.split_at_checked(8) else { return bytes.into() };
    let mut kept = Vec::new();
    let mut is_plain = true;
    // A chunk: length, type, content, checksum.
    while let Some((length, _)) = rest.split_first_chunk::<4>() {
        let whole = (u32::from_be_bytes(*length) as usize).saturating_add(12);
        // The decoder reports a truncated chunk.
        let Some((chunk, after)) = rest.split_at_checked(whole) else { break };
        rest = after;
        if ESSENTIAL.iter().any(|kind| chunk[4..8] == kind[..]) {
            kept.push(chunk);
        } else {
            is_plain = false;
        }
    }
    if is_plain && rest.is_empty() {
        return bytes.into();
    }
    let mut essential = Vec::with_capacity(8 + kept.iter().map(|chunk| chunk.len()).sum::<usize>());
    essential.extend_from_slice(signature);
    kept.into_iter().for_each(|chunk| essential.extend_from_slice(chunk));
    essential.into()
}

/// Checks the size that each image in a WebP file states, besides that of the whole file.
fn check_webp(bytes: &[u8], limits: &Limits) -> Result<(), ImageFileError> {
    /// Type and length of a chunk.
    const HEAD: usize = 8;
    /// The header of an animation frame.
    const FRAME: usize = 16;
    let mut waiting = vec![bytes.get(12..).unwrap_or_default()];
    while let Some(mut rest) = waiting.pop() {
        while let Some((head, after)) = rest.split_first_chunk::<HEAD>() {
            let [kind @ .., a, b, c, d] = *head;
            let length = u32::from_le_bytes([a, b, c, d]) as usize;
            let content = &after[..length.min(after.len())];
            match &kind {
                b"VP8 " => {
                    if let Some([.., w0, w1, h0, h1]) = content.first_chunk::<10>() {
                        let side =
                            |low: u8, high: u8| u32::from(u16::from_le_bytes([low, high]) & 0x3fff);
                        limits.check(side(*w0, *w1), side(*h0, *h1))?;
                    }
                }
                b"VP8L" => {
                    if let Some([_, sizes @ ..]) = content.first_chunk::<5>() {
                        let sizes = u32::from_le_bytes(*sizes);
                        limits.check((sizes & 0x3fff) + 1, (sizes >> 14 & 0x3fff) + 1)?;
                    }
                }
                b"ANMF" => waiting.extend(content.get(FRAME..)),
                _ => {}
            }
            // Chunks are padded to an even length.
            rest = after.get(length.saturating_add(length % 2)..).unwrap_or_default();
        }
    }
    Ok(())
}

/// Checks the sizes of the parts of an EXR file, which may differ from that of the image.
fn check_exr(bytes: &[u8], limits: &Limits) -> Result<(), ImageFileError> {
    let meta = MetaData::read_from_buffered(bytes, false).map_err(ImageFileError::malformed)?;
    let channels: usize = meta.headers.iter().map(|header| header.channels.list.len()).sum();
    if channels > MAX_CHANNELS {
        return Err(ImageFileError::malformed(format!(
            "the file has {channels} channels; at most {MAX_CHANNELS} are read"
        )));
    }
    for header in &meta.headers {
        let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
        let size = header.layer_size;
        limits.check(side(size.width()), side(size.height()))?;
        let shown = header.shared_attributes.display_window.size;
        limits.check(side(shown.width()), side(shown.height()))?;
        if let BlockDescription::Tiles(tiles) = header.blocks {
            let tile = tiles.tile_size;
            let pixels = (tile.width() as u64).saturating_mul(tile.height() as u64);
            if pixels > MAX_BLOCK {
                return Err(ImageFileError::malformed(format!(
                    "the tiles of the file have {pixels} pixels each; at most {MAX_BLOCK} are read"
                )));
            }
        }
        // The offset table has eight bytes for each block.
        if header.chunk_count > bytes.len() / 8 {
            return Err(ImageFileError::malformed(format!(
                "the file promises {} blocks, more than it can hold",
                header.chunk_count
            )));
        }
    }
    Ok(())
}
