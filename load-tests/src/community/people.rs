//! People, a third of them with a profile picture.

use sqlx::PgConnection;
use uuid::Uuid;

use super::copy::{CopyWriter, Nullable, Time};
use super::random::{Draw, Kind, id};
use super::{Community, texts};
use crate::error::Result;

/// Side of a profile picture in pixels.
const PORTRAIT: u32 = 256;

impl Community {
    pub(super) fn person(&self, number: u32) -> Uuid {
        id(Kind::Person, self.joined_us(number), u64::from(number))
    }

    /// People joined before all posts, one per second.
    fn joined_us(&self, number: u32) -> i64 {
        self.begin_us() + i64::from(number) * 1_000_000
    }

    fn portrait(&self, number: u32) -> Option<Uuid> {
        number.is_multiple_of(3).then(|| id(Kind::Portrait, self.joined_us(number), u64::from(number)))
    }
}

/// A content hash of 64 hexadecimal digits, unique in the community.
pub(super) fn content(community: &Community, number: u64) -> String {
    let piece = |part: u64| community.random().roll(Draw::Content, number.wrapping_mul(4).wrapping_add(part));
    format!("{:016x}{:016x}{:016x}{number:016x}", piece(0), piece(1), piece(2))
}

pub(super) async fn fill(community: &Community, db: &mut PgConnection) -> Result<()> {
    let people = 0..community.size.people;
    let columns = "id, email, name, name_tag, language, plan, profile_asset_id, terms_accepted_at, privacy_accepted_at, \
                   created_at, email_verified_at";
    let mut users = CopyWriter::begin(db, "users", columns).await?;
    for number in people.clone() {
        let (id, at) = (community.person(number), Time(community.joined_us(number)));
        let name = texts::text(community.random(), u64::from(number) + 5_000_000, 2);
        let language = if number.is_multiple_of(4) { "ko" } else { "en" };
        let portrait = Nullable(community.portrait(number));
        users.row(format_args!(
            "{id}\tperson-{number}@community.example\t{name}\t{number}\t{language}\tFree\t{portrait}\t{at}\t{at}\t{at}\t{at}"
        ));
        users.flow().await?;
    }
    users.end().await?;
    let portraits = || people.clone().filter_map(|number| Some((number, community.portrait(number)?)));
    let mut files = CopyWriter::begin(db, "files", FILE).await?;
    for (number, _) in portraits() {
        let at = Time(community.joined_us(number));
        let content = content(community, portrait_file(number));
        files.row(format_args!("{content}\tWebp\t24000\t{PORTRAIT}\t{PORTRAIT}\t{BLUR}\t{at}"));
        files.flow().await?;
    }
    files.end().await?;
    let mut assets = CopyWriter::begin(db, "assets", ASSET).await?;
    for (number, id) in portraits() {
        let (owner, at) = (community.person(number), Time(community.joined_us(number)));
        let content = content(community, portrait_file(number));
        assets.row(format_args!("{id}\t{owner}\t{content}\tportrait.webp\tImage\tf\t{at}"));
        assets.flow().await?;
    }
    assets.end().await?;
    Ok(())
}

/// Columns of files and of assets.
pub(super) const FILE: &str = "content, media, size_bytes, width, height, blur_hash, created_at";
pub(super) const ASSET: &str = "id, user_id, content, name, kind, is_private, created_at";
/// A BlurHash, the same for all pictures.
pub(super) const BLUR: &str = "3OcRJYB4d3h/iIeHeEh3eIhw+j3A";

/// File numbers of profile pictures, distinct from those of covers and pictures.
fn portrait_file(number: u32) -> u64 {
    (1 << 40) | u64::from(number)
}
