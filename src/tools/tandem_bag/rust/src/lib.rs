//! The functions of ../tandem_mcap.h; what they do is said there.
#![allow(clippy::missing_safety_doc)]

mod reader;
mod scan;
mod sink;
mod writer;

use core::ffi::c_char;
use std::collections::BTreeMap;
use std::panic::{catch_unwind, AssertUnwindSafe};

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Text {
    data: *const c_char,
    size: usize,
}

impl Text {
    pub fn of(bytes: &[u8]) -> Text {
        Text { data: bytes.as_ptr() as *const c_char, size: bytes.len() }
    }

    pub unsafe fn bytes<'a>(self) -> &'a [u8] {
        if self.size == 0 {
            return &[];
        }
        core::slice::from_raw_parts(self.data as *const u8, self.size)
    }

    pub unsafe fn string(self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pair {
    key: Text,
    value: Text,
}

pub unsafe fn slice<'a, T>(data: *const T, size: usize) -> &'a [T] {
    if size == 0 {
        return &[];
    }
    core::slice::from_raw_parts(data, size)
}

pub unsafe fn map_of(pairs: *const Pair, size: usize) -> BTreeMap<String, String> {
    slice(pairs, size).iter().map(|pair| (pair.key.string(), pair.value.string())).collect()
}

#[repr(C)]
pub struct Channel {
    id: u16,
    topic: Text,
    message_encoding: Text,
    schema_name: Text,
    schema_encoding: Text,
    schema_data: Text,
    metadata: *const Pair,
    metadata_size: usize,
    message_count: u64,
}

#[repr(C)]
pub struct Message {
    channel: u16,
    sequence: u32,
    log_time: u64,
    publish_time: u64,
    data: *const u8,
    size: usize,
}

/// What a call failed with: an errno or -1, and a sentence.
pub struct Failure {
    pub code: i32,
    pub text: String,
}

impl From<mcap::McapError> for Failure {
    fn from(error: mcap::McapError) -> Self {
        match error {
            mcap::McapError::Io(error) => error.into(),
            other => Failure { code: -1, text: other.to_string() },
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure { code: error.raw_os_error().unwrap_or(-1), text: error.to_string() }
    }
}

/// Runs it; a panic, which only a broken file can cause, is a failure like others.
pub fn attempt<T>(call: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(call))
        .unwrap_or_else(|_| Err(Failure { code: -1, text: "its content contradicts itself".into() }))
}
