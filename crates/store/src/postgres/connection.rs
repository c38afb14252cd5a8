//! Connections to the database, and what is asked of it.

use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions, Row};
use tokio::time::{Instant, sleep, timeout};

use crate::error::StoreError;

use super::url::DatabaseUrl;

/// How long an operation waits for a database that cannot be reached, such as one that is restarted.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// The pause between two attempts.
pub(super) const PAUSE: Duration = Duration::from_millis(100);

/// The oldest version with everything that is used here.
const OLDEST_POSTGRES: i32 = 130_000;

pub(super) fn connect_options(url: &DatabaseUrl) -> Result<PgConnectOptions, StoreError> {
    let wrong = |reason: String| {
        StoreError::Failed(format!(
            "the address of the database is wrong ({reason}); it has the form \
             postgres://USER:PASSWORD@HOST:PORT/DATABASE"
        ))
    };
    let text = url.expose();
    if !text.starts_with("postgres://") && !text.starts_with("postgresql://") {
        return Err(wrong("it does not begin with postgres://".into()));
    }
    let options = PgConnectOptions::from_str(text).map_err(|error| match error {
        sqlx::Error::Configuration(reason) => wrong(reason.to_string()),
        other => wrong(other.to_string()),
    })?;
    Ok(options.application_name("scene-llm").disable_statement_logging())
}

/// Connects; tries again while the database cannot be reached, until `deadline`.
pub(super) async fn connect(
    options: &PgConnectOptions,
    deadline: Instant,
) -> Result<PgConnection, StoreError> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now()).max(PAUSE);
        let outcome = match timeout(left, options.connect()).await {
            Ok(outcome) => outcome.map_err(StoreError::from),
            Err(_) => Err(StoreError::Unreachable("no answer in time".into())),
        };
        match outcome {
            Err(StoreError::Unreachable(_)) if Instant::now() < deadline => sleep(PAUSE).await,
            Err(error) => return Err(error),
            Ok(connection) => return Ok(connection),
        }
    }
}

/// Sets up a connection. A commit waits for the disk, also where the database's own default does not; a
/// transaction whose process stands still does not hold its locks for long.
pub(super) async fn set_up(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let settings = "SELECT set_config('lock_timeout', '5s', false),
                           set_config('idle_in_transaction_session_timeout', '3s', false)";
    sqlx::raw_sql(settings).execute(&mut *connection).await?;
    let durable = "SELECT set_config('synchronous_commit', 'on', false)
                   WHERE current_setting('synchronous_commit') = 'off'";
    sqlx::raw_sql(durable).execute(connection).await?;
    Ok(())
}

/// Refuses a database that cannot hold sessions.
pub(super) async fn check_database(connection: &mut PgConnection) -> Result<(), StoreError> {
    let row = sqlx::query(
        "SELECT current_setting('server_version_num')::integer AS number,
                current_setting('server_version') AS version,
                current_setting('server_encoding') AS encoding,
                current_setting('fsync') AS fsync,
                pg_is_in_recovery() AS is_standby",
    )
    .fetch_one(connection)
    .await?;
    if row.try_get::<i32, _>("number")? < OLDEST_POSTGRES {
        let version: String = row.try_get("version")?;
        return Err(StoreError::Failed(format!(
            "PostgreSQL {version} is too old; 13 or newer is needed"
        )));
    }
    let encoding: String = row.try_get("encoding")?;
    if encoding != "UTF8" {
        return Err(StoreError::Failed(format!(
            "the database has the encoding {encoding}; make one with UTF8 (createdb --encoding UTF8 \
             --template template0 NAME)"
        )));
    }
    if row.try_get("is_standby")? {
        return Err(StoreError::Failed(
            "the database is a standby, which cannot be written; name the primary".into(),
        ));
    }
    if row.try_get::<String, _>("fsync")? == "off" {
        tracing::warn!(
            "fsync is off in PostgreSQL: a crash of its machine can lose what was saved"
        );
    }
    Ok(())
}
