//! Renders the catalogue: `gallery OUT_DIR objects|scenes|drafts [NAME ...]` writes a contact sheet,
//! `objects` or `scenes` as PNG and JPEG, and each scene as a scene file. Scenes take a seed and
//! adjectives: `forest:3:snowy`. Drafts are small and noisy pictures, for composing a scene.

use std::io::Write;
use std::path::Path;

use catalogue::{Mood, ObjectParameters, Theme, catalogue};
use image::{RgbImage, imageops};
use scene::Scene;
use tracer::{
    Film, RenderSettings, ToneMap, World, choose_integrator, denoise, render_pass, to_srgb8,
};

type Error = Box<dyn std::error::Error>;

/// The layout of a contact sheet: width and height of its pictures in pixels, pictures in a row, and
/// samples per pixel.
struct Sheet {
    size: (u32, u32),
    columns: u32,
    samples: u32,
}

const OBJECTS: Sheet = Sheet { size: (176, 132), columns: 9, samples: 64 };
const SCENES: Sheet = Sheet { size: (320, 240), columns: 4, samples: 128 };
const DRAFTS: Sheet = Sheet { size: (240, 180), columns: 5, samples: 32 };

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, kind, names @ ..] = arguments.as_slice() else {
        return Err("usage: gallery OUT_DIR objects|scenes|drafts [NAME ...]".into());
    };
    let out = Path::new(out);
    std::fs::create_dir_all(out)?;
    let mut pictures = Vec::new();
    if kind == "objects" {
        let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
        for object in catalogue().objects().iter().filter(|object| wanted(object.name())) {
            pictures.push(render(&object.portrait(&ObjectParameters::default())?, &OBJECTS)?);
        }
        return sheet(&pictures, &OBJECTS, &out.join("objects.png"));
    }
    let look = if kind == "drafts" { DRAFTS } else { SCENES };
    let all: Vec<String> =
        catalogue().themes().iter().map(|theme| theme.name().to_owned()).collect();
    for name in if names.is_empty() { all.as_slice() } else { names } {
        let mut words = name.split(':');
        let theme = words.next().and_then(|name| catalogue().theme(name));
        let theme: &Theme = theme.ok_or_else(|| format!("there is no scene '{name}'"))?;
        let (seeds, adjectives): (Vec<&str>, Vec<&str>) =
            words.partition(|word| word.parse::<u64>().is_ok());
        let mood = Mood {
            seed: seeds.first().map_or(Ok(0), |seed| seed.parse())?,
            adjectives: adjectives.into_iter().map(str::to_owned).collect(),
        };
        let scene = theme.build(&mood).map_err(|error| format!("{name}: {error}"))?;
        let path = out.join(format!("{}.json", name.replace([' ', ':'], "-")));
        std::fs::write(path, serde_json::to_string_pretty(&scene.to_json())?)?;
        pictures.push(render(&scene, &look)?);
        writeln!(std::io::stdout(), "{name}")?;
    }
    sheet(&pictures, &look, &out.join("scenes.png"))
}

fn render(scene: &Scene, sheet: &Sheet) -> Result<RgbImage, Error> {
    let (width, height) = sheet.size;
    let world = World::build(scene);
    let mut film = Film::with_features(width, height);
    let settings = RenderSettings { max_depth: 8, ..RenderSettings::default() };
    let aspect = width as f32 / height as f32;
    let integrator = choose_integrator(&world, &settings, aspect, &|| false);
    let settings =
        RenderSettings { integrator: integrator.unwrap_or(settings.integrator), ..settings };
    let _ = render_pass(&world, &settings, &mut film, sheet.samples, &|| false);
    let picture = denoise(&film).unwrap_or_else(|| film.linear());
    let bytes = to_srgb8(&picture, ToneMap::AgX);
    Ok(RgbImage::from_raw(width, height, bytes).ok_or("wrong size")?)
}

fn sheet(pictures: &[RgbImage], look: &Sheet, path: &Path) -> Result<(), Error> {
    const GAP: u32 = 4;
    let columns = look.columns.min(pictures.len() as u32).max(1);
    let rows = (pictures.len() as u32).div_ceil(columns).max(1);
    let (wide, high) = (look.size.0 + GAP, look.size.1 + GAP);
    let white = image::Rgb([255; 3]);
    let mut sheet = RgbImage::from_pixel(columns * wide - GAP, rows * high - GAP, white);
    for (at, picture) in pictures.iter().enumerate() {
        let (column, row) = (at as u32 % columns, at as u32 / columns);
        imageops::replace(&mut sheet, picture, i64::from(column * wide), i64::from(row * high));
    }
    for kind in ["png", "jpg"] {
        sheet.save(path.with_extension(kind))?;
    }
    Ok(())
}
