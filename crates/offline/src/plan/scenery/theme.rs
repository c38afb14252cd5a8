//! Making whole scenes of the catalogue: "build a cosy living room with a red sofa".

use catalogue::{Mood, catalogue};
use glam::DVec3;

use crate::language::{
    Change, Determiner, Noun, Phrase, Place, Staging, Target, id_like, id_words,
};
use crate::world::{Body, World};

use crate::plan::scenery::camera::framed;
use crate::plan::{Done, Planner, Problem, Saying};

impl Planner {
    /// Puts a themed scene in the place of everything; what was there tells its seed, so that the
    /// same wish gives another one the next time.
    pub(in crate::plan) fn stage(&mut self, staging: &Staging) -> Done {
        if staging.known && self.world.objects().next().is_some() {
            // What stands here is the garden, or as good as that.
            return self.create(&staging.with);
        }
        let cannot = || Problem::Cannot(format!("I cannot build {} so.", staging.theme));
        let theme = catalogue().theme(staging.theme).ok_or_else(cannot)?;
        let seed = self.world.things.len() as u64 % 97;
        let mood = Mood { seed, adjectives: staging.adjectives.clone() };
        let scene = theme.build(&mood).map_err(|_| cannot())?;
        let built = World::read(&scene.to_json()).ok_or_else(cannot)?;
        if !self.world.things.is_empty() {
            self.remark("I put it in the place of what was there; Undo brings that back.");
        }
        let things = built.things.into_iter().map(|mut thing| {
            thing.origin = None;
            thing
        });
        self.world.things = things.collect();
        self.world.environment = built.environment;
        self.world.camera = built.camera;
        self.world.marks = built.marks;
        self.context.focus.clear();
        self.camera_told = true;
        for phrase in &staging.without {
            self.leave_out(phrase);
        }
        if let Some(subject) = staging.subject.as_ref() {
            self.present(subject)?;
        }
        for phrase in &staging.with {
            self.furnish(phrase)?;
        }
        self.context.focus.clear();
        if !staging.unknown.is_empty() {
            let words = staging.unknown.iter().map(|word| format!("“{word}”"));
            let words: Vec<String> = words.collect();
            self.remark(format!(
                "I do not know what {} means for a scene; the rest is there.",
                crate::answer::joined(&words, "and")
            ));
        }
        Ok(())
    }

    /// "a product shot of a bottle": the bottle stands where the scene presents something.
    fn present(&mut self, subject: &Phrase) -> Done {
        let presented = |group: &str| group == "subject" || group.starts_with("subject_");
        let shown: Vec<String> = self
            .world
            .things
            .iter()
            .filter(|thing| presented(thing.group.as_deref().unwrap_or(&thing.id)))
            .map(|thing| thing.id.clone())
            .collect();
        let Some(old) = self.bounds_of(&shown) else { return self.furnish(subject) };
        let before = self.world.clone();
        self.world.things.retain(|thing| !shown.contains(&thing.id));
        let alone = Phrase { places: Vec::new(), ..subject.clone() };
        let Some(made) = self.made(&alone)? else {
            self.world = before;
            return Ok(());
        };
        let Some(new) = self.bounds_of(&made) else { return Ok(()) };
        let fit = (1.1 * old.size().y / new.size().y.max(1e-6))
            .min(1.6 * old.extent() / new.size().with_y(0.0).max_element().max(1e-6));
        for thing in self.world.things.iter_mut().filter(|thing| made.contains(&thing.id)) {
            thing.moved(old.foot() - new.foot());
            if let Body::Shape { form, .. } = &mut thing.body {
                form.scaled(DVec3::splat(fit), old.foot());
            }
        }
        if let Some(shown) = self.bounds_of(&made) {
            let away = self.world.camera.center - self.world.camera.look_at;
            let air = shown.widened(0.1 * shown.extent());
            self.world.camera = framed(self.world.camera, air, away);
        }
        Ok(())
    }

    fn leave_out(&mut self, phrase: &Phrase) {
        let unwanted: Vec<String> = self.likenesses(phrase).into_iter().flatten().collect();
        self.world.things.retain(|thing| !unwanted.contains(&thing.id));
    }

    /// Sees to it that a scene has what a phrase says: what is there already is made to look so,
    /// what is missing is added where there is room in the picture.
    fn furnish(&mut self, phrase: &Phrase) -> Done {
        let there = if phrase.places.is_empty() && phrase.companions.is_empty() {
            self.likenesses(phrase)
        } else {
            Vec::new()
        };
        let wanted = phrase.count.unwrap_or(if phrase.plural { 2 } else { 1 });
        let changes = looks(phrase);
        let dressed = if phrase.plural && phrase.count.is_none() { there.len() } else { wanted };
        if !changes.is_empty() {
            for unit in there.iter().take(dressed) {
                let phrases = unit.iter().cloned().map(Phrase::named).collect();
                self.change(&Target(phrases), &changes)?;
            }
        }
        let missing = wanted.saturating_sub(there.len());
        if phrase.count.is_some() {
            let surplus: Vec<String> = there.iter().skip(wanted).flatten().cloned().collect();
            self.world.things.retain(|thing| !surplus.contains(&thing.id));
        }
        if missing == 0 {
            return Ok(());
        }
        let told = phrase.pattern.is_some() || !phrase.places.is_empty();
        if let ([Place::Relative { relation, target, metres }], None) =
            (phrase.places.as_slice(), phrase.pattern)
            && let [under @ Phrase { determiner: Determiner::Bare, plural: true, .. }] =
                target.0.as_slice()
        {
            // "statues on pedestals": each on one of its own.
            let one = Phrase { determiner: Determiner::A, plural: false, ..under.clone() };
            let (relation, metres) = (*relation, *metres);
            let place = Place::Relative { relation, target: Target::of(one), metres };
            let alone =
                Phrase { count: None, plural: false, places: vec![place], ..phrase.clone() };
            for _ in 0..missing.min(MOST_ADDED) {
                self.made(&alone)?;
            }
            return Ok(());
        }
        if told {
            let count = phrase.count.map(|_| missing);
            self.made(&Phrase { count, ..phrase.clone() })?;
            return Ok(());
        }
        for _ in 0..missing.min(MOST_ADDED) {
            let one = Phrase { count: None, plural: false, ..phrase.clone() };
            if self.made(&one)?.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Makes a thing; none where it cannot be built, which is said.
    fn made(&mut self, phrase: &Phrase) -> Result<Option<Vec<String>>, Problem> {
        if let Some(Noun::Later(word)) = &phrase.head {
            if let Problem::Cannot(text) = crate::plan::cannot_build(word) {
                self.sayings.push(Saying::Refused(text));
            }
            return Ok(None);
        }
        let before = self.world.clone();
        match self.make(phrase) {
            Ok(ids) => Ok(Some(ids)),
            Err(Problem::Cannot(text)) => {
                self.world = before;
                self.sayings.push(Saying::Refused(text));
                Ok(None)
            }
            Err(_) => {
                self.world = before;
                self.remark(format!("I left out “{}”.", phrase.text()));
                Ok(None)
            }
        }
    }

    /// The things of the scene that go by one of the names of what a phrase says.
    fn likenesses(&self, phrase: &Phrase) -> Vec<Vec<String>> {
        let names: Vec<Vec<String>> = match &phrase.head {
            Some(Noun::Assembly(assembly)) => match catalogue().find(assembly.0) {
                Some(object) => object.names().iter().map(|name| id_words(name)).collect(),
                None => return Vec::new(),
            },
            Some(Noun::Later(word) | Noun::Named(word)) => {
                vec![id_like(std::slice::from_ref(word))]
            }
            Some(Noun::Wall) => vec![vec!["wall".to_owned()]],
            Some(Noun::Floor) => vec![vec!["floor".to_owned()], vec!["ground".to_owned()]],
            _ => return Vec::new(),
        };
        let mut found: Vec<(String, Vec<String>)> = Vec::new();
        for thing in &self.world.things {
            let unit = thing.group.as_deref().unwrap_or(&thing.id);
            let own = id_words(unit);
            if names.iter().any(|name| name.iter().all(|word| own.contains(word))) {
                match found.iter_mut().find(|(known, _)| known == unit) {
                    Some((_, ids)) => ids.push(thing.id.clone()),
                    None => found.push((unit.to_owned(), vec![thing.id.clone()])),
                }
            }
        }
        found.into_iter().map(|(_, ids)| ids).collect()
    }
}

/// The most things of a kind that are added to a scene one by one.
const MOST_ADDED: usize = 20;

/// What a phrase says of colour and material.
fn looks(phrase: &Phrase) -> Vec<Change> {
    match (phrase.finish, phrase.colours.first()) {
        (Some(finish), Some(colour)) => vec![Change::Look(finish, colour.clone())],
        (Some(finish), None) => vec![Change::Finish(finish)],
        (None, Some(colour)) => vec![Change::Colour(colour.clone())],
        (None, None) => Vec::new(),
    }
}
