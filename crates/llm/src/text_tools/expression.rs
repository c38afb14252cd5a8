//! Calls in the syntax of Python and JavaScript: `create_shape(id="a", radius=1)`.

use serde_json::{Map, Value};

use super::cursor::Cursor;
use super::items::{Call, Item};
use super::literal;
use super::shapes::{meaning, unwrapped};
use super::tools::Tools;

/// The most calls around a call: `print(str(f()))`.
const MAX_WRAPPERS: usize = 4;

/// Consumes a dotted path, e.g. `default_api.create_shape`.
pub(super) fn path<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    cursor.take_while(|next| next.is_alphanumeric() || matches!(next, '_' | '.'))
}

/// Parses a call in parentheses.
pub(super) fn call(cursor: &mut Cursor<'_>, tools: &Tools) -> Result<Vec<Item>, String> {
    nested(cursor, tools, MAX_WRAPPERS)
}

fn nested(cursor: &mut Cursor<'_>, tools: &Tools, wrappers: usize) -> Result<Vec<Item>, String> {
    let path = path(cursor);
    cursor.skip_spaces();
    if path == "await" {
        return nested(cursor, tools, wrappers);
    }
    if !cursor.eat("(") {
        return Err(format!("\"(\" was expected after {path:?}"));
    }
    let tool = tools.resolve(path).or_else(|| {
        // `create_shape.call(..)`
        tools.resolve(path.strip_suffix(".call").or_else(|| path.strip_suffix(".run"))?)
    });
    if let Some(tool) = tool {
        let args = literal::members(cursor, ')', &["=", ":"], 0)
            .map_err(|why| format!("the arguments of {path} cannot be read: {why}"))?;
        return Ok(vec![Item::Call(Call::new(tool, unwrapped(tool, args)))]);
    }
    let unknown = || tools.unknown(path);
    literal::skip(cursor)?;
    let start = cursor.at();
    if literal::begins(cursor) {
        // `call_tool("create_shape", {..})`
        let first = literal::value(cursor)?;
        let named = first.as_str().and_then(|name| tools.resolve(name));
        literal::skip(cursor)?;
        let items = match named {
            Some(tool) => {
                let mut args = Map::new();
                if cursor.eat(",") {
                    literal::skip(cursor)?;
                    let start = cursor.at();
                    if cursor.peek() == Some('{') {
                        args = literal::object(&literal::value(cursor)?).unwrap_or_default();
                        literal::skip(cursor)?;
                        cursor.eat(",");
                        literal::skip(cursor)?;
                    } else {
                        cursor.jump(start);
                        args = literal::members(cursor, ')', &["=", ":"], 0)?;
                        return Ok(vec![Item::Call(Call::new(tool, unwrapped(tool, args)))]);
                    }
                }
                vec![Item::Call(Call::new(tool, args))]
            }
            None => meaning(&first, tools).ok_or_else(unknown)??,
        };
        return if cursor.eat(")") { Ok(items) } else { Err("')' is missing".into()) };
    }
    let inner = self::path(cursor);
    cursor.skip_spaces();
    let is_call = !inner.is_empty() && (cursor.sees("(") || inner == "await");
    cursor.jump(start);
    if is_call && wrappers > 0 {
        let items = nested(cursor, tools, wrappers - 1)?;
        literal::skip(cursor)?;
        return if cursor.eat(")") { Ok(items) } else { Err("')' is missing".into()) };
    }
    // `tool_call(name="create_shape", arguments={..})`
    let fields = literal::members(cursor, ')', &["=", ":"], 0)?;
    meaning(&Value::Object(fields), tools).ok_or_else(unknown)?
}
