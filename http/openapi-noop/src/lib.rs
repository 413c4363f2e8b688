//! utoipa's macros without their output. A server is built with these, and reads its OpenAPI document from a file that
//! the feature `describe` generates with utoipa.

use proc_macro::TokenStream;

/// Leaves the handler as it is.
#[proc_macro_attribute]
pub fn path(_: TokenStream, handler: TokenStream) -> TokenStream {
    handler
}

/// Generates no code.
#[proc_macro_derive(ToSchema, attributes(schema))]
pub fn to_schema(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Generates no code.
#[proc_macro_derive(IntoParams, attributes(param, into_params))]
pub fn into_params(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Generates no code.
#[proc_macro_derive(OpenApi, attributes(openapi))]
pub fn open_api(_: TokenStream) -> TokenStream {
    TokenStream::new()
}
