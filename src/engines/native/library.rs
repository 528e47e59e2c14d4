//! Loading an installed library into this process.

use libloading::Library;

use super::installed::find;
use super::pin::Pin;
use crate::engines::{EngineError, ErrorKind};

/// Loads the library of a pin and leaves it loaded until the process ends:
/// such engines keep threads and thread-locals of their own.
///
/// To be called once per process and kind; adapters keep the function table
/// that they read from it.
///
/// # Errors
/// [`ErrorKind::Unsupported`] where it is not installed; [`ErrorKind::Other`]
/// where the linker refuses it.
pub fn load(pin: &Pin) -> Result<&'static Library, EngineError> {
    let installed = find(pin).ok_or_else(|| {
        EngineError::new(
            ErrorKind::Unsupported,
            format!("{} is not installed", pin.kind),
        )
    })?;
    // SAFETY: the library is what `install` put there from a pinned package;
    // its initialisers do not depend on the state of this program.
    let library = unsafe { Library::new(&installed.library) }.map_err(|error| {
        EngineError::new(
            ErrorKind::Other,
            format!("cannot load {}: {error}", pin.kind),
        )
    })?;
    Ok(Box::leak(Box::new(library)))
}
