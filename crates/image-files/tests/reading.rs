//! Valid, large and damaged files.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod bombs;

use std::io::Cursor;
use std::path::Path;

use image::{DynamicImage, ImageBuffer, ImageFormat, Luma, Rgb32FImage, RgbaImage};
use image_files::{Format, ImageFileError, Limits, read};
use media::Image;
use proptest::prelude::*;

fn written(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// An image of 3 by 2 distinct pixels.
fn small() -> DynamicImage {
    let pixels = (0..24).map(|at| at * 10).collect();
    RgbaImage::from_raw(3, 2, pixels).unwrap().into()
}

fn bright() -> DynamicImage {
    Rgb32FImage::from_raw(2, 1, vec![1.0, 0.5, 0.25, 1000.0, 0.0, 4.0]).unwrap().into()
}

#[test]
fn pictures_without_loss_are_read_as_they_are() {
    let bytes: Vec<u8> = (0..24).map(|at| at * 10).collect();
    let expected = Image::bytes(3, 2, bytes.as_chunks().0.to_vec()).unwrap();
    for (format, kind) in [(ImageFormat::Png, Format::Png), (ImageFormat::WebP, Format::WebP)] {
        let file = written(&small(), format);
        assert_eq!(Format::of_content(&file), Some(kind));
        assert_eq!(read(&file, kind, &Limits::default()).unwrap(), expected, "{kind:?}");
    }
    let jpeg = written(&small().to_rgb8().into(), ImageFormat::Jpeg);
    assert_eq!(read(&jpeg, Format::Jpeg, &Limits::default()).unwrap().size(), [3, 2]);
}

#[test]
fn sixteen_bits_a_channel_are_kept() {
    let heights = ImageBuffer::<Luma<u16>, _>::from_raw(2, 1, vec![1_u16, 40_001]).unwrap();
    let file = written(&DynamicImage::ImageLuma16(heights), ImageFormat::Png);
    let pixels = vec![[1, 1, 1, u16::MAX], [40_001, 40_001, 40_001, u16::MAX]];
    let expected = Image::words(2, 1, pixels).unwrap();
    assert_eq!(read(&file, Format::Png, &Limits::default()).unwrap(), expected);
}

#[test]
fn brightness_beyond_white_is_kept() {
    let pixels = vec![[1.0, 0.5, 0.25], [1000.0, 0.0, 4.0]];
    let expected = Image::floats(2, 1, pixels).unwrap();
    let exr = written(&bright(), ImageFormat::OpenExr);
    assert_eq!(Format::of_content(&exr), Some(Format::Exr));
    assert_eq!(read(&exr, Format::Exr, &Limits::default()).unwrap(), expected);
    // RGBE with exponents for 128 and 256.
    let mut hdr = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n".to_vec();
    hdr.extend([128, 64, 32, 129, 250, 0, 1, 138]);
    assert_eq!(Format::of_content(&hdr), Some(Format::Hdr));
    let found = read(&hdr, Format::Hdr, &Limits::default()).unwrap();
    let pixels = vec![[1.0, 0.5, 0.25], [1000.0, 0.0, 4.0]];
    assert_eq!(found, Image::floats(2, 1, pixels).unwrap());
}

#[test]
fn what_is_too_large_is_refused_by_its_size() {
    let file = written(&small(), ImageFormat::Png);
    for limits in [Limits { side: 2, pixels: 100 }, Limits { side: 3, pixels: 5 }] {
        let error = read(&file, Format::Png, &limits).unwrap_err();
        let Limits { side, pixels } = limits;
        assert_eq!(error, ImageFileError::TooLarge { width: 3, height: 2, side, pixels });
    }
    // A header that states 4 gigapixels, with almost no data.
    let mut hdr = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 65535 +X 65535\n".to_vec();
    hdr.extend([0; 8]);
    let error = read(&hdr, Format::Hdr, &Limits::default()).unwrap_err();
    assert!(error.to_string().contains("65535 x 65535"), "{error}");
}

#[test]
fn the_ending_of_a_name_says_what_it_is() {
    for (name, format) in [
        ("a.png", Some(Format::Png)),
        ("b/c.JPG", Some(Format::Jpeg)),
        ("a.jpeg", Some(Format::Jpeg)),
        ("a.webp", Some(Format::WebP)),
        ("sky.hdr", Some(Format::Hdr)),
        ("sky.EXR", Some(Format::Exr)),
        ("png", None),
        ("a.gif", None),
    ] {
        assert_eq!(Format::of(Path::new(name)), format, "{name}");
    }
}

fn files() -> [(Vec<u8>, Format); 5] {
    let mut hdr = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n".to_vec();
    hdr.extend([128, 64, 32, 129, 250, 0, 1, 138]);
    [
        (written(&small(), ImageFormat::Png), Format::Png),
        (written(&small().to_rgb8().into(), ImageFormat::Jpeg), Format::Jpeg),
        (written(&small(), ImageFormat::WebP), Format::WebP),
        (hdr, Format::Hdr),
        (written(&bright(), ImageFormat::OpenExr), Format::Exr),
    ]
}

proptest! {
    /// No file makes the reader panic, and every result is within the limits.
    #[test]
    fn damaged_files_do_no_harm(
        which in 0..5_usize,
        cut in 0.0..=1.0_f64,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let (mut file, format) = files()[which].clone();
        file.truncate((file.len() as f64 * cut) as usize);
        for (at, byte) in changes {
            if !file.is_empty() {
                let at = at.index(file.len());
                file[at] = byte;
            }
        }
        let limits = Limits { side: 64, pixels: 1024 };
        if let Ok(image) = read(&file, format, &limits) {
            prop_assert!(image.size().iter().all(|side| *side <= 64));
        }
    }
}
