//! The picture in the terminal: decoded and encoded beside the event loop, the newest first.

use client::Preview;
use image::imageops::FilterType;
use protocol::{Quality, ViewRequest};
use ratatui::layout::Size;
use ratatui_image::Resize;
use ratatui_image::picker::{Picker, ProtocolType};
use ratatui_image::protocol::Protocol;
use tokio::task::JoinHandle;

/// How pictures are drawn in a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureProtocol {
    /// kitty's graphics protocol.
    Kitty,
    /// Sixels.
    Sixel,
    /// iTerm2's inline images.
    Iterm2,
    /// Two pixels for each letter; works everywhere.
    HalfBlocks,
    /// No picture.
    None,
}

/// Pixels of the longer side that are asked of the server.
const MAX_SIDE: u32 = 960;
/// Pixels of the shorter side that it gives.
const MIN_SIDE: u32 = 16;
/// Pixels that are rendered for each pixel of half blocks, each way.
const BLOCK_PIXELS: u32 = 4;

pub(crate) struct Picture {
    /// `None` if no picture is wanted.
    picker: Option<Picker>,
    /// The area in cells.
    size: Size,
    pub(crate) shown: Option<Protocol>,
    /// What came last; it is encoded again when the size changes.
    newest: Option<Preview>,
    is_encoded: bool,
    encoding: Option<JoinHandle<Option<Protocol>>>,
}

/// Asks the terminal what it can draw, or takes what was asked for. Reads the terminal's answer, so it comes
/// before anything else reads keys.
pub(crate) fn picker(wanted: Option<PictureProtocol>) -> Option<Picker> {
    let forced = match wanted {
        Some(PictureProtocol::None) => return None,
        Some(PictureProtocol::HalfBlocks) => return Some(Picker::halfblocks()),
        Some(PictureProtocol::Kitty) => Some(ProtocolType::Kitty),
        Some(PictureProtocol::Sixel) => Some(ProtocolType::Sixel),
        Some(PictureProtocol::Iterm2) => Some(ProtocolType::Iterm2),
        None => None,
    };
    let mut picker = Picker::from_query_stdio().unwrap_or_else(|_| Picker::halfblocks());
    if let Some(forced) = forced {
        picker.set_protocol_type(forced);
    }
    // Half blocks are nothing but colours.
    let is_without_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_blocks = picker.protocol_type() == ProtocolType::Halfblocks;
    (!(is_without_colour && is_blocks)).then_some(picker)
}

impl Picture {
    pub(crate) fn new(picker: Option<Picker>) -> Self {
        let size = Size::default();
        Self { picker, size, shown: None, newest: None, is_encoded: false, encoding: None }
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.picker.is_some()
    }

    /// The view to ask the server for when the area changed; `None` if it is as it was.
    pub(crate) fn resize(&mut self, size: Size) -> Option<ViewRequest> {
        if size == self.size {
            return None;
        }
        self.size = size;
        // What is shown fits the old area.
        self.shown = None;
        self.is_encoded = false;
        let Some(picker) = self.picker.as_ref().filter(|_| size.width > 0 && size.height > 0)
        else {
            return Some(ViewRequest { paused: Some(true), ..ViewRequest::default() });
        };
        let (columns, rows) = (u32::from(size.width), u32::from(size.height));
        let (width, height) = match picker.protocol_type() {
            ProtocolType::Halfblocks => (columns * BLOCK_PIXELS, rows * 2 * BLOCK_PIXELS),
            _ => {
                let font = picker.font_size();
                (columns * u32::from(font.width), rows * u32::from(font.height))
            }
        };
        let shrunk = |side: u32| {
            let longest = width.max(height).max(1);
            let side = if longest > MAX_SIDE { side * MAX_SIDE / longest } else { side };
            Some(side.max(MIN_SIDE))
        };
        Some(ViewRequest {
            width: shrunk(width),
            height: shrunk(height),
            quality: Some(Quality::Preview),
            paused: Some(false),
            ..ViewRequest::default()
        })
    }

    /// Another session has other pictures, and has to be asked for them.
    pub(crate) fn forget(&mut self) {
        (self.size, self.shown, self.newest) = (Size::default(), None, None);
    }

    pub(crate) fn take(&mut self, preview: Preview) {
        self.newest = Some(preview);
        self.is_encoded = false;
    }

    /// Waits until a picture is encoded and shows it. Never ends while there is nothing to encode. May be
    /// dropped while it waits.
    pub(crate) async fn encoded(&mut self) {
        if self.encoding.is_none() && !self.is_encoded {
            self.begin();
        }
        let Some(encoding) = &mut self.encoding else { return std::future::pending().await };
        let encoded = encoding.await;
        self.encoding = None;
        // A picture that cannot be drawn leaves the one before.
        if let Ok(Some(protocol)) = encoded
            && fits(protocol.size(), self.size)
        {
            self.shown = Some(protocol);
        }
    }

    fn begin(&mut self) {
        let (Some(picker), Some(preview)) = (&self.picker, &self.newest) else { return };
        if self.size.width == 0 || self.size.height == 0 {
            return;
        }
        self.is_encoded = true;
        let (picker, preview, size) = (picker.clone(), preview.clone(), self.size);
        self.encoding = Some(tokio::task::spawn_blocking(move || {
            let image = image::load_from_memory(&preview.image).ok()?;
            let resize = Resize::Scale(Some(FilterType::Triangle));
            picker.new_protocol(image, size, resize).ok()
        }));
    }
}

fn fits(picture: Size, area: Size) -> bool {
    picture.width <= area.width && picture.height <= area.height
}
