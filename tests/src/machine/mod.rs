//! A machine with faults around a server of its own process: a clock that is set, a disk that stands still or is full.
//! Linux only.

use std::fs::{File, Permissions};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::PathBuf;
use std::process::Command;

/// Where the numbers of `faults.c` are in its file.
const CLOCK: u64 = 0;
const HOLDS_SYNCS: u64 = 16;
const HELD: u64 = 24;
const IS_FULL: u64 = 32;

/// The faults of the machine of one server.
pub struct Machine {
    folder: tempfile::TempDir,
    faults: File,
}

impl Machine {
    /// A machine without faults so far.
    ///
    /// # Panics
    /// When there is no C compiler.
    #[expect(clippy::new_without_default, reason = "it compiles a library")]
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("faults.c"), include_str!("faults.c")).expect("a file");
        let compiled = Command::new("cc")
            .args(["-shared", "-fPIC", "-O2", "-o", "faults.so", "faults.c"])
            .current_dir(folder.path())
            .status();
        assert!(compiled.expect("cc, which Rust links with").success());
        let faults = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(folder.path().join("faults"))
            .expect("a file");
        faults.write_all_at(&[0; 40], 0).expect("a file of zeros");
        // Also for programs of another user.
        faults.set_permissions(Permissions::from_mode(0o666)).expect("a file of all");
        let for_all = Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path(), for_all).expect("a folder of all");
        Self { folder, faults }
    }

    /// The variables a program runs with on this machine.
    pub fn environment(&self) -> [(&'static str, PathBuf); 2] {
        let path = |name| self.folder.path().join(name);
        [("LD_PRELOAD", path("faults.so")), ("FAULTS", path("faults"))]
    }

    fn set(&self, at: u64, number: i64) {
        self.faults.write_all_at(&number.to_ne_bytes(), at).expect("the file of faults");
    }

    /// Sets the clock of the system so many seconds ahead of the real time, or behind it.
    ///
    /// # Panics
    /// When the file of faults is gone.
    pub fn set_clock_ahead(&self, seconds: i64) {
        self.set(CLOCK, seconds);
    }

    /// The disk writes nothing down any more, or does again.
    ///
    /// # Panics
    /// When the file of faults is gone.
    pub fn hold_syncs(&self, held: bool) {
        self.set(HOLDS_SYNCS, held.into());
    }

    /// The disk is full, or has room again: files cannot grow, but what they have can be overwritten.
    ///
    /// # Panics
    /// When the file of faults is gone.
    pub fn fill_disk(&self, is_full: bool) {
        self.set(IS_FULL, is_full.into());
    }

    /// Waits until the program waits for the disk.
    ///
    /// # Panics
    /// When the file of faults is gone.
    pub async fn until_a_sync_is_held(&self) {
        let mut held = [0; 8];
        while held == [0; 8] {
            tokio::task::yield_now().await;
            self.faults.read_exact_at(&mut held, HELD).expect("the file of faults");
        }
    }
}
