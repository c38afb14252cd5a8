//! What became of the sky, the fog and the camera.

use glam::DVec3;
use scene::Change;
use serde_json::Value;

use crate::looks::family_names;

fn vector(value: &Value) -> Option<DVec3> {
    let numbers: Vec<f64> = value.as_array()?.iter().filter_map(Value::as_f64).collect();
    Some(<[f64; 3]>::try_from(numbers).ok()?.into())
}

/// The light from above, as the file has it.
fn light_of(sky: &Value) -> DVec3 {
    ["top_color", "emission"].iter().find_map(|name| vector(&sky[*name])).unwrap_or(DVec3::ZERO)
}

/// Sentences about the surroundings.
pub(super) fn sky_news(change: &Change) -> Vec<String> {
    let mut news = Vec::new();
    let (Some(was), Some(is)) = (&change.before, &change.after) else {
        return vec!["I changed the surroundings.".to_owned()];
    };
    let fog = |sky: &Value| !sky["fog"].is_null();
    match (fog(was), fog(is)) {
        (false, true) => news.push("There is fog now.".to_owned()),
        (true, false) => news.push("The fog is gone.".to_owned()),
        (true, true) if was["fog"] != is["fog"] => {
            news.push("The fog is different now.".to_owned())
        }
        _ => {}
    }
    let without_fog = |sky: &Value| {
        let mut sky = sky.clone();
        sky.as_object_mut().map(|sky| sky.remove("fog"));
        sky
    };
    if news.is_empty() || without_fog(was) != without_fog(is) {
        news.push(light_news(was, is));
    }
    news
}

/// What became of the light of the sky.
fn light_news(was: &Value, is: &Value) -> String {
    let (old, now) = (light_of(was), light_of(is));
    if now.max_element() <= 1e-6 {
        return "There is no light from the sky now.".to_owned();
    }
    let name = |rgb: DVec3| family_names(rgb / rgb.max_element().max(1.0)).into_iter().next();
    let colour = name(now).unwrap_or_default();
    let below = vector(&is["bottom_color"]).and_then(name).filter(|below| *below != colour);
    if let Some(below) = below.filter(|_| name(old).as_ref() != Some(&colour)) {
        return format!("The sky goes from {colour} above to {below} below now.");
    }
    let brightness = match now.element_sum() / old.element_sum().max(1e-6) {
        ratio if ratio > 1.1 => "brighter",
        ratio if ratio < 0.9 => "darker",
        _ => "different",
    };
    match name(old) == Some(colour.clone()) || colour.is_empty() {
        true => format!("The sky is {brightness} now."),
        false => format!("The sky is {colour} now."),
    }
}

/// One sentence about the view.
pub(super) fn camera_news(change: &Change) -> String {
    let (Some(was), Some(is)) = (&change.before, &change.after) else {
        return "I moved the camera.".to_owned();
    };
    let lens = |camera: &Value| camera["vfov"].as_f64().unwrap_or_default();
    let eye = |camera: &Value| vector(&camera["center"]).unwrap_or_default();
    let way = |camera: &Value| vector(&camera["look_at"]).unwrap_or_default() - eye(camera);
    if eye(was) == eye(is) && lens(was) != lens(is) {
        let zoomed = if lens(is) < lens(was) { "in" } else { "out" };
        return format!("I zoomed {zoomed}.");
    }
    if eye(was) == eye(is) && way(was) == way(is) {
        return "I set the camera.".to_owned();
    }
    let (old, now) = (way(was), way(is));
    let straight = old.normalize_or_zero().dot(now.normalize_or_zero()) > 0.999;
    match now.length() / old.length().max(1e-9) {
        ratio if straight && ratio < 0.98 => "I moved the camera closer.".to_owned(),
        ratio if straight && ratio > 1.02 => "I moved the camera further away.".to_owned(),
        _ => "I moved the camera.".to_owned(),
    }
}
