//! Preview frames.

use bytes::Bytes;
use protocol::PreviewHeader;

/// A picture of the scene while it is refined.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    /// What it shows.
    pub header: PreviewHeader,
    /// The encoded image, of type `header.mime_type`.
    pub image: Bytes,
}

impl Preview {
    /// Reads a binary frame: four bytes of the header's length, little-endian, the header in JSON, the
    /// image. `None` if it is something else.
    pub fn decode(frame: &Bytes) -> Option<Self> {
        let (length, _) = frame.split_first_chunk::<4>()?;
        let end = 4usize.checked_add(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
        let header = serde_json::from_slice(frame.get(4..end)?).ok()?;
        Some(Self { header, image: frame.slice(end..) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_has_header_and_image() {
        let header = br#"{"type":"preview","revision":3,"pass":1,"samples":2,"target_samples":256,"width":4,"height":3,"mime_type":"image/jpeg","final":false}"#;
        let mut frame = u32::try_from(header.len()).unwrap().to_le_bytes().to_vec();
        frame.extend_from_slice(header);
        frame.extend_from_slice(b"jpeg");
        let preview = Preview::decode(&frame.into()).unwrap();
        assert_eq!((preview.header.revision, &preview.image[..]), (3, &b"jpeg"[..]));
    }

    #[test]
    fn what_is_no_frame_is_none() {
        for bytes in [&b""[..], b"\xff\xff\xff\xff{}", b"\x02\0\0\0{}", b"\x01\0\0"] {
            assert_eq!(Preview::decode(&Bytes::copy_from_slice(bytes)), None);
        }
    }
}
