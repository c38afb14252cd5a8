//! What becomes of tracks when the things they are about change.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::document::Scene;
use crate::id::Id;
use crate::violations::ReadErrors;

use super::check::Target;
use super::track::{Key, Keys, Track};
use super::value::KeyValue;
use super::{Animation, Tracks};

impl Scene {
    /// Lets the tracks follow a thing that has another id now.
    pub(crate) fn rename_in_animation(&mut self, old: &Id, new: &Id) {
        let Some(animation) = &self.animation else { return };
        let key = |key: &Key| match &key.value {
            KeyValue::Text(id) if id == old.as_str() => {
                Key { value: KeyValue::Text(new.as_str().to_owned()), ..key.clone() }
            }
            _ => key.clone(),
        };
        let renamed = |track: &Track| {
            let target = if track.target == *old { new.clone() } else { track.target.clone() };
            let keys = Keys::new(track.keys.get().iter().map(key).collect());
            Track { target, keys: keys.unwrap_or_else(|| track.keys.clone()), ..track.clone() }
        };
        let tracks = Tracks::of(animation.tracks.get().iter().map(renamed));
        self.animation = Some(Arc::new(Animation { tracks, ..(**animation).clone() }));
    }

    /// Lets the tracks of a group follow when all that was in it is in a new one, and drops those that
    /// do not fit any more since the scene was `before`: of things that were removed, and of properties
    /// that they have no longer. Without tracks there is no animation.
    pub(crate) fn settle_animation(&mut self, before: &Self) {
        for (old, new) in self.renamed_groups(before) {
            self.rename_in_animation(&old, &new);
        }
        let Some(animation) = &self.animation else { return };
        let stays = |track: &&Track| self.is_as_before(track, before) || self.fits(track);
        let tracks: Vec<Track> = animation.tracks.get().iter().filter(stays).cloned().collect();
        if tracks.len() == animation.tracks.get().len() {
            return;
        }
        let animation = Animation { tracks: Tracks::of(tracks), ..(**animation).clone() };
        self.animation = (!animation.tracks.get().is_empty()).then(|| Arc::new(animation));
    }

    /// The groups with tracks whose members are all in one group now that was not there before.
    fn renamed_groups(&self, before: &Self) -> Vec<(Id, Id)> {
        let tracks = self.animation.iter().flat_map(|animation| animation.tracks.get());
        let targets: BTreeSet<&Id> = tracks.map(|track| &track.target).collect();
        let is_group = |id: &&Id| matches!(Target::of(before, id.as_str()), Some(Target::Group));
        let renamed = targets.into_iter().filter(is_group).filter_map(|old| {
            let now = parents(self);
            let members = parents(before).into_iter().filter(|(_, parent)| *parent == old);
            let mut new = members.map(|(member, _)| now.get(member).copied());
            let first = new.next()??;
            let is_new = first != old && before.group_ids().all(|id| id != first.as_str());
            (is_new && new.all(|group| group == Some(first))).then(|| (old.clone(), first.clone()))
        });
        renamed.collect()
    }

    fn fits(&self, track: &Track) -> bool {
        let mut errors = ReadErrors::default();
        self.check_track(track, &mut errors);
        errors.finish(Some(())).is_ok()
    }

    /// Whether what a track is about has not changed, so that it need not be checked again.
    fn is_as_before(&self, track: &Track, before: &Self) -> bool {
        let is_text = |key: &Key| matches!(key.value, KeyValue::Text(_));
        if track.keys.get().iter().any(is_text) {
            return false;
        }
        let target = track.target.as_str();
        match (Target::of(self, target), Target::of(before, target)) {
            (Some(Target::Shape(now)), Some(Target::Shape(then))) => Arc::ptr_eq(now, then),
            (Some(Target::Light(now)), Some(Target::Light(then))) => Arc::ptr_eq(now, then),
            (Some(Target::Material(now)), Some(Target::Material(then))) => now == then,
            (Some(Target::Camera), _) => self.camera == before.camera,
            (Some(Target::Environment), _) => self.environment == before.environment,
            (Some(Target::Group), Some(Target::Group)) => true,
            _ => false,
        }
    }
}

/// The group that each shape, light and group is directly in.
fn parents(scene: &Scene) -> HashMap<&Id, &Id> {
    let shapes = scene.shapes.iter().filter_map(|shape| Some((&shape.id, shape.group.as_ref()?)));
    let lights = scene.lights.iter().filter_map(|light| Some((&light.id, light.group.as_ref()?)));
    let groups = scene.groups.iter().filter_map(|group| Some((&group.id, group.parent.as_ref()?)));
    shapes.chain(lights).chain(groups).collect()
}
