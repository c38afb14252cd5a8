//! Animations as files: frames, delays, what is in them, and that they are the same on any number of
//! threads.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use image::AnimationDecoder;
use image::codecs::webp::WebPDecoder;
use scene::Scene;
use serde_json::json;
use studio::{Denoise, Format, Job, Movie, MovieFormat, RenderClient, RenderError, Renderer};

const SIZE: [u32; 2] = [48, 32];

/// A ball that crosses the picture in a second before a floor that stays.
fn scene() -> Arc<Scene> {
    let file = json!({
        "version": 1,
        "shapes": [
            { "id": "floor", "type": "quad",
              "properties": { "corner": [-9, 0, 9], "u": [18, 0, 0], "v": [0, 0, -18] } },
            { "id": "ball", "type": "sphere", "properties": { "center": [0, 0.5, 0], "radius": 0.5,
              "material": { "type": "lambertian", "albedo": [0.9, 0.1, 0.1] } } }
        ],
        "camera": { "center": [0, 1.5, 5], "look_at": [0, 0.5, 0] },
        "animation": { "duration": 1, "fps": 8, "loops": false, "tracks": [
            { "target": "ball", "property": "position",
              "keys": [[0, [-1.5, 0.5, 0]], [1, [1.5, 0.5, 0]]] } ] }
    });
    Arc::new(Scene::from_json(&file).unwrap())
}

fn job(scene: Arc<Scene>) -> Job {
    let [width, height] = SIZE;
    Job { width, height, samples: 4, denoise: Denoise::Builtin, ..Job::of(scene) }
}

fn movie(format: MovieFormat, fps: Option<u32>) -> Movie {
    Movie::new(job(scene()), format, fps, None).unwrap()
}

async fn file(threads: usize, movie: Movie) -> Vec<u8> {
    let renderer = Renderer::new(threads).unwrap();
    let mut done = Vec::new();
    let client = RenderClient::default();
    let made = renderer.movie(&client, movie, |frame| {
        assert!(frame.jpeg.starts_with(&[0xff, 0xd8]));
        done.push((frame.done, frame.frames));
    });
    let bytes = made.await.unwrap().bytes;
    let frames = done.len() as u32;
    assert!(done.into_iter().eq((1..=frames).map(|done| (done, frames))));
    bytes
}

/// The frames alone, each rendered for itself.
async fn alone(movie: &Movie, frame: u32) -> Vec<u8> {
    let renderer = Renderer::new(1).unwrap();
    // By paths, as the first frame chooses in this scene.
    let job = movie.job(frame, Some(studio::Integrator::Path));
    renderer.render(&RenderClient::default(), job, Format::Png).await.unwrap()
}

fn rgb(png: &[u8]) -> Vec<u8> {
    image::load_from_memory(png).unwrap().to_rgb8().into_raw()
}

#[tokio::test]
async fn webp_has_the_frames_of_the_tracer_bit_for_bit() {
    let wanted = movie(MovieFormat::WebP, None);
    let bytes = file(1, wanted.clone()).await;
    assert!(bytes == file(3, wanted.clone()).await, "the same on any number of threads");
    let size = u32::from_le_bytes(bytes[4..8].try_into().unwrap());
    assert_eq!(size as usize + 8, bytes.len());
    let frames = WebPDecoder::new(Cursor::new(&bytes)).unwrap().into_frames();
    let frames = frames.collect_frames().unwrap();
    assert_eq!(frames.len(), 8);
    for (at, frame) in (0..).zip(&frames) {
        assert_eq!(frame.delay().numer_denom_ms(), (125, 1));
        let shown: Vec<u8> =
            frame.buffer().pixels().flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        assert!(shown == rgb(&alone(&wanted, at).await), "frame {at}");
    }
    // The ball is where it begins and where it ends.
    let red = |at: usize, x: u32| {
        let pixel = frames[at].buffer().get_pixel(x, 18);
        i32::from(pixel[0]) - i32::from(pixel[1])
    };
    assert!(red(0, 11) > 60 && red(0, 36) < 30, "{} {}", red(0, 11), red(0, 36));
    assert!(red(7, 36) > 60 && red(7, 11) < 30, "{} {}", red(7, 36), red(7, 11));
}

#[tokio::test]
async fn gif_takes_as_long_as_it_should() {
    let bytes = file(2, movie(MovieFormat::Gif, Some(24))).await;
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(Cursor::new(&bytes)).unwrap();
    assert_eq!([decoder.width(), decoder.height()].map(u32::from), SIZE);
    let (mut frames, mut hundredths) = (0, 0);
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert!((4..=5).contains(&frame.delay), "{}", frame.delay);
        let is_whole = [frame.width, frame.height].map(u32::from) == SIZE;
        assert!(frames > 0 || is_whole, "the first one has all");
        frames += 1;
        hundredths += frame.delay;
    }
    assert_eq!((frames, hundredths), (24, 100));
}

#[tokio::test]
async fn zip_holds_numbered_pictures() {
    let wanted = movie(MovieFormat::Zip, Some(4));
    let bytes = file(2, wanted.clone()).await;
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut names: Vec<String> =
        archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    names.sort();
    assert_eq!(names, ["frame_0001.png", "frame_0002.png", "frame_0003.png", "frame_0004.png"]);
    let mut png = Vec::new();
    std::io::copy(&mut archive.by_name("frame_0003.png").unwrap(), &mut png).unwrap();
    assert!(rgb(&png) == rgb(&alone(&wanted, 2).await));
}

#[test]
fn what_cannot_be_made_is_refused_before_anything_is_rendered() {
    let refusal = |job: Job, format, fps| {
        Movie::new(job, format, fps, None).map(drop).unwrap_err().to_string()
    };
    let still = Scene { animation: None, ..(*scene()).clone() };
    assert!(refusal(job(Arc::new(still)), MovieFormat::WebP, None).contains("nothing is animated"));
    let fast = refusal(job(scene()), MovieFormat::Gif, Some(60));
    assert_eq!(fast, "'fps' must be from 1 to 50 for gif, got 60");
    let clear = Job { transparent: true, ..job(scene()) };
    assert!(refusal(clear, MovieFormat::WebP, None).contains("leave them out"));
}

#[tokio::test]
async fn too_much_work_and_too_many_at_once_are_refused() {
    let renderer = Renderer::new(1).unwrap();
    let client = RenderClient::default();
    let heavy = Job { width: 1024, height: 1024, samples: 4096, ..job(scene()) };
    let movie = Movie::new(heavy, MovieFormat::WebP, Some(60), None).unwrap();
    let error = renderer.movie(&client, movie, |_| ()).await.map(drop).unwrap_err();
    assert!(
        error.to_string().contains("for 60 frames; ask for fewer samples or frames"),
        "{error}"
    );
    let wanted = || self::movie(MovieFormat::Gif, Some(1));
    let mut held = Vec::new();
    for _ in 0..4 {
        held.push(renderer.movie(&client, wanted(), |_| ()).await.unwrap());
    }
    let refused = renderer.movie(&client, wanted(), |_| ()).await.map(drop).unwrap_err();
    assert_eq!(refused, RenderError::MoviesBusy(4));
    held.clear();
    assert!(renderer.movie(&client, wanted(), |_| ()).await.is_ok());
}

/// A glowing ball that crosses a black picture in a second.
fn glowing() -> Arc<Scene> {
    let file = json!({
        "version": 1,
        "shapes": [],
        "lights": [ { "id": "ball", "type": "area_sphere_light",
            "properties": { "center": [0, 0, 0], "radius": 0.5, "emission": [1, 1, 1] } } ],
        "environment": { "type": "none" },
        "camera": { "center": [0, 0, 5], "look_at": [0, 0, 0] },
        "animation": { "duration": 1, "fps": 1, "loops": false, "tracks": [
            { "target": "ball", "property": "position", "keys": [[0, [-1, 0, 0]], [1, [1, 0, 0]]] } ] }
    });
    Arc::new(Scene::from_json(&file).unwrap())
}

fn traced(job: &Job) -> Vec<[f32; 3]> {
    job.render(&AtomicBool::new(false), |_, _| ()).unwrap().image.pixels
}

#[test]
fn motion_blur_is_the_mean_of_the_moments_in_which_the_shutter_is_open() {
    let samples = 256;
    let job = Job { samples, denoise: Denoise::None, ..job(glowing()) };
    let movie = Movie::new(job.clone(), MovieFormat::WebP, None, None).unwrap();
    let blurred = traced(&movie.clone().with_shutter(0.5).unwrap().job(0, None));
    let still = traced(&movie.job(0, None));
    let count = 16;
    let mut mean = vec![0.0; blurred.len()];
    for at in 0..count {
        let time = 0.5 * (f64::from(at) + 0.5) / f64::from(count);
        let scene = Arc::new(job.scene.at_time(time, &scene::NoAssets));
        let part = traced(&Job { scene, samples: 64, ..job.clone() });
        for (sum, pixel) in mean.iter_mut().zip(part) {
            *sum += pixel[0] / count as f32;
        }
    }
    let apart = |picture: &[[f32; 3]]| {
        let squares = picture.iter().zip(&mean).map(|(pixel, mean)| (pixel[0] - mean).powi(2));
        (squares.sum::<f32>() / mean.len() as f32).sqrt()
    };
    assert!(apart(&blurred) < 0.02, "{}", apart(&blurred));
    assert!(apart(&still) > 0.1, "{}", apart(&still));
}

#[tokio::test]
async fn blurred_frames_are_the_same_on_any_number_of_threads_and_still_ones_as_without() {
    let wanted = movie(MovieFormat::WebP, None).with_shutter(0.5).unwrap();
    let blurred = file(1, wanted.clone()).await;
    assert!(blurred == file(3, wanted.clone()).await);
    // The ball has come to rest at its last key.
    let (last, without) = (wanted.frames() - 1, movie(MovieFormat::WebP, None));
    assert!(alone(&wanted, last).await == alone(&without, last).await);
    assert!(alone(&wanted, 1).await != alone(&without, 1).await);
}

#[test]
fn a_shutter_is_open_for_a_part_of_a_frame_and_for_all_samples() {
    let refused = |movie: Movie, shutter| match movie.with_shutter(shutter) {
        Err(RenderError::OutOfRange(errors)) => errors.join(" "),
        _ => String::new(),
    };
    assert!(
        refused(movie(MovieFormat::Gif, None), 1.5)
            .contains("'shutter' must be from 0 to 1, got 1.5")
    );
    let threshold = Job { noise_threshold: Some(0.1), ..job(scene()) };
    let threshold = Movie::new(threshold, MovieFormat::Gif, None, None).unwrap();
    assert!(refused(threshold.clone(), 0.5).contains("leave out 'shutter'"));
    assert!(refused(threshold, 0.0).is_empty());
}
