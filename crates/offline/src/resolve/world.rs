//! A scene as things that people speak of: objects with their parts, shapes, lights.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use glam::DVec3;
use scene::{Material, NoAssets, Scene};
use self_cell::self_cell;
use spatial::{Extent, Object, Solids, Space};

use crate::looks::colour_of;
use crate::tokens::words_of;

/// What a thing is in the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Group,
    Shape,
    Light,
}

/// A thing that can be spoken of.
#[derive(Debug, Clone)]
pub(crate) struct Thing {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    /// The words of its id, numbers too, once they are asked for.
    words: OnceCell<Vec<String>>,
    /// The object it is a part of.
    pub(crate) part_of: Option<String>,
    /// Its bodies in the space.
    pub(crate) bodies: Vec<usize>,
    pub(crate) extent: Extent,
    /// Floors, walls and backdrops.
    pub(crate) scenery: bool,
}

/// How far a thing of a size may be above what it stands on.
fn farthest_fall(size: f64) -> f64 {
    0.02 + 0.02 * size
}

impl Thing {
    /// The words of its id, numbers too.
    pub(crate) fn words(&self) -> &[String] {
        self.words.get_or_init(|| words_of(&self.id))
    }
}

/// What makes things alike: their noun, or their type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Kin {
    noun: Option<String>,
    type_name: Option<&'static str>,
    kind: Kind,
    is_part: bool,
    /// Where it stood.
    pub(crate) foot: DVec3,
}

impl Kin {
    /// What such a thing is called.
    pub(crate) fn noun(&self) -> Option<&str> {
        self.noun.as_deref()
    }

    pub(crate) fn of(thing: &Thing, world: &World<'_>) -> Self {
        let is_number = |word: &&String| word.chars().all(|letter| letter.is_ascii_digit());
        Self {
            noun: thing.words().iter().rfind(|word| !is_number(word)).cloned(),
            type_name: world.type_of(thing),
            kind: thing.kind,
            is_part: thing.part_of.is_some(),
            foot: thing.extent.center().with_y(thing.extent.min.y),
        }
    }

    /// Whether a thing is of this kind.
    pub(crate) fn has(&self, thing: &Thing, world: &World<'_>) -> bool {
        let own = Self::of(thing, world);
        !thing.scenery
            && own.is_part == self.is_part
            && own.kind == self.kind
            && ((self.noun.is_some() && own.noun == self.noun)
                || (!self.is_part && self.type_name.is_some() && own.type_name == self.type_name))
    }
}

thread_local! {
    /// The solids of the scenes that are planned on: of a draft that changes step by step most stay the same.
    static SOLIDS: Solids = Solids::default();
}

/// Forgets the solids when it is dropped: at the end of a request, since the next one reads its scenes anew.
#[derive(Debug)]
pub(crate) struct ForgetSolids;

impl Drop for ForgetSolids {
    fn drop(&mut self) {
        // A thread that ends has none any more.
        let _ = SOLIDS.try_with(Solids::clear);
    }
}

/// Whether this thread knows solids.
#[cfg(test)]
pub(crate) fn knows_solids() -> bool {
    SOLIDS.with(|solids| format!("{solids:?}") != format!("{:?}", Solids::default()))
}

/// The space of a scene.
fn space_of(scene: &Scene) -> Space<'_> {
    SOLIDS.with(|solids| Space::of_known(scene, &NoAssets, solids))
}

/// A scene with its things.
#[derive(Debug)]
pub(crate) struct World<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) space: Space<'a>,
    pub(crate) things: Vec<Thing>,
    /// The thing that each body is by itself.
    by_body: Vec<usize>,
    /// The things in the order of their ids, sorted at the first use.
    by_id: OnceCell<Vec<usize>>,
}

self_cell! {
    /// A scene that is kept together with its things, for all who ask for them.
    pub(crate) struct SceneWorld {
        owner: Arc<Scene>,
        #[covariant]
        dependent: World,
    }

    impl {Debug}
}

impl SceneWorld {
    /// The things of a scene.
    pub(crate) fn of(scene: Arc<Scene>) -> Rc<Self> {
        Rc::new(Self::new(scene, |scene| World::of(scene)))
    }

    pub(crate) fn scene(&self) -> &Arc<Scene> {
        self.borrow_owner()
    }

    pub(crate) fn world(&self) -> &World<'_> {
        self.borrow_dependent()
    }
}

/// The stars of a sky, as a group.
pub(crate) const STARS: &str = "star_field";
/// What is this wide and flat is a floor, a wall or a backdrop.
const WIDE: f64 = 4.0;

/// Marks rooms and passages: what consists of wide flat panels alone is a setting as they are.
fn mark_shells(space: &Space<'_>, things: &mut [Thing]) {
    let panel = |at: &usize| {
        space.bodies().get(*at).and_then(spatial::Body::shape).is_some_and(|shape| {
            matches!(shape.geometry, scene::Geometry::Quad(_) | scene::Geometry::Disc(_))
        })
    };
    let wide = |thing: &Thing| {
        let size = thing.extent.size();
        size.x.min(size.z) > 0.25 * WIDE && size.max_element() >= WIDE
    };
    let is_shell = |thing: &Thing| {
        thing.kind == Kind::Group
            && thing.bodies.len() > 2
            && wide(thing)
            && thing.bodies.iter().all(panel)
    };
    let shells: Vec<String> =
        things.iter().filter(|thing| is_shell(thing)).map(|thing| thing.id.clone()).collect();
    let is_of = |thing: &Thing| {
        shells.contains(&thing.id) || thing.part_of.as_ref().is_some_and(|id| shells.contains(id))
    };
    if !shells.is_empty() {
        things.iter_mut().filter(|thing| is_of(thing)).for_each(|thing| thing.scenery = true);
    }
}

impl<'a> World<'a> {
    /// The things of a scene.
    pub(crate) fn of(scene: &'a Scene) -> Self {
        let space = space_of(scene);
        let mut things: Vec<Thing> = Vec::with_capacity(2 * space.bodies().len());
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut by_body = Vec::with_capacity(space.bodies().len());
        for (at, body) in space.bodies().iter().enumerate() {
            let extent = body.solid.extent();
            // A stage is no thing that anyone speaks of, its ground and lights are.
            let group = body.group().map(|group| group.as_str());
            let group = group.filter(|group| *group != spatial::STAGE);
            let is_light = body.shape().is_none();
            if let Some(group) = group {
                let index = *places.entry(group).or_insert_with(|| {
                    things.push(Thing {
                        id: group.to_owned(),
                        kind: Kind::Group,
                        words: OnceCell::new(),
                        part_of: None,
                        bodies: Vec::new(),
                        extent,
                        scenery: group == STARS,
                    });
                    things.len() - 1
                });
                let whole = &mut things[index];
                whole.extent =
                    if whole.bodies.is_empty() { extent } else { whole.extent.union(extent) };
                whole.bodies.push(at);
            }
            by_body.push(things.len());
            let size = extent.size();
            let is_wide =
                size.x.max(size.z) >= WIDE && (size.min_element() <= 0.05 * size.max_element());
            things.push(Thing {
                id: body.id.to_owned(),
                kind: if is_light { Kind::Light } else { Kind::Shape },
                words: OnceCell::new(),
                part_of: group.map(str::to_owned),
                bodies: vec![at],
                extent,
                scenery: !is_light && is_wide,
            });
        }
        mark_shells(&space, &mut things);
        Self { scene, space, things, by_body, by_id: OnceCell::new() }
    }

    /// What a body is by itself.
    pub(crate) fn of_body(&self, body: usize) -> Option<&Thing> {
        self.things.get(*self.by_body.get(body)?)
    }

    pub(crate) fn find(&self, id: &str) -> Option<&Thing> {
        let by_id = self.by_id.get_or_init(|| {
            let mut numbers: Vec<usize> = (0..self.things.len()).collect();
            numbers.sort_by_key(|at| &self.things[*at].id);
            numbers
        });
        let at = by_id.partition_point(|at| self.things[*at].id.as_str() < id);
        by_id.get(at).map(|at| &self.things[*at]).filter(|thing| thing.id == id)
    }

    /// The things that are no parts.
    pub(crate) fn wholes(&self) -> impl Iterator<Item = &Thing> {
        self.things.iter().filter(|thing| thing.part_of.is_none())
    }

    /// The things that are no parts, lights or scenery.
    pub(crate) fn contents(&self) -> impl Iterator<Item = &Thing> {
        self.wholes().filter(|thing| !thing.scenery && thing.kind != Kind::Light)
    }

    /// Whether other things stand on it far and wide: a lawn, a lake, a street.
    pub(crate) fn is_ground(&self, thing: &Thing) -> bool {
        let size = thing.extent.size();
        let widest = size.x.max(size.z);
        thing.kind != Kind::Light && widest >= WIDE && size.y <= 0.05 * widest
    }

    /// The box around some things.
    pub(crate) fn extent_of<'b>(
        &self,
        ids: impl IntoIterator<Item = &'b String>,
    ) -> Option<Extent> {
        let extents = ids.into_iter().filter_map(|id| self.find(id)).map(|thing| thing.extent);
        extents.reduce(Extent::union)
    }

    /// The type of the shape or light, where it is one.
    pub(crate) fn type_of(&self, thing: &Thing) -> Option<&'static str> {
        if thing.kind == Kind::Group {
            return None;
        }
        Some(match self.space.bodies().get(*thing.bodies.first()?)?.object {
            Object::Shape(shape) => shape.geometry.type_name(),
            Object::Light(light) => light.light.type_name(),
        })
    }

    /// The materials of the shapes of a thing with the area that each covers, roughly.
    pub(crate) fn materials(&self, thing: &Thing) -> Vec<(&'a str, &'a Material, f64)> {
        let bodies = thing.bodies.iter().filter_map(|at| self.space.bodies().get(*at));
        bodies
            .filter_map(|body| {
                let Object::Shape(shape) = body.object else { return None };
                let size = body.solid.extent().size();
                // Of a round or pointed thing less shows than of its box.
                let share = match &shape.geometry {
                    scene::Geometry::Box(_)
                    | scene::Geometry::RoundedBox(_)
                    | scene::Geometry::Quad(_) => 1.0,
                    scene::Geometry::Cone(_) | scene::Geometry::Triangle(_) => 0.45,
                    scene::Geometry::Sphere(_) | scene::Geometry::Ellipsoid(_) => 0.52,
                    scene::Geometry::Torus(_) => 0.6,
                    _ => 0.75,
                };
                let area = share * (size.x * size.y + size.y * size.z + size.z * size.x);
                Some((body.id, &shape.material, area))
            })
            .collect()
    }

    /// The colour that most of a thing has.
    pub(crate) fn colour(&self, thing: &Thing) -> Option<DVec3> {
        if thing.kind == Kind::Light {
            let light = self.scene.light(&thing.id)?;
            let emission = DVec3::from(light.light.emission());
            return Some(emission / emission.max_element().max(1e-9));
        }
        let shares = self.shares(thing);
        let most = shares.iter().max_by(|one, other| one.1.total_cmp(&other.1))?;
        colour_of(most.0)
    }

    /// The materials of a thing, each with its share of the whole area.
    pub(crate) fn shares(&self, thing: &Thing) -> Vec<(&'a Material, f64)> {
        let mut shares: Vec<(&Material, f64)> = Vec::new();
        for (_, material, area) in self.materials(thing) {
            match shares.iter_mut().find(|(known, _)| *known == material) {
                Some((_, share)) => *share += area,
                None => shares.push((material, area)),
            }
        }
        let whole: f64 = shares.iter().map(|(_, share)| share).sum();
        for (_, share) in &mut shares {
            *share /= whole.max(1e-12);
        }
        shares
    }

    /// Whether a thing gives light.
    pub(crate) fn shines(&self, thing: &Thing) -> bool {
        thing.kind == Kind::Light
            || self.materials(thing).iter().any(|(_, material, _)| material.glows())
    }

    /// What lies right under a thing.
    pub(crate) fn support_of(&self, thing: &Thing) -> Option<&Thing> {
        let unit = self.space.unit(&thing.id).ok()?;
        let own = unit.members.iter().copied().collect();
        let (way, at) = self.space.fall(&unit.solid, &own)?;
        let near = way <= farthest_fall(unit.solid.size());
        let below = self.space.bodies().get(at).filter(|_| near)?;
        let group = below.group().map(|group| group.as_str());
        // What reaches down as far as the other stands beside it, though they may meet.
        let is_higher = |below: &&Thing| {
            let (foot, below) = (thing.extent.min.y, below.extent);
            foot > below.min.y + 1e-3 || foot > below.max.y - 0.02
        };
        self.find(group.unwrap_or(below.id)).filter(is_higher)
    }

    /// What stands on a thing, and what stands on that.
    pub(crate) fn riders(&self, ids: &[String]) -> Vec<String> {
        let mut carried: Vec<&str> = ids.iter().map(String::as_str).collect();
        let mut below: Vec<Extent> =
            ids.iter().filter_map(|id| Some(self.find(id)?.extent)).collect();
        let others = self.contents().filter(|thing| thing.kind != Kind::Light);
        let mut others: Vec<(&Thing, OnceCell<Option<&Thing>>)> = others
            .filter(|thing| !carried.contains(&thing.id.as_str()))
            .map(|thing| (thing, OnceCell::new()))
            .collect();
        loop {
            let before = carried.len();
            others.retain_mut(|(thing, support)| {
                // What rests on something is near it; only of that is it worth asking.
                let reach = farthest_fall(thing.extent.size().max_element());
                if !below.iter().any(|extent| extent.is_near(thing.extent, reach)) {
                    return true;
                }
                let support = support.get_or_init(|| self.support_of(thing));
                let rides = support.is_some_and(|below| carried.contains(&below.id.as_str()));
                if rides {
                    carried.push(&thing.id);
                    below.push(thing.extent);
                }
                !rides
            });
            if carried.len() == before {
                return carried.into_iter().skip(ids.len()).map(str::to_owned).collect();
            }
        }
    }
}
