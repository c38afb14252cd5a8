//! What is in a written file.

/// The bytes of a file in pieces: what is large is written once and never copied to be joined.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Content(Vec<Vec<u8>>);

impl Content {
    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pieces, one after the other.
    pub fn pieces(&self) -> &[Vec<u8>] {
        &self.0
    }

    /// The pieces, one after the other.
    pub fn into_pieces(self) -> Vec<Vec<u8>> {
        self.0
    }

    /// All bytes in one.
    pub fn to_vec(&self) -> Vec<u8> {
        self.0.concat()
    }

    pub(crate) fn push(&mut self, piece: Vec<u8>) {
        if !piece.is_empty() {
            self.0.push(piece);
        }
    }

    pub(crate) fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        let mut content = Self::default();
        content.push(bytes);
        content
    }
}

/// Bytes of a piece of text.
const PIECE: usize = 1 << 20;

/// A text that is written piece by piece.
#[derive(Debug, Default)]
pub(crate) struct Text {
    done: Content,
    /// The piece that is being written.
    pub(crate) open: String,
}

impl Text {
    /// Closes the piece that is being written where it is long enough.
    pub(crate) fn rest(&mut self) {
        if self.open.len() >= PIECE {
            self.done.push(std::mem::take(&mut self.open).into_bytes());
        }
    }

    pub(crate) fn finish(mut self) -> Content {
        self.done.push(self.open.into_bytes());
        self.done
    }
}
