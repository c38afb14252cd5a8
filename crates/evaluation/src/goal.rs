//! Goals: dialogues with expectations after each message, several in one TOML file.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use scene::{Scene, Violations};
use serde::Deserialize;

use crate::expectation::{Expectation, ExpectationError};

/// A dialogue with its expectations.
#[derive(Debug, Clone)]
pub struct Goal {
    /// Its name, unique in its file: by default the first message.
    pub name: String,
    /// Its category: by default the name of its file.
    pub category: String,
    /// Its file.
    pub file: PathBuf,
    /// The initial scene.
    pub start: Scene,
    /// The messages, at least one.
    pub dialogue: Vec<Message>,
}

/// A message of the user.
#[derive(Debug, Clone)]
pub struct Message {
    /// The text.
    pub say: String,
    /// The ids of the selected objects.
    pub selection: Vec<String>,
    /// The expectations after it.
    pub expect: Vec<Expectation>,
}

/// An error in goals.
#[derive(Debug, thiserror::Error)]
pub enum GoalError {
    /// A file or a folder cannot be read.
    #[error("cannot read '{path}': {reason}")]
    Unreadable {
        /// The path.
        path: String,
        /// The error of the system.
        reason: std::io::Error,
    },
    /// A folder has no goals in it.
    #[error(
        "there are no goals at '{0}': name a .toml file, or a folder that holds some, with --goals"
    )]
    None(String),
    /// A file is not a valid goals file.
    #[error("'{path}' is not a file of goals: {reason}")]
    Malformed {
        /// The path.
        path: String,
        /// The problem.
        reason: String,
    },
    /// A goal is invalid.
    #[error("'{path}', goal '{goal}': {reason}")]
    Goal {
        /// The file.
        path: String,
        /// The goal.
        goal: String,
        /// The problem.
        reason: String,
    },
    /// The initial scene of a goal is invalid.
    #[error("'{path}', the scene '{scene}': {violations}")]
    Scene {
        /// The file of goals.
        path: String,
        /// The scene's file.
        scene: String,
        /// All its errors.
        violations: Violations,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoalsFile {
    category: Option<String>,
    scene: Option<String>,
    goal: Vec<GoalEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoalEntry {
    name: Option<String>,
    category: Option<String>,
    scene: Option<String>,
    /// A goal with one message may have it here.
    say: Option<String>,
    #[serde(default)]
    selection: Vec<String>,
    #[serde(default)]
    expect: Vec<String>,
    #[serde(default)]
    dialogue: Vec<MessageEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MessageEntry {
    say: String,
    #[serde(default)]
    selection: Vec<String>,
    #[serde(default)]
    expect: Vec<String>,
}

/// The goals of a `.toml` file, or of all such files in a folder, in the order of their names.
pub fn goals(path: &Path) -> Result<Vec<Goal>, GoalError> {
    let mut goals = Vec::new();
    for (file, text) in files(path)? {
        goals.extend(read(&file, &text)?);
    }
    if goals.is_empty() { Err(GoalError::None(path.display().to_string())) } else { Ok(goals) }
}

/// The text of a `.toml` file, or of all such files in a folder, in the order of their names.
pub(crate) fn files(path: &Path) -> Result<Vec<(PathBuf, String)>, GoalError> {
    let unreadable =
        |path: &Path, reason| GoalError::Unreadable { path: path.display().to_string(), reason };
    let files = if path.is_dir() {
        let entries = std::fs::read_dir(path).map_err(|reason| unreadable(path, reason))?;
        let mut files: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|file| file.extension().is_some_and(|ending| ending == "toml"))
            .collect();
        files.sort();
        files
    } else {
        vec![path.to_owned()]
    };
    let text = |file: PathBuf| match std::fs::read_to_string(&file) {
        Ok(text) => Ok((file, text)),
        Err(reason) => Err(unreadable(&file, reason)),
    };
    files.into_iter().map(text).collect()
}

/// The goals of one file whose content is `text`.
fn read(file: &Path, text: &str) -> Result<Vec<Goal>, GoalError> {
    let path = file.display().to_string();
    let read: GoalsFile = toml::from_str(text).map_err(|reason| GoalError::Malformed {
        path: path.clone(),
        reason: reason.to_string(),
    })?;
    let of_file =
        file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let category = read.category.unwrap_or(of_file);
    let mut names = HashSet::new();
    let mut goals = Vec::with_capacity(read.goal.len());
    for entry in read.goal {
        let start = match entry.scene.as_ref().or(read.scene.as_ref()) {
            Some(scene) => load(file, scene)?,
            None => Scene::default(),
        };
        let goal = entry.goal(file, &category, start)?;
        if !names.insert(goal.name.clone()) {
            let reason = "there is another goal of this name; give one of them a 'name'".into();
            return Err(GoalError::Goal { path, goal: goal.name, reason });
        }
        goals.push(goal);
    }
    Ok(goals)
}

/// Loads a scene; its path is relative to the goals file.
pub(crate) fn load(goals: &Path, scene: &str) -> Result<Scene, GoalError> {
    let file = goals.parent().unwrap_or(Path::new("")).join(scene);
    let text = std::fs::read_to_string(&file)
        .map_err(|reason| GoalError::Unreadable { path: file.display().to_string(), reason })?;
    Scene::from_json_text(&text).map_err(|violations| GoalError::Scene {
        path: goals.display().to_string(),
        scene: scene.to_owned(),
        violations,
    })
}

impl GoalEntry {
    fn goal(self, file: &Path, category: &str, start: Scene) -> Result<Goal, GoalError> {
        let first =
            self.say.clone().or_else(|| self.dialogue.first().map(|message| message.say.clone()));
        let name = self.name.or(first).unwrap_or_default();
        let error = |reason: String| GoalError::Goal {
            path: file.display().to_string(),
            goal: name.clone(),
            reason,
        };
        let dialogue = match (self.say, self.dialogue) {
            (Some(say), dialogue) if dialogue.is_empty() => {
                vec![MessageEntry { say, selection: self.selection, expect: self.expect }]
            }
            (None, dialogue) if !dialogue.is_empty() && self.expect.is_empty() => dialogue,
            _ => {
                let rule =
                    "has either 'say' and 'expect', or a 'dialogue' of messages that have them";
                return Err(error(rule.into()));
            }
        };
        if dialogue.iter().all(|message| message.expect.is_empty()) {
            return Err(error("expects nothing: it could not fail".into()));
        }
        let messages: Result<Vec<Message>, ExpectationError> =
            dialogue.into_iter().map(MessageEntry::message).collect();
        let dialogue = messages.map_err(|wrong| error(wrong.to_string()))?;
        Ok(Goal {
            category: self.category.unwrap_or_else(|| category.to_owned()),
            file: file.to_owned(),
            name,
            start,
            dialogue,
        })
    }
}

impl MessageEntry {
    fn message(self) -> Result<Message, ExpectationError> {
        let expect: Result<_, _> =
            self.expect.iter().map(|text| Expectation::parse(text)).collect();
        Ok(Message { say: self.say, selection: self.selection, expect: expect? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read(Path::new("evals/shapes.toml"), text).unwrap_err().to_string()
    }

    #[test]
    fn one_message_and_dialogues_are_read() {
        let text = r#"
            [[goal]]
            say = "a red ball"
            expect = ["1 red sphere", "tidy"]

            [[goal]]
            name = "bigger"
            category = "size"
            dialogue = [
              { say = "a ball", expect = ["1 sphere"] },
              { say = "bigger", selection = ["ball"], expect = ["sphere grew"] },
            ]
        "#;
        let goals = read(Path::new("evals/shapes.toml"), text).unwrap();
        assert_eq!((&*goals[0].name, &*goals[0].category), ("a red ball", "shapes"));
        assert_eq!(goals[0].dialogue[0].expect[1].as_str(), "tidy");
        assert_eq!((&*goals[1].category, goals[1].dialogue.len()), ("size", 2));
        assert_eq!(goals[1].dialogue[1].selection, ["ball"]);
    }

    #[test]
    fn what_is_wrong_with_goals_is_told() {
        for (text, words) in [
            ("[[goal]]\nsay = 1", "not a file of goals"),
            ("[[goal]]\nsays = 'x'", "says"),
            ("[[goal]]\nsay = 'x'", "expects nothing"),
            ("[[goal]]\nname = 'x'", "either 'say'"),
            ("[[goal]]\nsay = 'x'\nexpect = ['1 spere']", "did you mean 'sphere'"),
            (
                "[[goal]]\nsay = 'x'\nexpect = ['tidy']\n[[goal]]\nsay = 'x'\nexpect = ['tidy']",
                "another goal",
            ),
            (
                "[[goal]]\nsay = 'x'\nscene = 'no.json'\nexpect = ['tidy']",
                "cannot read 'evals/no.json'",
            ),
        ] {
            let error = error(text);
            assert!(error.contains(words), "{text}: {error}");
        }
        let nowhere = goals(Path::new("no-such-place.toml")).unwrap_err().to_string();
        assert!(nowhere.contains("no-such-place.toml"), "{nowhere}");
    }
}
