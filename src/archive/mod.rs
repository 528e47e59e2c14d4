//! A run on disk: format, recorder, reader, store.
