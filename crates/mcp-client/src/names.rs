//! Unique tool names that every provider accepts.

use std::collections::{BTreeSet, HashMap};

/// The longest name that every provider accepts.
pub(crate) const MAX_NAME: usize = 64;

/// A tool's server and its own name.
pub(crate) type Pair<'a> = (&'a str, &'a str);

/// A unique name for each tool: `server_tool` in ASCII, beginning with a letter or `_`. A name that
/// is too long, or that another tool or `taken` has, gets a hash as its suffix. The hash depends
/// only on the tool's own names, so that it does not change with the other tools.
pub(crate) fn names(tools: &[Pair<'_>], taken: &BTreeSet<String>) -> Vec<String> {
    let plain: Vec<String> = tools.iter().map(|pair| plain(*pair)).collect();
    let mut first: HashMap<&str, Pair<'_>> = HashMap::new();
    for (name, pair) in plain.iter().zip(tools) {
        // The tool whose own name needs no change keeps it, otherwise the first one.
        let known = first.entry(name).or_insert(*pair);
        if (exact(*pair) != *name, *pair) < (exact(*known) != *name, *known) {
            *known = *pair;
        }
    }
    let name = |(name, pair): (&String, &Pair<'_>)| {
        let is_free = first[name.as_str()] == *pair && !taken.contains(name);
        if is_free && name.len() <= MAX_NAME { name.clone() } else { hashed(name, *pair) }
    };
    plain.iter().zip(tools).map(name).collect()
}

fn exact((server, tool): Pair<'_>) -> String {
    format!("{server}_{tool}")
}

/// The ASCII form, of any length. Gemini requires a letter or an underscore first.
fn plain(pair: Pair<'_>) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = exact(pair).chars().map(letter).collect();
    if name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        name
    } else {
        format!("_{name}")
    }
}

/// The shortened name with a hash of the original names (FNV-1a) as its suffix.
fn hashed(name: &str, (server, tool): Pair<'_>) -> String {
    let bytes = server.bytes().chain([0]).chain(tool.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{}_{:08x}", &name[..name.len().min(MAX_NAME - 9)], (hash >> 32) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(tools: &[Pair<'_>], taken: &[&str]) -> Vec<String> {
        let taken = taken.iter().map(|name| (*name).to_owned()).collect();
        let names = names(tools, &taken);
        for name in &names {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            assert!(name.len() <= MAX_NAME && name.chars().all(is_plain), "{name}");
            assert!(!name.starts_with(|c: char| c.is_ascii_digit() || c == '-'), "{name}");
            assert!(!taken.contains(name));
        }
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), tools.len(), "{names:?}");
        names
    }

    #[test]
    fn names_fit_every_provider_and_differ() {
        assert_eq!(check(&[("my files", "read.file")], &[]), ["my_files_read_file"]);
        assert_eq!(check(&[("3d", "x")], &[]), ["_3d_x"]);
        // Equal after shortening, and equal in ASCII.
        let (a, b) = ("b".repeat(80), format!("{}c", "b".repeat(79)));
        check(&[("a", &a), ("a", &b)], &[]);
        let odd = check(&[("a", "b.c"), ("a", "b_c"), ("a", "b c"), ("a_b", "c")], &[]);
        assert_eq!(odd[1], "a_b_c");
        check(&[("件", "工具"), ("件", "文件"), ("", "")], &[]);
    }

    #[test]
    fn tools_of_our_own_keep_their_names() {
        let names = check(&[("create", "shape"), ("create", "cube")], &["create_shape"]);
        assert!(names[0].starts_with("create_shape_"));
        assert_eq!(names[1], "create_cube");
    }

    #[test]
    fn a_name_does_not_depend_on_what_else_there_is() {
        let long = "b".repeat(80);
        assert_eq!(check(&[("a", &long)], &[])[0], check(&[("c", "d"), ("a", &long)], &[])[1]);
    }
}
