//! Lamps as things: a floor lamp that is switched on or off, a lighthouse whose light shines.

use glam::DVec3;

use crate::language::id_words;
use crate::plan::scenery::light::rounded;
use crate::plan::{Done, Planner, Problem};
use crate::world::{Body, Bounds, Form, Lamp, LampForm, Thing, World};

/// Words in the names of things that give light.
const LAMPS: [&str; 14] = [
    "lamp",
    "lantern",
    "torch",
    "candle",
    "lighthouse",
    "beacon",
    "campfire",
    "fireplace",
    "fire",
    "chandelier",
    "bulb",
    "light",
    "lamppost",
    "streetlight",
];

/// Where the light of a lamp comes from, the likeliest first.
const SOURCES: [&str; 9] =
    ["bulb", "flame", "light", "glow", "globe", "shade", "lantern", "head", "glass"];

/// How far a lamp reaches: where it is as bright as the light of a room, in its heights.
const REACH: f64 = 1.2;

impl Planner {
    /// The lights in or of the things, and of the lamps among them: what "switch it off" means.
    pub(crate) fn lights_within(&self, ids: &[String]) -> Vec<String> {
        let Some(bounds) = self.bounds_of(ids) else { return Vec::new() };
        let group = ids.first().and_then(|id| self.world.find(id)?.group.as_deref());
        let near = |light: &&Thing| {
            let within = bounds.widened(0.05).overlaps(light.bounds().widened(1e-3));
            ids.contains(&light.id)
                || within
                || (group.is_some() && light.group.as_deref() == group)
        };
        self.world.lights().filter(near).map(|light| light.id.clone()).collect()
    }

    /// Whether the things are, or belong to, something that gives light.
    pub(crate) fn are_lamp(&self, ids: &[String]) -> bool {
        let named = |id: &String| {
            let Some(thing) = self.world.find(id) else { return false };
            let name = thing.group.as_deref().unwrap_or(&thing.id);
            let words = id_words(name).into_iter().chain(id_words(&thing.id));
            !thing.is_light() && words.into_iter().any(|word| LAMPS.contains(&word.as_str()))
        };
        !ids.is_empty() && ids.iter().all(named)
    }

    /// Lets lamps shine: the light that is there is on again, else one is set into them. The ids of
    /// the lights.
    pub(crate) fn kindle(&mut self, ids: &[String]) -> Result<Vec<String>, Problem> {
        let mut lit = Vec::new();
        for unit in self.wholes(ids) {
            let there = self.lights_within(&unit);
            if !there.is_empty() {
                lit.extend(there);
                continue;
            }
            if !self.are_lamp(&unit) {
                let names = crate::answer::list(&self.names_of(&unit));
                return Err(Problem::Cannot(format!("{names} is no light.")));
            }
            lit.extend(self.set_light_into(&unit));
        }
        Ok(lit)
    }

    /// Puts a lamp out; what gives no light stays as it is.
    pub(crate) fn quench(&mut self, ids: &[String]) -> Done {
        let lights = self.lights_within(ids);
        if lights.is_empty() {
            let names = crate::answer::list(&self.names_of(ids));
            return Err(Problem::Cannot(format!("{names} gives no light.")));
        }
        self.each(&lights, |thing| {
            if let Body::Light(lamp) = &mut thing.body {
                lamp.emission = DVec3::ZERO;
            }
            Ok(())
        })
    }

    fn set_light_into(&mut self, unit: &[String]) -> Option<String> {
        let whole = self.bounds_of(unit)?;
        let (center, radius) = self.source_of(unit, whole);
        let distance = (REACH * whole.size().y).clamp(0.6, 12.0);
        let form = LampForm::Sphere { center, radius };
        let mut lamp = Lamp { form, emission: DVec3::ONE };
        let strength = std::f64::consts::PI * distance * distance;
        let warm = DVec3::new(1.0, 0.78, 0.5);
        lamp.emission = rounded(warm * strength / lamp.facing_area().max(1e-4));
        let group = unit.first().and_then(|id| self.world.find(id)?.group.clone());
        let name = group.unwrap_or_else(|| unit[0].clone());
        let id = self.world.free_id(&format!("{name}_light"));
        self.world.things.push(Thing {
            id: id.clone(),
            origin: None,
            group: None,
            body: Body::Light(lamp),
        });
        Some(id)
    }

    /// Where the light is and how large: in an open shade, round a bulb, below what is closed.
    fn source_of(&self, unit: &[String], whole: Bounds) -> (DVec3, f64) {
        let things: Vec<&Thing> = unit.iter().filter_map(|id| self.world.find(id)).collect();
        let named = |word: &str| {
            let of = |thing: &&&Thing| id_words(thing.part_name()).contains(&word.to_owned());
            let found: Vec<&Thing> = things.iter().filter(of).copied().collect();
            let open = found.iter().all(|thing| is_open(thing));
            World::bounds_of(found.into_iter()).map(|bounds| (bounds, open))
        };
        let highest = || {
            let top = |thing: &&&Thing| thing.bounds().max.y;
            let thing = things.iter().max_by(|a, b| top(a).total_cmp(&top(b)))?;
            Some((thing.bounds(), is_open(thing)))
        };
        let source = SOURCES.into_iter().find_map(named).or_else(highest);
        let (part, open) = source.unwrap_or((whole, false));
        let least = part.size().min_element().max(0.02);
        if open {
            return (part.center(), (0.2 * least).clamp(0.01, 0.5));
        }
        // A little larger than what it shines from, so that the light is outside.
        let radius = 0.5 * part.size().max_element();
        if radius <= 0.12 * whole.extent().max(0.3) {
            return (part.center(), radius * 1.02);
        }
        let radius = (0.2 * least).clamp(0.01, 0.5);
        (part.center().with_y(part.min.y - 1.3 * radius), radius)
    }
}

/// Whether light gets out of it: it has no caps.
fn is_open(thing: &Thing) -> bool {
    matches!(
        thing.form(),
        Some(Form::Cylinder { capped: false, .. } | Form::Cone { capped: false, .. })
    )
}
