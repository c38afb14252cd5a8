//! Search by words: names, synonyms, categories, the nearest object where none has the name.

use std::sync::Arc;

use crate::catalogue::Catalogue;
use crate::object::Object;
use crate::own::OwnObject;
use crate::theme::Theme;
use crate::words::{Category, is_plural_of, normalised};

/// An object that a search found.
#[derive(Debug, Clone, Copy)]
pub struct Match<'a> {
    /// The object.
    pub object: &'a Object,
    /// Whether it only stands in for what was asked for: a crab for a lobster.
    pub stands_in: bool,
}

/// How well a name fits, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// It is the words.
    Exact,
    /// All of the words are in it, and nearly nothing else; the number counts what else.
    AllWords(usize),
    /// A word of it begins with the words: "lap" of "laptop".
    Prefix,
    /// The object belongs to the category that the words name.
    Category,
    /// It is spelled almost so.
    Similar,
    /// Some of the words are in it, as the lamp of "brass lamp"; the numbers count the words that are
    /// not, and what else is in it.
    SomeWords(usize, usize),
    /// There is nothing of the name, and this is nearest.
    StandIn,
}

/// What a search of the catalogue and of a user's own objects found.
#[derive(Debug, Clone, Copy)]
pub enum Found<'a> {
    /// One of the catalogue.
    BuiltIn(Match<'a>),
    /// One of the user's own.
    Own(&'a OwnObject),
}

impl Found<'_> {
    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Self::BuiltIn(found) => found.object.name(),
            Self::Own(object) => object.name(),
        }
    }
}

impl Catalogue {
    /// The objects that fit `words`, the best first; all objects for no words. With a `category`, only
    /// those of it.
    pub fn search(&self, words: &str, category: Option<&Category>) -> Vec<Match<'_>> {
        let found = self.search_with(&[], words, category).into_iter();
        let built_in = found.filter_map(|found| match found {
            Found::BuiltIn(found) => Some(found),
            Found::Own(_) => None,
        });
        built_in.collect()
    }

    /// The same among the catalogue's objects and a user's `own`, which come first where both fit as well.
    pub fn search_with<'a>(
        &'a self,
        own: &'a [Arc<OwnObject>],
        words: &str,
        category: Option<&Category>,
    ) -> Vec<Found<'a>> {
        let words = normalised(words);
        let named = self.category(&words).map(|(found, _)| found);
        let own = own.iter().filter_map(|object| {
            let sorted_into = object.about().category.as_deref();
            let sorted_into = sorted_into.and_then(|name| self.category_named(name).ok());
            let is_in = |category: &Category| {
                sorted_into.is_some_and(|sorted_into| std::ptr::eq(sorted_into, category))
            };
            if !category.is_none_or(is_in) {
                return None;
            }
            let by_name = object.names().iter().filter_map(|name| fit(name, &words)).min();
            let by_category = named.is_some_and(is_in).then_some(Fit::Category);
            let fit = by_name.into_iter().chain(by_category).min()?;
            Some((fit, Found::Own(object)))
        });
        let mut found: Vec<(Fit, Found<'a>)> =
            own.chain(self.fitting(&words, named, category)).collect();
        found.sort_by_key(|(fit, _)| *fit);
        // What is merely similar helps only where nothing fits.
        let best = found.first().map_or(Fit::StandIn, |(fit, _)| *fit);
        if best < Fit::Similar {
            found.retain(|(fit, _)| *fit < Fit::Similar);
        }
        found.into_iter().map(|(_, found)| found).collect()
    }

    fn fitting<'a>(
        &'a self,
        words: &str,
        named: Option<&'a Category>,
        category: Option<&Category>,
    ) -> impl Iterator<Item = (Fit, Found<'a>)> {
        let named = named.map_or(&[][..], Category::objects);
        let only = category.map(Category::objects);
        let stand_in = self.stand_in(words).map(Object::name);
        self.objects().iter().filter_map(move |object| {
            if !only.is_none_or(|only| is_listed(only, object)) {
                return None;
            }
            let by_name = object.names().iter().filter_map(|name| fit(name, words)).min();
            let by_category = is_listed(named, object).then_some(Fit::Category);
            let nearest = (stand_in == Some(object.name())).then_some(Fit::StandIn);
            let fit = by_name.into_iter().chain(by_category).chain(nearest).min()?;
            let stands_in = matches!(fit, Fit::StandIn);
            Some((fit, Found::BuiltIn(Match { object, stands_in })))
        })
    }

    /// The themed scenes that fit `words`, the best first.
    pub fn search_themes(&self, words: &str) -> Vec<&Theme> {
        let words = normalised(words);
        let mut found: Vec<(Fit, &Theme)> = self
            .themes()
            .iter()
            .filter_map(|theme| {
                let fits = theme.names().iter().filter_map(|name| fit(name, &words));
                fits.min().filter(|fit| *fit < Fit::Category).map(|fit| (fit, theme))
            })
            .collect();
        found.sort_by_key(|(fit, _)| *fit);
        found.into_iter().map(|(_, theme)| theme).collect()
    }

    /// The names of the categories that an object belongs to.
    pub fn categories_of(&self, object: &Object) -> Vec<&str> {
        let categories = self.named_categories();
        let of_it = categories.filter(|(_, category)| is_listed(category.objects(), object));
        of_it.map(|(name, _)| name).collect()
    }
}

fn is_listed(names: &[String], object: &Object) -> bool {
    names.iter().any(|name| name == object.name())
}

fn fit(name: &str, words: &str) -> Option<Fit> {
    if words.is_empty() {
        return Some(Fit::AllWords(0));
    }
    let name = normalised(name);
    let is_glued = || name.replace(' ', "") == words.replace(' ', "");
    if is_plural_of(words, &name) || is_glued() {
        return Some(Fit::Exact);
    }
    let of_name: Vec<&str> = name.split(' ').collect();
    let has = |word: &str| of_name.iter().any(|own| *own == word || is_plural_of(word, own));
    let asked: Vec<&str> = words.split(' ').collect();
    if asked.iter().all(|word| has(word)) {
        return Some(Fit::AllWords(of_name.len().saturating_sub(asked.len())));
    }
    if of_name.iter().any(|own| own.starts_with(words)) || name.starts_with(words) {
        return Some(Fit::Prefix);
    }
    // Two letters of five and more: shorter words are too often other words.
    let slips = match words.len() {
        0..5 => 0,
        5..7 => 1,
        _ => 2,
    };
    if slips > 0 && strsim::osa_distance(&name, words) <= slips {
        return Some(Fit::Similar);
    }
    let fitting = asked.iter().filter(|word| word.len() > 2 && has(word)).count();
    let rest = (asked.len() - fitting, of_name.len().saturating_sub(fitting));
    (fitting > 0).then_some(Fit::SomeWords(rest.0, rest.1))
}

#[cfg(test)]
mod tests {
    use crate::catalogue;

    fn first(words: &str) -> Option<(&'static str, bool)> {
        let found = catalogue().search(words, None);
        found.first().map(|found| (found.object.name(), found.stands_in))
    }

    #[test]
    fn objects_are_found_by_name_synonym_plural_and_slip() {
        for (words, name) in [
            ("armchair", "armchair"),
            ("Arm-Chairs", "armchair"),
            ("easy chair", "armchair"),
            ("bycicle", "bicycle"),
            ("helicoptr", "helicopter"),
            ("teddybear", "teddy bear"),
            ("lapt", "laptop"),
            ("old brass table lamp", "table lamp"),
        ] {
            let found = catalogue().search(words, None);
            let names: Vec<&str> = found.iter().map(|found| found.object.name()).collect();
            assert!(names.iter().take(3).any(|found| *found == name), "{words}: {names:?}");
        }
        assert_eq!(first("armchair"), Some(("armchair", false)));
        assert_eq!(first("qwertzuiop"), None);
    }

    #[test]
    fn a_category_finds_its_members_and_bounds_a_search() {
        let category = catalogue().category_named("Furniture").unwrap();
        let found = catalogue().search("furniture", None);
        let members: Vec<&str> = category.objects().iter().map(String::as_str).collect();
        assert!(found.len() >= members.len());
        let only = catalogue().search("", Some(category));
        assert_eq!(only.len(), members.len());
        let lamps = catalogue().search("lamp", Some(category));
        assert!(lamps.iter().all(|lamp| members.contains(&lamp.object.name())));
    }

    #[test]
    fn what_nobody_made_finds_the_nearest_and_says_so() {
        let (word, object) = catalogue().stand_ins().next().unwrap();
        let found = catalogue().search(word, None);
        let nearest = found.iter().find(|found| found.object.name() == object.name()).unwrap();
        assert!(nearest.stands_in, "{word}");
        for (word, _) in catalogue().stand_ins() {
            assert!(!catalogue().search(word, None).is_empty(), "{word}");
        }
    }

    #[test]
    fn every_name_finds_its_own_object_first() {
        for object in catalogue().objects() {
            let own = first(object.name()).map(|(name, _)| name);
            assert_eq!(own, Some(object.name()), "{}", object.name());
        }
    }

    #[test]
    fn scenes_are_found_by_name() {
        assert_eq!(catalogue().search_themes("living room")[0].name(), "living room");
    }
}
