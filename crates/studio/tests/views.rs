//! What one viewer looks at: how large, of which shape, without what is hidden, at which time.

use std::sync::Arc;
use std::time::Duration;

use scene::{Camera, Edit, NoAssets, Scene};
use serde_json::json;
use spatial::Call;
use studio::{Frame, RenderClient, Renderer, View};

use super::pictures::{small, sphere, stage, until};

/// Its first pictures take no longer than those of a small view; none of them counts as the end.
#[tokio::test]
async fn a_large_view_is_shown_small_first_and_then_in_full() {
    let stage = stage();
    let large = View { width: 1280, height: 960, target_samples: 1, ..View::default() };
    let mut viewer = stage.previews.watch(&large, false);
    let mut sizes = Vec::new();
    loop {
        let frame = viewer.next().await;
        let picture = image::load_from_memory(&frame.image).unwrap();
        assert_eq!((picture.width(), picture.height()), (frame.width, frame.height));
        sizes.push((frame.width, frame.samples));
        if frame.is_final() {
            break;
        }
    }
    assert_eq!(sizes[0], (640, 0));
    assert_eq!(sizes.last(), Some(&(1280, 1)));
    assert!(sizes.iter().all(|&(width, samples)| (width == 640) == (samples == 0)), "{sizes:?}");
}

#[tokio::test]
async fn a_view_that_is_little_larger_needs_no_step_but_its_draft() {
    let stage = stage();
    let view = View { width: 800, height: 600, target_samples: 1, ..View::default() };
    let mut viewer = stage.previews.watch(&view, false);
    let draft = viewer.next().await;
    assert_eq!((draft.width, draft.height, draft.samples), (640, 480, 0));
    let next = viewer.next().await;
    assert_eq!((next.width, next.height, next.samples), (800, 600, 1));
}

/// On a phone nothing is lost at the sides.
#[test]
fn a_narrow_view_shows_as_much_from_side_to_side_as_the_shape_it_is_composed_for() {
    let view = View { width: 300, height: 400, fit_aspect: Some(4.0 / 3.0), ..View::default() };
    let scene = Arc::new(Scene::default());
    let camera_of = |view: &View| view.of(&scene, &NoAssets).camera.clone();
    let half_angle = |camera: &Camera| (0.5 * camera.vfov.get()).to_radians().tan();
    let across = half_angle(&camera_of(&view)) * 0.75;
    assert!((across - half_angle(&scene.camera) * 4.0 / 3.0).abs() < 1e-9, "{across}");
    let square = half_angle(&camera_of(&View { width: 400, ..view.clone() }));
    assert!((square / half_angle(&scene.camera) - 4.0 / 3.0).abs() < 1e-9, "{square}");
    for same in [View { width: 1600, ..view.clone() }, View { fit_aspect: None, ..view.clone() }] {
        assert_eq!(camera_of(&same).vfov, scene.camera.vfov);
    }
    let camera = json!({ "center": [0, 0, 9], "look_at": [0, 0, 0], "projection": "orthographic", "height": 3 });
    let plan = View { camera: Some(Camera::from_json(&camera).unwrap()), ..view };
    let height = camera_of(&plan).view_height();
    assert!((height * 0.75 - 3.0 * 4.0 / 3.0).abs() < 1e-9, "{height}");
}

/// Hidden objects are hidden for that viewer alone, in pictures and in picking.
#[tokio::test]
async fn what_a_viewer_hides_is_gone_for_that_viewer_alone() {
    let stage = stage();
    stage.scene.apply_for_user(&[Call::Edit(sphere("ball"))], None).unwrap();
    let hiding = View { hidden: Arc::new(["ball".to_owned()].into()), ..small(4) };
    let mut pictures = Vec::new();
    for view in [&small(4), &hiding] {
        let mut viewer = stage.previews.watch(view, false);
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
    let client = RenderClient::default();
    let seen = renderer.pick(&client, Arc::clone(&scene), small(4), 0.5, 0.5).await.unwrap();
    assert_eq!(seen.map(|seen| seen.id).as_deref(), Some("ball"));
    assert_eq!(renderer.pick(&client, scene, hiding, 0.5, 0.5).await.unwrap(), None);
}

/// A viewer may look at a moment of the animation, in pictures and in picking; others see the scene at rest.
#[tokio::test]
async fn a_view_at_a_time_shows_the_scene_as_it_is_then() {
    let stage = stage();
    let args = json!({ "tracks": [ { "target": "ball", "property": "position",
        "keys": [[0, [0, 0, 0]], [2, [9, 0, 0]]] } ] });
    let moves = Edit::parse("set_animation", &args).unwrap();
    let calls = [Call::Edit(sphere("ball")), Call::Edit(moves)];
    stage.scene.apply_for_user(&calls, None).unwrap();
    let at = |time| View { at_time: Some(time), ..small(4) };
    let (renderer, client) = (Renderer::new(2).unwrap(), RenderClient::default());
    let scene = stage.scene.current().scene;
    let middle = async |view: View| {
        let mut viewer = stage.previews.watch(&view, false);
        let frame = until(&mut viewer, Frame::is_final).await;
        let picture = image::load_from_memory(&frame.image).unwrap().to_rgb8();
        let seen = renderer.pick(&client, Arc::clone(&scene), view, 0.5, 0.5).await.unwrap();
        (*picture.get_pixel(20, 15), seen.map(|seen| seen.id))
    };
    let (rest, ball) = middle(small(4)).await;
    assert_eq!(ball.as_deref(), Some("ball"));
    assert_eq!(middle(at(0.0)).await, (rest, ball));
    let (end, nothing) = middle(at(2.0)).await;
    assert!(end != rest && nothing.is_none(), "{end:?}");
    assert_eq!(middle(at(99.0)).await, (end, None), "after the end it is the end");
}

#[test]
fn the_end_of_a_picture_is_a_number_of_samples_and_a_time() {
    let view = |seconds| View {
        target_samples: 64,
        refined_for: Duration::from_secs(seconds),
        ..View::default()
    };
    for (seconds, pace, samples) in
        [(0, 0.01, 64), (20, 2.0, 64), (20, 0.1, 200), (20, 0.001, 1024), (20, 0.0, 1024)]
    {
        assert_eq!(view(seconds).samples_at(pace), samples, "{seconds} s at {pace} s a sample");
    }
}
