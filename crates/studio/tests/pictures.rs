//! Previews refine and are superseded, pictures can be cancelled and are limited in number (A9).

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;
use std::time::Duration;

use scene::{Camera, Edit, NoAssets, Scene, SceneManager};
use serde_json::json;
use spatial::Call;
use studio::{
    Attention, Film, Format, Frame, Integrator, Job, Previews, RenderClient, RenderError,
    RenderLimits, Renderer, SharedScene, View, Viewer, Viewpoint,
};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub(super) fn sphere(id: &str) -> Edit {
    let args =
        json!({ "id": id, "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } });
    Edit::parse("create_shape", &args).unwrap()
}

pub(super) struct Stage {
    pub(super) scene: Arc<SharedScene>,
    pub(super) previews: Previews,
    tracker: TaskTracker,
}

pub(super) fn stage() -> Stage {
    stage_with(Renderer::new(2).unwrap())
}

fn stage_with(renderer: Renderer) -> Stage {
    let scene = Arc::new(SharedScene::new(SceneManager::default(), Attention::default()));
    let tracker = TaskTracker::new();
    let previews =
        Previews::new(Arc::clone(&scene), renderer, tracker.clone(), CancellationToken::new());
    Stage { scene, previews, tracker }
}

pub(super) fn small(target_samples: u32) -> View {
    View { width: 40, height: 30, target_samples, ..View::default() }
}

pub(super) async fn until(viewer: &mut Viewer, wanted: impl Fn(&Frame) -> bool) -> Frame {
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
    let mut viewer = stage.previews.watch(&small(16), false);
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
async fn a_preview_goes_on_while_it_has_time() {
    let stage = stage();
    let hurried = View { refined_for: Duration::from_nanos(1), ..small(4) };
    let last = until(&mut stage.previews.watch(&hurried, false), Frame::is_final).await;
    assert_eq!((last.samples, last.target_samples), (4, 4), "the least, whatever it takes");
    let patient = View { refined_for: Duration::from_secs(3600), ..small(4) };
    let last = until(&mut stage.previews.watch(&patient, false), Frame::is_final).await;
    assert_eq!((last.samples, last.target_samples), (64, 64), "but not for ever");
}

#[tokio::test]
async fn an_edit_supersedes_what_is_being_computed() {
    let stage = stage();
    // More samples than are ever computed here.
    let mut viewer = stage.previews.watch(&small(1_000_000), false);
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
    let mut viewer = stage.previews.watch(&small(1_000_000), false);
    let before = until(&mut viewer, |frame| frame.samples >= 8).await;
    viewer.set_paused(true);
    // A second viewer resumes it, for both; it continues from the existing samples.
    let mut second = stage.previews.watch(&small(1_000_000), false);
    assert!(second.next().await.samples >= before.samples);
    drop(second);
    viewer.set_paused(false);
    let after = until(&mut viewer, |frame| frame.samples > before.samples).await;
    assert!(after.pass > before.pass);
}

#[tokio::test]
async fn the_work_ends_with_its_last_viewer() {
    let stage = stage();
    let mut first = stage.previews.watch(&small(1_000_000), false);
    let second = stage.previews.watch(&small(1_000_000), false);
    assert_eq!(stage.tracker.len(), 1, "the same view is computed once");
    let camera = json!({ "center": [3, 3, 3], "look_at": [0, 0, 0] });
    let private = View { camera: Some(Camera::from_json(&camera).unwrap()), ..small(4) };
    let mut third = stage.previews.watch(&private, false);
    assert_eq!(stage.tracker.len(), 2);
    until(&mut third, Frame::is_final).await;
    drop(second);
    until(&mut first, |frame| frame.samples >= 2).await;
    drop((first, third));
    stage.tracker.close();
    stage.tracker.wait().await;
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
        renderer_of_task.render(&RenderClient::default(), endless(), Format::Png).await
    });
    // The task has begun: its sender was dropped.
    let _ = waiting.1.await;
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
    // With one thread, this runs only after the endless one has stopped.
    assert!(renderer.render(&RenderClient::default(), tiny(), Format::Png).await.is_ok());
}

fn tiny() -> Job {
    Job { width: 8, height: 8, samples: 1, ..Job::of(Arc::new(Scene::default())) }
}

/// A client beyond its limit is rejected; others get their pictures while its own are in progress.
#[tokio::test]
async fn a_client_that_wants_too_many_pictures_is_refused_and_others_are_served() {
    let renderer = Renderer::new(1).unwrap();
    let [greedy, other] = [RenderClient::default(), RenderClient::default()];
    let render = || Box::pin(renderer.render(&greedy, endless(), Format::Png));
    let mut jobs = futures_util::future::select_all((0..8).map(|_| render()).collect::<Vec<_>>());
    // After one poll, all are accepted: one is in progress, the others wait.
    assert!(futures_util::poll!(&mut jobs).is_pending());
    assert_eq!(render().await.unwrap_err(), RenderError::ClientBusy);
    tokio::select! {
        done = renderer.render(&other, tiny(), Format::Png) => assert!(done.is_ok()),
        _ = &mut jobs => panic!("the pictures were to take long"),
    }
    drop(jobs);
    assert!(renderer.render(&greedy, tiny(), Format::Png).await.is_ok());
}

/// The queue of all clients together is limited.
#[tokio::test]
async fn too_many_pictures_of_all_clients_are_refused() {
    let renderer = Renderer::new(1).unwrap();
    let clients: Vec<_> = (0..9).map(|_| RenderClient::default()).collect();
    let jobs = clients[..8].iter().flat_map(|client| {
        (0..8).map(|_| Box::pin(renderer.render(client, endless(), Format::Png)))
    });
    let mut jobs = futures_util::future::select_all(jobs.collect::<Vec<_>>());
    assert!(futures_util::poll!(&mut jobs).is_pending());
    let refused = renderer.render(&clients[8], tiny(), Format::Png).await.unwrap_err();
    assert_eq!(refused, RenderError::Busy(64));
    drop(jobs);
    assert!(renderer.render(&clients[8], tiny(), Format::Png).await.is_ok());
}

/// A picture that is paused repeatedly is the same.
#[tokio::test]
async fn a_picture_that_is_left_and_gone_on_with_is_the_same() {
    let renderer = Renderer::new(2).unwrap();
    let text = include_str!("../../../scenes/glass-caustics.json");
    let scene = Arc::new(Scene::from_json_text(text).unwrap());
    for integrator in [Integrator::Path, Integrator::Bdpt] {
        let integrator = Some(integrator);
        let large =
            Job { width: 120, height: 90, samples: 16, integrator, ..Job::of(scene.clone()) };
        let client = RenderClient::default();
        let alone = renderer.render(&client, large.clone(), Format::Exr).await.unwrap();
        let mut beside = Box::pin(renderer.render(&client, large, Format::Exr));
        let beside = loop {
            // Each of these interrupts it.
            let pick = renderer.surface(&client, Arc::clone(&scene.shapes[0]), 0.01);
            tokio::select! {
                biased;
                done = &mut beside => break done.unwrap(),
                done = pick => { done.unwrap(); }
            }
        };
        // The chunks of the files may be in any order.
        let [alone, beside] =
            [alone, beside].map(|file| image::load_from_memory(&file).unwrap().into_rgb32f());
        assert!(alone == beside, "{integrator:?}");
    }
}

#[tokio::test]
async fn a_point_of_the_picture_leads_to_what_is_seen_there() {
    let mut manager = SceneManager::default();
    manager.apply(&[sphere("ball")]).unwrap();
    let scene = Arc::clone(&manager.current().scene);
    let renderer = Renderer::new(1).unwrap();
    let client = RenderClient::default();
    let pick = |at| renderer.pick(&client, Arc::clone(&scene), View::default(), at, at);
    let seen = pick(0.5).await.unwrap().unwrap();
    assert_eq!(seen.id, "ball");
    assert!((seen.point[2] - 1.0).abs() < 1e-4 && (seen.normal[2] - 1.0).abs() < 1e-4);
    assert_eq!(pick(0.0).await.unwrap(), None);
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
    let fault = renderer.render(&RenderClient::default(), job, Format::Png).await.unwrap_err();
    assert!(matches!(&fault, RenderError::OutOfRange(_)));
    assert!(fault.to_string().contains("ask for fewer samples"), "{fault}");
}

/// As after a restart, when all clients return at once. Queued work must not start inside the waits
/// of running work, or the stack overflows.
#[tokio::test(flavor = "multi_thread")]
async fn thousands_of_previews_may_begin_at_once() {
    let renderer = Renderer::new(2).unwrap();
    let text = include_str!("../../../scenes/product-shot.json");
    let scene = Scene::from_json_text(text).unwrap();
    let tracker = TaskTracker::new();
    let previews: Vec<Previews> = (0..3_000)
        .map(|_| {
            let manager = SceneManager::new(scene.clone());
            let scene = Arc::new(SharedScene::new(manager, Attention::default()));
            Previews::new(scene, renderer.clone(), tracker.clone(), CancellationToken::new())
        })
        .collect();
    let view = View { width: 64, height: 48, target_samples: 1, ..View::default() };
    let mut viewers: Vec<_> =
        previews.iter().map(|previews| previews.watch(&view, false)).collect();
    for viewer in &mut viewers {
        viewer.next().await;
    }
}

/// Who may read nothing is shown drafts, which take no film.
#[tokio::test]
async fn a_viewer_of_drafts_only_gets_passes_when_it_wants_them() {
    let stage = stage_with(Renderer::new(2).unwrap());
    let mut viewer = stage.previews.watch(&small(4), true);
    assert_eq!(viewer.next().await.samples, 0);
    stage.scene.apply_for_user(&[Call::Edit(sphere("ball"))], None).unwrap();
    let draft = viewer.next().await;
    assert_eq!((draft.revision, draft.samples), (1, 0));
    // Another viewer of the same picture gets passes, and this one with it.
    let mut other = stage.previews.watch(&small(4), false);
    until(&mut other, Frame::is_final).await;
    drop(other);
    stage.scene.apply_for_user(&[Call::Edit(sphere("another"))], None).unwrap();
    until(&mut viewer, |frame| frame.revision == 2).await;
    viewer.want_passes();
    until(&mut viewer, Frame::is_final).await;
}

/// The films of previews share a memory budget: previews without room show their first pass and are
/// refined when others are done.
#[tokio::test]
async fn previews_without_room_for_their_film_wait_with_a_first_picture() {
    let film = 40 * 30 * Film::BYTES_PER_PIXEL + 1024;
    let stage = stage_with(
        Renderer::new(2)
            .unwrap()
            .with_limits(RenderLimits { film_bytes: film, ..RenderLimits::default() }),
    );
    let mut first = stage.previews.watch(&small(1_000_000), false);
    until(&mut first, |frame| frame.samples >= 2).await;
    let camera = json!({ "center": [3, 3, 3], "look_at": [0, 0, 0] });
    let private = View { camera: Some(Camera::from_json(&camera).unwrap()), ..small(16) };
    let mut second = stage.previews.watch(&private, false);
    until(&mut second, |frame| frame.samples >= 1).await;
    // Without a goal, the first one would keep its film, and this would never end.
    until(&mut second, Frame::is_final).await;
    let shown = until(&mut first, |frame| frame.samples >= 1).await.samples;
    until(&mut first, |frame| frame.samples > shown).await;
}

/// A superseded draft never starts: the next turn shows the newest revision.
#[tokio::test]
async fn a_draft_that_waits_for_its_turn_shows_the_newest_revision() {
    let renderer = Renderer::new(1).unwrap();
    let [busy, also_busy, stage] = [(); 3].map(|()| stage_with(renderer.clone()));
    let large = View { width: 1900, height: 1400, ..View::default() };
    let mut others = [busy.previews.watch(&large, false), also_busy.previews.watch(&large, false)];
    tokio::task::yield_now().await;
    let mut viewer = stage.previews.watch(&small(4), false);
    for edit in 1..=5 {
        stage.scene.apply_for_user(&[Call::Edit(sphere(&format!("ball_{edit}")))], None).unwrap();
        // The preview gets each revision.
        tokio::task::yield_now().await;
    }
    assert_eq!(viewer.next().await.revision, 5);
    for viewer in &mut others {
        viewer.next().await;
    }
}
