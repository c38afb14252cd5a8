//! The data files: each parses, stands on the ground, hangs together, and is as large as the real
//! object.

use std::collections::HashSet;

use scene::{Material, NoAssets, Scene, Shape};
use serde_json::{Value, json};
use spatial::{Body, Space, View};

use super::*;
use crate::library::Library;

/// The longest edge of each object in reality, in metres.
const SIZES: &str = include_str!("../data/sizes.txt");

/// Shapes over a wide ground at y = 0.
fn on_ground(shapes: &[Shape]) -> Scene {
    let mut shapes: Vec<Value> = shapes.iter().map(Shape::to_json).collect();
    shapes.push(json!({ "id": "ground", "type": "quad", "properties": {
        "corner": [-500, 0, -500], "u": [0, 0, 1000], "v": [1000, 0, 0] } }));
    Scene::from_json(&json!({ "version": 1, "shapes": shapes })).unwrap()
}

/// Pairs of bodies whose boxes are near enough to touch.
fn near_pairs(space: &Space<'_>) -> Vec<(usize, usize)> {
    let near = |at: usize| {
        let near = space.near(space.bodies()[at].solid.extent(), 1e-3);
        near.into_iter().filter(move |other| *other > at).map(move |other| (at, other))
    };
    (0..space.bodies().len()).flat_map(near).collect()
}

/// The shapes that are neither floors or walls nor supported by them, directly or through others. With
/// `whole_groups`, what supports a shape supports its whole group.
fn loose(space: &Space<'_>, whole_groups: bool) -> Vec<String> {
    let bodies = space.bodies();
    let unit = |at: usize| match bodies[at].group() {
        Some(group) if whole_groups => group.as_str(),
        _ => bodies[at].id,
    };
    let is_ground = |at: &usize| bodies[*at].id == "ground" || bodies[*at].solid.is_flat();
    let mut supported: HashSet<&str> = (0..bodies.len()).filter(is_ground).map(unit).collect();
    let mut pairs = near_pairs(space);
    loop {
        let before = supported.len();
        // Each pair is examined at most once, and most not at all: both are supported already.
        pairs.retain(|(one, other)| {
            match (supported.contains(unit(*one)), supported.contains(unit(*other))) {
                (true, true) => false,
                (false, false) => true,
                _ => {
                    if space.contact(*one, *other).is_some() {
                        supported.extend([unit(*one), unit(*other)]);
                    }
                    false
                }
            }
        });
        if supported.len() == before {
            break;
        }
    }
    let floats = |body: &Body<'_>| {
        body.shape().is_some_and(|shape| shape.intentional.contains(scene::FindingKind::Floating))
    };
    let shapes =
        space.shapes().filter(|(at, body)| !supported.contains(unit(*at)) && !floats(body));
    shapes.map(|(_, body)| body.id.to_owned()).collect()
}

/// Whether one of them is flat and level and the other wholly above it, by their bounds.
fn stands_on(one: &Body<'_>, other: &Body<'_>) -> bool {
    let (a, b) = (one.solid.extent(), other.solid.extent());
    (a.size().y == 0.0 && b.min.y > a.max.y - 1e-6)
        || (b.size().y == 0.0 && a.min.y > b.max.y - 1e-6)
}

/// The shapes that reach into a shape of another group.
fn overlaps(space: &Space<'_>) -> Vec<String> {
    let bodies = space.bodies();
    let group = |at: usize| bodies[at].group();
    let mut found = Vec::new();
    for (one, other) in near_pairs(space) {
        let strangers = group(one).is_none() || group(one) != group(other);
        let may_meet = strangers && !stands_on(&bodies[one], &bodies[other]);
        let Some(relation) = may_meet.then(|| space.contact(one, other)).flatten() else {
            continue;
        };
        if let Some(depth) = space.overlap(one, other, &relation) {
            found
                .push(format!("{} reaches {depth:.3} m into {}", bodies[one].id, bodies[other].id));
        }
    }
    found
}

/// The parts of a scene that may be out of view.
fn backdrops(theme: &Theme) -> Vec<&str> {
    let parts = theme.file.parts.iter().filter(|part| part.backdrop);
    parts.map(|part| part.name.as_str()).collect()
}

/// Width, height and depth of an object, in metres.
fn size(object: &Object, parameters: &ObjectParameters) -> [f64; 3] {
    let shapes = object.build("it", parameters).unwrap();
    let bounds = shapes.iter().filter_map(|shape| shape.geometry.bounds());
    bounds.reduce(scene::Aabb::union).unwrap().size()
}

/// The shapes as a file has them, as one text.
fn text(shapes: &[Shape]) -> String {
    shapes.iter().map(|shape| shape.to_json().to_string()).collect()
}

#[test]
fn every_file_parses() {
    let (library, errors) = Library::read();
    assert!(errors.is_empty(), "{errors:#?}");
    assert!(library.objects.len() >= 60 && !library.scenes.is_empty());
}

#[test]
fn every_object_stands_on_the_ground_and_hangs_together() {
    let mut errors = Vec::new();
    for object in catalogue().objects() {
        let options: Vec<String> = object.options().map(|(name, _)| name.to_owned()).collect();
        let mut variants = vec![ObjectParameters {
            seed: 1,
            with: options.clone(),
            ..ObjectParameters::default()
        }];
        if !options.is_empty() {
            variants.push(ObjectParameters { without: options, ..ObjectParameters::default() });
        }
        for parameters in variants {
            let scene = on_ground(&object.build("it", &parameters).unwrap());
            let loose = loose(&Space::of(&scene, &NoAssets), false);
            if !loose.is_empty() {
                errors.push(format!("{}, seed {}: {loose:?}", object.name(), parameters.seed));
            }
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn every_object_is_as_large_as_the_real_thing() {
    let mut errors = Vec::new();
    for object in catalogue().objects() {
        let longest = size(object, &ObjectParameters::default()).into_iter().fold(0.0, f64::max);
        let line = SIZES.lines().filter_map(|line| line.split_once(": "));
        let known = line.filter(|(name, _)| *name == object.name());
        let expected: Option<f64> = known.filter_map(|(_, metres)| metres.parse().ok()).next();
        let is_so = expected.is_some_and(|metres| (0.7..1.4).contains(&(longest / metres)));
        if !is_so {
            errors.push(format!("{}: {longest:.3}, not {expected:?}", object.name()));
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn parameters_are_followed() {
    for object in catalogue().objects() {
        let tall = ObjectParameters {
            size: ObjectSize::Height(2.0),
            turn_degrees: 30.0,
            ..ObjectParameters::default()
        };
        let height = size(object, &tall)[1];
        assert!((height - 2.0).abs() < 1e-6, "{}: {height}", object.name());
        let blue =
            ObjectParameters { colours: vec![[0.0, 0.0, 1.0]], ..ObjectParameters::default() };
        let painted = text(&object.build("it", &blue).unwrap());
        assert!(painted.contains("[0.0,0.0,"), "{} has no body to paint", object.name());
        let gold = Material::from_json(&json!("gold")).unwrap();
        let gold = ObjectParameters { material: Some(gold), ..ObjectParameters::default() };
        let painted = text(&object.build("it", &gold).unwrap());
        assert!(painted.contains("\"gold\""), "{}", object.name());
    }
}

#[test]
fn what_is_left_out_is_not_there() {
    let snowman = catalogue().find("snowman").unwrap();
    let names = |parameters: &ObjectParameters| {
        let shapes = snowman.build("bob", parameters).unwrap();
        shapes.iter().map(|shape| shape.id.as_str()).collect::<Vec<_>>().join(" ")
    };
    let bare =
        ObjectParameters { without: vec!["top hat".to_owned()], ..ObjectParameters::default() };
    let dressed =
        ObjectParameters { with: vec!["scarf".to_owned()], ..ObjectParameters::default() };
    let armless =
        ObjectParameters { without: vec!["arms".to_owned()], ..ObjectParameters::default() };
    assert!(names(&ObjectParameters::default()).contains("bob_arm"));
    assert!(!names(&armless).contains("arm"));
    assert!(!names(&bare).contains("hat"));
    assert!(names(&dressed).contains("bob_scarf"));
    assert_eq!(snowman.option("top hat"), Some("hat"));
}

#[test]
fn a_size_out_of_range_is_an_error() {
    let tree = catalogue().find("tree").unwrap();
    let huge = ObjectParameters { size: ObjectSize::Height(1e9), ..ObjectParameters::default() };
    assert!(matches!(tree.build("it", &huge), Err(CatalogueError::Motion { .. })));
}

#[test]
fn a_seed_always_gives_the_same() {
    let tree = catalogue().find("tree").unwrap();
    let build =
        |seed| tree.build("it", &ObjectParameters { seed, ..ObjectParameters::default() }).unwrap();
    assert_eq!(build(5), build(5));
    assert_ne!(build(5), build(6));
}

#[test]
fn objects_are_found_by_what_people_call_them() {
    for (words, name) in [
        ("Snowmen", "snowman"),
        ("couches", "sofa"),
        ("pine trees", "pine tree"),
        ("bookshelves", "bookshelf"),
        ("t-v", "?"),
        ("quark", "?"),
        ("TRAFFIC  light", "traffic light"),
    ] {
        let found = catalogue().find(words).map_or("?", Object::name);
        assert_eq!(found, name, "{words}");
    }
    let (object, taken) = catalogue().find_first(&["pine", "tree", "behind", "it"]).unwrap();
    assert_eq!((object.name(), taken), ("pine tree", 2));
}

#[test]
fn no_two_objects_are_called_the_same() {
    let mut known = HashSet::new();
    for name in catalogue().objects().iter().flat_map(Object::names) {
        assert!(known.insert(name.to_lowercase()), "{name}");
    }
}

#[test]
fn in_every_scene_nothing_floats_overlaps_or_is_out_of_view() {
    let moods = [(0, vec![]), (1, vec!["minimal"]), (2, vec!["snowy", "cosy", "colourful"])];
    let mut errors = Vec::new();
    for theme in catalogue().themes() {
        for (seed, words) in &moods {
            let adjectives = words.iter().map(|word| (*word).to_owned()).collect();
            let scene = theme.build(&Mood { seed: *seed, adjectives }).unwrap();
            let space = Space::of(&scene, &NoAssets);
            let mut found = overlaps(&space);
            found.extend(loose(&space, true).into_iter().map(|id| format!("{id} floats")));
            found.extend(unseen(theme, &space));
            let place = format!("{} {seed}", theme.name());
            errors.extend(found.into_iter().map(|error| format!("{place}: {error}")));
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

/// The shapes of a scene that are partly out of view, except backdrops.
fn unseen(theme: &Theme, space: &Space<'_>) -> Vec<String> {
    let view = View::of(&space.scene.camera);
    let backdrops = backdrops(theme);
    let of_backdrop = |body: &Body<'_>| {
        let name = body.group().map_or(body.id, |group| group.as_str());
        backdrops.iter().any(|backdrop| name.starts_with(backdrop))
    };
    let shapes = space.shapes().filter(|(_, body)| !of_backdrop(body));
    let inside = |body: &Body<'_>| view.coverage(&body.solid).inside;
    shapes
        .filter(|(_, body)| inside(body) < 0.98)
        .map(|(_, body)| format!("{} is only {:.2} in view", body.id, inside(body)))
        .collect()
}

#[test]
fn every_scene_is_lit() {
    let mut errors = Vec::new();
    for theme in catalogue().themes() {
        let world = tracer::World::build(&theme.build(&Mood::default()).unwrap());
        let mut film = tracer::Film::new(40, 30);
        let settings = tracer::RenderSettings::default();
        let _ = tracer::render_pass(&world, &settings, &mut film, 8, &|| false);
        let picture = film.linear();
        let brightness = |pixel: &[f32; 3]| pixel.iter().sum::<f32>() / 3.0;
        let seen = picture.pixels.iter().filter(|pixel| brightness(pixel) > 0.02).count();
        let share = seen as f64 / picture.pixels.len() as f64;
        let mut sorted: Vec<f32> = picture.pixels.iter().map(brightness).collect();
        sorted.sort_by(f32::total_cmp);
        let bright = sorted[sorted.len() * 19 / 20];
        if share < 0.08 || !(0.05..4.0).contains(&bright) {
            errors.push(format!(
                "{}: {share} of it is lit, the brightest twentieth {bright}",
                theme.name()
            ));
        }
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn a_mood_always_gives_the_same_scene() {
    for theme in catalogue().themes() {
        let build = |seed, word: &str| {
            theme.build(&Mood { seed, adjectives: vec![word.to_owned()] }).unwrap()
        };
        assert_eq!(build(3, "cosy"), build(3, "cosy"), "{}", theme.name());
        assert_ne!(build(3, "cosy"), build(4, "cosy"), "{} does not vary", theme.name());
        assert_ne!(build(3, "dark"), build(3, "bright"), "{}", theme.name());
    }
}

#[test]
fn every_object_belongs_to_a_category() {
    let members: HashSet<&str> =
        catalogue().categories().flat_map(Category::objects).map(String::as_str).collect();
    let is_member = |object: &&Object| object.names().iter().any(|name| members.contains(&**name));
    let others: Vec<&str> =
        catalogue().objects().iter().filter(|it| !is_member(it)).map(Object::name).collect();
    assert!(others.is_empty(), "{others:?} belong to no category");
}

#[test]
fn no_two_categories_are_called_the_same() {
    let mut known = HashSet::new();
    for word in catalogue().categories().flat_map(Category::words) {
        assert!(known.insert(word), "{word}");
    }
}

#[test]
fn a_category_is_found_by_the_name_it_is_listed_with() {
    for (name, category) in catalogue().named_categories() {
        assert_eq!(
            catalogue().category_named(name).unwrap().objects(),
            category.objects(),
            "{name}"
        );
    }
}

#[test]
fn categories_and_stand_ins_name_objects_that_exist() {
    let (library, errors) = Library::read();
    assert!(errors.is_empty(), "{errors:?}");
    for name in library.categories.values().flat_map(Category::objects) {
        let exists = catalogue().objects().iter().any(|object| object.names().contains(name));
        // Ids of scenes may have names that the catalogue does not know.
        assert!(exists || ["orange", "grass"].contains(&name.as_str()), "{name}");
    }
    for (word, name) in library.stand_ins.all() {
        assert!(catalogue().find(name).is_some(), "{name}");
        let own =
            catalogue().objects().iter().any(|object| object.names().iter().any(|n| n == word));
        assert!(!own, "{word} is an object by itself");
    }
}

#[test]
fn a_variant_is_an_object_of_its_own_with_its_parts_only() {
    let object = |name: &str| catalogue().find(name).unwrap();
    assert_eq!(object("silver birch").name(), "birch tree");
    assert_eq!(object("tree").name(), "tree");
    let has = |name: &str, part: &str| object(name).part_names().any(|known| known == part);
    assert!(has("birch tree", "mark_1") && !has("tree", "mark_1") && !has("maple tree", "mark_1"));
    assert!(has("apple tree", "fruit") && has("apple tree", "crown_low"));
    // Only what it has is there to be painted.
    let roles = |name: &str| object(name).roles().collect::<Vec<_>>();
    assert!(roles("birch tree").contains(&"bark") && !roles("tree").contains(&"fruit"));
}
