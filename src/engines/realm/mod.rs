//! Realm Core, native, through its C API.
//!
//! [`layout`] says how a schema lies in classes and [`query`] how a request is
//! asked; both are pure, so that [`explain`] needs no library. [`ffi`] declares
//! the C API and [`api`] makes it safe; [`read`] and [`mod@write`] do what an app
//! does with it, what Realm does not do by itself included.

pub mod api;
pub mod classes;
pub mod engine;
pub mod error;
pub mod explain;
pub mod ffi;
pub mod layout;
pub mod names;
pub mod options;
pub mod query;
pub mod read;
pub mod running;
pub mod session;
pub mod store;
pub mod tier;
pub mod write;

pub use engine::RealmEngine;
