//! Whether a thing is what a description says.

use std::cell::LazyCell;
use std::collections::HashMap;
use std::sync::LazyLock;

use catalogue::{Category, catalogue};
use spatial::Extent;

use crate::frames::{Amount, Dimension, Head, Phrase, Quality};
use crate::looks::{Family, colour_of, is_made_of};

use crate::tokens::{ENDINGS, lexicon, without_shape, words_of};

use super::world::{Kind, Thing, World};

/// What a word may be the plural of, the word itself first.
pub(crate) fn singulars(words: &str) -> Vec<String> {
    let mut forms = vec![words.to_owned()];
    for (plural, singular) in ENDINGS {
        if let Some(stem) =
            words.strip_suffix(plural).filter(|stem| stem.len() > 1 || !singular.is_empty())
        {
            forms.push(format!("{stem}{singular}"));
        }
    }
    forms
}

/// Whether a thing is called by a name: the words of its id are the name, begin or end with it,
/// numbers aside.
pub(crate) fn called_as(thing: &Thing, name: &str) -> bool {
    // Asked of every part of a scene: without a list of its own.
    let wanted = || name.split([' ', '_', '-']).filter(|word| !word.is_empty());
    let is_number = |word: &&str| word.chars().all(|letter| letter.is_ascii_digit());
    let bare = || thing.words().iter().map(String::as_str);
    let plain = || bare().filter(|word| !is_number(word));
    let starts = || {
        let mut own = plain();
        wanted().all(|word| own.next() == Some(word))
    };
    let ends = || {
        let mut own = plain().rev();
        let mut wanted = name.rsplit([' ', '_', '-']).filter(|word| !word.is_empty());
        wanted.all(|word| own.next() == Some(word))
    };
    // "the bowl" is the head of "bowl of fruit".
    let heads = || {
        let of = thing.words().iter().position(|word| word == "of");
        of.is_some_and(|of| plain().take(of).eq(wanted()))
    };
    let count = wanted().count();
    count > 0 && (ends() || bare().eq(wanted()) || (count > 1 && starts()) || heads())
}

/// Whether the noun that a thing is called by stands in a list of the lexicon: whether a pond is water.
pub(crate) fn is_listed(thing: &Thing, list: &str) -> bool {
    let is_number = |word: &&String| word.chars().all(|letter| letter.is_ascii_digit());
    let noun = thing.words().iter().rfind(|word| !is_number(word));
    noun.is_some_and(|noun| lexicon().has(noun, list))
}

/// Whether a thing is called like an object of a category.
pub(crate) fn is_member(thing: &Thing, category: &str) -> bool {
    catalogue().category_named(category).is_ok_and(|kind| is_of(thing, kind))
}

/// The same of a category; what another thing stands in for is of its kinds, too: a robin is an animal.
fn is_of(thing: &Thing, category: &Category) -> bool {
    let is_one = |name: &String| object_names(name).iter().any(|known| called_as(thing, known));
    let is_number = |word: &&String| word.chars().all(|letter| letter.is_ascii_digit());
    let stands_in = || {
        let words = thing.words().iter().filter(|word| !is_number(word)).cloned();
        let stand_in = catalogue().stand_in(&words.collect::<Vec<_>>().join(" "));
        stand_in.is_some_and(|object| category.objects().iter().any(|name| name == object.name()))
    };
    let is_such_part = |name: &String| thing.part_of.is_some() && called_as(thing, name);
    category.objects().iter().any(is_one)
        || category.parts().iter().any(is_such_part)
        || (thing.kind == Kind::Group && stands_in())
}

/// What the objects of the catalogue are called, by their names.
static OBJECT_NAMES: LazyLock<HashMap<&str, &[String]>> = LazyLock::new(|| {
    catalogue().objects().iter().map(|object| (object.name(), object.names())).collect()
});

fn object_names(name: &str) -> &'static [String] {
    OBJECT_NAMES.get(name).copied().unwrap_or_default()
}

/// Whether the whole name of a thing is this, numbers aside.
fn is_named(thing: &Thing, name: &str) -> bool {
    let joined = |words: &[String]| words.join(" ");
    let numbers = |word: &String| word.chars().all(|letter| letter.is_ascii_digit());
    let plain: Vec<String> = thing.words().iter().filter(|word| !numbers(word)).cloned().collect();
    joined(thing.words()) == name || joined(&plain) == name || thing.id.to_lowercase() == name
}

/// Whether a part belongs to a smaller whole of this name: `vase_flower_1_heart` to a flower of the vase.
fn is_of_a(thing: &Thing, names: &[String]) -> bool {
    let Some(whole) = &thing.part_of else { return false };
    let own = thing.words().get(words_of(whole).len()..).unwrap_or_default();
    let begins = |name: &String| {
        let mut own = own.iter();
        name.split(' ').all(|word| own.next().is_some_and(|own| own == word))
    };
    names.iter().any(begins)
}

/// How well a thing fits the noun of a description: 0 is best; `None` when it does not fit.
pub(super) fn head_fit(phrase: &Phrase, thing: &Thing, world: &World<'_>) -> Option<u32> {
    let is_light = thing.kind == Kind::Light;
    let is_part = u32::from(thing.part_of.is_some());
    let words = LazyCell::new(|| singulars(&phrase.word));
    // The forms of a noun begin alike.
    let initial = phrase.word.rsplit([' ', '_', '-']).find_map(|word| word.chars().next());
    let said = || {
        initial.is_some_and(|initial| thing.words().iter().any(|word| word.starts_with(initial)))
            && words.iter().any(|word| called_as(thing, word))
    };
    let scenery = if thing.scenery { 4 } else { 0 };
    match &phrase.head {
        Head::Named(name) => {
            if is_named(thing, name) {
                return Some(is_part);
            }
            if called_as(thing, name) {
                return Some(1 + 2 * is_part + scenery);
            }
            let named = without_shape(thing.words());
            let mut own = named.iter().rev();
            let mut is_end =
                || name.rsplit(' ').all(|word| own.next().is_some_and(|own| own == word));
            (!named.is_empty() && is_end()).then_some(5 + 2 * is_part)
        }
        Head::Shape { name, cube } => {
            let is_type = world
                .type_of(thing)
                .is_some_and(|own| own == *name || (*name == "box" && own.ends_with("box")));
            let is_cube = !cube || is_cubic(thing.extent);
            if !is_light && said() {
                return Some(
                    2 * is_part + scenery + u32::from(!is_type && thing.kind == Kind::Shape),
                );
            }
            (is_type && is_cube).then_some(1 + 3 * is_part + scenery)
        }
        Head::Built(_) => (!is_light && said()).then_some(2 * is_part),
        Head::Object { name, stands_for } => {
            if is_light {
                return said().then_some(2);
            }
            if said() {
                return Some(2 * is_part);
            }
            // "the planets" of an orrery, for which the moon would stand in.
            let kind = || catalogue().category(&phrase.word).map(|(category, _)| category);
            if stands_for.is_some() && kind().is_some_and(|category| is_of(thing, category)) {
                return Some(is_part);
            }
            if object_names(name).iter().any(|known| called_as(thing, known)) {
                return Some(1 + 2 * is_part);
            }
            is_of_a(thing, &words).then_some(6)
        }
        Head::Scenery(kind) => {
            let flat = thing.extent.size().y <= 0.05 * thing.extent.size().max_element();
            if is_light {
                return None;
            }
            if said() {
                return Some(is_part);
            }
            let is_floor = *kind == "floor";
            let is_surface = thing.scenery && thing.kind == Kind::Shape;
            (is_surface && thing.part_of.is_none() && flat == is_floor).then_some(1)
        }
        Head::Light(kind) => {
            let specific = *kind != "any" && *kind != "lamp";
            // "the fill" is the fill light.
            let is_called = || thing.words().iter().any(|word| word == kind);
            let is_kind = || is_light_kind(world.type_of(thing), kind);
            if is_light && (!specific || said() || is_called() || is_kind()) {
                // "the lamp" is the piece of furniture where there is one.
                return Some(u32::from(*kind == "lamp"));
            }
            if said() && !is_light {
                return Some(if *kind == "lamp" { 0 } else { 1 } + is_part);
            }
            (*kind == "any" && world.shines(thing)).then_some(2 + is_part)
        }
        Head::Category(name) => {
            let category = catalogue().category_named(name).ok()?;
            let of_shape = world.type_of(thing).is_some_and(|own| category.has_shape(own));
            (!is_light && (of_shape || is_of(thing, category))).then_some(is_part)
        }
        Head::Part(part) => {
            let named = |word: &String| {
                words.iter().chain([part]).any(|noun| catalogue().names_part(word, noun))
            };
            if thing.part_of.is_some() && thing.words().iter().any(named) {
                return Some(0);
            }
            said().then_some(1)
        }
        Head::Thing | Head::Everything { .. } => {
            (!is_light && thing.part_of.is_none() && !thing.scenery).then_some(0)
        }
        Head::Unknown(word) => {
            singulars(word).iter().any(|word| called_as(thing, word)).then_some(0)
        }
        Head::Theme(_) => said().then_some(1),
        Head::These(ids) => ids.contains(&thing.id).then_some(0),
        Head::Scene(_) | Head::Pronoun(_) => None,
    }
}

fn is_light_kind(own: Option<&str>, kind: &str) -> bool {
    let Some(own) = own else { return false };
    match kind {
        "point" => own == "point_spot_light",
        "spot" => own.ends_with("spot_light"),
        "panel" | "ceiling" => own == "area_quad_light",
        "ball" => own == "area_sphere_light",
        "disc" => own == "disc_spot_light",
        "sun" => own == "directional_light",
        _ => false,
    }
}

fn is_cubic(extent: Extent) -> bool {
    let size = extent.size();
    size.min_element() >= 0.9 * size.max_element()
}

/// Whether the name of a thing tells the quality.
pub(super) fn is_named_so(quality: &Quality, thing: &Thing) -> bool {
    match quality {
        Quality::Colour(word) => thing.words().contains(&word.name),
        Quality::Material { name, .. } => thing.words().contains(name),
        _ => false,
    }
}

/// Whether a thing has a quality, as far as that shows without the others.
pub(crate) fn has_quality(quality: &Quality, thing: &Thing, world: &World<'_>) -> Option<bool> {
    const ENOUGH: f64 = 0.3;
    Some(match quality {
        Quality::Colour(word) => {
            if thing.kind == Kind::Light {
                return Some(world.colour(thing).is_some_and(|rgb| Family::fits(word, rgb)));
            }
            let fits = |material| colour_of(material).is_some_and(|rgb| Family::fits(word, rgb));
            let shares = world.shares(thing);
            let share: f64 =
                shares.iter().filter(|(own, _)| fits(own)).map(|(_, share)| share).sum();
            share >= ENOUGH
        }
        Quality::Material { name, tint } => {
            let made = |material| is_made_of(material, name);
            let shares = world.shares(thing);
            let share: f64 =
                shares.iter().filter(|(own, _)| made(own)).map(|(_, share)| share).sum();
            let named = thing.words().iter().any(|word| word == name);
            let tinted = tint
                .as_ref()
                .is_none_or(|tint| world.colour(thing).is_some_and(|rgb| Family::fits(tint, rgb)));
            // "the golden ball" may only be coloured so.
            let golden = Family::fits(
                &crate::frames::ColourWord { name: name.clone(), shade: None },
                world.colour(thing).unwrap_or_default(),
            );
            (share >= ENOUGH || named || golden) && tinted
        }
        Quality::Texture { name, .. } => {
            let text = |material: &scene::Material| material.to_json().to_string().contains(name);
            world.shares(thing).iter().any(|(material, _)| text(material))
        }
        Quality::Form("round") => {
            let kinds = ["sphere", "ellipsoid", "cylinder", "cone", "torus", "disc", "capsule"];
            world.type_of(thing).is_none_or(|own| kinds.contains(&own))
        }
        Quality::Form("square") => {
            world.type_of(thing).is_none_or(|own| own.ends_with("box") || own == "quad")
        }
        Quality::Exceeds { dimension, more, amount, .. } => {
            let (own, other) =
                (size_along(thing.extent, *dimension), amount.and_then(Amount::metres)?);
            (own > other) == *more && own != other
        }
        Quality::Measured { dimension, amount } => {
            let own = size_along(thing.extent, *dimension);
            amount.metres().is_some_and(|metres| (own - metres).abs() <= 0.06 * metres)
        }
        _ => return None,
    })
}

/// How large something is along a dimension.
pub(crate) fn size_along(extent: Extent, dimension: Dimension) -> f64 {
    let size = extent.size();
    match dimension {
        Dimension::Height => size.y,
        Dimension::Width if is_way(extent) => size.x.min(size.z),
        Dimension::Width => size.x,
        Dimension::Depth => size.z,
        Dimension::Length => size.x.max(size.z),
        Dimension::Thickness => size.min_element(),
        Dimension::Radius => 0.5 * size.x.max(size.z),
        Dimension::Diameter => size.x.max(size.z),
        _ => size.max_element(),
    }
}

/// Whether something lies flat and is much longer than wide: a path, a road. Its width is that across it.
pub(crate) fn is_way(extent: Extent) -> bool {
    const LONG: f64 = 2.5;
    const FLAT: f64 = 0.05;
    let size = extent.size();
    size.x.max(size.z) > LONG * size.x.min(size.z) && size.y < FLAT * size.x.max(size.z)
}
