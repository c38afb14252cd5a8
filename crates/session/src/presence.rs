//! Who looks at a session now, and what each has selected. Nothing of it is kept: it is no part of the log.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;

/// Somebody who looks at a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Unique in the session while the server runs.
    pub id: u64,
    /// What they call themselves; may be empty.
    pub name: String,
    /// Whether they may edit.
    pub can_edit: bool,
    /// Ids of the objects they selected.
    pub selection: Vec<String>,
}

/// Everybody who looks at a session, in the order they came.
pub type People = Arc<[Arc<Person>]>;

/// The people of one session.
#[derive(Debug)]
pub struct Presence {
    people: watch::Sender<People>,
    next_id: AtomicU64,
}

impl Default for Presence {
    fn default() -> Self {
        Self { people: watch::Sender::new(Arc::from([])), next_id: AtomicU64::new(1) }
    }
}

impl Presence {
    /// Adds somebody, who leaves when the result is dropped.
    pub fn join(self: &Arc<Self>, can_edit: bool) -> Present {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let person = Person { id, name: String::new(), can_edit, selection: Vec::new() };
        self.people.send_modify(|people| {
            *people = people.iter().cloned().chain([Arc::new(person)]).collect();
        });
        Present { presence: Arc::clone(self), id }
    }

    /// Follows who is there; changes that come faster than they are read are seen as one.
    pub fn follow(&self) -> watch::Receiver<People> {
        self.people.subscribe()
    }
}

/// A place among the people of a session.
#[derive(Debug)]
pub struct Present {
    presence: Arc<Presence>,
    id: u64,
}

impl Present {
    /// The id of this person.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Tells the others another name or selection; what is `None` stays.
    pub fn tell(&self, name: Option<String>, selection: Option<Vec<String>>) {
        self.presence.people.send_if_modified(|people| {
            let Some(mine) = people.iter().find(|person| person.id == self.id) else {
                return false;
            };
            let mut changed = Person::clone(mine);
            changed.name = name.unwrap_or(changed.name);
            changed.selection = selection.unwrap_or(changed.selection);
            if changed == **mine {
                return false;
            }
            let changed = Arc::new(changed);
            *people = people
                .iter()
                .map(|person| Arc::clone(if person.id == self.id { &changed } else { person }))
                .collect();
            true
        });
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        self.presence.people.send_modify(|people| {
            *people = people.iter().filter(|person| person.id != self.id).cloned().collect();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(people: &People) -> Vec<&str> {
        people.iter().map(|person| person.name.as_str()).collect()
    }

    #[test]
    fn people_come_change_and_leave() {
        let presence = Arc::new(Presence::default());
        let mut followed = presence.follow();
        let first = presence.join(true);
        let second = presence.join(false);
        assert_ne!(first.id(), second.id());
        first.tell(Some("Ada".into()), Some(vec!["vase".into()]));
        second.tell(Some("Ben".into()), None);
        let people = followed.borrow_and_update().clone();
        assert_eq!(names(&people), ["Ada", "Ben"]);
        assert_eq!(people[0].selection, ["vase"]);
        assert!(people[0].can_edit && !people[1].can_edit);
        drop(first);
        assert!(followed.has_changed().is_ok_and(|changed| changed));
        assert_eq!(names(&followed.borrow_and_update().clone()), ["Ben"]);
    }

    #[test]
    fn saying_the_same_again_tells_nobody() {
        let presence = Arc::new(Presence::default());
        let person = presence.join(true);
        person.tell(Some("Ada".into()), None);
        let mut followed = presence.follow();
        followed.mark_unchanged();
        person.tell(Some("Ada".into()), Some(Vec::new()));
        assert!(followed.has_changed().is_ok_and(|changed| !changed));
    }
}
