//! Writing: the crate's writer over a sink of the caller's.

use crate::sink::{SharedSink, Sink, SinkFunction};
use crate::{attempt, map_of, slice, Channel, Failure, Message, Pair, Text};
use core::ffi::{c_int, c_void};
use mcap::records::{MessageHeader, Metadata};
use mcap::{Compression, WriteOptions, Writer as McapWriter};
use std::cell::RefCell;
use std::rc::Rc;

/// Bytes from which on a message that ends its chunk is not copied, unless it is compressed; without chunks, of messages
/// that are put out together.
const LARGE: usize = 64 << 10;

/// Bytes that a chunk needs for a message beside its content: the record, and its place in the index.
const RECORD: usize = 31 + 16;

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
    file: Option<McapWriter<SharedSink>>, // None: it could not be begun
    sink: SharedSink,
    chunk_size: u64, // 0: there are no chunks
    in_chunk: u64,   // bytes of the messages in the chunk that is open
    error: String,
}

/// What becomes of the bytes that are in the sink after a call. While a chunk is open they stay.
enum Then {
    Wait,
    PutOut,
}

impl Writer {
    fn run(&mut self, call: impl FnOnce(&mut McapWriter<SharedSink>) -> Result<Then, Failure>) -> c_int {
        let Some(file) = &mut self.file else { return -1 };
        if !self.error.is_empty() {
            return -1; // the file ends where the first error came
        }
        let sink = &self.sink;
        let result = attempt(|| match call(file)? {
            Then::Wait => Ok(()),
            Then::PutOut => Ok(sink.0.borrow_mut().put_out()?),
        });
        match result {
            Ok(()) => 0,
            Err(failure) => {
                self.sink.0.borrow_mut().discard();
                self.error = failure.text;
                failure.code
            }
        }
    }

    fn write(&mut self, header: MessageHeader, data: &[u8]) -> c_int {
        self.in_chunk += (data.len() + RECORD) as u64;
        let may_go = self.in_chunk >= self.chunk_size; // the chunk is full, or there is none
        if may_go {
            self.in_chunk = 0;
        }
        let has_chunks = self.chunk_size != 0;
        let sink = self.sink.clone();
        self.run(|file| {
            sink.0.borrow_mut().offer((may_go && data.len() >= LARGE).then_some(data));
            let result = file.write_to_known_channel(&header, data);
            sink.0.borrow_mut().offer(None);
            result?;
            if has_chunks && may_go {
                file.flush()?;
            }
            let is_due = may_go && (has_chunks || sink.0.borrow().size() >= LARGE);
            Ok(if is_due { Then::PutOut } else { Then::Wait })
        })
    }
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_create(
    function: SinkFunction,
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
        .chunk_size(None) // write() ends them
        .compression(compression)
        .compression_level(options.level)
        .compression_threads(0)
        .calculate_chunk_crcs(options.chunk_crcs)
        .calculate_data_section_crc(false)
        .calculate_summary_section_crc(options.summary_crc)
        .emit_message_indexes(options.message_indexes);
    let sink = SharedSink(Rc::new(RefCell::new(Sink::new(function, context))));
    let begun = attempt(|| {
        let file = settings.create(sink.clone())?;
        sink.0.borrow_mut().put_out()?;
        Ok(file)
    });
    let (file, error) = match begun {
        Ok(file) => (Some(file), String::new()),
        Err(failure) => (None, failure.text),
    };
    Box::into_raw(Box::new(Writer { file, sink, chunk_size: options.chunk_size, in_chunk: 0, error }))
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
        Ok(Then::Wait)
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
    (*writer).write(header, slice(message.data, message.size))
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_write_metadata(
    writer: *mut Writer,
    name: Text,
    pairs: *const Pair,
    size: usize,
) -> c_int {
    let record = Metadata { name: name.string(), metadata: map_of(pairs, size) };
    (*writer).in_chunk = 0; // the crate ends the chunk
    (*writer).run(|file| {
        file.write_metadata(&record)?;
        Ok(Then::PutOut)
    })
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_flush(writer: *mut Writer) -> c_int {
    (*writer).in_chunk = 0;
    (*writer).run(|file| {
        file.flush()?;
        Ok(Then::PutOut)
    })
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_finish(writer: *mut Writer) -> c_int {
    (*writer).run(|file| {
        file.finish()?;
        Ok(Then::PutOut)
    })
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
