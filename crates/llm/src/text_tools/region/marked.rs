//! Parsing of marks within a region.

use serde_json::{Map, Value};

use super::super::items::Item;
use super::super::marks::{self, Mark, Role};
use super::super::pending::RawArgument;
use super::super::words::{self, plain};
use super::super::{elements, literal};
use super::{Failure, Region, meant};

impl Region<'_, '_, '_> {
    pub(super) fn mark(&mut self, mark: Mark, start: usize) -> Result<bool, Failure> {
        if mark.closes {
            return self.close(&mark, start);
        }
        if self.is_argument(&mark.name) && mark.attributes.is_empty() && mark.value.is_none() {
            let written = self.raw(&mark)?;
            self.pending.add(mark.name, written).map_err(meant)?;
            return Ok(true);
        }
        match mark.role {
            Role::Results | Role::Quote | Role::Answer => {
                self.cursor.jump(start);
                return Ok(false);
            }
            Role::Thoughts => {
                let close = format!("</{}>", mark.name);
                let thought = self.cursor.take_until(&close);
                let thought = thought.ok_or_else(|| format!("{close} is missing"))?;
                self.items.push(Item::Thought(thought.to_owned()));
            }
            Role::Calls | Role::MaybeCalls => {
                if self.pending.is_complete() {
                    self.flush()?;
                }
                self.open(&mark);
                if let Some(name) = mark.value.as_deref() {
                    self.written_name(name)?;
                }
                for (key, value) in &mark.attributes {
                    let key = plain(key);
                    if words::is_name(&key) {
                        self.written_name(value)?;
                    } else if words::are_arguments(&key) {
                        let args =
                            literal::whole(value).ok().and_then(|value| literal::object(&value));
                        let args =
                            args.ok_or_else(|| meant(format!("{key:?} must be a JSON object")))?;
                        self.pending.set_args(args).map_err(meant)?;
                    }
                }
            }
            Role::Message | Role::Other if mark.is_token => self.is_labelled = true,
            _ => return self.piece(mark, start),
        }
        Ok(true)
    }

    fn open(&mut self, mark: &Mark) {
        self.was_opened = true;
        if !mark.is_empty {
            self.open.push(mark.name.clone());
        }
    }

    /// Parses a mark around the name or the arguments of a call.
    fn piece(&mut self, mark: Mark, start: usize) -> Result<bool, Failure> {
        match mark.role {
            Role::Tool => {
                if let Some(tool) = self.tools.exact(&mark.name) {
                    self.name(tool)?;
                }
                self.open(&mark);
                for (key, value) in mark.attributes {
                    self.pending.add(key, RawArgument::Text(value)).map_err(meant)?;
                }
            }
            Role::Name => {
                let name = self.cursor.take_while(|next| next != '<' && next != '\n').to_owned();
                let name = if name.trim().is_empty() {
                    self.cursor.skip_blank();
                    self.cursor.take_while(|next| next != '<' && next != '\n').to_owned()
                } else {
                    name
                };
                self.was_opened = true;
                self.written_name(&name)?;
            }
            Role::Arguments => self.arguments(&mark)?,
            Role::Argument => {
                let key = mark.value.clone().or_else(|| {
                    let named =
                        mark.attributes.iter().find(|(key, _)| words::is_name(key) || key == "key");
                    named.map(|(_, value)| value.clone())
                });
                let Some(key) = key else {
                    self.arguments(&mark)?;
                    return Ok(true);
                };
                let is_text =
                    mark.attributes.iter().any(|(key, value)| key == "string" && value == "true");
                let written = match self.raw(&mark)? {
                    RawArgument::Text(text) if is_text => RawArgument::Value(Value::String(text)),
                    other => other,
                };
                self.pending.add(key, written).map_err(meant)?;
            }
            Role::ArgumentName => {
                let key = self.cursor.take_while(|next| next != '<').trim().to_owned();
                self.pending.key = Some(key);
            }
            Role::ArgumentValue => {
                let key = self.pending.key.take();
                let key = key.ok_or_else(|| meant("a value has no name".into()))?;
                let written = self.raw(&mark)?;
                self.pending.add(key, written).map_err(meant)?;
            }
            Role::Other if self.pending.waits_for_arguments() && !self.open.is_empty() => {
                let written = self.raw(&mark)?;
                self.pending.add(mark.name, written).map_err(meant)?;
            }
            _ => {
                self.cursor.jump(start);
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn raw(&mut self, mark: &Mark) -> Result<RawArgument, Failure> {
        elements::raw(self.cursor, mark, self.tools).map_err(meant)
    }

    fn written_name(&mut self, written: &str) -> Result<(), Failure> {
        if written.trim().is_empty() {
            return Err(meant("the name of the tool, <name>..</name>, is empty".into()));
        }
        let tool = self.tools.resolve(written);
        let tool = tool.ok_or_else(|| meant(self.tools.unknown(written.trim())))?;
        self.name(tool)
    }

    /// Parses all arguments within one mark.
    fn arguments(&mut self, mark: &Mark) -> Result<(), Failure> {
        self.was_opened = true;
        if mark.is_empty {
            return self.pending.set_args(Map::new()).map_err(meant);
        }
        if mark.is_token {
            // `[ARGS]` has no closing mark; the arguments follow.
            return Ok(());
        }
        self.cursor.skip_blank();
        let start = self.cursor.at();
        if literal::begins(self.cursor) || self.cursor.sees("`") {
            self.cursor.take_while(|next| next == '`');
            let value = elements::value(self.cursor, true);
            let value = value
                .map_err(|why| meant(format!("the arguments must hold one JSON object ({why})")))?;
            let args = literal::object(&value);
            let args = args.ok_or_else(|| meant("the arguments must be one JSON object".into()))?;
            self.open.push(mark.name.clone());
            return self.pending.set_args(args).map_err(meant);
        }
        let inner = marks::mark(self.cursor, self.tools, true);
        self.cursor.jump(start);
        match inner {
            Some(inner)
                if matches!(inner.role, Role::Argument | Role::ArgumentName) && !inner.closes =>
            {
                self.open.push(mark.name.clone());
                self.pending.set_written(Vec::new());
                Ok(())
            }
            Some(inner) if inner.closes => self.pending.set_args(Map::new()).map_err(meant),
            Some(_) => {
                let RawArgument::Text(text) = self.raw(mark)? else {
                    return Ok(());
                };
                let read = elements::read(&text, self.tools).map_err(meant)?;
                self.pending.set_written(read);
                Ok(())
            }
            None => {
                let RawArgument::Text(text) = self.raw(mark)? else {
                    return Ok(());
                };
                self.pending.lines = Some(text);
                Ok(())
            }
        }
    }

    fn close(&mut self, mark: &Mark, start: usize) -> Result<bool, Failure> {
        match mark.role {
            Role::Thoughts | Role::Results | Role::Quote | Role::Answer => {
                self.cursor.jump(start);
                return Ok(false);
            }
            Role::Other
                if !mark.is_token && !self.open.contains(&mark.name) && self.open.is_empty() =>
            {
                self.cursor.jump(start);
                return Ok(false);
            }
            _ => {}
        }
        let same = |open: &String| plain(open) == plain(&mark.name);
        if let Some(place) = self.open.iter().rposition(same) {
            self.open.truncate(place);
        } else if mark.role == Role::Calls && !self.open.is_empty() {
            // The closing tag has another name than the opening one.
            self.open.clear();
        }
        // After a mark with only the name, the arguments may follow:
        // `<tool>f</tool><args>{}</args>`.
        let is_over = match mark.role {
            Role::Calls | Role::Tool => self.pending.is_complete(),
            Role::MaybeCalls => self.pending.is_complete() && self.pending.has_arguments(),
            _ => false,
        };
        if is_over {
            self.flush()?;
        }
        Ok(true)
    }
}
