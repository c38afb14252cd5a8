//! Sampling to a noise threshold.

use tracer::{Film, Integrator, PassOutcome, PassStatistics, RenderSettings, World, render_pass};

use crate::support::*;

const SIZE: [u32; 2] = [64, 48];
const PASSES: [u32; 7] = [32, 64, 128, 256, 512, 1024, 2048];

fn pass(world: &World, settings: &RenderSettings, film: &mut Film, target: u32) -> PassStatistics {
    match render_pass(world, settings, film, target, &|| false) {
        PassOutcome::Completed(statistics) => statistics,
        PassOutcome::Cancelled => panic!("nobody cancelled"),
    }
}

fn to_threshold(world: &World, integrator: Integrator, threshold: f32) -> Film {
    let settings =
        RenderSettings { noise_threshold: Some(threshold), integrator, ..Default::default() };
    let mut film = Film::new(SIZE[0], SIZE[1]);
    for target in PASSES {
        if pass(world, &settings, &mut film, target).samples == 0 {
            return film;
        }
    }
    panic!("{:?} is not under {threshold} after {} samples", film.noise(), film.mean_samples());
}

#[test]
fn a_picture_ends_when_it_is_quiet_and_no_sooner() {
    let world = World::build(&everything());
    for (integrator, threshold) in
        [(Integrator::Path, 0.1), (Integrator::Path, 0.03), (Integrator::Bdpt, 0.05)]
    {
        let film = to_threshold(&world, integrator, threshold);
        assert!(film.noise().unwrap() <= threshold);
        // Half the samples are not enough.
        let mut half = Film::new(SIZE[0], SIZE[1]);
        let settings = RenderSettings { integrator, ..Default::default() };
        pass(&world, &settings, &mut half, (film.mean_samples() / 4.0) as u32);
        assert!(half.noise().unwrap() > 0.8 * threshold, "{integrator:?} {threshold}");
    }
}

#[test]
fn quiet_tiles_get_fewer_samples_and_the_mean_stays() {
    let world = World::build(&everything());
    let film = to_threshold(&world, Integrator::Path, 0.05);
    let most = (0..SIZE[1]).map(|y| film.samples_at(20, y)).max().unwrap();
    assert!(film.samples() < most && film.mean_samples() < 0.8 * f64::from(most));
    let mut reference = Film::new(SIZE[0], SIZE[1]);
    pass(&world, &RenderSettings { seed: 1, ..Default::default() }, &mut reference, 2048);
    assert_share(film.linear().mean()[1], reference.linear().mean()[1], 0.002);
}

#[test]
fn a_quiet_picture_can_be_made_quieter_and_threads_do_not_matter() {
    let world = World::build(&everything());
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut film = to_threshold(&world, Integrator::Path, 0.1);
            let finer = RenderSettings { noise_threshold: Some(0.05), ..Default::default() };
            let before = film.mean_samples();
            pass(&world, &finer, &mut film, 128);
            assert!(film.mean_samples() > before);
            film
        })
    };
    assert_eq!(with_threads(1), with_threads(3));
}

#[test]
fn darkness_is_quiet() {
    let dark =
        scene(&[], &[], &none(), &serde_json::json!({ "center": [0, 0, 5], "look_at": [0, 0, 0] }));
    let film = to_threshold(&World::build(&dark), Integrator::Path, 0.01);
    assert_eq!(film.samples(), 32);
}
