//! How long after an edit the first frame reaches a client: 50 shapes, 400 x 300, over a real
//! socket, from `scene_changed` to the frame, both as the client receives them.

use std::time::Instant;

use benches::summary;
use end_to_end::server::TestServer;
use serde_json::{Value, json};

const SHAPES: usize = 50;
const EDITS: usize = 60;

fn shape(index: usize) -> Value {
    let (column, row) = (index % 10, index / 10);
    let center = [column as f64 * 1.1 - 5.0, 0.5, row as f64 * 1.1 - 2.5];
    let material = match index % 3 {
        0 => json!({ "type": "lambertian", "albedo": [0.7, 0.3, 0.2] }),
        1 => json!({ "type": "metal", "albedo": [0.9, 0.8, 0.6], "fuzz": 0.2 }),
        _ => json!({ "type": "dielectric", "refractive_index": 1.5 }),
    };
    let (kind, mut properties) = match index % 2 {
        0 => ("sphere", json!({ "center": center, "radius": 0.5 })),
        _ => (
            "box",
            json!({ "center": center, "dimensions": [0.8, 1.0, 0.8], "rotation": [0, 20, 0] }),
        ),
    };
    properties["material"] = material;
    json!({ "id": format!("shape_{index}"), "type": kind, "properties": properties })
}

#[tokio::main]
async fn main() {
    let server = TestServer::with_mock(&json!([])).await;
    let mut client = server.client().await;
    let mut calls: Vec<Value> = (0..SHAPES - 1)
        .map(|index| json!({ "name": "create_shape", "args": shape(index) }))
        .collect();
    calls.push(json!({ "name": "create_shape", "args": { "id": "floor", "type": "quad",
        "properties": { "corner": [-20, 0, 20], "u": [40, 0, 0], "v": [0, 0, -40] } } }));
    calls.push(json!({ "name": "create_light", "args": { "id": "key", "type": "area_quad_light",
        "properties": { "corner": [-2, 6, -2], "u": [4, 0, 0], "v": [0, 0, 4], "emission": [8, 8, 8] } } }));
    calls.push(
        json!({ "name": "set_camera", "args": { "center": [0, 4, 9], "look_at": [0, 0.4, 0] } }),
    );
    client.send(json!({ "type": "edit", "calls": calls })).await;
    client.until("scene_changed").await;

    let mut times = Vec::with_capacity(EDITS);
    for edit in 0..EDITS {
        let center = [0.0, 0.5 + edit as f64 * 0.01, 0.0];
        client
            .send(json!({ "type": "edit", "calls": [ { "name": "update_shape", "args":
                { "id": "shape_24", "updates": { "properties": { "center": center } } } } ] }))
            .await;
        let changed = client.until("scene_changed").await;
        let started = Instant::now();
        while client.preview().await.header["revision"] != changed["revision"] {}
        times.push(started.elapsed());
    }
    println!("{:#}", json!({ "first_frame_after_an_edit": summary(times), "shapes": SHAPES }));
    server.stop().await;
}
