//! One instance of MMKV, safely.

use std::cell::Cell;
use std::ffi::{CString, c_char, c_int, c_void};
use std::path::Path;
use std::sync::Mutex;

use super::ffi::{Functions, Handle};
use crate::engines::native::{calls, load, pin};
use crate::engines::{EngineError, ErrorKind};

/// Longest key that MMKV keeps the size of (`KeyValueHolder::keySize`, 16 bits,
/// and the encoded lengths beside it in another 16).
const MOST_KEY_BYTES: usize = 65_000;
/// What [`Functions::kv_get`] says of a key that is not there.
const MISSING: i64 = -1;
/// Room for a value whose length is not known.
const GUESS_BYTES: usize = 1 << 10;

/// How instances are opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Bytes that the file has from the start; 0 for MMKV's own default, one page.
    pub expected_capacity: usize,
    /// Whether a value is compared with the old one and left where they agree.
    pub compare_before_set: bool,
    /// Whether a damaged file is read as far as it can be, instead of emptied.
    pub recover: bool,
}

/// An open instance: a file of values under keys, mapped into memory.
#[derive(Debug)]
pub struct Instance {
    functions: Functions,
    handle: Handle,
    /// Length of the longest value so far.
    longest: Cell<usize>,
}

/// The library's functions, loaded on the first call.
fn functions(root: &CString) -> Result<Functions, EngineError> {
    static LOADED: Mutex<Option<Functions>> = Mutex::new(None);
    let mut loaded = LOADED
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(functions) = *loaded {
        return Ok(functions);
    }
    let functions = Functions::of(load(&pin::MMKV)?)?;
    // SAFETY: the root is a string that lives through the call.
    if unsafe { (functions.kv_init)(root.as_ptr()) } == 0 {
        return Err(refused("cannot be initialised"));
    }
    *loaded = Some(functions);
    Ok(functions)
}

impl Instance {
    /// Opens the instance of that name in a directory, creating it if it is
    /// not there. Every instance of a directory must be closed before it is
    /// opened again.
    pub fn open(directory: &Path, name: &str, settings: Settings) -> Result<Self, EngineError> {
        let text = |text: &[u8]| CString::new(text).map_err(|_| refused("a name with a zero byte"));
        let root = text(directory.as_os_str().as_encoded_bytes())?;
        let name = text(name.as_bytes())?;
        let functions = functions(&root)?;
        // SAFETY: both strings live through the call.
        let handle = unsafe {
            (functions.kv_on_error)(c_int::from(settings.recover));
            (functions.kv_open)(name.as_ptr(), root.as_ptr(), settings.expected_capacity)
        };
        if handle.is_null() {
            return Err(refused("cannot open an instance"));
        }
        let instance = Instance {
            functions,
            handle,
            longest: Cell::new(GUESS_BYTES),
        };
        // SAFETY: the handle is open, here and in every method below.
        unsafe {
            if settings.compare_before_set && (functions.kv_compare_before_set)(handle) == 0 {
                return Err(refused("does not compare before it sets"));
            }
            // MMKV reads its file at the first call that needs it.
            (functions.kv_count)(handle);
        }
        Ok(instance)
    }

    /// Puts a value under a key.
    pub fn set(&self, key: &[u8], value: &[u8]) -> Result<(), EngineError> {
        if key.len() > MOST_KEY_BYTES {
            return Err(EngineError::new(
                ErrorKind::Unsupported,
                format!(
                    "MMKV takes keys of {MOST_KEY_BYTES} bytes, not of {}",
                    key.len()
                ),
            ));
        }
        calls::count_one();
        let (k, v) = (key.as_ptr(), value.as_ptr());
        // SAFETY: both slices live through the call, which copies them.
        let set = unsafe { (self.functions.kv_set)(self.handle, k, key.len(), v, value.len()) };
        self.longest.set(self.longest.get().max(value.len()));
        match set {
            0 => Err(EngineError::new(
                ErrorKind::Full,
                "MMKV refused a value: it could not enlarge its file",
            )),
            _ => Ok(()),
        }
    }

    /// Appends the value under a key; false where there is none.
    pub fn get(&self, key: &[u8], into: &mut Vec<u8>) -> Result<bool, EngineError> {
        self.fetch(self.functions.kv_get, key, into)
    }

    /// The same where the key is known to be there, with one copy less.
    pub fn read(&self, key: &[u8], into: &mut Vec<u8>) -> Result<bool, EngineError> {
        self.fetch(self.functions.kv_read, key, into)
    }

    fn fetch(
        &self,
        get: unsafe extern "C" fn(Handle, *const u8, usize, *mut u8, usize) -> i64,
        key: &[u8],
        into: &mut Vec<u8>,
    ) -> Result<bool, EngineError> {
        loop {
            let room = self.longest.get();
            into.reserve(room);
            calls::count_one();
            let end = into.spare_capacity_mut().as_mut_ptr().cast();
            // SAFETY: the key lives through the call; `room` bytes are writable
            // at `end`, and the call writes no more of them.
            let length = unsafe { get(self.handle, key.as_ptr(), key.len(), end, room) };
            let Ok(length) = usize::try_from(length) else {
                return match length {
                    MISSING => Ok(false),
                    _ => Err(EngineError::new(
                        ErrorKind::Corrupt,
                        "MMKV cannot read a value that it has",
                    )),
                };
            };
            if length <= room {
                // SAFETY: the call has written so many bytes at the end.
                unsafe { into.set_len(into.len() + length) };
                return Ok(true);
            }
            self.longest.set(length);
        }
    }

    /// Whether there is a value under a key.
    pub fn contains(&self, key: &[u8]) -> bool {
        calls::count_one();
        // SAFETY: the key lives through the call.
        unsafe { (self.functions.kv_contains)(self.handle, key.as_ptr(), key.len()) != 0 }
    }

    /// Removes a key; nothing happens where it is not there.
    pub fn remove(&self, key: &[u8]) -> Result<(), EngineError> {
        calls::count_one();
        // SAFETY: the key lives through the call.
        match unsafe { (self.functions.kv_remove)(self.handle, key.as_ptr(), key.len()) } {
            0 => Err(EngineError::new(
                ErrorKind::Full,
                "MMKV refused to remove a key: it could not enlarge its file",
            )),
            _ => Ok(()),
        }
    }

    /// All keys.
    pub fn keys(&self) -> Result<Keys, EngineError> {
        let mut keys = Keys::default();
        calls::count_one();
        let user: *mut Keys = &mut keys;
        // SAFETY: `show` gets `user` back during the call alone.
        let shown = unsafe { (self.functions.kv_keys)(self.handle, show, user.cast()) };
        if shown < 0 {
            return Err(refused("cannot list its keys"));
        }
        Ok(keys)
    }

    /// Number of keys.
    pub fn count(&self) -> u64 {
        calls::count_one();
        // SAFETY: the handle is open.
        unsafe { (self.functions.kv_count)(self.handle) as u64 }
    }

    /// Bytes of the file that hold something, old values included.
    pub fn actual_bytes(&self) -> u64 {
        calls::count_one();
        // SAFETY: the handle is open.
        unsafe { (self.functions.kv_actual_size)(self.handle) as u64 }
    }

    /// Hands the mapped pages to the operating system's write-back, and waits
    /// for it if asked.
    pub fn sync(&self, wait: bool) {
        calls::count_one();
        // SAFETY: the handle is open.
        unsafe { (self.functions.kv_sync)(self.handle, c_int::from(wait)) }
    }

    /// Writes the values together and halves the file as often as they allow.
    pub fn trim(&self) {
        calls::count_one();
        // SAFETY: the handle is open.
        unsafe { (self.functions.kv_trim)(self.handle) }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and nobody has it after this.
        unsafe { (self.functions.kv_close)(self.handle) }
    }
}

/// Keys of an instance.
#[derive(Debug, Default)]
pub struct Keys {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Keys {
    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(&self.ends)
            .map(|(start, end)| &self.bytes[start..*end])
    }
}

unsafe extern "C" fn show(user: *mut c_void, key: *const c_char, length: usize) {
    // SAFETY: `user` is the keys that `Instance::keys` handed over, which it
    // does not touch meanwhile; the key lives through this call.
    let (keys, key) = unsafe {
        (
            &mut *user.cast::<Keys>(),
            std::slice::from_raw_parts(key.cast::<u8>(), length),
        )
    };
    keys.bytes.extend(key);
    keys.ends.push(keys.bytes.len());
}

fn refused(what: &str) -> EngineError {
    EngineError::new(ErrorKind::Io, format!("MMKV {what}"))
}
