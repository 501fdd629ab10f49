//! Writing: a crate's writer over a sink of the caller's.

use crate::{attempt, map_of, slice, Channel, Failure, Message, Pair, Text};
use core::ffi::{c_int, c_void};
use mcap::records::{MessageHeader, Metadata};
use mcap::write::NoSeek;
use mcap::{Compression, WriteOptions, Writer as McapWriter};
use std::io;

type SinkFunction = extern "C" fn(*mut c_void, *const u8, usize) -> c_int;

struct Sink {
    write: SinkFunction,
    context: *mut c_void,
}

impl io::Write for Sink {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        match (self.write)(self.context, data.as_ptr(), data.len()) {
            0 => Ok(data.len()),
            error => Err(io::Error::from_raw_os_error(error)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[repr(C)]
pub struct Options {
    chunk_size: u64,
    compression: c_int,
    level: u32,
    chunk_crcs: bool,
    message_indexes: bool,
    summary_crc: bool,
}

pub struct Writer {
    file: Option<McapWriter<NoSeek<Sink>>>, // None: it could not be begun
    error: String,
}

impl Writer {
    fn run(&mut self, call: impl FnOnce(&mut McapWriter<NoSeek<Sink>>) -> Result<(), Failure>) -> c_int {
        let Some(file) = &mut self.file else { return -1 };
        match attempt(|| call(file)) {
            Ok(()) => 0,
            Err(failure) => {
                self.error = failure.text;
                failure.code
            }
        }
    }
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_create(
    write: SinkFunction,
    context: *mut c_void,
    options: *const Options,
) -> *mut Writer {
    let options = &*options;
    let compression = match options.compression {
        1 => Some(Compression::Lz4),
        2 => Some(Compression::Zstd),
        _ => None,
    };
    let settings = WriteOptions::new()
        .profile("ros2")
        .library("Tandem")
        .use_chunks(options.chunk_size != 0)
        .chunk_size(Some(options.chunk_size.max(1)))
        .compression(compression)
        .compression_level(options.level)
        .compression_threads(0)
        .calculate_chunk_crcs(options.chunk_crcs)
        .calculate_data_section_crc(false)
        .calculate_summary_section_crc(options.summary_crc)
        .emit_message_indexes(options.message_indexes)
        .disable_seeking(true);
    let begun = attempt(|| Ok(settings.create(NoSeek::new(Sink { write, context }))?));
    Box::into_raw(Box::new(match begun {
        Ok(file) => Writer { file: Some(file), error: String::new() },
        Err(failure) => Writer { file: None, error: failure.text },
    }))
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_add_channel(writer: *mut Writer, channel: *mut Channel) -> c_int {
    let channel = &mut *channel;
    (*writer).run(|file| {
        let schema = match channel.schema_name.bytes() {
            [] => 0,
            _ => file.add_schema(
                &channel.schema_name.string(),
                &channel.schema_encoding.string(),
                channel.schema_data.bytes(),
            )?,
        };
        channel.id = file.add_channel(
            schema,
            &channel.topic.string(),
            &channel.message_encoding.string(),
            &map_of(channel.metadata, channel.metadata_size),
        )?;
        Ok(())
    })
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_write(writer: *mut Writer, message: *const Message) -> c_int {
    let message = &*message;
    let header = MessageHeader {
        channel_id: message.channel,
        sequence: message.sequence,
        log_time: message.log_time,
        publish_time: message.publish_time,
    };
    (*writer).run(|file| Ok(file.write_to_known_channel(&header, slice(message.data, message.size))?))
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_write_metadata(
    writer: *mut Writer,
    name: Text,
    pairs: *const Pair,
    size: usize,
) -> c_int {
    let record = Metadata { name: name.string(), metadata: map_of(pairs, size) };
    (*writer).run(|file| Ok(file.write_metadata(&record)?))
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_flush(writer: *mut Writer) -> c_int {
    (*writer).run(|file| Ok(file.flush()?))
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_finish(writer: *mut Writer) -> c_int {
    (*writer).run(|file| Ok(file.finish().map(|_| ())?))
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_writer_error(writer: *const Writer) -> Text {
    Text::of((*writer).error.as_bytes())
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_destroy(writer: *mut Writer) {
    let writer = Box::from_raw(writer);
    let _ = attempt(|| {
        writer.file.map(McapWriter::into_inner); // without it the crate would write the index
        Ok(())
    });
}
