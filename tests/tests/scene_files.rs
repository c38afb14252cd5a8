//! Files of other programs over HTTP: into a session and out of it.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod large_files;

use std::io::{Cursor, Write};

use end_to_end::server::TestServer;
use image::{ImageFormat, RgbImage};
use serde_json::{Value, json};
use server::ModelsConfig;

const PAINTED: &str = "v -1 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 2\n\
    o lid\nf 1 2 3\no base\nf 1 2 4\n";

async fn post(server: &TestServer, path: &str, body: impl Into<Vec<u8>>) -> (u16, Value) {
    let request = server.http().post(server.url(path)).body(body.into());
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap_or_default())
}

async fn get(server: &TestServer, path: &str) -> (u16, String, Vec<u8>) {
    let response = server.http().get(server.url(path)).send().await.unwrap();
    let kind = response.headers()["content-type"].to_str().unwrap().to_owned();
    (response.status().as_u16(), kind, response.bytes().await.unwrap().to_vec())
}

async fn session(server: &TestServer) -> String {
    let (_, answer) = post(server, "/api/sessions", "").await;
    answer["session_id"].as_str().unwrap().to_owned()
}

async fn scene(server: &TestServer, id: &str) -> Value {
    let (_, _, bytes) = get(server, &format!("/api/sessions/{id}/scene")).await;
    serde_json::from_slice(&bytes).unwrap()
}

#[tokio::test]
async fn a_file_joins_the_scene_as_one_group_and_one_step() {
    let server = TestServer::start(ModelsConfig::default()).await;
    let id = session(&server).await;
    let path = format!("/api/sessions/{id}/scene/import?name=chair.obj");
    let (status, answer) = post(&server, &path, PAINTED).await;
    assert_eq!(status, 201, "{answer}");
    assert_eq!(answer["ids"], json!(["base", "chair", "lid"]));
    // Once more: nothing is overwritten.
    let (status, again) = post(&server, &path, PAINTED).await;
    assert_eq!(status, 201, "{again}");
    assert_eq!(again["ids"], json!(["base_2", "chair_2", "lid_2"]));
    let file = scene(&server, &id).await;
    assert_eq!(file["shapes"].as_array().unwrap().len(), 4);
    assert_eq!(file["shapes"][3]["group"], "chair_2");
    assert_eq!(
        again["revision"].as_u64(),
        answer["revision"].as_u64().map(|revision| revision + 1)
    );
}

#[tokio::test]
async fn a_file_in_millimetres_with_z_up_is_looked_at_and_then_stands_as_large_as_it_is() {
    let server = TestServer::start(ModelsConfig::default()).await;
    let id = session(&server).await;
    // 1000 wide, 2000 deep and 3000 high, with z up.
    let obj = "v 0 0 0\nv 1000 0 0\nv 0 2000 0\nv 0 0 3000\no spire\nf 1 3 2\nf 1 2 4\n";
    let path = format!("/api/sessions/{id}/scene/import?name=spire.obj&scale=0.001&up=z");
    let (status, seen) = post(&server, &format!("{path}&preview=true"), obj).await;
    assert_eq!(status, 200, "{seen}");
    assert_eq!(seen["bounds"], json!({ "min": [0.0, 0.0, -2.0], "max": [1.0, 3.0, 0.0] }));
    assert_eq!(scene(&server, &id).await["shapes"], json!([]), "nothing is added yet");

    let (status, answer) = post(&server, &path, obj).await;
    assert_eq!(status, 201, "{answer}");
    let spire = scene(&server, &id).await["shapes"][0].clone();
    assert_eq!(spire, seen["scene"]["shapes"][0], "as it was shown");
    assert_eq!(spire["properties"]["scale"], json!(0.001));
    assert_eq!(spire["properties"]["rotation"], json!([-90.0, 0.0, 0.0]));
    assert_eq!(spire["properties"]["translation"], json!([0.5, 1.5, -1.0]));

    for (query, told) in [("scale=0", "'scale' must be"), ("scale=big", "a number"), ("up=x", "up")]
    {
        let path = format!("/api/sessions/{id}/scene/import?name=spire.obj&{query}");
        let (status, answer) = post(&server, &path, obj).await;
        assert_eq!(status, 400, "{query}: {answer}");
        assert!(answer["detail"].as_str().unwrap().contains(told), "{query}: {answer}");
    }
}

#[tokio::test]
async fn a_scene_goes_out_as_glb_and_comes_back() {
    let server = TestServer::start(ModelsConfig::default()).await;
    let id = session(&server).await;
    post(&server, &format!("/api/sessions/{id}/scene/import?name=chair.obj"), PAINTED).await;
    let (status, kind, glb) =
        get(&server, &format!("/api/sessions/{id}/scene/export?format=glb")).await;
    assert_eq!((status, kind.as_str()), (200, "model/gltf-binary"));
    assert!(glb.starts_with(b"glTF"));
    let other = session(&server).await;
    let path = format!("/api/sessions/{other}/scene/import?name=it.glb&replace=true");
    let (status, answer) = post(&server, &path, glb).await;
    assert_eq!(status, 201, "{answer}");
    let (one, two) = (scene(&server, &id).await, scene(&server, &other).await);
    assert_eq!(two["groups"], json!([{ "id": "chair", "parent": null }]));
    assert_eq!(one["environment"], two["environment"]);
    let ids = |file: &Value| -> Vec<String> {
        let shapes = file["shapes"].as_array().unwrap().iter();
        let mut ids: Vec<String> = shapes.map(|shape| shape["id"].to_string()).collect();
        ids.sort();
        ids
    };
    assert_eq!(ids(&one), ids(&two));
    // Several files come in one.
    let (status, kind, zip) =
        get(&server, &format!("/api/sessions/{id}/scene/export?format=obj")).await;
    assert_eq!((status, kind.as_str()), (200, "application/zip"));
    assert!(zip.starts_with(b"PK"));
}

#[tokio::test]
async fn an_exported_file_says_what_it_is_and_what_it_could_not_keep() {
    let server = TestServer::start(ModelsConfig::default()).await;
    let id = session(&server).await;
    let checked = json!({ "version": 1, "shapes": [{ "id": "tiles", "type": "sphere", "properties": {
        "center": [0, 0, 0], "radius": 1,
        "material": { "type": "lambertian", "albedo": { "type": "checker" } }
    } }] });
    let put = server.http().put(server.url(&format!("/api/sessions/{id}/scene"))).json(&checked);
    assert_eq!(put.send().await.unwrap().status(), 200);
    let export = async |format: &str| {
        let path = format!("/api/sessions/{id}/scene/export?format={format}");
        let response = server.http().get(server.url(&path)).send().await.unwrap();
        let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
        (header("content-type"), header("content-disposition"), header("scene-notes"))
    };
    for (format, kind, ending) in [
        ("gltf", "application/zip", "zip"),
        ("glb", "model/gltf-binary", "glb"),
        ("json", "application/json", "json"),
    ] {
        let (told, disposition, notes) = export(format).await;
        assert_eq!(told, kind);
        assert!(disposition.ends_with(&format!(".{ending}\"")), "{disposition}");
        // `%22` is a quotation mark: a list with a sentence, or an empty one.
        assert_eq!(notes.contains("patterns"), format != "json", "{format}: {notes}");
        assert!(notes.starts_with("%5B") && notes.ends_with("%5D"), "{notes}");
    }
}

/// A ZIP archive with compressed files.
fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[tokio::test]
async fn an_archive_brings_a_scene_with_its_materials_and_pictures() {
    let server = TestServer::start(ModelsConfig::default()).await;
    let id = session(&server).await;
    let obj =
        b"mtllib Mats\\Table.mtl\nusemtl oak\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n\
                f 1/1 2/2 3/3\n";
    let mtl = b"newmtl oak\nKd 1 1 1\nmap_Kd C:\\textures\\OAK.png\n";
    let mut png = Vec::new();
    RgbImage::new(2, 2).write_to(&mut Cursor::new(&mut png), ImageFormat::Png).unwrap();
    let files: [(&str, &[u8]); 5] = [
        ("__MACOSX/._table.obj", b"junk"),
        ("table/old/table.obj", b"v 0 0"),
        ("table/table.obj", obj),
        ("table/mats/table.mtl", mtl),
        ("table/textures/oak.png", &png),
    ];
    let path = format!("/api/sessions/{id}/scene/import?name=table.zip");
    let (status, answer) = post(&server, &path, archive(&files)).await;
    assert_eq!(status, 201, "{answer}");
    assert_eq!(answer["notes"], json!([]));
    let scene = scene(&server, &id).await;
    let color = &scene["shapes"][0]["properties"]["material"];
    assert!(color.to_string().contains("\"type\":\"image\""), "{color}");
}

#[tokio::test]
async fn a_bad_file_changes_nothing_and_says_why() {
    let server = TestServer::start(ModelsConfig::default()).await;
    let id = session(&server).await;
    let before = scene(&server, &id).await;
    let cases: [(&str, &[u8], u16, &str); 9] = [
        ("name=x.fbx", b"Kaydara", 415, "must end in"),
        ("name=x.stl", b"solid", 422, "no triangles"),
        ("name=x.zip", b"PK", 422, "the archive cannot be read"),
        ("name=x.zip", &archive(&[("notes.txt", b"hello")]), 422, "holds no .gltf, .glb, .obj"),
        ("name=x.zip", &archive(&[("a/x.obj", b"mtllib x.mtl\nv 0 0 0\nf 1 1 9\n")]), 422, ""),
        ("name=x.glb", b"glTF", 422, "promises"),
        ("name=x.obj", b"v 0 0\n", 422, ""),
        ("name=x.pbrt", b"Shape", 422, "line 1"),
        ("", b"", 400, "name"),
    ];
    for (query, body, expected, text) in cases {
        let (status, answer) =
            post(&server, &format!("/api/sessions/{id}/scene/import?{query}"), body).await;
        assert_eq!(status, expected, "{query}: {answer}");
        assert!(answer["detail"].as_str().unwrap().contains(text), "{query}: {answer}");
    }
    let (status, _, body) =
        get(&server, &format!("/api/sessions/{id}/scene/export?format=fbx")).await;
    assert_eq!(status, 400, "{}", String::from_utf8_lossy(&body));
    assert_eq!(scene(&server, &id).await, before);
}
