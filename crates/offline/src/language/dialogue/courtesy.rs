//! Courtesies before a wish: "ok, now could you please".

/// What stands before a wish and says nothing.
const COURTESIES: [&str; 17] = [
    "could you",
    "can you",
    "would you",
    "will you",
    "please",
    "kindly",
    "now",
    "and",
    "then",
    "okay",
    "ok",
    "so",
    "well",
    "oh",
    "hmm",
    "hm",
    "also",
];

/// A sentence without the courtesies it begins with: "ok, now could you please ...".
pub(in crate::language) fn without_courtesy(said: &str) -> &str {
    let mut rest = said.trim_start();
    while let Some(length) = COURTESIES.iter().find_map(|word| {
        let begins = rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        (begins && rest[word.len()..].starts_with([' ', ','])).then_some(word.len())
    }) {
        rest = rest[length..].trim_start_matches([' ', ',']);
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn courtesies_go_and_the_wish_stays() {
        for (said, wish) in [
            ("OK, now could you please turn it", "turn it"),
            ("nowhere near the box", "nowhere near the box"),
            ("andré please", "andré please"),
            ("please", "please"),
            ("so, the red one", "the red one"),
        ] {
            assert_eq!(without_courtesy(said), wish, "{said}");
        }
    }
}
