//! Embree in a separate process.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use media::MeshData;

use super::{Batch, Traced};

/// `benches/peers/embree/embree_peer.cpp`, which documents the protocol.
pub(super) struct Peer {
    process: Child,
    input: ChildStdin,
    output: ChildStdout,
    pub(super) build_seconds: f32,
}

impl Peer {
    pub(super) fn start(
        program: &str,
        mesh: &MeshData,
        batches: &[Batch],
    ) -> std::io::Result<Self> {
        let mut process =
            Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let missing = || std::io::Error::other("the peer has no pipes");
        let mut input = process.stdin.take().ok_or_else(missing)?;
        let mut output = process.stdout.take().ok_or_else(missing)?;
        let mut bytes = Vec::new();
        let mut count = |count: usize| bytes.extend((count as u32).to_le_bytes());
        count(mesh.positions.len());
        count(mesh.triangles.len());
        bytes.extend(mesh.positions.iter().flatten().flat_map(|x| x.to_le_bytes()));
        bytes.extend(mesh.triangles.iter().flatten().flat_map(|x| x.to_le_bytes()));
        bytes.extend((batches.len() as u32).to_le_bytes());
        for batch in batches {
            bytes.extend((batch.rays.len() as u32).to_le_bytes());
            bytes.extend(batch.rays.iter().flatten().flat_map(|x| x.to_le_bytes()));
        }
        input.write_all(&bytes)?;
        input.flush()?;
        let build_seconds = f32::from_le_bytes(read(&mut output)?);
        Ok(Self { process, input, output, build_seconds })
    }

    pub(super) fn trace(&mut self, batch: u32, any_hit: bool) -> std::io::Result<Traced> {
        self.input.write_all(&batch.to_le_bytes())?;
        self.input.write_all(&u32::from(any_hit).to_le_bytes())?;
        self.input.flush()?;
        Ok(Traced {
            seconds: f64::from(f32::from_le_bytes(read(&mut self.output)?)),
            hits: u32::from_le_bytes(read(&mut self.output)?),
            distances: f64::from_le_bytes(read(&mut self.output)?),
        })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // Its output is complete; an error means that it has exited already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn read<const N: usize>(output: &mut ChildStdout) -> std::io::Result<[u8; N]> {
    let mut bytes = [0; N];
    output.read_exact(&mut bytes)?;
    Ok(bytes)
}
