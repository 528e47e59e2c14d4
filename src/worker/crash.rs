//! Panics: bugs of an engine's adapter or of the harness, told like errors.

use std::any::Any;
use std::panic::PanicHookInfo;
use std::sync::Mutex;

/// Where the last panic happened.
static PLACE: Mutex<Option<String>> = Mutex::new(None);

/// Notes the place of every panic, beside the usual words on standard error.
pub fn watch() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
        if let Ok(mut place) = PLACE.lock() {
            *place = info.location().map(ToString::to_string);
        }
        before(info);
    }));
}

/// A panic in words, with its place where it is known.
pub fn words(payload: &(dyn Any + Send)) -> String {
    let what = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no words");
    match PLACE.lock().ok().and_then(|mut place| place.take()) {
        Some(place) => format!("panicked at {place}: {what}"),
        None => format!("panicked: {what}"),
    }
}
