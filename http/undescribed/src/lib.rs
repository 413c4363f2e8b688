//! The macros that describe the API, which describe nothing: a server is built with these. Its description was made by
//! utoipa, with the same macros and the feature `describe`, and is a file.

use proc_macro::TokenStream;

/// Takes what utoipa takes, and leaves the handler as it is.
#[proc_macro_attribute]
pub fn path(_: TokenStream, handler: TokenStream) -> TokenStream {
    handler
}

/// Nothing.
#[proc_macro_derive(ToSchema, attributes(schema))]
pub fn to_schema(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Nothing.
#[proc_macro_derive(IntoParams, attributes(param, into_params))]
pub fn into_params(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Nothing.
#[proc_macro_derive(OpenApi, attributes(openapi))]
pub fn open_api(_: TokenStream) -> TokenStream {
    TokenStream::new()
}
