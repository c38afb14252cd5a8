//! The bytes of a written file.

/// The bytes of a file in chunks, so that large buffers are not copied to join them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Content(Vec<Vec<u8>>);

impl Content {
    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Whether the file has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The chunks in order.
    pub fn chunks(&self) -> &[Vec<u8>] {
        &self.0
    }

    /// The chunks in order.
    pub fn into_chunks(self) -> Vec<Vec<u8>> {
        self.0
    }

    /// All bytes in one vector.
    pub fn to_vec(&self) -> Vec<u8> {
        self.0.concat()
    }

    pub(crate) fn push(&mut self, chunk: Vec<u8>) {
        if !chunk.is_empty() {
            self.0.push(chunk);
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

/// Bytes of a chunk of text.
const CHUNK: usize = 1 << 20;

/// A text that is written in chunks.
#[derive(Debug, Default)]
pub(crate) struct TextWriter {
    done: Content,
    /// The chunk that is being written.
    pub(crate) chunk: String,
}

impl TextWriter {
    /// Begins the next chunk if this one is long enough.
    pub(crate) fn flush_full(&mut self) {
        if self.chunk.len() >= CHUNK {
            self.done.push(std::mem::take(&mut self.chunk).into_bytes());
        }
    }

    pub(crate) fn finish(mut self) -> Content {
        self.done.push(self.chunk.into_bytes());
        self.done
    }
}
