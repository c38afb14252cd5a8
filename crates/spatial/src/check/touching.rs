//! What bodies touch.

use std::cell::OnceCell;

use crate::solid::Relation;
use crate::space::Space;

/// What each body touches or overlaps, and how it lies to it; found when it is asked for.
pub(super) struct Touching<'s, 'a> {
    space: &'s Space<'a>,
    known: Vec<OnceCell<Vec<(usize, Relation)>>>,
}

impl<'s, 'a> Touching<'s, 'a> {
    /// Nothing is known yet.
    pub(super) fn new(space: &'s Space<'a>) -> Self {
        Self { space, known: vec![OnceCell::new(); space.bodies().len()] }
    }

    /// Of all pairs that touch, as [`Space::all_contacts`] has them.
    pub(super) fn all(space: &'s Space<'a>, contacts: &[(usize, usize, Relation)]) -> Self {
        let mut lists = vec![Vec::new(); space.bodies().len()];
        for (one, other, relation) in contacts {
            lists[*one].push((*other, *relation));
            lists[*other].push((*one, relation.reversed()));
        }
        Self { space, known: lists.into_iter().map(OnceCell::from).collect() }
    }

    /// What the body at `at` touches.
    pub(super) fn of(&self, at: usize) -> &[(usize, Relation)] {
        self.known[at].get_or_init(|| {
            let solid = &self.space.bodies()[at].solid;
            let near = self.space.near(solid.extent(), solid.contact_tolerance()).into_iter();
            // The lower place first, as in the list of all contacts.
            let contact = |other: usize| match other > at {
                true => self.space.contact(at, other),
                false => self.space.contact(other, at).map(Relation::reversed),
            };
            let others = near.filter(|other| *other != at);
            others.filter_map(|other| Some((other, contact(other)?))).collect()
        })
    }
}
