//! Image formats.

use std::path::Path;

use image::ImageFormat;

/// An image format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Portable Network Graphics.
    Png,
    /// JPEG.
    Jpeg,
    /// WebP.
    WebP,
    /// Radiance HDR.
    Hdr,
    /// OpenEXR.
    Exr,
}

impl Format {
    /// The format of a file by its extension, in upper or lower case.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "png" => Some(Self::Png),
            "jpg" | "jpeg" => Some(Self::Jpeg),
            "webp" => Some(Self::WebP),
            "hdr" => Some(Self::Hdr),
            "exr" => Some(Self::Exr),
            _ => None,
        }
    }

    /// The format of a file by its first bytes.
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        match image::guess_format(bytes).ok()? {
            ImageFormat::Png => Some(Self::Png),
            ImageFormat::Jpeg => Some(Self::Jpeg),
            ImageFormat::WebP => Some(Self::WebP),
            ImageFormat::Hdr => Some(Self::Hdr),
            ImageFormat::OpenExr => Some(Self::Exr),
            _ => None,
        }
    }

    /// The file extension, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::WebP => "webp",
            Self::Hdr => "hdr",
            Self::Exr => "exr",
        }
    }

    /// The media type (MIME type).
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
            Self::Hdr => "image/vnd.radiance",
            Self::Exr => "image/x-exr",
        }
    }

    /// Whether its colours are linear, not sRGB.
    pub fn is_linear(self) -> bool {
        matches!(self, Self::Hdr | Self::Exr)
    }

    pub(crate) fn of_library(self) -> ImageFormat {
        match self {
            Self::Png => ImageFormat::Png,
            Self::Jpeg => ImageFormat::Jpeg,
            Self::WebP => ImageFormat::WebP,
            Self::Hdr => ImageFormat::Hdr,
            Self::Exr => ImageFormat::OpenExr,
        }
    }
}
