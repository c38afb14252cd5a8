//! Media types of assets.

use std::path::Path;

use image_files::Format as ImageFormat;
use mesh_files::Format;

/// A supported media type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaType {
    /// A mesh: Stanford polygons.
    Ply,
    /// A mesh: bare triangles.
    Stl,
    /// A mesh: Wavefront.
    Obj,
    /// A mesh: glTF as JSON, with its data inside.
    Gltf,
    /// A mesh: glTF as one binary file.
    Glb,
    /// A picture.
    Png,
    /// A picture.
    Jpeg,
    /// A picture.
    WebP,
    /// A high-dynamic-range picture: Radiance.
    Hdr,
    /// A high-dynamic-range picture: OpenEXR.
    Exr,
}

/// The reader for a file.
pub(crate) enum Reading {
    Mesh(Format),
    Image(ImageFormat),
}

impl MediaType {
    /// All media types.
    pub const ALL: [Self; 10] = [
        Self::Ply,
        Self::Stl,
        Self::Obj,
        Self::Gltf,
        Self::Glb,
        Self::Png,
        Self::Jpeg,
        Self::WebP,
        Self::Hdr,
        Self::Exr,
    ];

    /// As in `Content-Type`. PLY and EXR have no registered one.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ply => "model/ply",
            Self::Stl => "model/stl",
            Self::Obj => "model/obj",
            Self::Gltf => "model/gltf+json",
            Self::Glb => "model/gltf-binary",
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
            Self::Hdr => "image/vnd.radiance",
            Self::Exr => "image/x-exr",
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Ply => "ply",
            Self::Stl => "stl",
            Self::Obj => "obj",
            Self::Gltf => "gltf",
            Self::Glb => "glb",
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::WebP => "webp",
            Self::Hdr => "hdr",
            Self::Exr => "exr",
        }
    }

    /// The type of a `Content-Type` header, without parameters.
    pub fn named(content_type: &str) -> Option<Self> {
        let name = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match name.as_str() {
            "application/ply" | "application/x-ply" | "model/x-ply" => Some(Self::Ply),
            "application/sla" | "application/vnd.ms-pki.stl" | "model/x.stl-binary" => {
                Some(Self::Stl)
            }
            "application/object" | "application/x-tgif" => Some(Self::Obj),
            "image/aces" | "image/exr" => Some(Self::Exr),
            "image/x-hdr" => Some(Self::Hdr),
            _ => Self::ALL.into_iter().find(|kind| kind.name() == name),
        }
    }

    /// The type for a file name extension, ignoring case.
    pub fn of_file_name(name: &str) -> Option<Self> {
        let ending = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "jpeg" => Some(Self::Jpeg),
            _ => Self::ALL.into_iter().find(|kind| kind.ending() == ending),
        }
    }

    /// The type by the magic number of a file.
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r") {
            return Some(Self::Ply);
        }
        if bytes.starts_with(b"glTF") {
            return Some(Self::Glb);
        }
        Some(match ImageFormat::of_content(bytes)? {
            ImageFormat::Png => Self::Png,
            ImageFormat::Jpeg => Self::Jpeg,
            ImageFormat::WebP => Self::WebP,
            ImageFormat::Hdr => Self::Hdr,
            ImageFormat::Exr => Self::Exr,
        })
    }

    pub(crate) fn reading(self) -> Reading {
        match self {
            Self::Ply => Reading::Mesh(Format::Ply),
            Self::Stl => Reading::Mesh(Format::Stl),
            Self::Obj => Reading::Mesh(Format::Obj),
            Self::Gltf | Self::Glb => Reading::Mesh(Format::Gltf),
            Self::Png => Reading::Image(ImageFormat::Png),
            Self::Jpeg => Reading::Image(ImageFormat::Jpeg),
            Self::WebP => Reading::Image(ImageFormat::WebP),
            Self::Hdr => Reading::Image(ImageFormat::Hdr),
            Self::Exr => Reading::Image(ImageFormat::Exr),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_known_by_its_name_and_by_its_ending() {
        for kind in MediaType::ALL {
            assert_eq!(MediaType::named(kind.name()), Some(kind));
            assert_eq!(MediaType::of_file_name(&format!("A.{}", kind.ending())), Some(kind));
        }
        assert_eq!(MediaType::named("Image/PNG; charset=x"), Some(MediaType::Png));
        assert_eq!(MediaType::of_file_name("a.b.JPEG"), Some(MediaType::Jpeg));
        for other in ["application/octet-stream", "", "text/html"] {
            assert_eq!(MediaType::named(other), None);
        }
        assert_eq!(MediaType::of_file_name("ply"), None);
    }

    #[test]
    fn some_files_say_themselves_what_they_are() {
        assert_eq!(MediaType::of_content(b"ply\nformat"), Some(MediaType::Ply));
        assert_eq!(MediaType::of_content(b"glTF\x02\0\0\0"), Some(MediaType::Glb));
        assert_eq!(MediaType::of_content(b"\x89PNG\r\n\x1a\n"), Some(MediaType::Png));
        for other in [&b""[..], b"v 0 0 0\n", b"GIF89a", b"{}"] {
            assert_eq!(MediaType::of_content(other), None);
        }
    }
}
