//! `find_objects`: a search in the catalogue.

use std::sync::Arc;

use agent::{Access, Tool, ToolOutput};
use async_trait::async_trait;
use catalogue::{Catalogue, Category, Found, Match, OwnObject, OwnObjects, Theme, catalogue};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use spatial::several;

/// The most rows of an answer about one query, unless another number is asked for.
const DEFAULT_ROWS: usize = 8;
/// The same for each of several queries.
const ROWS_OF_SEVERAL: usize = 3;
/// The most rows and queries that can be asked for.
const MAX_ROWS: usize = 50;
/// The most parts in a row.
const MAX_PARTS: usize = 10;

/// Searches the catalogue of ready-made objects and scenes, and the user's own.
pub(super) struct FindObjects {
    pub(super) own: Arc<OwnObjects>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Args {
    query: Option<Query>,
    category: Option<String>,
    max: Option<usize>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Query {
    One(String),
    Several(Vec<String>),
}

/// Objects of the user's own.
type Own<'a> = &'a [Arc<OwnObject>];

#[async_trait]
impl Tool for FindObjects {
    fn name(&self) -> &str {
        "find_objects"
    }

    fn description(&self) -> &str {
        "Searches the ready-made objects and scenes for add_object, also the user's own: sizes [w, h, d], options, \
         parts. Without a query: all categories."
    }

    fn parameters(&self) -> Arc<Value> {
        json!({ "type": "object", "properties": {
            "query": { "type": "string", "description": "E.g. \"sofa, floor lamp, rug\"." },
            "category": { "type": "string" },
            "max": { "type": "integer" } } })
        .into()
    }

    fn access(&self) -> Access {
        Access::Reads
    }

    async fn call(&self, args: Value) -> ToolOutput {
        match scene::form::from_value::<Args>(&args) {
            Ok(args) => answer(catalogue(), &self.own.all(), args)
                .map_or_else(ToolOutput::failure, ToolOutput::success),
            Err(error) => ToolOutput::failure(format!(
                "find_objects: {error}; it takes query (a text), category (a text), max (a number)"
            )),
        }
    }
}

fn answer(catalogue: &Catalogue, own: Own<'_>, args: Args) -> Result<Value, String> {
    let queries: Vec<String> = match args.query {
        None => Vec::new(),
        Some(Query::One(text)) => text.split([',', ';', '\n']).map(str::to_owned).collect(),
        Some(Query::Several(texts)) => texts,
    };
    let queries: Vec<String> = queries
        .iter()
        .map(|query| query.trim().to_owned())
        .filter(|query| !query.is_empty())
        .take(MAX_ROWS)
        .collect();
    let category = args.category.as_deref().filter(|category| !category.trim().is_empty());
    let category = category.map(|name| catalogue.category_named(name)).transpose();
    let category =
        category.map_err(|error| format!("find_objects property 'category': {error}"))?;
    let rows = |default: usize| args.max.unwrap_or(default).clamp(1, MAX_ROWS);
    Ok(match (&queries[..], category) {
        ([], None) => overview(catalogue, own),
        ([], Some(category)) => {
            let members = catalogue.search_with(own, "", Some(category));
            json!({ "objects": members.iter().map(Found::name).collect::<Vec<_>>() })
        }
        ([query], _) => found((catalogue, own), query, category, rows(DEFAULT_ROWS)),
        _ => queries
            .iter()
            .map(|query| {
                (query.clone(), found((catalogue, own), query, category, rows(ROWS_OF_SEVERAL)))
            })
            .collect::<Map<String, Value>>()
            .into(),
    })
}

fn overview(catalogue: &Catalogue, own: Own<'_>) -> Value {
    let counts: Map<String, Value> = catalogue
        .named_categories()
        .map(|(name, category)| (name.to_owned(), category.objects().len().into()))
        .filter(|(_, count)| count != 0)
        .collect();
    let scenes: Vec<&str> = catalogue.themes().iter().map(Theme::name).collect();
    let mut overview =
        json!({ "objects": catalogue.objects().len(), "categories": counts, "scenes": scenes });
    if !own.is_empty() {
        let names = own.iter().map(|object| object.name());
        overview["own"] = several(&names.collect::<Vec<_>>());
    }
    overview
}

fn found(
    (catalogue, own): (&Catalogue, Own<'_>),
    query: &str,
    category: Option<&Category>,
    max: usize,
) -> Value {
    let matches = catalogue.search_with(own, query, category);
    let mut answer = Map::new();
    // Only the best match lists its parts; the others can be requested by name.
    let rows = matches.iter().take(max).enumerate();
    let rows: Vec<Value> = rows.map(|(at, found)| row(catalogue, found, at == 0)).collect();
    answer.insert("objects".into(), rows.into());
    if matches.len() > max {
        let more = matches.iter().skip(max).take(MAX_ROWS).map(Found::name);
        answer.insert("more".into(), more.collect::<Vec<_>>().into());
    }
    let scenes: Vec<Value> = match category {
        None => catalogue.search_themes(query).into_iter().take(3).filter_map(scene_row).collect(),
        Some(_) => Vec::new(),
    };
    if !scenes.is_empty() {
        answer.insert("scenes".into(), scenes.into());
    }
    if matches.is_empty() && answer.len() == 1 {
        answer.insert("hint".into(), "nothing like it: build it from shapes".into());
    }
    answer.into()
}

fn row(catalogue: &Catalogue, found: &Found<'_>, whole: bool) -> Value {
    match found {
        Found::BuiltIn(found) => built_in_row(catalogue, found, whole),
        Found::Own(object) => own_row(object, whole),
    }
}

fn own_row(object: &OwnObject, whole: bool) -> Value {
    let size = object.size().map(|side| (side * 1e3).round() / 1e3);
    let mut row = json!({ "object": object.name(), "own": true, "size": size });
    if !whole {
        return row;
    }
    let options: Vec<&str> = object.option_infos().iter().map(|option| option.name).collect();
    if !options.is_empty() {
        row["options"] = json!(options);
    }
    row["parts"] = object.part_names().into_iter().take(MAX_PARTS).collect();
    if !object.about().note.is_empty() {
        row["note"] = object.about().note.as_str().into();
    }
    row
}

fn built_in_row(catalogue: &Catalogue, found: &Match<'_>, whole: bool) -> Value {
    let info = catalogue.info(found.object);
    let mut row = Map::new();
    row.insert("object".into(), info.name.into());
    if found.stands_in {
        row.insert("note".into(), "the nearest there is".into());
    }
    row.insert("size".into(), json!(info.size));
    if !whole {
        return row.into();
    }
    if !info.options.is_empty() {
        let mark = |usual: bool| if usual { "" } else { " (off)" };
        let options =
            info.options.iter().map(|option| format!("{}{}", option.name, mark(option.usual)));
        row.insert("options".into(), options.collect::<Vec<_>>().into());
    }
    let mut parts: Vec<&str> = info.roles.clone();
    parts.extend(info.parts.iter().filter(|part| !info.roles.contains(part)).take(MAX_PARTS));
    row.insert("parts".into(), json!(parts));
    row.into()
}

fn scene_row(theme: &Theme) -> Option<Value> {
    let scene = theme.build(&catalogue::Mood::default()).ok()?;
    let mut groups: Vec<&str> = scene.group_ids().collect();
    groups.sort_unstable();
    groups.dedup();
    Some(json!({ "scene": theme.name(), "holds": groups }))
}
