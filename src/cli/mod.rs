//! Arguments and commands.
