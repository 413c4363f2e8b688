//! Several outputs as one ZIP file, streamed while it is made. Pictures and videos are compressed already, so they are
//! only stored. When the client disconnects, the next write fails and ends the work.

mod archive;

use std::collections::HashSet;
use std::io;

use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::web::Bytes;
use chrono::{DateTime, Utc};
use futures_util::TryStreamExt as _;
use tokio::io::DuplexStream;
use tokio_util::io::ReaderStream;
use verdigraph_core::Error;
use verdigraph_core::assets::{self, Storage};
use verdigraph_core::gallery::OutputAsset;

use self::archive::Archive;
use crate::error::ApiError;
use crate::streams::StreamPermit;

/// Bytes of a file in memory at a time.
const PIECE: u64 = 256 << 10;
/// Bytes that may wait for the client.
const WAITING: usize = 256 << 10;
/// A list of files that could not be read, in the archive.
const REPORT: &str = "not-included.txt";

/// The response: the archive of these outputs, named `YYYYMMDD_HHmmss.zip`.
#[must_use]
pub fn stream(storage: Storage, assets: Vec<OutputAsset>, permit: StreamPermit, now: DateTime<Utc>) -> HttpResponse {
    let (writer, reader) = tokio::io::duplex(WAITING);
    actix_web::rt::spawn(async move {
        // The permit is held while the archive is sent.
        let mut permit = permit;
        let written = tokio::select! {
            written = write(&storage, assets, writer, now) => written,
            () = permit.revoked() => return,
        };
        match written {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            Err(error) => tracing::debug!(%error, "an archive was not sent completely"),
        }
    });
    let body = ReaderStream::new(reader).map_err(|error| ApiError::from(Error::Internal(error.to_string())));
    HttpResponse::Ok()
        .content_type("application/zip")
        .insert_header((header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}.zip\"", stamp(now))))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        // Its content is compressed already.
        .insert_header((header::CONTENT_ENCODING, "identity"))
        .streaming(body)
}

async fn write(
    storage: &Storage,
    assets: Vec<OutputAsset>,
    writer: DuplexStream,
    now: DateTime<Utc>,
) -> io::Result<()> {
    let mut archive = Archive::new(writer);
    let mut names = Names(HashSet::from([REPORT.to_owned()]));
    let mut missing = Vec::new();
    for asset in &assets {
        let name = names.take(&asset.saved_as());
        // An unreadable file is left out before its entry begins.
        let (size, first) = match begin(storage, asset).await {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(%error, output.id = %asset.id, "an output is missing in an archive");
                missing.push(name);
                continue;
            }
        };
        let mut file = archive.file(name, asset.created_at, size).await?;
        let mut at = first.len() as u64;
        file.write(&first).await?;
        while at < size {
            let piece = storage.get_range(&asset.content, at..size.min(at + PIECE)).await;
            let piece = piece.map_err(|error| io::Error::other(error.to_string()))?;
            if piece.is_empty() {
                break;
            }
            file.write(&piece).await?;
            at += piece.len() as u64;
        }
        file.end().await?;
    }
    if !missing.is_empty() {
        let report = format!("{}\n", missing.join("\n"));
        let mut file = archive.file(REPORT.to_owned(), now, report.len() as u64).await?;
        file.write(report.as_bytes()).await?;
        file.end().await?;
    }
    archive.finish().await
}

async fn begin(storage: &Storage, asset: &OutputAsset) -> Result<(u64, Bytes), Error> {
    let size = storage.size(&asset.content).await?;
    Ok((size, storage.get_range(&asset.content, 0..size.min(PIECE)).await?))
}

/// Unique names in an archive, ignoring case.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    fn take(&mut self, name: &str) -> String {
        let ending = assets::ending_of(name).map(|ending| format!(".{ending}")).unwrap_or_default();
        let stem = name.strip_suffix(&ending).unwrap_or(name);
        let mut taken = name.to_owned();
        let mut number = 1;
        while !self.0.insert(taken.to_lowercase()) {
            number += 1;
            taken = format!("{stem}_{number}{ending}");
        }
        taken
    }
}

/// `YYYYMMDD_HHmmss`.
fn stamp(at: DateTime<Utc>) -> String {
    at.format("%Y%m%d_%H%M%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_get_numbers() {
        let mut names = Names::default();
        let given =
            ["a.png", "a.png", "a.webp", "A.PNG", "a_2.png", "statue_00001_.glb", "statue_00001_.glb", "x", "x"];
        let taken = given.map(|name| names.take(name));
        let apart = [
            "a.png",
            "a_2.png",
            "a.webp",
            "A_3.PNG",
            "a_2_2.png",
            "statue_00001_.glb",
            "statue_00001__2.glb",
            "x",
            "x_2",
        ];
        assert_eq!(taken, apart);
    }
}
