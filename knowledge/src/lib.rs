//! What is known about chess besides search.
//!
//! Each module is an idea of one of the papers behind Bluebelle, and stands on the contract
//! ([`bluebelle_spec`]) alone. No idea imports the internals of another one.

pub mod endings;
pub mod oracle;
pub mod utility;
pub mod vocabulary;
