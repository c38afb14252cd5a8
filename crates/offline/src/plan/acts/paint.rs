//! Colours and materials of what is there, and which parts of an object bear them.

use glam::DVec3;

use crate::colour::Colour;
use crate::language::{Exchanged, Finish, Phrase, Target};
use crate::plan::scenery::light::{hue, rounded};
use crate::plan::{Done, Planner, Problem};
use crate::world::{Body, Form, Material, Thing};

/// Words of parts that keep their colour when the whole gets another.
const KEPT: [&str; 7] = ["light", "lamp", "eye", "flame", "window", "glass", "bulb"];

impl Planner {
    /// Gives things the colour of another, or all it is made of.
    pub(in crate::plan) fn make_like(
        &mut self,
        ids: &[String],
        model: &Phrase,
        what: Exchanged,
    ) -> Done {
        let mut model = self.resolve(&Target::of(model.clone()))?;
        if model.iter().all(|id| ids.contains(id)) {
            // "and the same colour": as what it was placed by.
            let other = self.compared_with_besides(ids);
            model = if other.is_empty() { model } else { other };
        }
        let body = self.body_of(model);
        let material = body.first().and_then(|id| self.world.find(id)).and_then(Thing::material);
        let Some(material) = material.cloned() else {
            return Err(Problem::Cannot("A light has no material to be like.".to_owned()));
        };
        let painted = self.painted(ids);
        if what != Exchanged::Colour {
            return self.each(&painted, |thing| match &mut thing.body {
                Body::Shape { material: own, .. } => {
                    own.clone_from(&material);
                    Ok(())
                }
                Body::Light(_) => {
                    Err(format!("{} is a light; only shapes have a material.", thing.id))
                }
            });
        }
        let Some(rgb) = material.colour() else {
            return Err(Problem::Cannot(
                "What it is to be like has no colour of its own.".to_owned(),
            ));
        };
        self.each(&painted, |thing| recolour(thing, &Colour::unnamed(rgb)))
    }

    /// What gets a new colour when these do: of a whole object its body, which is what most of it
    /// is made of; a blue car keeps its tyres and windows.
    pub(in crate::plan) fn painted(&self, ids: &[String]) -> Vec<String> {
        self.wholes(ids).into_iter().flat_map(|unit| self.body_of(unit)).collect()
    }

    pub(in crate::plan) fn body_of(&self, unit: Vec<String>) -> Vec<String> {
        let things: Vec<&Thing> = unit.iter().filter_map(|id| self.world.find(id)).collect();
        let assembly = things.first().and_then(|thing| thing.assembly());
        let parts = |thing: &&Thing| thing.assembly() == assembly;
        let whole = assembly.is_some()
            && self.world.things.iter().filter(parts).all(|part| unit.contains(&part.id));
        if !whole || unit.len() < 2 {
            return unit;
        }
        let volume = |thing: &Thing| {
            // The room a shape fills of the box round it.
            let share = match thing.type_name() {
                "cone" | "triangle" => 0.26,
                "sphere" | "ellipsoid" | "torus" => 0.52,
                "cylinder" | "capsule" | "disc" => 0.79,
                _ => 1.0,
            };
            // A slope of a roof is a board, however much room its tilt takes.
            let size = match thing.form() {
                Some(Form::Box { size, .. }) => *size,
                _ => thing.bounds().size(),
            };
            size.max(DVec3::splat(1e-3)).element_product() * share
        };
        let mut shares: Vec<(&Material, f64)> = Vec::new();
        for thing in &things {
            let Some(material) = thing.material() else { continue };
            match shares.iter_mut().find(|(known, _)| *known == material) {
                Some((_, share)) => *share += volume(thing),
                None => shares.push((material, volume(thing))),
            }
        }
        let most = shares.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(material, _)| *material);
        // The legs of a table are of nearly the same wood as its top.
        let alike = |thing: &&&Thing| match (thing.material(), most) {
            (Some(own), Some(most)) => {
                let colours = own.colour().zip(most.colour());
                let named_apart =
                    KEPT.iter().any(|word| thing.part_name().split('_').any(|own| own == *word));
                let alike = std::mem::discriminant(own) == std::mem::discriminant(most)
                    && colours.is_some_and(|(a, b)| crate::colour::alike(a, b));
                !named_apart && (own == most || alike)
            }
            (own, most) => own == most,
        };
        let of_it = things.iter().filter(alike);
        of_it.map(|thing| thing.id.clone()).collect()
    }

    /// The colour of what most of these are made of.
    pub(in crate::plan) fn colour_of_all(&self, unit: &[String]) -> Option<Colour> {
        let body = self.body_of(unit.to_vec());
        let material = self.world.find(body.first()?).and_then(Thing::material)?;
        material.colour().map(Colour::unnamed)
    }
}

pub(in crate::plan) fn recolour(thing: &mut Thing, colour: &Colour) -> Result<(), String> {
    match &mut thing.body {
        Body::Shape { material, .. } => *material = material.coloured(colour.rgb),
        Body::Light(lamp) => {
            // The new hue at the old brightness.
            lamp.emission = rounded(hue(colour.rgb) * lamp.emission.max_element());
        }
    }
    Ok(())
}

pub(in crate::plan) fn refinish(thing: &mut Thing, finish: Finish) -> Result<(), String> {
    let size = thing.bounds().size();
    match &mut thing.body {
        Body::Shape { material, .. } => {
            // A grey nobody asked for says nothing about the colour of the metal.
            let plain = Material::Matte(DVec3::splat(0.5));
            let kept = *material != plain && Material::keeps_colour(finish);
            let colour = if kept { material.colour() } else { None };
            *material = Material::made_of(finish, colour).suited_to(size);
            Ok(())
        }
        Body::Light(_) => Err(format!("{} is a light; only shapes have a material.", thing.id)),
    }
}

pub(in crate::plan) fn polish(thing: &mut Thing, shinier: bool) -> Result<(), String> {
    let Body::Shape { material, .. } = &mut thing.body else {
        return Err(format!("{} is a light; only shapes have a material.", thing.id));
    };
    *material = match (&material, shinier) {
        (Material::Matte(colour), true) => Material::Metal { tint: *colour, fuzz: 0.2 },
        (Material::Metal { tint, fuzz }, true) => {
            Material::Metal { tint: *tint, fuzz: if *fuzz < 0.05 { 0.0 } else { fuzz * 0.4 } }
        }
        (Material::Metal { tint, fuzz }, false) if *fuzz < 0.6 => {
            Material::Metal { tint: *tint, fuzz: (fuzz + 0.25).min(1.0) }
        }
        (Material::Metal { tint, .. }, false) => Material::Matte(*tint),
        (Material::Other(_), _) if material.polished(shinier).is_some() => {
            material.polished(shinier).unwrap_or_else(|| material.clone())
        }
        (Material::Matte(_), false) => {
            return Err(format!("{} is matte already: it cannot get duller.", thing.id));
        }
        _ => {
            return Err(format!(
                "{} cannot get {}.",
                thing.id,
                if shinier { "shinier" } else { "duller" }
            ));
        }
    };
    Ok(())
}
