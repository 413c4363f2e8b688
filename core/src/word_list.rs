//! Enums with fixed names in the API and numbers in the database.

/// Defines an enum with `ALL`, `name` and [`FromStr`](std::str::FromStr), whose error names the field and the allowed
/// values. A name is the variant's own unless another follows `=>`. With `else`, `from_number` reads numbers of rows
/// and maps unknown ones to that variant.
macro_rules! word_list {
    (
        $(#[$meta:meta])*
        pub enum $list:ident for $field:literal {
            $($(#[$doc:meta])* $one:ident $(= $number:literal)? $(=> $word:literal)?),+ $(,)?
        }
        $(else $fallback:ident)?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $list {
            $($(#[$doc])* $one $(= $number)?),+
        }

        impl $list {
            pub const ALL: [Self; [$(stringify!($one)),+].len()] = [$(Self::$one),+];

            /// The name in the API.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$one => $crate::word_list::word!($one $($word)?)),+
                }
            }

            $(
                /// From a row's number; unknown numbers become the fallback.
                #[must_use]
                pub fn from_number(number: i16) -> Self {
                    Self::ALL.into_iter().find(|one| *one as i16 == number).unwrap_or(Self::$fallback)
                }
            )?
        }

        impl std::str::FromStr for $list {
            type Err = $crate::Error;

            fn from_str(word: &str) -> $crate::Result<Self> {
                let known = Self::ALL.into_iter().find(|one| one.name() == word);
                known.ok_or_else(|| $crate::word_list::none_of($field, &Self::ALL.map(Self::name)))
            }
        }
    };
}

/// The name of a variant.
macro_rules! word {
    ($one:ident) => {
        stringify!($one)
    };
    ($one:ident $word:literal) => {
        $word
    };
}

pub(crate) use {word, word_list};

use crate::Error;

/// The error for an unknown name.
pub(crate) fn none_of(field: &str, words: &[&str]) -> Error {
    let message = match words {
        [] => "has no words".to_owned(),
        [only] => format!("must be {only}"),
        [others @ .., last] => format!("must be {} or {last}", others.join(", ")),
    };
    Error::invalid(field, message)
}

#[cfg(test)]
mod tests {
    use crate::Error;

    word_list! {
        /// A kind of tea.
        pub enum Tea for "tea" {
            Green = 1,
            Black = 3 => "BLACK",
        } else Green
    }

    #[test]
    fn words_round_trip_and_others_are_refused() {
        assert_eq!(Tea::ALL.map(Tea::name), ["Green", "BLACK"]);
        for tea in Tea::ALL {
            assert_eq!(tea.name().parse::<Tea>().expect("its own word"), tea);
            assert_eq!(Tea::from_number(tea as i16), tea);
        }
        assert_eq!(Tea::from_number(2), Tea::Green, "an unknown number");
        let refused = "Black".parse::<Tea>().expect_err("words are exact");
        assert!(
            matches!(&refused, Error::Invalid { field, message } if field == "tea" && message == "must be Green or BLACK"),
            "{refused:?}"
        );
    }
}
