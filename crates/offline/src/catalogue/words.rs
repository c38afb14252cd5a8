//! Finding by words.

/// The most words a name has.
pub(super) const LONGEST: usize = 4;

/// The thing one of whose names these words are, in any case, singular or plural.
pub(super) fn find<'a, T>(
    words: &str,
    things: &'a [T],
    names: impl Fn(&'a T) -> &'a [String],
) -> Option<&'a T> {
    let plain = plain(words);
    let mut wanted = vec![plain.clone()];
    wanted.extend(singulars(&plain));
    wanted.iter().find_map(|wanted| {
        things.iter().find(|thing| names(thing).iter().any(|name| plain_name(name) == *wanted))
    })
}

fn plain(words: &str) -> String {
    let words = words.to_lowercase().replace(['-', '_'], " ");
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn plain_name(name: &str) -> String {
    name.replace('-', " ")
}

/// What the last word may be the plural of.
fn singulars(words: &str) -> Vec<String> {
    let endings =
        [("men", "man"), ("ies", "y"), ("ves", "f"), ("ves", "fe"), ("es", ""), ("s", "")];
    endings
        .into_iter()
        .filter_map(|(plural, singular)| {
            let stem = words.strip_suffix(plural)?;
            (stem.len() > 1).then(|| format!("{stem}{singular}"))
        })
        .collect()
}
