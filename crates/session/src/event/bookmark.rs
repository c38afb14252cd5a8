//! Bookmarks: cameras that the people of a session come back to.

use scene::Camera;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The most bookmarks of a session.
const MAX_BOOKMARKS: usize = 100;
/// The most characters of a name.
const MAX_NAME: usize = 60;

/// A camera with a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bookmark {
    /// The name.
    pub name: String,
    /// The camera, as in scene files.
    pub camera: Value,
}

impl Bookmark {
    /// The bookmarks with shown names and whole cameras, or what is wrong with them.
    pub(crate) fn checked(bookmarks: Vec<Self>) -> Result<Vec<Self>, String> {
        if bookmarks.len() > MAX_BOOKMARKS {
            let count = bookmarks.len();
            return Err(format!(
                "a session may have at most {MAX_BOOKMARKS} bookmarks, got {count}; remove some"
            ));
        }
        (1..).zip(bookmarks).map(|(number, bookmark)| bookmark.checked_one(number)).collect()
    }

    fn checked_one(self, number: usize) -> Result<Self, String> {
        let name = self.name.trim();
        if name.chars().count() > MAX_NAME || name.contains(char::is_control) {
            return Err(format!(
                "the 'name' of bookmark {number} must be a line of 1 to {MAX_NAME} characters"
            ));
        }
        let name = scene::shown(name);
        if name.trim().is_empty() {
            return Err(format!("bookmark {number} needs a 'name' that is seen"));
        }
        match Camera::from_json(&self.camera) {
            Ok(camera) => Ok(Self { name, camera: camera.to_json() }),
            Err(violations) => Err(format!("bookmark {number}: {violations}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn bookmark(name: &str, camera: Value) -> Bookmark {
        Bookmark { name: name.into(), camera }
    }

    fn at(x: f64) -> Value {
        json!({ "center": [x, 1, 5], "look_at": [0, 0, 0] })
    }

    #[test]
    fn names_are_trimmed_and_cameras_completed() {
        let checked = Bookmark::checked(vec![bookmark("  From above ", at(1.0))]).unwrap();
        assert_eq!(checked[0].name, "From above");
        assert!(checked[0].camera["vfov"].is_number());
    }

    #[test]
    fn faults_name_the_bookmark() {
        let fault = |list: Vec<Bookmark>| Bookmark::checked(list).unwrap_err();
        let nameless = vec![bookmark("a", at(1.0)), bookmark(" \u{200b}", at(2.0))];
        assert!(fault(nameless).contains("bookmark 2"));
        assert!(fault(vec![bookmark("a\nb", at(1.0))]).contains("'name' of bookmark 1"));
        assert!(fault(vec![bookmark(&"x".repeat(61), at(1.0))]).contains("60 characters"));
        let camera = fault(vec![bookmark("a", json!({ "center": 5 }))]);
        assert!(camera.starts_with("bookmark 1: ") && camera.contains("'center'"), "{camera}");
        assert!(fault(vec![bookmark("a", at(1.0)); 101]).contains("at most 100"));
    }
}
