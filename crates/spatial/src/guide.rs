//! What `describe` tells of the patterns of `array`, whose properties mean different things for each.

use serde_json::{Value, json};

/// A pattern: how it goes, what its properties mean for it, and arguments that are valid where there are a `tree`, a
/// `bush`, a `ground` and a `path`.
struct Guide {
    pattern: &'static str,
    about: &'static str,
    properties: &'static [(&'static str, &'static str)],
    example: fn() -> Value,
}

const GUIDES: [Guide; 8] = [
    Guide {
        pattern: "line",
        about: "One after the other, the original first.",
        properties: &[
            ("count", "how many in all"),
            (
                "step",
                "[x, y, z] from each to the next; without it side by side along x with 'gap' between",
            ),
        ],
        example: || json!({ "id": "tree", "pattern": "line", "count": 4, "step": [2, 0, 0] }),
    },
    Guide {
        pattern: "grid",
        about: "Columns, layers and rows, the original in the corner with the least x, y and z.",
        properties: &[
            ("counts", "[along x, along y, along z]"),
            ("step", "[x, y, z] between neighbours; without it side by side with 'gap' between"),
        ],
        example: || json!({ "id": "tree", "pattern": "grid", "counts": [3, 1, 2], "gap": 1 }),
    },
    Guide {
        pattern: "circle",
        about: "A level ring. With 'center' alone the original keeps its place and the ring goes through it; with 'radius' \
                it goes to the ring's +x.",
        properties: &[
            ("count", "how many in all"),
            ("center", "the middle of the ring; its y does not matter"),
            ("radius", "metres; without it the distance of the original from 'center'"),
            ("turn", "true turns each with the ring: chairs face the table"),
        ],
        example: || json!({ "id": "tree", "pattern": "circle", "count": 6, "center": [0, 0, 0], "turn": true }),
    },
    Guide {
        pattern: "spiral",
        about: "A winding line: from the middle out, or upwards with 'rise'.",
        properties: &[
            ("count", "how many in all"),
            ("radius", "of the last one; of all with 'rise'"),
            ("turns", "how often it winds, default 2"),
            ("rise", "metres from the first to the last"),
        ],
        example: || json!({ "id": "tree", "pattern": "spiral", "count": 12, "radius": 5, "turn": true }),
    },
    Guide {
        pattern: "stack",
        about: "Each rests on the one before.",
        properties: &[("count", "how many in all"), ("gap", "metres between them")],
        example: || json!({ "id": "bush", "pattern": "stack", "count": 3 }),
    },
    Guide {
        pattern: "pyramid",
        about: "Square layers, each one smaller and resting on the one below.",
        properties: &[
            ("count", "along a side of the lowest layer"),
            ("gap", "metres between them"),
        ],
        example: || json!({ "id": "bush", "pattern": "pyramid", "count": 3 }),
    },
    Guide {
        pattern: "path",
        about: "Evenly along a smooth curve through 'points', the original at its start.",
        properties: &[
            ("points", "[[x, y, z], ...]"),
            ("count", "how many in all; without it side by side with 'gap' between"),
            ("turn", "true: what is along x goes along the path"),
            ("on", "the thing whose surface each rests on"),
            ("align", "true tilts each with that surface"),
            ("also", "more things: which one comes next is left to chance"),
            ("sizes", "[least, most] factor, by chance"),
        ],
        example: || json!({ "id": "tree", "pattern": "path", "points": [[-4, 0, 1], [0, 0, 2], [4, 0, 1]], "count": 7 }),
    },
    Guide {
        pattern: "scatter",
        about: "At random within a disc or along a path, free of each other and of other things; as many as fit, and \
                'fitted' tells how many that were. The original keeps its place and counts.",
        properties: &[
            ("count", "how many in all, at most"),
            (
                "center",
                "the middle of the disc; without it the original's place, or the middle of 'on'",
            ),
            ("radius", "of the disc, or to each side of the path; without it all over 'on'"),
            ("points", "a path to scatter along instead of a disc"),
            ("on", "the thing whose surface each rests on"),
            ("slope", "[least, most] degrees of that surface"),
            ("heights", "[least, most] y of that surface in metres"),
            ("align", "true tilts each with that surface"),
            ("turn", "true turns each about y by chance"),
            ("sizes", "[least, most] factor, by chance"),
            ("also", "more things to copy, by chance; they keep their places, too"),
            ("avoid", "things that stay clear, seen from above: a path, a pond"),
            ("gap", "metres between them"),
            ("overlap", "true lets copies touch and reach into each other: crowns of a wood"),
            ("move_first", "true puts the originals at places by chance, too"),
            ("seed", "another number is another layout"),
        ],
        example: || {
            json!({ "id": "tree", "pattern": "scatter", "count": 20, "on": "ground", "also": ["bush"],
                "avoid": ["path"], "sizes": [0.7, 1.3], "turn": true, "slope": [0, 30], "group": "wood" })
        },
    },
];

/// The names that [`guide`] knows.
pub fn guided_names() -> impl Iterator<Item = &'static str> {
    GUIDES.iter().map(|guide| guide.pattern)
}

/// How a pattern of `array` goes and what its properties mean for it; `None` for another name.
pub fn guide(name: &str) -> Option<Value> {
    let guide = GUIDES.iter().find(|guide| guide.pattern == name)?;
    let properties: serde_json::Map<String, Value> = guide
        .properties
        .iter()
        .map(|(name, meaning)| ((*name).to_owned(), (*meaning).into()))
        .collect();
    Some(json!({ "of": "pattern of array", "about": guide.about, "properties": properties,
        "example": (guide.example)() }))
}
