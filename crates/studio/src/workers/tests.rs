//! Pictures that are shared, step by step and without a wire.

use scene::Scene;
use tracer::{
    Film, FilmPart, Integrator, Meshes, PassOutcome, RenderSettings, World, render_part,
    render_pass,
};

use super::registry::{Posted, Task, Worker, Workers};
use super::wire::TaskResult;

const SIZE: [u32; 2] = [100, 70];
const SAMPLES: u32 = 20;
/// Seconds per camera sample: a task takes some of the 35 tiles.
const PACE: f64 = 1e-5;

struct Picture {
    scene: Scene,
    world: World,
    settings: RenderSettings,
}

impl Picture {
    fn new(integrator: Integrator) -> Self {
        let text = include_str!("../../../../scenes/soap-bubbles.json");
        let scene = Scene::from_json_text(text).unwrap();
        let settings = RenderSettings { integrator, max_depth: 4, ..RenderSettings::default() };
        Self { world: World::build(&scene), scene, settings }
    }

    fn with_threshold(self, threshold: f32) -> Self {
        let settings = RenderSettings { noise_threshold: Some(threshold), ..self.settings };
        Self { settings, ..self }
    }

    /// As it is without workers, from `begun` on.
    fn alone(&self, begun: &Film, samples: u32) -> Film {
        let mut film = begun.clone();
        render_pass(&self.world, &self.settings, &mut film, samples, &|| false);
        film
    }

    fn begun(&self, samples: u32) -> Film {
        self.alone(&Film::with_features(SIZE[0], SIZE[1]), samples)
    }

    fn post(&self, workers: &Workers, film: &Film, samples: u32) -> Posted {
        let text = Workers::scene_text(&self.scene, &Meshes::default()).unwrap();
        let posted = workers.post(text, self.settings, film.clone(), samples, PACE);
        posted.unwrap_or_else(|_| panic!("these settings can be said"))
    }

    /// What a worker makes of a task.
    fn rendered(&self, task: &Task) -> (TaskResult, Vec<u8>) {
        let header = &task.header;
        let mut part = FilmPart::from_bytes(SIZE, header.features, &task.part).unwrap();
        let settings = header.settings.settings();
        let outcome = render_part(&self.world, &settings, &mut part, header.target, &|| false);
        let PassOutcome::Completed(done) = outcome else { panic!("nobody cancels it") };
        let (id, samples, rays) = (header.id, done.samples, done.rays);
        (TaskResult { id, seconds: samples as f64 * PACE, samples, rays }, part.to_bytes())
    }

    fn bring(&self, worker: &mut Worker, task: &Task) {
        let (result, bytes) = self.rendered(task);
        assert!(worker.bring(&result, &bytes).unwrap().is_some());
    }
}

fn all_tasks(worker: &mut Worker) -> Vec<Task> {
    std::iter::from_fn(|| worker.take()).collect()
}

#[test]
fn whoever_renders_it_the_film_is_the_same() {
    for integrator in [Integrator::Path, Integrator::Bdpt] {
        let picture = Picture::new(integrator);
        let begun = picture.begun(2);
        let workers = Workers::default();
        let (mut one, mut two) = (workers.join(2), workers.join(1));
        let posted = picture.post(&workers, &begun, SAMPLES);
        // One brings a task and is gone with another; two brings its own in the opposite order.
        let first = one.take().unwrap();
        picture.bring(&mut one, &first);
        assert!(one.take().is_some());
        drop(one);
        let tasks = [two.take().unwrap(), two.take().unwrap()];
        tasks.iter().rev().for_each(|task| picture.bring(&mut two, task));
        assert!(!posted.board().is_complete());
        // The threads here do the rest.
        assert!(posted.board().work(&picture.world, &|| false));
        assert!(two.take().is_none());
        let (film, statistics) = posted.board().take();
        assert!(statistics.samples > 0 && statistics.rays > statistics.samples);
        assert_eq!(film, picture.alone(&begun, SAMPLES), "{}", integrator.name());
    }
}

#[test]
fn what_one_worker_keeps_is_given_to_another_one() {
    let picture = Picture::new(Integrator::Path);
    let begun = picture.begun(1);
    let workers = Workers::default();
    let (mut slow, mut quick) = (workers.join(1), workers.join(1));
    let posted = picture.post(&workers, &begun, SAMPLES);
    let mut late = Vec::new();
    while !posted.board().is_complete() {
        late.extend(all_tasks(&mut slow));
        let again = all_tasks(&mut quick);
        assert!(!again.is_empty() && again.iter().all(|task| task.again));
        assert!(quick.take().is_none(), "not a third time");
        again.iter().for_each(|task| picture.bring(&mut quick, task));
    }
    assert!(late.iter().all(|task| !task.again));
    assert_eq!(slow.held(), late.len());
    let film = posted.board().take().0;
    assert_eq!(film, picture.alone(&begun, SAMPLES));
    let mut withdrawn = slow.withdrawn();
    withdrawn.sort_unstable();
    let mut ids: Vec<u64> = late.iter().map(|task| task.header.id).collect();
    ids.sort_unstable();
    assert_eq!(withdrawn, ids);
    let (result, bytes) = picture.rendered(&late[0]);
    assert_eq!(slow.bring(&result, &bytes), Ok(None), "nobody waits for it any more");
}

#[test]
fn results_that_cannot_be_are_refused_and_rendered_elsewhere() {
    let picture = Picture::new(Integrator::Path);
    let begun = picture.begun(1);
    let workers = Workers::default();
    let (mut bad, mut unable) = (workers.join(1), workers.join(1));
    let posted = picture.post(&workers, &begun, SAMPLES);
    let task = bad.take().unwrap();
    let (result, bytes) = picture.rendered(&task);
    assert!(bad.bring(&result, &bytes[..bytes.len() - 4]).is_err());
    assert!(bad.take().is_none(), "it gets no more of this picture");
    let task = unable.take().unwrap();
    unable.fail(task.header.id);
    assert!(unable.take().is_none());

    // Fewer samples than the task says, and another tile.
    let mut other = workers.join(1);
    let task = other.take().unwrap();
    let (result, _) = picture.rendered(&task);
    assert!(other.bring(&result, &task.part).is_err());
    let mut other = workers.join(1);
    let task = other.take().unwrap();
    let (result, _) = picture.rendered(&task);
    let (_, bytes) = picture.rendered(&Task { part: begun.part(&[34]).to_bytes(), ..task });
    assert!(other.bring(&result, &bytes).is_err());

    assert!(posted.board().work(&picture.world, &|| false));
    assert_eq!(posted.board().take().0, picture.alone(&begun, SAMPLES));
}

#[test]
fn quiet_tiles_get_no_more_samples() {
    let picture = Picture::new(Integrator::Path).with_threshold(0.2);
    let begun = picture.begun(32);
    let expected = picture.alone(&begun, 40);
    assert!(expected.samples() == 32 && expected.mean_samples() > 32.0, "some are quiet");
    let workers = Workers::default();
    let mut worker = workers.join(1);
    let posted = picture.post(&workers, &begun, 40);
    while let Some(task) = worker.take() {
        picture.bring(&mut worker, &task);
    }
    assert!(posted.board().is_complete());
    assert_eq!(posted.board().take().0, expected);
}

#[test]
fn work_stops_when_it_is_to_and_goes_on_later() {
    let picture = Picture::new(Integrator::Path);
    let begun = picture.begun(1);
    let workers = Workers::default();
    let mut worker = workers.join(1);
    let posted = picture.post(&workers, &begun, SAMPLES);
    assert!(!posted.board().work(&picture.world, &|| true));
    let task = worker.take().unwrap();
    assert!(worker.scene(&task.header.scene).is_some() && worker.scene("other").is_none());
    assert!(posted.board().work(&picture.world, &|| false));
    assert_eq!(worker.withdrawn(), [task.header.id]);
    drop(posted);
    // A picture that nobody wants any more.
    let posted = picture.post(&workers, &begun, SAMPLES);
    let task = worker.take().unwrap();
    assert!(worker.withdrawn().is_empty());
    drop(posted);
    assert_eq!(worker.withdrawn(), [task.header.id]);
    assert!(worker.take().is_none());
}

#[test]
fn a_picture_without_samples_ends_while_a_worker_has_some_of_it() {
    let picture = Picture::new(Integrator::Path);
    let begun = picture.begun(0);
    let workers = Workers::default();
    let mut worker = workers.join(1);
    let posted = picture.post(&workers, &begun, 2);
    let task = worker.take().unwrap();
    assert!(posted.board().work(&picture.world, &|| false));
    assert_eq!(posted.board().take().0, picture.alone(&begun, 2));
    assert_eq!(worker.withdrawn(), [task.header.id]);
    assert_eq!(worker.held(), 0);
}
