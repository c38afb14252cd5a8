//! How large things are, of what color, how far apart.

use glam::DVec3;

use crate::frames::{Dimension, Frame, Head};
use crate::looks::{family_names, kind_name};
use crate::resolve::{World, size_along};

use crate::plan::planner::{Done, Planner};
use crate::wording::{capital, metres, the};

impl Planner<'_> {
    pub(in crate::plan) fn measure(&mut self, frame: &Frame, world: &World<'_>) -> Done<String> {
        let dimension = frame.dimension.unwrap_or(Dimension::Size);
        if let (Some(Head::Scene(kind)), _) = (frame.theme.first().map(|phrase| &phrase.head), 0) {
            return Ok(self.of_scene(kind, dimension, world));
        }
        let ids = self.theme_in(frame, world)?;
        self.focus.clone_from(&ids);
        let mut sentences = Vec::new();
        for thing in ids.iter().filter_map(|id| world.find(id)).take(8) {
            let name = capital(&the(&thing.id));
            let size = thing.extent.size();
            sentences.push(match dimension {
                Dimension::Colour => format!("{name} is {}.", self.colour_words(thing, world)),
                Dimension::Material => {
                    let mut names: Vec<String> = Vec::new();
                    let mut shares = world.shares(thing);
                    shares.sort_by(|one, other| other.1.total_cmp(&one.1));
                    for (material, _) in shares.iter().take(3) {
                        let name = kind_name(material);
                        if !names.contains(&name) {
                            names.push(name);
                        }
                    }
                    format!("{name} is made of {}.", names.join(", "))
                }
                Dimension::Place => self.place_of(thing, world),
                Dimension::Size => format!(
                    "{name} is {} wide, {} high and {} deep.",
                    metres(size.x),
                    metres(size.y),
                    metres(size.z)
                ),
                Dimension::Height => format!("{name} is {} high.", metres(size.y)),
                Dimension::Width => format!("{name} is {} wide.", metres(size.x)),
                Dimension::Depth => format!("{name} is {} deep.", metres(size.z)),
                Dimension::Name => {
                    format!("It is called {}.", the(&thing.id).trim_start_matches("the "))
                }
                other => {
                    let what = format!("{other:?}").to_lowercase();
                    let length = metres(size_along(thing.extent, other));
                    format!("The {what} of {} is {length}.", the(&thing.id))
                }
            });
        }
        Ok(sentences.join(" "))
    }

    pub(in crate::plan) fn of_scene(
        &self,
        kind: &str,
        dimension: Dimension,
        world: &World<'_>,
    ) -> String {
        match (kind, dimension) {
            ("camera", Dimension::Place) | ("camera", _) => {
                let camera = &world.scene.camera;
                let [x, y, z] = camera.center.get();
                format!(
                    "The camera stands at ({x:.2}, {y:.2}, {z:.2}), with a field of view of {:.0} degrees.",
                    camera.vfov.get()
                )
            }
            _ => {
                let file = world.scene.environment.to_json();
                let rgb = |value: &serde_json::Value| -> Option<glam::DVec3> {
                    let channels: Vec<f64> =
                        value.as_array()?.iter().filter_map(serde_json::Value::as_f64).collect();
                    Some(<[f64; 3]>::try_from(channels).ok()?.into())
                };
                let colour = ["top_color", "emission"].iter().find_map(|name| rgb(&file[*name]));
                match colour {
                    Some(rgb) => format!(
                        "The sky is {}.",
                        family_names(rgb / rgb.max_element().max(1.0)).join(" or ")
                    ),
                    None => "The sky is black.".to_owned(),
                }
            }
        }
    }

    /// How far two things are from each other, or one from the camera.
    pub(super) fn distance(&mut self, frame: &Frame, world: &World<'_>) -> Done<String> {
        let mut ids = self.theme_in(frame, world)?;
        for other in &frame.other {
            match other.head {
                Head::Scene("viewer" | "camera") => {}
                _ => ids.extend(self.find_in(other, world)?),
            }
        }
        let ids = self.as_pair(ids, &frame.theme);
        self.focus.clone_from(&ids);
        let [one, rest @ ..] = ids.as_slice() else {
            return Ok("There is nothing to measure.".to_owned());
        };
        let Some(first) = world.space.unit(one).ok() else { return Ok(String::new()) };
        let others = rest.iter().filter(|other| *other != one);
        let units = others.filter_map(|other| Some((other, world.space.unit(other).ok()?)));
        let gaps = units.map(|(other, unit)| {
            (first.solid.relation(&unit.solid).gap.max(0.0), other, unit.solid.extent().center())
        });
        // "how far is the grill from the planters": of several the nearest.
        let Some((gap, other, middle)) = gaps.min_by(|one, other| one.0.total_cmp(&other.0)) else {
            let eye: DVec3 = world.scene.camera.center.get().into();
            let way = world.find(one).map_or(0.0, |thing| thing.extent.center().distance(eye));
            return Ok(format!("{} is {} from the camera.", capital(&the(one)), metres(way)));
        };
        let middle = first.solid.extent().center().distance(middle);
        Ok(format!(
            "Between {} and {} there are {} ({} from middle to middle).",
            the(one),
            the(other),
            metres(gap),
            metres(middle)
        ))
    }
}
