//! Passes: the result does not depend on their split; cancellation, drafts, noise.

use std::sync::atomic::{AtomicU32, Ordering};

use tracer::{
    Draft, Film, FilmPart, Integrator, LinearImage, PartError, PassOutcome, RenderSettings, World,
    denoise, render_draft, render_part, render_pass,
};

use crate::support::*;

const SIZE: [u32; 2] = [50, 37];

fn film(world: &World, targets: &[u32]) -> Film {
    film_by(Integrator::Path, world, targets)
}

fn film_by(integrator: Integrator, world: &World, targets: &[u32]) -> Film {
    let mut film = Film::new(SIZE[0], SIZE[1]);
    for &target in targets {
        let settings = RenderSettings { integrator, ..RenderSettings::default() };
        let outcome = render_pass(world, &settings, &mut film, target, &|| false);
        assert!(matches!(outcome, PassOutcome::Completed(_)));
    }
    film
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let world = World::build(&everything());
    for integrator in [Integrator::Path, Integrator::Bdpt] {
        let with_threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| film_by(integrator, &world, &[8]))
        };
        assert_eq!(with_threads(1), with_threads(4));
    }
}

#[test]
fn the_split_into_passes_does_not_matter() {
    let world = World::build(&everything());
    for integrator in [Integrator::Path, Integrator::Bdpt] {
        let by = |targets: &[u32]| film_by(integrator, &world, targets);
        assert_eq!(by(&[4, 5, 16]), by(&[16]));
    }
    // A smaller target has no effect.
    assert_eq!(film(&world, &[16, 3]), film(&world, &[16]));
}

/// Renders some tiles of a film elsewhere: all that comes and goes are bytes.
fn elsewhere(
    world: &World,
    integrator: Integrator,
    part: &FilmPart,
    target: u32,
) -> Result<FilmPart, PartError> {
    let read = |part: &FilmPart| FilmPart::from_bytes(SIZE, true, &part.to_bytes());
    let mut part = read(part)?;
    let settings = RenderSettings { integrator, ..RenderSettings::default() };
    let outcome = render_part(world, &settings, &mut part, target, &|| false);
    assert!(matches!(outcome, PassOutcome::Completed(_)));
    assert!(part.is_at(target));
    read(&part)
}

#[test]
fn parts_that_are_rendered_elsewhere_make_the_same_film() {
    let world = World::build(&everything());
    for integrator in [Integrator::Path, Integrator::Bdpt] {
        let settings = RenderSettings { integrator, ..RenderSettings::default() };
        let mut whole = Film::with_features(SIZE[0], SIZE[1]);
        render_pass(&world, &settings, &mut whole, 9, &|| false);

        let mut film = Film::with_features(SIZE[0], SIZE[1]);
        render_pass(&world, &settings, &mut film, 2, &|| false);
        let last = film.tile_count() as u32 - 1;
        // Backwards, one tile in two steps, one part twice.
        for tiles in [&[last][..], &[3, 5, 7], &[0, 1, 2]] {
            let part = film.part(tiles);
            assert_eq!(film.merge(elsewhere(&world, integrator, &part, 4).unwrap()), tiles);
            let before = film.clone();
            assert_eq!(film.merge(elsewhere(&world, integrator, &part, 6).unwrap()), [0; 0]);
            assert_eq!(film, before, "a part that comes late changes nothing");
        }
        let rest: Vec<u32> = (0..=last).collect();
        let part = film.part(&rest);
        assert_eq!(film.merge(elsewhere(&world, integrator, &part, 9).unwrap()), rest);
        assert_eq!(film, whole, "{}", integrator.name());
        assert_eq!(denoise(&film), denoise(&whole));
        assert_eq!(film.aovs(), whole.aovs());
    }
}

#[test]
fn damaged_parts_are_refused() {
    let world = World::build(&everything());
    let mut film = Film::with_features(SIZE[0], SIZE[1]);
    render_pass(&world, &RenderSettings::default(), &mut film, 1, &|| false);
    let good = film.part(&[1, 4]).to_bytes();
    let read = |bytes: &[u8]| FilmPart::from_bytes(SIZE, true, bytes).map(|part| part.to_bytes());
    assert_eq!(read(&good).unwrap(), good);
    for length in (0..good.len()).step_by(997).skip(1) {
        assert_eq!(read(&good[..length]), Err(PartError::Length), "{length}");
    }
    let with = |at: usize, word: u32| {
        let mut bytes = good.clone();
        bytes[4 * at..4 * at + 4].copy_from_slice(&word.to_le_bytes());
        read(&bytes)
    };
    assert_eq!(with(0, 12), Err(PartError::Tile), "there are tiles 0 to 11");
    assert_eq!(with(0, 4), Err(PartError::Tile), "twice");
    assert_eq!(with(3, u32::MAX), Err(PartError::Number), "splats where there are sums");
    assert_eq!(with(4, f32::NAN.to_bits()), Err(PartError::Number));
    assert!(FilmPart::from_bytes([17, 16], true, &good).is_err());
    // What a film cannot take changes nothing.
    let before = film.clone();
    let other = Film::new(SIZE[0], SIZE[1]).part(&[0]);
    assert_eq!(film.merge(other), [0; 0]);
    assert_eq!(film, before);
}

#[test]
fn seeds_give_different_pictures() {
    let scene = everything();
    let with_seed = |seed| {
        let settings = RenderSettings { seed, ..RenderSettings::default() };
        render(&scene, &settings, SIZE, 2)
    };
    assert_eq!(with_seed(1), with_seed(1));
    assert_ne!(with_seed(1), with_seed(2));
    assert_ne!(with_seed(1), with_seed(1 << 32 | 1));
}

#[test]
fn a_cancelled_pass_leaves_whole_tiles_and_can_be_resumed() {
    let world = World::build(&everything());
    let expected = film(&world, &[8]);
    let settings = RenderSettings::default();
    let mut film = film(&world, &[2]);
    let before = film.clone();
    assert_eq!(render_pass(&world, &settings, &mut film, 8, &|| true), PassOutcome::Cancelled);
    assert_eq!(film, before, "cancelled before it began");

    let asked = AtomicU32::new(0);
    let after_a_while = || asked.fetch_add(1, Ordering::Relaxed) > 700;
    let outcome = render_pass(&world, &settings, &mut film, 8, &after_a_while);
    assert_eq!(outcome, PassOutcome::Cancelled);
    let counts: Vec<u32> = (0..SIZE[1])
        .flat_map(|y| (0..SIZE[0]).map(move |x| (x, y)))
        .map(|(x, y)| film.samples_at(x, y))
        .collect();
    assert!(counts.contains(&2) && counts.contains(&8) && film.samples() == 2);
    let (partly, old, new) = (film.linear(), before.linear(), expected.linear());
    for (at, count) in counts.iter().enumerate() {
        let whole = if *count == 2 { &old } else { &new };
        assert_eq!(partly.pixels[at], whole.pixels[at]);
    }

    render_pass(&world, &settings, &mut film, 8, &|| false);
    assert_eq!(film, expected);
}

#[test]
fn a_cancelled_pass_with_light_paths_goes_on_to_the_same_picture() {
    let world = World::build(&everything());
    let settings = RenderSettings { integrator: Integrator::Bdpt, ..RenderSettings::default() };
    let mut film = film_by(Integrator::Bdpt, &world, &[2]);
    let (asked, in_all) = (AtomicU32::new(0), AtomicU32::new(0));
    let never = || in_all.fetch_add(1, Ordering::Relaxed) == u32::MAX;
    render_pass(&world, &settings, &mut film.clone(), 8, &never);
    let half = in_all.into_inner() / 2;
    let after_a_while = || asked.fetch_add(1, Ordering::Relaxed) > half;
    let outcome = render_pass(&world, &settings, &mut film, 8, &after_a_while);
    assert_eq!(outcome, PassOutcome::Cancelled);
    assert!(film.mean_samples() > 2.0 && film.mean_samples() < 8.0);
    render_pass(&world, &settings, &mut film, 8, &|| false);
    assert_eq!(film, film_by(Integrator::Bdpt, &world, &[8]));
}

#[test]
fn cancelling_is_noticed_within_a_long_pixel() {
    let world = World::build(&everything());
    let asked = AtomicU32::new(0);
    let soon = || asked.fetch_add(1, Ordering::Relaxed) > 4;
    let mut film = Film::new(1, 1);
    let outcome = render_pass(&world, &RenderSettings::default(), &mut film, 1_000_000, &soon);
    assert_eq!(outcome, PassOutcome::Cancelled);
}

#[test]
fn odd_and_empty_sizes() {
    let world = World::build(&everything());
    for (width, height) in [(1, 1), (16, 16), (17, 1), (1, 33), (0, 0), (0, 5)] {
        let mut film = Film::new(width, height);
        render_pass(&world, &RenderSettings::default(), &mut film, 1, &|| false);
        let picture = film.linear();
        assert_eq!(picture.pixels.len() as u32, width * height);
        for block in [1, 2, 3, 64] {
            let draft = Draft { block, max_depth: 3 };
            let size = [width, height];
            let picture =
                render_draft(&world, &RenderSettings::default(), draft, size, &|| false).unwrap();
            assert_eq!((picture.width, picture.height), (width, height));
            assert_eq!(picture.pixels.len() as u32, width * height);
        }
    }
}

#[test]
fn a_draft_shows_what_the_picture_shows() {
    let world = World::build(&everything());
    let settings = settings(4);
    let size = [160, 120];
    let draft = render_draft(&world, &settings, Draft::default(), size, &|| false).unwrap();
    let mut film = Film::new(size[0], size[1]);
    render_pass(&world, &settings, &mut film, 64, &|| false);
    let picture = film.linear();
    assert_share(draft.mean()[1], picture.mean()[1], 0.1);
    // Blocks of 20 x 20 pixels match as well: nothing is shifted or rotated.
    let patch = |image: &LinearImage, left: u32, top: u32| {
        let pixels = (0..400).map(|at| (left + at % 20, top + at / 20));
        pixels.map(|(x, y)| image.pixels[(y * size[0] + x) as usize][0]).sum::<f32>() / 400.0
    };
    for (left, top) in (0..8).flat_map(|x| (0..6).map(move |y| (20 * x, 20 * y))) {
        let (coarse, fine) = (patch(&draft, left, top), patch(&picture, left, top));
        assert!((coarse - fine).abs() < 0.25 * fine + 0.02, "{left} {top}: {coarse} {fine}");
    }
    assert!(render_draft(&world, &settings, Draft::default(), size, &|| true).is_none());
}

#[test]
fn noise_is_near_the_true_error_and_falls_with_the_samples() {
    let world = World::build(&everything());
    for integrator in [Integrator::Path, Integrator::Bdpt] {
        let film = |targets: &[u32]| film_by(integrator, &world, targets);
        let truth = film(&[2048]).linear();
        let floor = 0.1 * luminance(truth.mean().map(|channel| channel as f32));
        let mut last = f32::INFINITY;
        assert_eq!(film(&[1]).noise(), None);
        for samples in [4, 16, 64] {
            let film = film(&[samples]);
            let noise = film.noise().unwrap();
            let errors =
                film.linear().pixels.into_iter().zip(&truth.pixels).map(|(pixel, truth)| {
                    let (shown, right) = (luminance(pixel), luminance(*truth));
                    (shown - right).abs() / (right + floor)
                });
            // The mean absolute error of a normal distribution is 0.8 of its standard deviation.
            let error = errors.sum::<f32>() / (SIZE[0] * SIZE[1]) as f32 / 0.8;
            assert!(noise > 0.8 * error && noise < 3.0 * error, "{samples}: {noise} for {error}");
            assert!(noise < 0.6 * last, "{samples}: {noise} after {last}");
            last = noise;
        }
    }
}

fn luminance([red, green, blue]: [f32; 3]) -> f32 {
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}
