//! Parameters of queries. An error names the parameter and its rule.

use std::future::{Ready, ready};
use std::ops::Deref;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use serde::de::DeserializeOwned;
use verdigraph_core::Error;

use crate::error::ApiError;
use crate::extract::{named_fault, rule_of};

/// The parameters of a request. Errors of actix's own extractor do not tell the parameter.
#[derive(Debug)]
pub struct Query<T>(T);

impl<T> Query<T> {
    #[must_use]
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T: DeserializeOwned> Query<T> {
    /// Reads the text behind the question mark of an address.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let pairs = serde_urlencoded::Deserializer::new(form_urlencoded::parse(text.as_bytes()));
        serde_path_to_error::deserialize(pairs).map(Self).map_err(|error| {
            let path = error.path().to_string();
            let parameter = (path != ".").then_some(path.as_str());
            let sentence = error.into_inner().to_string();
            named_fault(parameter, &sentence)
                .unwrap_or_else(|| Error::invalid(parameter.unwrap_or("query"), rule_of(&sentence)))
        })
    }
}

impl<T> Deref for Query<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::parse(request.query_string()).map_err(ApiError::from))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use uuid::Uuid;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Parameters {
        workflow_api: Option<Uuid>,
        limit: Option<u32>,
        works: Option<bool>,
        search: String,
    }

    fn fault(text: &str) -> (String, String) {
        match Query::<Parameters>::parse(text) {
            Err(Error::Invalid { field, message }) => (field, message),
            other => panic!("{text} was read as {other:?}"),
        }
    }

    #[test]
    fn wrong_parameter_is_named_with_its_rule() {
        for (text, field, message) in [
            ("search=a&workflowApi=x", "workflowApi", "must be a UUID"),
            ("search=a&limit=many", "limit", "must be a whole number"),
            ("search=a&limit=", "limit", "must be a whole number"),
            ("search=a&limit=4294967296", "limit", "is too large"),
            ("search=a&works=yes", "works", "must be true or false"),
            ("limit=5", "search", "is required"),
            ("search=a&search=b", "search", "is given twice"),
        ] {
            assert_eq!(fault(text), (field.to_owned(), message.to_owned()), "{text}");
        }
        let (field, message) = fault("search=a&more=1");
        assert!(field == "more" && message.contains("more"), "{field}: {message}");
    }

    #[test]
    fn values_are_decoded() {
        let id = Uuid::nil();
        let read = Query::<Parameters>::parse(&format!("search=a+%26+b&limit=5&works=true&workflowApi={id}"));
        let Parameters { workflow_api, limit, works, search } = read.expect("parameters").into_inner();
        assert_eq!((workflow_api, limit, works, search.as_str()), (Some(id), Some(5), Some(true), "a & b"));
        let pairs = Query::<Vec<(String, String)>>::parse("a=1&a=2").expect("pairs");
        assert_eq!(pairs.len(), 2);
    }
}
