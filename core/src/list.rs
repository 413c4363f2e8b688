//! Lists: queries, sort orders, cursors and pages, for all rooms.
//!
//! Lists are read by keyset pagination. A cursor names the last item of a page by its sort key and its id, and the next
//! page starts behind it. So a page costs the same at any depth, and added items neither repeat nor hide others.

use std::fmt::Debug;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::filter::MAX_IDS;
use crate::{Error, Result};

/// Items of the largest page.
pub const MAX_PAGE: i64 = 100;
/// Items that a query may skip. Deeper pages are read by cursor.
pub const MAX_SKIP: i64 = 10_000;
/// Counts end here.
pub const MAX_COUNT: i64 = 100_000;

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// Cursor of the next page; `None` at the end of the list.
    pub next_cursor: Option<String>,
}

/// One page of a list whose pages have numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberedPage<T> {
    pub items: Vec<T>,
    /// Items on all pages.
    pub total: i64,
}

impl<T> Page<T> {
    pub(crate) fn empty() -> Self {
        Self { items: Vec::new(), next_cursor: None }
    }
}

/// Which page of which list. A list without a filter or with one sort order has `()` there.
#[derive(Debug, Clone, Copy, Default)]
pub struct ListQuery<'a, F = (), S = ()> {
    pub filter: F,
    pub sort: S,
    /// [`Page::next_cursor`] of the page before; `None` for the first page.
    pub cursor: Option<&'a str>,
    /// Items to skip, up to [`MAX_SKIP`].
    pub skip: i64,
    /// Items of the page. Values outside of 1 to [`MAX_PAGE`] are clamped.
    pub limit: i64,
}

impl<'a, F> ListQuery<'a, F> {
    /// The page that starts at a cursor; the first page without one.
    pub fn at(filter: F, cursor: Option<&'a str>, limit: i64) -> Self {
        Self { filter, sort: (), cursor, skip: 0, limit }
    }
}

impl<'a, F, S> ListQuery<'a, F, S> {
    /// The same page by another filter.
    #[must_use]
    pub fn filtered<G>(self, filter: G) -> ListQuery<'a, G, S> {
        let Self { sort, cursor, skip, limit, .. } = self;
        ListQuery { filter, sort, cursor, skip, limit }
    }

    /// The same page in another order.
    #[must_use]
    pub fn sorted<O>(self, sort: O) -> ListQuery<'a, F, O> {
        let Self { filter, cursor, skip, limit, .. } = self;
        ListQuery { filter, sort, cursor, skip, limit }
    }

    /// Refuses more than [`MAX_SKIP`], and a skip beside a cursor.
    pub(crate) fn check_skip(&self) -> Result<()> {
        if !(0..=MAX_SKIP).contains(&self.skip) {
            let message = format!("must be between 0 and {MAX_SKIP}; go on with nextCursor instead");
            return Err(Error::invalid("options.skip", message));
        }
        if self.skip > 0 && self.cursor.is_some() {
            return Err(Error::invalid("options.skip", "cannot be used together with a cursor"));
        }
        Ok(())
    }

    /// The limit as lists apply it.
    pub(crate) fn page_size(&self) -> i64 {
        self.limit.clamp(1, MAX_PAGE)
    }

    /// What a statement reads for this page.
    ///
    /// # Errors
    /// As [`ListQuery::check_skip`], and for a cursor that no list in this order returned.
    pub(crate) fn keyset(&self) -> Result<Keyset<S>>
    where
        S: SortOrder,
    {
        self.check_skip()?;
        let after = self.cursor.map_or_else(|| Ok(Cursor::start(self.sort)), |text| Cursor::read(text, self.sort))?;
        Ok(Keyset { sort: self.sort, after, skip: self.skip, limit: self.page_size() + 1 })
    }
}

/// The rows that a statement reads for a page: one more than the page has, which tells whether there is a next page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keyset<S = ()> {
    pub sort: S,
    pub after: Cursor,
    pub skip: i64,
    pub limit: i64,
}

impl<S: SortOrder> Keyset<S> {
    /// The first [`MAX_IDS`] rows in the default order: all that a filter by ids can match.
    pub fn all() -> Self {
        let sort = S::default();
        let limit = i64::try_from(MAX_IDS).unwrap_or(i64::MAX);
        Self { sort, after: Cursor::start(sort), skip: 0, limit }
    }

    /// Cuts rows to the page and returns whether a next page exists.
    pub fn cut<T>(&self, rows: &mut Vec<T>) -> bool {
        let size = usize::try_from(self.limit - 1).unwrap_or(usize::MAX);
        let has_more = rows.len() > size;
        rows.truncate(size);
        has_more
    }

    /// Makes the page out of the rows. `place` is the position of a row in the list.
    pub fn page<T>(&self, mut rows: Vec<T>, place: impl FnOnce(&T) -> Cursor) -> Page<T> {
        let has_more = self.cut(&mut rows);
        let next_cursor = rows.last().filter(|_| has_more).map(|last| place(last).text(self.sort));
        Page { items: rows, next_cursor }
    }
}

/// A part of the results of a search, named by its place: an order by similarity has no key that a cursor could name.
#[derive(Debug, Clone, Copy)]
pub struct RankedRange {
    skip: i64,
    limit: i64,
}

impl RankedRange {
    /// Results that a search may skip.
    pub const MAX_SKIP: i64 = 480;

    /// Values outside of 0 to [`RankedRange::MAX_SKIP`] and 1 to [`MAX_PAGE`] are clamped.
    pub fn new(skip: i64, limit: i64) -> Self {
        Self { skip: skip.clamp(0, Self::MAX_SKIP), limit: limit.clamp(1, MAX_PAGE) }
    }

    /// The first results.
    pub fn first(limit: i64) -> Self {
        Self::new(0, limit)
    }

    /// Results to skip for the next part; `None` where that is more than a search may skip.
    #[must_use]
    pub fn next_skip(self) -> Option<i64> {
        Some(self.skip + self.limit).filter(|skip| *skip <= Self::MAX_SKIP)
    }

    /// Results that a statement reads, from the best on: one more than the part needs, which tells whether more follow.
    pub(crate) fn reach(self) -> i64 {
        self.skip + self.limit + 1
    }

    /// Cuts the part out of the results up to its [`RankedRange::reach`].
    pub(crate) fn cut<T>(self, results: Vec<T>) -> RankedPart<T> {
        let has_more = i64::try_from(results.len()).is_ok_and(|count| count >= self.reach());
        RankedPart { items: slice(results, self.skip, self.limit), has_more }
    }
}

/// A part of the results of a search, the best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankedPart<T> {
    pub items: Vec<T>,
    /// Whether worse results follow.
    pub has_more: bool,
}

impl<T> Default for RankedPart<T> {
    fn default() -> Self {
        Self { items: Vec::new(), has_more: false }
    }
}

/// Cuts a page out of a list in memory.
pub(crate) fn slice<T>(items: Vec<T>, skip: i64, limit: i64) -> Vec<T> {
    let size = |value: i64| usize::try_from(value).unwrap_or(0);
    items.into_iter().skip(size(skip)).take(size(limit)).collect()
}

/// The order of a list. [`sort_order`] writes the implementations.
pub(crate) trait SortOrder: Copy + Default + PartialEq + Debug {
    /// Marks the cursors of this order, so that no other order accepts them. Without a letter, cursors are bare ids.
    fn letter(self) -> Option<char>;
    /// Whether keys grow from the first item to the last.
    fn is_ascending(self) -> bool;
}

/// One order by id, newest first.
impl SortOrder for () {
    fn letter(self) -> Option<char> {
        None
    }

    fn is_ascending(self) -> bool {
        false
    }
}

/// Writes an enum of the orders of a list, each with the letter of its cursors and its words in the API. The error for
/// an unknown word names the first word of each order.
macro_rules! sort_order {
    (
        $(#[$meta:meta])*
        pub enum $order:ident {
            $($(#[$attribute:meta])* $one:ident $($letter:literal)? $(=> $($word:literal)|+)?),+ $(,)?
        }
        $(ascending $ascending:ident)?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub enum $order {
            $($(#[$attribute])* $one),+
        }

        impl $crate::list::SortOrder for $order {
            fn letter(self) -> Option<char> {
                let letter: &[char] = match self {
                    $(Self::$one => &[$($letter)?]),+
                };
                letter.first().copied()
            }

            fn is_ascending(self) -> bool {
                [$(Self::$ascending)?].contains(&self)
            }
        }

        impl std::str::FromStr for $order {
            type Err = $crate::Error;

            fn from_str(word: &str) -> $crate::Result<Self> {
                match word {
                    $($($($word)|+ => Ok(Self::$one),)?)+
                    _ => Err($crate::word_list::none_of("sort", &[$($([$($word),+][0],)?)+])),
                }
            }
        }
    };
}
pub(crate) use sort_order;

sort_order! {
    /// By age. Cursors are bare ids.
    pub enum AgeOrder {
        #[default]
        Newest => "newest" | "-_id" | "-createdAt",
        Oldest => "oldest" | "_id" | "createdAt",
    }
    ascending Oldest
}

/// A position in a list: the sort key of an item (a count, or microseconds since 1970), then its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub key: i64,
    pub id: Uuid,
}

impl Cursor {
    /// In a list by id.
    pub fn of(id: impl Into<Uuid>) -> Self {
        Self { key: 0, id: id.into() }
    }

    /// Before the first item.
    pub fn start(sort: impl SortOrder) -> Self {
        match sort.is_ascending() {
            true => Self { key: i64::MIN, id: Uuid::nil() },
            false => Self { key: i64::MAX, id: Uuid::max() },
        }
    }

    /// Parses a cursor that a list in this order returned.
    pub fn read(text: &str, sort: impl SortOrder) -> Result<Self> {
        let read = || {
            let Some(letter) = sort.letter() else { return Uuid::parse_str(text).ok().map(Self::of) };
            let text = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
            let mut parts = text.split(':');
            let (order, key, id) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
            (order.chars().eq([letter]) && parts.next().is_none()).then_some(Self { key, id })
        };
        read().ok_or_else(unknown_cursor)
    }

    pub fn text(self, sort: impl SortOrder) -> String {
        let Self { key, id } = self;
        match sort.letter() {
            Some(letter) => URL_SAFE_NO_PAD.encode(format!("{letter}:{key}:{id}")),
            None => id.to_string(),
        }
    }

    /// The key as a time. A key beyond the calendar becomes a time that no item has.
    pub fn time(self) -> DateTime<Utc> {
        /// Later than every item, and valid for PostgreSQL and chrono.
        const FAR: i64 = 9_000_000_000_000_000;
        DateTime::from_timestamp_micros(self.key.clamp(0, FAR)).unwrap_or_default()
    }
}

/// The error for a cursor that the list did not return.
pub(crate) fn unknown_cursor() -> Error {
    Error::invalid("cursor", "was not given by this list")
}

#[cfg(test)]
mod tests {
    use super::*;

    sort_order! {
        /// Orders of a test.
        pub enum TestOrder {
            #[default]
            Rank,
            Oldest => "oldest" | "createdAt",
            Like 'l' => "like",
            View 'v' => "view",
        }
        ascending Oldest
    }

    #[test]
    fn cursor_is_accepted_by_its_own_order_alone() {
        let place = Cursor { key: -7, id: Uuid::now_v7() };
        let text = place.text(TestOrder::Like);
        assert_eq!(Cursor::read(&text, TestOrder::Like).expect("its own"), place);
        for other in [TestOrder::Rank, TestOrder::Oldest, TestOrder::View] {
            assert!(Cursor::read(&text, other).is_err(), "{other:?} accepted it");
        }
        for wrong in ["", "x", "bDo3", "bDo3Ong", &format!("{text}AA")] {
            assert!(Cursor::read(wrong, TestOrder::Like).is_err(), "{wrong:?} was accepted");
        }
        assert_eq!(Cursor::read(&place.id.to_string(), TestOrder::Rank).expect("an id"), Cursor::of(place.id));
    }

    #[test]
    fn unknown_sort_word_names_the_known_ones() {
        assert_eq!("createdAt".parse::<TestOrder>().expect("a word"), TestOrder::Oldest);
        let error = "Rank".parse::<TestOrder>().expect_err("no word of its own");
        let expected = "must be oldest, like or view";
        assert!(matches!(&error, Error::Invalid { message, .. } if message == expected), "{error:?}");
    }

    #[test]
    fn keys_beyond_the_calendar_are_clamped() {
        let time = |key| Cursor { key, id: Uuid::nil() }.time();
        assert!(time(i64::MAX) > time(1_800_000_000_000_000));
        assert_eq!(time(i64::MIN), DateTime::UNIX_EPOCH);
    }

    #[test]
    fn parts_of_a_search_neither_repeat_nor_miss_results() {
        let all: Vec<i64> = (0..30).collect();
        let part = |skip, limit| {
            let range = RankedRange::new(skip, limit);
            range.cut(all.iter().copied().take(usize::try_from(range.reach()).expect("a count")).collect())
        };
        assert_eq!(part(0, 24), RankedPart { items: (0..24).collect(), has_more: true });
        assert_eq!(part(24, 24), RankedPart { items: (24..30).collect(), has_more: false });
        assert_eq!(part(0, 30), RankedPart { items: all.clone(), has_more: false }, "the last part is full");
        assert_eq!(part(-5, 0), RankedPart { items: vec![0], has_more: true }, "clamped");
        assert_eq!(RankedRange::new(i64::MAX, i64::MAX).reach(), RankedRange::MAX_SKIP + MAX_PAGE + 1);
        assert_eq!((RankedRange::new(24, 24).next_skip(), RankedRange::new(470, 24).next_skip()), (Some(48), None));
    }

    #[test]
    fn skip_is_limited_and_excludes_a_cursor() {
        let check = |skip, cursor| ListQuery::<(), ()> { skip, cursor, ..ListQuery::default() }.check_skip();
        assert!(check(0, Some("x")).is_ok());
        assert!(check(MAX_SKIP, None).is_ok());
        for (skip, cursor) in [(-1, None), (MAX_SKIP + 1, None), (i64::MAX, None), (1, Some("x"))] {
            assert!(check(skip, cursor).is_err(), "{skip} {cursor:?}");
        }
        assert_eq!(slice(vec![1, 2, 3, 4], 1, 2), [2, 3]);
        assert!(slice(vec![1], 5, 2).is_empty());
    }
}
