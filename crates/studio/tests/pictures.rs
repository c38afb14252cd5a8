//! A9 and the renderer's manners: previews refine and are superseded, pictures can be cancelled and
//! are limited in number.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;

use scene::{Camera, Edit, NoAssets, Scene, SceneManager};
use serde_json::json;
use spatial::Call;
use studio::{
    Attention, Format, Frame, Job, Previews, RenderFault, Renderer, SharedScene, View, Viewer,
    Viewpoint,
};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

fn sphere(id: &str) -> Edit {
    let args =
        json!({ "id": id, "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } });
    Edit::parse("create_shape", &args).unwrap()
}

struct Stage {
    scene: Arc<SharedScene>,
    previews: Previews,
    tracker: TaskTracker,
}

fn stage() -> Stage {
    let scene = Arc::new(SharedScene::new(SceneManager::default(), Attention::default()));
    let tracker = TaskTracker::new();
    let previews = Previews::new(
        Arc::clone(&scene),
        Renderer::new(2).unwrap(),
        tracker.clone(),
        CancellationToken::new(),
    );
    Stage { scene, previews, tracker }
}

fn small(target_samples: u32) -> View {
    View { width: 40, height: 30, target_samples, ..View::default() }
}

async fn until(viewer: &mut Viewer, wanted: impl Fn(&Frame) -> bool) -> Frame {
    loop {
        let frame = viewer.next().await;
        if wanted(&frame) {
            return frame;
        }
    }
}

#[tokio::test]
async fn a_preview_starts_coarse_and_refines_to_its_end() {
    let stage = stage();
    let mut viewer = stage.previews.watch(&small(16));
    let mut samples = Vec::new();
    loop {
        let frame = viewer.next().await;
        let picture = image::load_from_memory(&frame.image).unwrap();
        assert_eq!((picture.width(), picture.height()), (40, 30));
        samples.push(frame.samples);
        if frame.is_final() {
            break;
        }
    }
    assert!(samples.is_sorted(), "{samples:?}");
    assert_eq!(samples.last(), Some(&16));
}

#[tokio::test]
async fn an_edit_supersedes_what_is_being_computed() {
    let stage = stage();
    // Far more samples than will ever be computed here.
    let mut viewer = stage.previews.watch(&small(1_000_000));
    until(&mut viewer, |frame| frame.samples >= 2).await;
    stage.scene.apply_for_user(&[Call::Edit(sphere("a"))], None).unwrap();
    until(&mut viewer, |frame| frame.revision == 1).await;
    for _ in 0..3 {
        assert_eq!(viewer.next().await.revision, 1);
    }
}

#[tokio::test]
async fn a_pause_keeps_the_picture_and_goes_on_from_there() {
    let stage = stage();
    let mut viewer = stage.previews.watch(&small(1_000_000));
    let before = until(&mut viewer, |frame| frame.samples >= 8).await;
    viewer.set_paused(true);
    // A second viewer makes it go on, for both; it starts from what is there.
    let mut second = stage.previews.watch(&small(1_000_000));
    assert!(second.next().await.samples >= before.samples);
    drop(second);
    viewer.set_paused(false);
    let after = until(&mut viewer, |frame| frame.samples > before.samples).await;
    assert!(after.pass > before.pass);
}

#[tokio::test]
async fn the_work_ends_with_its_last_viewer() {
    let stage = stage();
    let mut first = stage.previews.watch(&small(1_000_000));
    let second = stage.previews.watch(&small(1_000_000));
    assert_eq!(stage.tracker.len(), 1, "the same view is computed once");
    let camera = json!({ "center": [3, 3, 3], "look_at": [0, 0, 0] });
    let private = View { camera: Some(Camera::from_json(&camera).unwrap()), ..small(4) };
    let mut third = stage.previews.watch(&private);
    assert_eq!(stage.tracker.len(), 2);
    until(&mut third, Frame::is_final).await;
    drop(second);
    until(&mut first, |frame| frame.samples >= 2).await;
    drop((first, third));
    stage.tracker.close();
    stage.tracker.wait().await;
}

/// What is hidden from one viewer is there for the others, in pictures and under the pointer.
#[tokio::test]
async fn what_a_viewer_hides_is_gone_for_that_viewer_alone() {
    let stage = stage();
    stage.scene.apply_for_user(&[Call::Edit(sphere("ball"))], None).unwrap();
    let hiding = View { hidden: Arc::new(["ball".to_owned()].into()), ..small(4) };
    let mut pictures = Vec::new();
    for view in [&small(4), &hiding] {
        let mut viewer = stage.previews.watch(view);
        let frame = until(&mut viewer, Frame::is_final).await;
        pictures.push(image::load_from_memory(&frame.image).unwrap().to_rgb8());
    }
    let middle = |picture: &image::RgbImage| *picture.get_pixel(20, 15);
    assert_ne!(middle(&pictures[0]), middle(&pictures[1]));
    let corner = |picture: &image::RgbImage| *picture.get_pixel(0, 0);
    let apart = |a: u8, b: u8| a.abs_diff(b) < 8;
    let (with, without) = (corner(&pictures[0]), corner(&pictures[1]));
    assert!((0..3).all(|channel| apart(with[channel], without[channel])), "{with:?} {without:?}");
    let renderer = Renderer::new(1).unwrap();
    let scene = stage.scene.current().scene;
    let seen = renderer.pick(Arc::clone(&scene), small(4), 0.5, 0.5).await.unwrap();
    assert_eq!(seen.map(|seen| seen.id).as_deref(), Some("ball"));
    assert_eq!(renderer.pick(scene, hiding, 0.5, 0.5).await.unwrap(), None);
}

fn endless() -> Job {
    Job { width: 1024, height: 1024, samples: 4096, ..Job::of(Arc::new(Scene::default())) }
}

#[tokio::test]
async fn a_picture_nobody_waits_for_is_given_up() {
    let renderer = Renderer::new(1).unwrap();
    let (waiting, renderer_of_task) = (tokio::sync::oneshot::channel::<()>(), renderer.clone());
    let task = tokio::spawn(async move {
        drop(waiting.0);
        renderer_of_task.render(endless(), Format::Png).await
    });
    // The task has begun: its sender is gone.
    let _ = waiting.1.await;
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
    // With one thread, this only gets its turn when the endless one has stopped.
    let job = Job { width: 8, height: 8, samples: 1, ..Job::of(Arc::new(Scene::default())) };
    assert!(renderer.render(job, Format::Png).await.is_ok());
}

#[tokio::test]
async fn too_many_pictures_at_once_are_refused() {
    let renderer = Renderer::new(1).unwrap();
    let jobs: Vec<_> = (0..10).map(|_| Box::pin(renderer.render(endless(), Format::Png))).collect();
    let mut jobs = futures_util::future::select_all(jobs);
    // Polled once, all ten are accepted: two compute, eight wait.
    assert!(futures_util::poll!(&mut jobs).is_pending());
    assert_eq!(renderer.render(endless(), Format::Png).await.unwrap_err(), RenderFault::Busy);
    drop(jobs);
    let job = Job { width: 8, height: 8, samples: 1, ..Job::of(Arc::new(Scene::default())) };
    assert!(renderer.render(job, Format::Png).await.is_ok());
}

#[tokio::test]
async fn a_point_of_the_picture_leads_to_what_is_seen_there() {
    let mut manager = SceneManager::default();
    manager.apply(&[sphere("ball")]).unwrap();
    let scene = Arc::clone(&manager.current().scene);
    let renderer = Renderer::new(1).unwrap();
    let seen = renderer.pick(Arc::clone(&scene), View::default(), 0.5, 0.5).await.unwrap().unwrap();
    assert_eq!(seen.id, "ball");
    assert!((seen.point[2] - 1.0).abs() < 1e-4 && (seen.normal[2] - 1.0).abs() < 1e-4);
    assert_eq!(renderer.pick(scene, View::default(), 0.0, 0.0).await.unwrap(), None);
}

#[test]
fn viewpoints_frame_what_the_scene_is_about() {
    let file = json!({ "version": 1, "shapes": [
        { "id": "floor", "type": "quad", "properties": { "corner": [-50, 0, 50], "u": [100, 0, 0], "v": [0, 0, -100] } },
        { "id": "ball", "type": "sphere", "properties": { "center": [5, 1, 0], "radius": 1 } } ] });
    let scene = Arc::new(Scene::from_json(&file).unwrap());
    let top = Viewpoint::Top.seen_from(&scene, &NoAssets, 4.0 / 3.0);
    assert_eq!(top.camera.look_at.get(), [5.0, 1.0, 0.0]);
    let [x, y, z] = top.camera.center.get();
    assert!(x == 5.0 && z == 0.0 && (3.0..10.0).contains(&y), "{y}");
    assert!(Arc::ptr_eq(&Viewpoint::Camera.seen_from(&scene, &NoAssets, 1.0), &scene));
}

#[tokio::test]
async fn a_picture_that_would_take_hours_is_refused_with_the_reason() {
    let renderer = Renderer::new(1).unwrap();
    let job = Job { samples: 4097, ..endless() };
    let fault = renderer.render(job, Format::Png).await.unwrap_err();
    assert!(matches!(&fault, RenderFault::OutOfRange(_)));
    assert!(fault.to_string().contains("ask for fewer samples"), "{fault}");
}
