//! The engine contract, its registry, and one folder per engine.
