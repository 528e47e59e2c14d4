//! Records, keys, predicates and digests: the same for every engine.
