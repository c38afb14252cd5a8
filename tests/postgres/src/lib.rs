//! A PostgreSQL server of their own for tests: in a temporary directory, reached by a socket in it, and gone
//! with the test program, however that ends.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The user that the server runs as where the tests run as root, which PostgreSQL refuses: nobody.
const UNPRIVILEGED: u32 = 65_534;

/// The name of the database's user.
const USER: &str = "tests";

/// Makes the server in the directory `$1` with the programs of `$2`, and says when it answers. It is stopped
/// and its directory removed when the standard input ends, which it does with the test program. A line of
/// the input restarts it as after a crash.
const RUN: &str = r#"
cd "$1" || exit 1
trap 'rm -rf "$1"' EXIT
# A test program that ends meanwhile does not hear the answer, and the server ends all the same.
trap '' PIPE
"$2/initdb" --pgdata data --username tests --auth trust --encoding UTF8 --locale C.UTF-8 \
    --no-sync >log 2>&1 || { cat log >&2; exit 1; }
start() {
    "$2/pg_ctl" start --pgdata data --wait --timeout 120 --log log --options \
        "-k '$1' -c listen_addresses= -c fsync=off -c max_connections=200 -c shared_buffers=32MB" \
        >>log 2>&1 || { cat log >&2; exit 1; }
    echo ready
}
start "$1" "$2"
while read -r _; do
    "$2/pg_ctl" stop --pgdata data --mode immediate --wait >>log 2>&1
    start "$1" "$2"
done
"$2/pg_ctl" stop --pgdata data --mode immediate --wait >>log 2>&1
"#;

/// A running server.
pub struct TestPostgres {
    directory: PathBuf,
    programs: PathBuf,
    /// Ends when its input is closed: by the drop of this, or by the end of this program.
    supervisor: Child,
    output: BufReader<std::process::ChildStdout>,
    databases: AtomicU64,
}

impl TestPostgres {
    /// The server that all tests of a program share. The first one who asks starts it.
    ///
    /// # Panics
    /// When there is no PostgreSQL, or it does not start.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<TestPostgres> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// A server of its own, for tests that stop it.
    ///
    /// # Panics
    /// When there is no PostgreSQL, or it does not start.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// The same with these variables in its environment.
    ///
    /// # Panics
    /// When there is no PostgreSQL, or it does not start.
    pub fn start_with(environment: &[(&str, PathBuf)]) -> Self {
        let programs = programs();
        let directory =
            tempfile::Builder::new().prefix("pg").tempdir().expect("a directory").keep();
        let mut command = Command::new("sh");
        command.args(["-c", RUN, "sh"]).arg(&directory).arg(&programs);
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        if is_root(&directory) {
            chown(&directory, Some(UNPRIVILEGED), Some(UNPRIVILEGED)).expect("another owner");
            command.uid(UNPRIVILEGED).gid(UNPRIVILEGED);
        }
        // What interrupts the tests leaves it to the end of the input.
        command.process_group(0).current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut supervisor = command.spawn().expect("a shell");
        let output = BufReader::new(supervisor.stdout.take().expect("its output"));
        let databases = AtomicU64::new(0);
        let mut server = Self { directory, programs, supervisor, output, databases };
        server.until_ready();
        server
    }

    fn until_ready(&mut self) {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("its output");
        assert_eq!(line, "ready\n", "PostgreSQL does not start; its log is above");
    }

    /// Ends the server as a crash does, and starts it again.
    ///
    /// # Panics
    /// When it does not start.
    pub fn crash(&mut self) {
        use std::io::Write;
        let input = self.supervisor.stdin.as_mut().expect("its input");
        input.write_all(b"crash\n").expect("it runs");
        self.until_ready();
    }

    /// The address of a new, empty database.
    ///
    /// # Panics
    /// When it cannot be made.
    pub fn database(&self) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let made = Command::new(self.programs.join("createdb"))
            .arg("--host")
            .arg(&self.directory)
            .args(["--username", USER, &name])
            .output()
            .expect("createdb runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let host = self.directory.display().to_string().replace('/', "%2F");
        format!("postgres://{USER}@{host}/{name}")
    }

    /// What `statement` says, run by psql in the database of an address that
    /// [`database`](Self::database) gave.
    ///
    /// # Panics
    /// When it fails.
    pub fn query(&self, url: &str, statement: &str) -> String {
        let name = url.rsplit('/').next().expect("a name");
        let said = Command::new(self.programs.join("psql"))
            .arg("--host")
            .arg(&self.directory)
            .args(["--username", USER, "--no-psqlrc", "--quiet", "--tuples-only", "--no-align"])
            .args(["--set", "ON_ERROR_STOP=1", "--command", statement, name])
            .output()
            .expect("psql runs");
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        String::from_utf8_lossy(&said.stdout).trim_end().to_owned()
    }
}

impl Drop for TestPostgres {
    fn drop(&mut self) {
        drop(self.supervisor.stdin.take());
        // It says no more; its end is waited for, so that nothing is left behind.
        let _ = self.supervisor.wait();
    }
}

/// Whether this program runs as root, by what it makes.
fn is_root(made: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(made).expect("the directory").uid() == 0
}

/// The directory of PostgreSQL's programs: of `POSTGRES_BIN`, of the newest version of Debian's packages, or
/// of the search path.
fn programs() -> PathBuf {
    if let Some(given) = std::env::var_os("POSTGRES_BIN") {
        return given.into();
    }
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let versions = versions.map(|entry| entry.path().join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut found: Vec<PathBuf> = versions.collect();
    found.sort_by_key(|path| version_of(path));
    found.reverse();
    found.extend(std::env::split_paths(&path));
    let found = found.into_iter().find(|path| path.join("initdb").is_file());
    found.expect(
        "there is no PostgreSQL: run `make needs-postgres`, or name the directory of initdb in POSTGRES_BIN",
    )
}

fn version_of(path: &Path) -> u32 {
    let name = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    name.and_then(|name| name.parse().ok()).unwrap_or(0)
}
