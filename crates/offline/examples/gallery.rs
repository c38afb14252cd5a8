//! Renders the catalogue: `gallery OUT_DIR things|scenes [NAME ...]` writes a picture of each thing
//! and scene, and `sheet-N.jpg`, contact sheets of all of them.

use std::path::Path;

use image::RgbImage;
use image::imageops;
use offline::catalogue::{Object, Wishes, catalogue};
use scene::Scene;
use serde_json::{Value, json};
use tracer::{Film, RenderSettings, ToneMap, World, denoise, render_pass, to_srgb8};

type Fault = Box<dyn std::error::Error>;

/// Width and height of a picture on a sheet, in pixels.
const TILE: (u32, u32) = (200, 150);
const COLUMNS: u32 = 8;
const SAMPLES: u32 = 64;

fn main() -> Result<(), Fault> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, names @ ..] = arguments.as_slice() else {
        return Err("usage: gallery OUT_DIR [NAME ...]".into());
    };
    let out = Path::new(out);
    std::fs::create_dir_all(out)?;
    let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let mut pictures = Vec::new();
    for object in catalogue().objects().iter().filter(|object| wanted(object.name())) {
        let picture = render(&stage(object)?, TILE)?;
        pictures.push(picture);
    }
    sheet(&pictures, &out.join("things.png"))?;
    Ok(())
}

/// An object by itself on a pale ground under a soft sky, the camera as far off as it is large.
fn stage(object: &Object) -> Result<Value, Fault> {
    let shapes = object.build("thing", &Wishes::default())?;
    let alone = Scene::from_json(&json!({ "version": 1, "shapes": shapes }))?;
    let boxes = alone.shapes.iter().filter_map(|shape| shape.geometry.bounds());
    let bounds = boxes.reduce(|one, other| one.union(other)).ok_or("no shapes")?;
    let ([x, y, z], size) = (bounds.center(), bounds.size());
    let reach = size.iter().map(|side| side * side).sum::<f64>().sqrt() / 2.0;
    // The ball round it fills the picture nearly.
    let distance = reach / 17f64.to_radians().sin() * 0.92;
    let way = [0.5, 0.38, 0.78];
    let center = [x + way[0] * distance, y + way[1] * distance, z + way[2] * distance];
    let ground = json!({ "id": "ground", "type": "quad", "properties": {
        "corner": [x - 60.0 * reach, -0.001 * reach, z - 60.0 * reach],
        "u": [0, 0, 120.0 * reach], "v": [120.0 * reach, 0, 0],
        "material": { "type": "lambertian", "albedo": [0.55, 0.54, 0.52] } } });
    let shapes: Vec<Value> = shapes.into_iter().chain([ground]).collect();
    let lamp = |way: [f64; 3], size: f64, brings: f64| {
        let far = 4.0 * reach;
        let middle = glam::DVec3::new(x, y, z);
        let toward = -glam::DVec3::from(way).normalize();
        let side = size * reach;
        let u = toward.cross(glam::DVec3::Y).normalize() * side;
        let v = toward.cross(u).normalize() * side;
        let corner = middle - toward * far - (u + v) * 0.5;
        let emission = brings * far * far / (side * side);
        json!({ "corner": corner.to_array(), "u": u.to_array(), "v": v.to_array(),
                "emission": [emission, emission * 0.95, emission * 0.88] })
    };
    Ok(json!({
        "version": 1, "shapes": shapes,
        "lights": [{ "id": "key", "type": "area_quad_light", "properties": lamp([-0.8, 1.1, 0.9], 2.0, 2.6) }],
        "environment": { "type": "gradient", "top_color": [0.42, 0.47, 0.55], "bottom_color": [0.4, 0.4, 0.4] },
        "camera": { "center": center, "look_at": [x, y, z], "vfov": 34 },
    }))
}

fn render(file: &Value, (width, height): (u32, u32)) -> Result<RgbImage, Fault> {
    let scene = Scene::from_json(file)?;
    let world = World::build(&scene);
    let mut film = Film::with_features(width, height);
    let settings = RenderSettings { max_depth: 8, ..RenderSettings::default() };
    let _ = render_pass(&world, &settings, &mut film, SAMPLES, &|| false);
    let picture = denoise(&film).unwrap_or_else(|| film.linear());
    let bytes = to_srgb8(&picture, ToneMap::AgX);
    Ok(RgbImage::from_raw(width, height, bytes).ok_or("wrong size")?)
}

fn sheet(pictures: &[RgbImage], path: &Path) -> Result<(), Fault> {
    let columns = COLUMNS.min(pictures.len() as u32).max(1);
    let rows = (pictures.len() as u32).div_ceil(columns);
    let (wide, high) = (TILE.0 + 4, TILE.1 + 4);
    let mut sheet = RgbImage::from_pixel(columns * wide, rows.max(1) * high, image::Rgb([255; 3]));
    for (at, picture) in pictures.iter().enumerate() {
        let (column, row) = (at as u32 % columns, at as u32 / columns);
        imageops::replace(&mut sheet, picture, i64::from(column * wide), i64::from(row * high));
    }
    sheet.save(path)?;
    Ok(())
}
