//! Decompression bombs: the memory for a small file stays proportional to the decoded image.

use std::io::Cursor;

use image::{DynamicImage, GrayImage, ImageFormat, Rgb32FImage};
use image_files::{Format, Limits, read};

/// The allowed memory for a file of a few pixels, in bytes.
const LITTLE: u64 = 8 << 20;

/// The peak memory of reading a file, and whether it succeeded.
fn reading(bytes: &[u8], format: Format) -> (u64, Result<[u32; 2], String>) {
    let mut outcome = Err(String::new());
    let taken = allocation_counter::measure(|| {
        outcome = read(bytes, format, &Limits::default())
            .map(|texels| texels.size())
            .map_err(|error| error.to_string());
    });
    (taken.bytes_max, outcome)
}

#[track_caller]
fn assert_refused(what: &str, bytes: &[u8], format: Format) {
    let (taken, outcome) = reading(bytes, format);
    assert!(outcome.is_err(), "{what}: {outcome:?}");
    assert!(taken < LITTLE, "{what}: {taken} bytes");
}

fn written(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// CRC-32 of ISO 3309.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 }
        })
    })
}

fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let named = [kind, content].concat();
    let length = (content.len() as u32).to_be_bytes();
    [&length[..], &named, &checksum(&named).to_be_bytes()].concat()
}

/// The concatenated data of all chunks of a type.
fn content(png: &[u8], kind: &[u8; 4]) -> Vec<u8> {
    let mut rest = &png[8..];
    let mut found = Vec::new();
    while let Some((length, _)) = rest.split_first_chunk::<4>() {
        let length = u32::from_be_bytes(*length) as usize;
        if rest[4..8] == kind[..] {
            found.extend_from_slice(&rest[8..8 + length]);
        }
        rest = &rest[12 + length..];
    }
    found
}

#[test]
fn packed_profiles_and_texts_of_a_png_are_not_unpacked() {
    // 64 MB of zeros, compressed by deflate.
    let nothing = written(&GrayImage::new(8192, 8192).into(), ImageFormat::Png);
    let packed = content(&nothing, b"IDAT");
    assert!(packed.len() < 1 << 20, "{}", packed.len());
    let small = written(&GrayImage::new(2, 3).into(), ImageFormat::Png);
    let (head, pixels) = small.split_at(8 + 25);
    let texts: [(&[u8; 4], &[u8]); 3] =
        [(b"iCCP", b"profile\0\0"), (b"zTXt", b"Comment\0\0"), (b"iTXt", b"Comment\0\x01\0\0\0")];
    for (kind, before) in texts {
        let bomb = [head, &chunk(kind, &[before, &packed].concat()), pixels].concat();
        let (taken, outcome) = reading(&bomb, Format::Png);
        let name = String::from_utf8_lossy(kind);
        assert_eq!(outcome, Ok([2, 3]), "{name}");
        assert!(taken < LITTLE, "{name}: {taken} bytes");
    }
}

#[test]
fn a_png_of_a_few_bytes_is_not_believed_to_be_large() {
    let mut header = written(&GrayImage::new(2, 3).into(), ImageFormat::Png);
    let mut sizes = content(&header, b"IHDR");
    sizes[..8].copy_from_slice(&[0, 0, 32, 0, 0, 0, 16, 0]);
    header.splice(8..33, chunk(b"IHDR", &sizes));
    assert_refused("8192 x 4096", &header, Format::Png);
}

#[test]
fn pictures_in_a_webp_are_not_larger_than_what_is_read() {
    let riff = |chunks: &[u8]| {
        let length = (chunks.len() as u32 + 4).to_le_bytes();
        [b"RIFF", &length[..], b"WEBP", chunks].concat()
    };
    let chunk = |kind: &[u8; 4], content: &[u8]| {
        [kind, &(content.len() as u32).to_le_bytes()[..], content].concat()
    };
    // A canvas of 1 x 1 with an image of 16383 x 16383.
    let canvas = chunk(b"VP8X", &[0; 10]);
    let mut frame = vec![0x10, 0x02, 0x00, 0x9d, 0x01, 0x2a, 0xff, 0x3f, 0xff, 0x3f];
    frame.extend([0; 64]);
    assert_refused("VP8", &riff(&[&canvas[..], &chunk(b"VP8 ", &frame)].concat()), Format::WebP);
    let mut lossless = vec![0x2f, 0xff, 0xff, 0xff, 0x0f];
    lossless.extend([0; 63]);
    let file = riff(&[&canvas[..], &chunk(b"VP8L", &lossless)].concat());
    assert_refused("VP8L", &file, Format::WebP);
    // The same image in an animation frame.
    let shown = [&[0; 16][..], &chunk(b"VP8 ", &frame)].concat();
    let file = riff(&[&canvas[..], &chunk(b"ANMF", &shown)].concat());
    assert_refused("ANMF", &file, Format::WebP);
    // A colour profile with a stated length of 4 GB.
    let profile = [b"ICCP", &u32::MAX.to_le_bytes()[..], &[0; 16]].concat();
    assert_refused("ICCP", &riff(&[&canvas[..], &profile].concat()), Format::WebP);
}

#[test]
fn parts_of_an_exr_are_not_larger_than_what_is_read() {
    let image: DynamicImage = Rgb32FImage::new(4, 4).into();
    let good = written(&image, ImageFormat::OpenExr);
    let at = |name: &[u8]| {
        good.windows(name.len()).position(|window| window == name).unwrap() + name.len() + 4
    };
    for name in [&b"dataWindow\0box2i\0"[..], &b"displayWindow\0box2i\0"[..]] {
        for side in [8191_i32, 60_000, i32::MAX - 1] {
            let mut bomb = good.clone();
            let corner = at(name) + 8;
            for axis in [0, 4] {
                bomb[corner + axis..corner + axis + 4].copy_from_slice(&side.to_le_bytes());
            }
            assert_refused(
                &format!("{} {side}", String::from_utf8_lossy(name)),
                &bomb,
                Format::Exr,
            );
        }
    }
}

#[test]
fn an_hdr_of_a_few_bytes_is_not_believed_to_be_large() {
    let bomb = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4096 +X 8192\n\x02\x02\x20\x00";
    assert_refused("HDR", bomb, Format::Hdr);
    let endless = [&b"#?RADIANCE\n"[..], &vec![b'x'; 1 << 20]].concat();
    assert_refused("a line without end", &endless, Format::Hdr);
    let lines = [&b"#?RADIANCE\n"[..], &b"A=b\n".repeat(500_000)].concat();
    assert_refused("a header of many lines", &lines, Format::Hdr);
}

#[test]
fn a_jpeg_of_a_few_bytes_is_not_believed_to_be_large() {
    let mut bomb = written(&DynamicImage::new_rgb8(8, 8), ImageFormat::Jpeg);
    let frame = bomb.windows(2).position(|marker| marker == [0xff, 0xc0]).unwrap();
    // Height and width follow the marker, its length and the precision.
    bomb[frame + 5..frame + 9].copy_from_slice(&[0x10, 0x00, 0x20, 0x00]);
    assert_refused("8192 x 4096", &bomb, Format::Jpeg);
    // Profile segments that each claim to be one of many.
    let mut profiles = bomb[..2].to_vec();
    for number in 1..=255 {
        profiles.extend([0xff, 0xe2, 0x10, 0x00]);
        profiles.extend(b"ICC_PROFILE\0");
        profiles.extend([number, 255]);
        profiles.extend(vec![0; 0x1000 - 16]);
    }
    profiles.extend(&written(&DynamicImage::new_rgb8(8, 8), ImageFormat::Jpeg)[2..]);
    let (taken, outcome) = reading(&profiles, Format::Jpeg);
    assert_eq!(outcome, Ok([8, 8]));
    assert!(taken < LITTLE, "{taken} bytes");
}
