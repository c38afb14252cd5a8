//! Things of the scene in plain words.

use glam::DVec3;
use serde_json::{Map, Value};

use super::joined;
use crate::colour;
use crate::world::{Body, Form, Lamp, LampForm, Material, Thing, World};

/// "a, b and c"; long lists are cut: "box_1 to box_25", "box, cone, ball and 9 more".
pub(crate) fn list(ids: &[String]) -> String {
    const MOST: usize = 6;
    let (Some(first), Some(last)) = (ids.first(), ids.last()) else { return String::new() };
    let stem = crate::resolve::stem(first);
    if ids.len() <= MOST {
        joined(ids, "and")
    } else if ids.iter().all(|id| crate::resolve::stem(id) == stem) {
        format!("{first} to {last}")
    } else {
        format!("{} and {} more", ids[..4].join(", "), ids.len() - 4)
    }
}

/// A length without needless digits.
pub(crate) fn metres(length: f64) -> String {
    format!("{} m", fine(length))
}

/// A length: small ones to the millimetre.
fn fine(length: f64) -> f64 {
    if length.abs() < 0.1 { (length * 1000.0).round() / 1000.0 + 0.0 } else { tidy(length) }
}

fn tidy(number: f64) -> f64 {
    (number * 100.0).round() / 100.0 + 0.0
}

/// "(0, 1, -2.5)".
pub(crate) fn point(point: DVec3) -> String {
    let [x, y, z] = point.to_array().map(tidy);
    format!("({x}, {y}, {z})")
}

/// "a" or "an".
pub(crate) fn article(word: &str) -> &'static str {
    let vowel = word.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    // "a unicorn", "a ukulele".
    let spoken_as_you = ["uni", "uku", "eu"].iter().any(|start| word.starts_with(start));
    if vowel && !spoken_as_you { "an" } else { "a" }
}

/// "a red sphere (radius 1 m)".
pub(crate) fn noun_phrase(thing: &Thing) -> String {
    let phrase = format!("{}{}{}{}", look(thing), noun(thing), inscription(thing), measures(thing));
    format!("{} {phrase}", article(&phrase))
}

/// "3 red spheres", for things of one shape; how they look only where they look alike.
pub(crate) fn plural_phrase(things: &[Thing]) -> String {
    let Some(first) = things.first() else { return String::new() };
    let noun = noun(first);
    let ending = if noun.ends_with('x') { "es" } else { "s" };
    let alike = things.iter().all(|thing| look(thing) == look(first));
    let look = if alike { look(first) } else { String::new() };
    format!("{} {look}{noun}{ending}", things.len())
}

/// "red ", "brushed metal ", "warm "; nothing for a plain light.
fn look(thing: &Thing) -> String {
    match &thing.body {
        Body::Shape { material, .. } => format!("{} ", material.name()),
        Body::Light(lamp) => light_colour(lamp),
    }
}

/// " “HELLO”".
fn inscription(thing: &Thing) -> String {
    let text = match thing.form() {
        Some(Form::Other { properties, .. }) => properties.get("text").and_then(Value::as_str),
        _ => None,
    };
    text.map_or(String::new(), |text| format!(" “{}”", super::cut(text, 60)))
}

/// " (radius 1 m)".
fn measures(thing: &Thing) -> String {
    thing.form().and_then(size).map_or(String::new(), |size| format!(" ({size})"))
}

/// What a person calls it.
pub(crate) fn noun(thing: &Thing) -> String {
    if thing.is_floor() {
        return "floor".to_owned();
    }
    if thing.is_wall() && thing.id.contains("wall") {
        return "wall".to_owned();
    }
    match &thing.body {
        Body::Shape { form, .. } => form.type_name().to_owned(),
        Body::Light(lamp) => match &lamp.form {
            LampForm::Point { cutoff_angle, .. } if *cutoff_angle < 90.0 => "spot light",
            LampForm::Point { .. } => "point light",
            LampForm::Quad { .. } => "area light",
            LampForm::Disc { .. } | LampForm::SpotDisc { .. } => "disc light",
            LampForm::Sphere { .. } => "sphere light",
            LampForm::Other { .. } => "light",
        }
        .to_owned(),
    }
}

/// "radius 1 m", "1 × 2 × 1 m".
pub(crate) fn size(form: &Form) -> Option<String> {
    Some(match form {
        Form::Sphere { radius, .. } | Form::Disc { radius, .. } => {
            format!("radius {}", metres(*radius))
        }
        Form::Box { size, .. } => {
            let [w, h, d] = size.to_array().map(fine);
            format!("{w} × {h} × {d} m")
        }
        Form::Quad { u, v, .. } => format!("{} × {} m", fine(u.length()), fine(v.length())),
        Form::Cylinder { base, top, radius, .. } => {
            format!("{} high, radius {}", metres((top - base).length()), metres(*radius))
        }
        Form::Cone { base, top, base_radius, .. } => {
            format!("{} high, base radius {}", metres((top - base).length()), metres(*base_radius))
        }
        Form::Torus { radius, thickness, .. } => {
            format!("radius {}, {} thick", metres(radius + thickness / 2.0), metres(*thickness))
        }
        Form::Other { .. } => return None,
    })
}

/// The colour of a light as a word of its own.
pub(crate) fn light_word(lamp: &Lamp) -> String {
    let colour = light_colour(lamp);
    if colour.is_empty() { "white".to_owned() } else { colour.trim().to_owned() }
}

fn light_colour(lamp: &Lamp) -> String {
    let brightest = lamp.emission.max_element();
    if brightest <= 0.0 {
        return "switched-off ".to_owned();
    }
    let hue = lamp.emission / brightest;
    let spread = brightest - lamp.emission.min_element();
    match hue {
        _ if spread < 0.12 * brightest => String::new(),
        hue if hue.x >= hue.y && hue.y > hue.z && hue.z > 0.3 => "warm ".to_owned(),
        hue if hue.z >= hue.y && hue.y > hue.x && hue.x > 0.5 => "cool ".to_owned(),
        hue => format!("{} ", colour::describe(hue)),
    }
}

/// A whole sentence about one thing.
pub(crate) fn describe_thing(thing: &Thing) -> String {
    let mut text = format!("{} is {}", thing.id, noun_phrase(thing));
    if !thing.is_floor() {
        text.push_str(&format!(", centred at {}", point(thing.bounds().center())));
    }
    if let Body::Light(lamp) = &thing.body {
        let [r, g, b] = lamp.emission.to_array().map(tidy);
        text.push_str(&format!(" with emission ({r}, {g}, {b})"));
    }
    text.push('.');
    text
}

/// A sentence about an object of several parts.
pub(crate) fn describe_object(group: &str, whole: bool, parts: &[&Thing]) -> String {
    let Some(bounds) = World::bounds_of(parts.iter().copied()) else { return String::new() };
    let [w, h, d] = bounds.size().to_array().map(fine);
    let area = |thing: &Thing| {
        let size = thing.bounds().size();
        size.x * size.y + size.y * size.z + size.z * size.x
    };
    let main = parts.iter().max_by(|a, b| area(a).total_cmp(&area(b)));
    let made = main.and_then(|thing| thing.material()).map(Material::name);
    let made = made.map_or(String::new(), |made| format!("{made}, "));
    let name = if whole { None } else { super::object::called_as_parts(group, parts) };
    format!(
        "{} {made}{w} × {h} × {d} m, of {} parts, standing at {}.",
        name.map_or_else(|| format!("{group} is"), |(parts, verb)| format!("{parts} {verb}")),
        parts.len(),
        point(bounds.foot())
    )
}

/// Everything in the scene; many alike are told together.
pub(crate) fn describe_contents(world: &World) -> String {
    let mut kinds: Vec<(String, Vec<&Thing>)> = Vec::new();
    for thing in &world.things {
        let key = match &thing.group {
            Some(group) => group.clone(),
            None => crate::resolve::stem(&thing.id).to_owned(),
        };
        match kinds.iter_mut().find(|(known, _)| *known == key) {
            Some((_, things)) => things.push(thing),
            None => kinds.push((key, vec![thing])),
        }
    }
    let mut sentences = Vec::new();
    for (key, things) in kinds.iter().take(20) {
        match things.as_slice() {
            [only] => sentences.push(describe_thing(only)),
            several => sentences.push(together(key, several)),
        }
    }
    if kinds.len() > 20 {
        sentences.push(format!("And {} more.", kinds.len() - 20));
    }
    if world.shapes().next().is_none() {
        sentences.insert(0, "There is no object in the scene yet.".to_owned());
    }
    sentences.push(describe_sky(&world.environment));
    sentences.join(" ")
}

fn together(key: &str, things: &[&Thing]) -> String {
    if things.iter().all(|thing| thing.assembly().is_some()) {
        return describe_object(key, true, things);
    }
    let ids: Vec<String> = things.iter().map(|thing| thing.id.clone()).collect();
    let center = World::bounds_of(things.iter().copied()).map(|bounds| point(bounds.center()));
    let at = center.map_or(String::new(), |center| format!(", around {center}"));
    if things.first().is_some_and(|thing| thing.group.is_some()) {
        return format!("{key} is a group of {} parts: {}{at}.", things.len(), list(&ids));
    }
    let first = things.first().map_or(String::new(), |thing| noun_phrase(thing));
    format!("There are {}: {}{at}; the first is {first}.", things.len(), list(&ids))
}

/// The surroundings in a sentence.
pub(crate) fn describe_sky(environment: &Map<String, Value>) -> String {
    let named = |name: &str| {
        let colour = environment.get(name).and_then(crate::world::read::as_vector);
        colour.map_or("grey".to_owned(), |rgb| {
            let brightest = rgb.max_element();
            colour::describe(if brightest > 1.0 { rgb / brightest } else { rgb })
        })
    };
    let sky = match environment.get("type").and_then(Value::as_str) {
        Some("gradient") => {
            format!(
                "The sky goes from {} above to {} below.",
                named("top_color"),
                named("bottom_color")
            )
        }
        Some("uniform") => format!("The background is {}.", named("emission")),
        Some("none") | None => "The background is black and gives no light.".to_owned(),
        Some(other) => format!("The surroundings are of the kind “{other}”."),
    };
    let visibility = environment.get("fog").and_then(|fog| fog.get("visibility")?.as_f64());
    visibility.map_or(sky.clone(), |metres| {
        format!("{sky} There is fog in the air: one sees about {metres} m far.")
    })
}
