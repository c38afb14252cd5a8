//! Files that use each other, directly or around some corners.

use std::collections::{BTreeMap, BTreeSet};

use crate::arrows::Arrow;

/// Files each of which reaches every other by arrows, and the arrows between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circle {
    /// The files, sorted.
    pub files: Vec<String>,
    /// Every arrow from one of them to another.
    pub arrows: Vec<Arrow>,
}

/// The strongly connected components of more than one file, by their first file.
pub fn circles(arrows: &[Arrow]) -> Vec<Circle> {
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for arrow in arrows {
        uses.entry(&arrow.from).or_default().insert(&arrow.to);
    }
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        uses.keys().map(|file| (*file, reached(file, &uses))).collect();
    let mutual = |a: &str, b: &str| {
        reach.get(a).is_some_and(|files| files.contains(b))
            && reach.get(b).is_some_and(|files| files.contains(a))
    };
    let mut seen = BTreeSet::new();
    let mut circles = Vec::new();
    for file in uses.keys() {
        if !mutual(file, file) || seen.contains(file) {
            continue;
        }
        let files: Vec<&str> = reach[file].iter().copied().filter(|b| mutual(file, b)).collect();
        seen.extend(files.iter().copied());
        circles.push(Circle {
            arrows: arrows
                .iter()
                .filter(|arrow| files.contains(&&*arrow.from) && files.contains(&&*arrow.to))
                .cloned()
                .collect(),
            files: files.into_iter().map(String::from).collect(),
        });
    }
    circles
}

/// Every file that one reaches by at least one arrow.
fn reached<'a>(file: &str, uses: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut next: Vec<&str> = uses.get(file).into_iter().flatten().copied().collect();
    while let Some(file) = next.pop() {
        if found.insert(file) {
            next.extend(uses.get(file).into_iter().flatten());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> Vec<Vec<String>> {
        let arrows: Vec<Arrow> = pairs
            .iter()
            .map(|(from, to)| Arrow {
                from: (*from).into(),
                to: (*to).into(),
                line: 1,
                name: "x".into(),
            })
            .collect();
        circles(&arrows).into_iter().map(|circle| circle.files).collect()
    }

    #[test]
    fn a_tree_has_none() {
        assert!(of(&[("a", "b"), ("a", "c"), ("b", "c")]).is_empty());
    }

    #[test]
    fn two_circles_are_told_apart_though_one_leads_to_the_other() {
        let arrows = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "d")];
        assert_eq!(of(&arrows), [vec!["a", "b", "c"], vec!["d", "e"]]);
    }
}
