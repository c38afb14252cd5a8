//! `render_preview`: sheets of views, labels and colours, and the description in words.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::future::join_all;
use image::RgbImage;
use scene::{Scene, SceneManager};
use serde_json::{Value, json};
use studio::{Attention, Author, RenderLimits, Renderer, SharedScene, toolbox};

/// A room seen from the front: a ball on a table, a cup hidden behind the table, a lamp cut off at
/// the right, a chair far to the left, and a jewel in a glass case.
fn room() -> Value {
    json!({ "version": 1, "shapes": [
        { "id": "floor", "type": "quad", "properties": { "corner": [-9, 0, 9], "u": [18, 0, 0], "v": [0, 0, -18] } },
        { "id": "table", "type": "box", "properties": { "center": [0, 0.5, 0], "dimensions": [2, 1, 1] } },
        { "id": "ball", "type": "sphere", "properties": { "center": [-0.7, 1.25, 0], "radius": 0.25,
            "material": { "type": "emissive", "emission": [9, 9, 9] } } },
        { "id": "cup", "type": "cylinder", "properties": { "base_center": [0, 0, -1], "top_center": [0, 0.3, -1],
            "radius": 0.1, "capped": true } },
        { "id": "lamp", "type": "box", "properties": { "center": [3.1, 1, 0], "dimensions": [0.8, 2, 0.8],
            "material": { "type": "lambertian", "albedo": [0, 0, 0] } } },
        { "id": "chair", "type": "box", "properties": { "center": [-7, 0.5, 0], "dimensions": [1, 1, 1] } },
        { "id": "case", "type": "box", "properties": { "center": [1.4, 0.4, 1.4], "dimensions": [0.6, 0.8, 0.6],
            "material": { "type": "dielectric", "refractive_index": 1.5 } } },
        { "id": "jewel", "type": "sphere", "properties": { "center": [1.4, 0.3, 1.4], "radius": 0.15 } } ],
        "camera": { "center": [0, 1, 6], "look_at": [0, 1, 0] } })
}

/// Calls the tool; returns its result, and its picture with the type.
async fn try_look(file: &Value, args: Value) -> Result<(Value, String, RgbImage), String> {
    let manager = SceneManager::new(Scene::from_json(file).unwrap());
    let scene = Arc::new(SharedScene::new(manager, Attention::default()));
    let tools = toolbox(&scene, &Renderer::new(2).unwrap(), Author::Model);
    let output = tools.get("render_preview").unwrap().call(args).await;
    let result = output.outcome?;
    assert_eq!(output.pictures.len(), 1, "one picture, however many views");
    let data = output.pictures[0].raw()["inlineData"].clone();
    let bytes = STANDARD.decode(data["data"].as_str().unwrap()).unwrap();
    let picture = image::load_from_memory(&bytes).unwrap().into_rgb8();
    Ok((result, data["mimeType"].as_str().unwrap().to_owned(), picture))
}

async fn look(args: Value) -> (Value, String, RgbImage) {
    try_look(&room(), args).await.unwrap()
}

fn lines(seen: &Value, name: &str) -> Vec<String> {
    let lines = seen[name].as_array().cloned().unwrap_or_default();
    lines.iter().map(|line| line.as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn one_view_is_a_plain_picture_of_the_size_asked_for() {
    let (result, mime_type, picture) = look(json!({ "width": 80, "height": 60 })).await;
    assert_eq!((mime_type.as_str(), picture.dimensions()), ("image/jpeg", (80, 60)));
    assert_eq!(result["views"], json!(["camera"]));
    assert_eq!((&result["width"], &result["samples"]), (&json!(80), &json!(32)));
    assert!(result["elapsed_ms"].is_u64());
    assert!(result.get("id_colours").is_none() && result.get("unlabelled").is_none());
}

#[tokio::test]
async fn pictures_of_many_runs_wait_and_leave_places_to_others() {
    let limits = RenderLimits { pictures: 4, ..RenderLimits::default() };
    let renderer = Renderer::new(2).unwrap().with_limits(limits);
    let of_session = |by| {
        let manager = SceneManager::new(Scene::from_json(&room()).unwrap());
        let scene = Arc::new(SharedScene::new(manager, Attention::default()));
        let tools = toolbox(&scene, &renderer, by);
        async move {
            let args = json!({ "width": 64, "height": 48 });
            tools.get("render_preview").unwrap().call(args).await.outcome.map(drop)
        }
    };
    let runs = join_all((0..12).map(|_| of_session(Author::Model)));
    let others = join_all((0..2).map(|_| of_session(Author::User)));
    let (runs, others) = tokio::join!(runs, others);
    assert_eq!((runs, others), (vec![Ok(()); 12], vec![Ok(()); 2]));
}

#[tokio::test]
async fn a_size_that_was_asked_for_is_kept_in_little_time() {
    let args = json!({ "width": 900, "height": 700, "seconds": 0.1 });
    let (result, _, picture) = look(args).await;
    assert_eq!(picture.dimensions(), (900, 700));
    assert!(result.get("smaller").is_none(), "{result}");
}

#[tokio::test]
async fn several_views_are_one_sheet() {
    let args = json!({ "width": 80, "height": 60, "views": ["camera", "top", "left"], "close_up": ["cup"] });
    let (result, _, sheet) = look(args).await;
    assert_eq!(result["views"], json!(["camera", "top", "left", "close-up of cup"]));
    let (width, height) = sheet.dimensions();
    assert!(width > 160 && width < 200 && height > 120 && height < 200, "{width} {height}");
    let seen = result["seen"].as_array().unwrap();
    assert_eq!(seen.len(), 4);
    // Close up, the table does not occlude it.
    assert!(lines(&seen[0], "hidden").iter().any(|line| line.starts_with("cup")), "{seen:?}");
    assert!(lines(&seen[3], "visible")[0].starts_with("cup: centre"), "{seen:?}");
}

#[tokio::test]
async fn a_close_up_is_taken_from_a_side_at_a_height() {
    let seen = async |args: Value| {
        let mut all = json!({ "width": 80, "height": 60, "close_up": ["cup"] });
        all.as_object_mut().unwrap().extend(args.as_object().unwrap().clone());
        let (result, _, _) = look(all).await;
        (lines(&result["seen"][0], "visible"), lines(&result["seen"][0], "hidden"))
    };
    // The cup stands behind the table.
    let (_, hidden) = seen(json!({ "from": "front" })).await;
    assert!(hidden.iter().any(|line| line.starts_with("cup")), "{hidden:?}");
    let (visible, _) = seen(json!({ "from": "back" })).await;
    assert!(
        visible[0].starts_with("cup: centre") || visible[1].starts_with("cup: centre"),
        "{visible:?}"
    );
    let (visible, _) = seen(json!({ "from": "back", "from_height": 0.15 })).await;
    assert!(
        visible.iter().any(|line| line.starts_with("table")),
        "level, the table is behind it: {visible:?}"
    );
}

#[tokio::test]
async fn ground_and_walls_are_named_beside_any_crowd() {
    let mut file = room();
    for at in 0..30 {
        let x = f64::from(at % 10) * 0.4 - 1.8;
        let id = format!("{}_thing", (b'a' + at as u8 % 26) as char).repeat(1 + at as usize / 26);
        let center = [x, f64::from(at / 10) * 0.3 + 0.2, 2.0];
        file["shapes"].as_array_mut().unwrap().push(
            json!({ "id": id, "type": "sphere", "properties": { "center": center, "radius": 0.1 } }),
        );
    }
    let (result, _, _) = try_look(&file, json!({ "width": 120, "height": 90 })).await.unwrap();
    let visible = lines(&result["seen"][0], "visible");
    assert!(visible.len() == 12 && visible[11].starts_with("floor: "), "{visible:?}");
    assert!(result["seen"][0]["more"].as_u64().is_some_and(|more| more > 10), "{result}");
}

#[tokio::test]
async fn words_tell_what_is_where_and_what_cannot_be_seen() {
    let (result, _, _) = look(json!({ "width": 160, "height": 120 })).await;
    let seen = &result["seen"][0];
    let visible = lines(seen, "visible");
    let line = |id: &str| visible.iter().find(|line| line.starts_with(&format!("{id}: "))).unwrap();
    assert!(line("table").starts_with("table: centre, ") || line("table").contains("bottom"));
    assert!(line("ball").contains("burnt out"), "{visible:?}");
    assert!(line("lamp").contains("right") && line("lamp").ends_with(", cut off"), "{visible:?}");
    assert!(line("lamp").contains("black") || line("lamp").contains("dark"), "{visible:?}");
    assert_eq!(visible.last().unwrap().split(':').next(), Some("floor"), "grounds come last");
    assert_eq!(lines(seen, "hidden"), ["cup: behind table"]);
    assert_eq!(lines(seen, "seen_through_glass"), ["jewel"]);
    assert_eq!(lines(seen, "out_of_view"), ["chair: left"]);
    assert!(seen["whole"].as_str().unwrap().contains("sky"), "{seen}");
    for line in &visible {
        assert!(line.len() <= 60, "about fifteen tokens, at most: {line}");
    }
}

#[tokio::test]
async fn a_crowd_is_told_in_few_words() {
    let mut file = room();
    for at in 0..60 {
        let (x, y) = (f64::from(at % 10) * 0.4 - 1.8, f64::from(at / 10) * 0.3 + 0.2);
        file["shapes"]
            .as_array_mut()
            .unwrap()
            .push(json!({ "id": format!("marble_{at}"), "type": "sphere",
            "properties": { "center": [x, y, 2], "radius": 0.1 } }));
    }
    let args = json!({ "width": 120, "height": 90, "views": ["camera", "front"] });
    let (result, _, _) = try_look(&file, args).await.unwrap();
    let seen = &result["seen"];
    let visible = lines(&seen[0], "visible");
    assert!(
        visible.len() <= 12 && visible.iter().any(|line| line.starts_with("60 x marble: ")),
        "{visible:?}"
    );
    assert!(seen.to_string().len() / 4 < 400, "{seen:#}");
}

#[tokio::test]
async fn colours_stand_for_things_and_the_legend_says_which() {
    let args = json!({ "width": 160, "height": 120, "id_colours": true });
    let (result, mime_type, picture) = look(args).await;
    assert_eq!((mime_type.as_str(), &result["samples"]), ("image/png", &json!(4)));
    let legend = result["id_colours"].as_object().unwrap();
    let colours: std::collections::HashSet<&str> =
        legend.values().map(|colour| colour.as_str().unwrap()).collect();
    assert_eq!(colours.len(), legend.len(), "{legend:?}");
    let at = |x: u32, y: u32| {
        let [red, green, blue] = picture.get_pixel(x, y).0;
        format!("#{red:02x}{green:02x}{blue:02x}")
    };
    // The centre of the table, and the sky.
    assert_eq!(at(80, 70), legend["table"].as_str().unwrap());
    assert_eq!(at(80, 2), "#000000");
    assert!(!legend.contains_key("cup") && !legend.contains_key("chair"));
}

#[tokio::test]
async fn labels_are_written_at_things() {
    let plain = look(json!({ "width": 160, "height": 120 })).await.2;
    let labelled = look(json!({ "width": 160, "height": 120, "labels": true })).await.2;
    assert_eq!(labelled.dimensions(), plain.dimensions());
    let differ = |[x0, y0]: [u32; 2], [x1, y1]: [u32; 2]| {
        (x0..x1).flat_map(|x| (y0..y1).map(move |y| (x, y))).any(|(x, y)| {
            let (one, other) = (plain.get_pixel(x, y).0, labelled.get_pixel(x, y).0);
            one.iter().zip(other).any(|(one, other)| one.abs_diff(other) > 80)
        })
    };
    // The label is at the table, not in the sky at the top left.
    assert!(differ([50, 60], [110, 90]) && !differ([0, 0], [30, 20]));
}

#[tokio::test]
async fn what_cannot_be_shown_is_said_with_what_can() {
    for (args, told) in [
        (json!({ "views": ["tpo"] }), "'views[0]' must be 'camera', 'front'"),
        (json!({ "close_up": ["cpu", "tabel"] }), "did you mean 'cup'"),
        (json!({ "close_up": ["cup"], "from": "frond" }), "did you mean 'front'"),
        (
            json!({ "close_up": ["cup"], "from": "top", "from_height": 2 }),
            "for a look from the top",
        ),
        (json!({ "from": "back" }), "name what to see in 'close_up'"),
        (json!({ "close_up": ["cpu", "tabel"] }), "did you mean 'table'"),
        (
            json!({ "views": vec!["top"; 10] }),
            "at most 9 of 'views' and 'close_up' together, got 10",
        ),
        (json!({ "width": 8 }), "property 'width' must be from 16 to 1024 pixels, got 8"),
        (json!({ "label": true }), "there is no 'label'; there is 'width'"),
    ] {
        let error = try_look(&room(), args.clone()).await.unwrap_err();
        assert!(error.contains(told), "{args}: {error}");
    }
}

#[tokio::test]
async fn the_exposure_of_the_camera_is_shown_and_an_automatic_one_told() {
    let scene = |exposure: f64| {
        serde_json::json!({ "version": 1,
            "shapes": [{ "id": "ball", "type": "sphere", "properties": { "center": [0, 0, 0],
                "radius": 1, "material": { "type": "lambertian", "albedo": [0.5, 0.5, 0.5] } } }],
            "environment": { "type": "uniform", "emission": [0.02, 0.02, 0.02] },
            "camera": { "center": [0, 0, 5], "look_at": [0, 0, 0], "exposure": exposure } })
    };
    let (dark, bright) = (
        try_look(&scene(0.0), json!({})).await.unwrap().0,
        try_look(&scene(4.0), json!({})).await.unwrap().0,
    );
    assert_eq!(
        (&dark["exposure"]["camera"], &bright["exposure"]["camera"]),
        (&0.0.into(), &4.0.into())
    );
    // The automatic exposure does not depend on the camera's.
    let automatic = |result: &serde_json::Value| result["exposure"]["automatic"].as_f64().unwrap();
    assert!((automatic(&dark) - automatic(&bright)).abs() < 0.11, "{dark} {bright}");
    assert!((3.0..4.5).contains(&automatic(&dark)), "{dark}");
    let whole =
        |result: &serde_json::Value| result["seen"][0]["whole"].as_str().unwrap().to_owned();
    assert!(whole(&dark).starts_with("dark"), "{dark}");
    assert!(whole(&bright).starts_with("medium"), "{bright}");
    // Other cameras show the light as the scene's own does.
    for elsewhere in [json!({ "close_up": ["ball"] }), json!({ "views": ["top"] })] {
        let bright = try_look(&scene(4.0), elsewhere.clone()).await.unwrap().0;
        assert!(whole(&bright).starts_with("medium"), "{elsewhere}: {bright}");
    }
}
