//! What people write short: "w/", "r=0.3", "Ø 30 cm", "approx.".

/// Abbreviations that a full stop belongs to.
const SHORTENED: [&str; 9] = ["approx", "appr", "ca", "circa", "abt", "incl", "max", "min", "dia"];

/// Measures that a colon may part from their number.
const MEASURES: [&str; 14] = [
    "radius",
    "diameter",
    "height",
    "width",
    "depth",
    "length",
    "size",
    "thickness",
    "r",
    "h",
    "w",
    "d",
    "l",
    "edge",
];

/// The word that a short form at the start of `rest` stands for, and how many bytes it takes; `text` is the
/// whole message.
pub(in crate::language) fn short_form(text: &str, rest: &str) -> Option<(&'static str, usize)> {
    let mut letters = rest.chars();
    let first = letters.next()?.to_lowercase().next()?;
    let behind = letters.as_str();
    let width = rest.len() - behind.len();
    if first == 'ø' || first == '⌀' {
        return starts_with_digit(behind.trim_start()).then_some(("diameter", width));
    }
    if first == 'w' && behind.starts_with('/') {
        let lower = behind.get(..2).map(str::to_ascii_lowercase);
        let further = behind.get(2..).unwrap_or_default();
        let out = lower.as_deref() == Some("/o") && !further.starts_with(char::is_alphanumeric);
        return Some(if out { ("without", 3) } else { ("with", 2) });
    }
    let measure = match first {
        'r' => "radius",
        'h' => "height",
        'w' => "width",
        'l' => "length",
        // Beside a width it is the depth.
        'd' if has_width(text) => "depth",
        'd' => "diameter",
        _ => return None,
    };
    let after = behind.trim_start();
    let told = after.strip_prefix(['=', ':']).map(str::trim_start);
    let spaced = after.len() < behind.len();
    let number = told.or(spaced.then_some(after))?;
    // "w 2 chairs" and the like are no measures: a letter alone needs its sign, or a unit.
    let sure = told.is_some() || has_unit(number);
    (starts_with_digit(number) && sure).then_some((measure, width))
}

/// Whether the colon or the full stop after `before` is none: "height: 2 m", "approx. 2 m".
pub(in crate::language) fn is_within(mark: char, before: &str, after: &str) -> bool {
    let word = before.rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    let word = word.to_lowercase();
    let number = starts_with_digit(after.trim_start());
    match mark {
        '.' => number && SHORTENED.contains(&word.as_str()),
        ':' => number && MEASURES.contains(&word.as_str()),
        _ => false,
    }
}

fn starts_with_digit(text: &str) -> bool {
    text.strip_prefix('.').unwrap_or(text).starts_with(|letter: char| letter.is_ascii_digit())
}

/// Whether a length with its unit stands at the start.
fn has_unit(text: &str) -> bool {
    let unit = text.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let word: String =
        unit.trim_start().chars().take_while(|letter| letter.is_alphabetic()).collect();
    ["m", "cm", "mm", "km", "ft", "in"].contains(&word.as_str())
}

fn has_width(text: &str) -> bool {
    let lower = text.to_lowercase();
    ["w=", "w =", "w:", "l=", "l =", "l:", "width"].iter().any(|width| lower.contains(width))
}
