//! Reading: messages by log time where the file has chunks, else as they lie in it.

use crate::scan::{believable, counts, read_summary, scan, Records};
use crate::{attempt, slice, Channel, Failure, Message, Pair, Text};
use core::ffi::{c_int, c_void};
use mcap::records::{op, MessageHeader, Record};
use mcap::sans_io::indexed_reader::{IndexedReadEvent, IndexedReader, IndexedReaderOptions, ReadOrder};
use mcap::{parse_record, McapError, Summary};
use std::collections::HashMap;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

#[repr(C)]
pub struct SummaryInfo {
    start_time: u64,
    end_time: u64,
    message_count: u64,
    channel_count: usize,
    is_complete: bool,
}

struct KnownChannel {
    channel: Arc<mcap::Channel<'static>>,
    pairs: Vec<Pair>, // point into `channel`
    message_count: u64,
}

enum Messages {
    Indexed(IndexedReader),
    Linear { records: Records, start: u64, channels: Vec<u16> },
}

/// A message whose data is valid until the next call.
struct Found {
    header: MessageHeader,
    data: *const u8,
    size: usize,
}

struct OpenFile {
    file: File,
    size: u64,
    summary: Summary,
    is_complete: bool,
    channels: Vec<KnownChannel>,
    messages: Option<Messages>,
    chunk: Vec<u8>,
    data: Vec<u8>, // of the last message, where the file has no chunks
}

pub struct Reader {
    open: Option<OpenFile>,
    error: String,
}

impl OpenFile {
    fn new(path: &[u8]) -> Result<OpenFile, Failure> {
        let mut file = File::open(std::ffi::OsStr::from_bytes(path))?;
        let size = file.metadata()?.len();
        let complete = read_summary(&mut file)?.filter(|summary| summary.stats.is_some());
        let is_complete = complete.is_some();
        let summary = match complete {
            Some(summary) => summary,
            None => scan(&file)?,
        };
        let mut message_counts: HashMap<u16, u64> = counts(&summary);
        let mut channels: Vec<KnownChannel> = summary
            .channels
            .values()
            .map(|channel| KnownChannel {
                channel: channel.clone(),
                pairs: channel
                    .metadata
                    .iter()
                    .map(|(key, value)| Pair { key: Text::of(key.as_bytes()), value: Text::of(value.as_bytes()) })
                    .collect(),
                message_count: message_counts.remove(&channel.id).unwrap_or(0),
            })
            .collect();
        channels.sort_by_key(|known| known.channel.id);
        Ok(OpenFile { file, size, summary, is_complete, channels, messages: None, chunk: vec![], data: vec![] })
    }

    fn is_indexed(&self) -> bool {
        let has_messages = self.summary.stats.as_ref().is_some_and(|stats| stats.message_count != 0);
        !self.summary.chunk_indexes.is_empty() || !has_messages
    }

    fn seek(&mut self, start: u64, channels: &[u16]) -> Result<(), Failure> {
        if !self.is_indexed() {
            let records = Records::of(&self.file, false)?;
            self.messages = Some(Messages::Linear { records, start, channels: channels.to_vec() });
            return Ok(());
        }
        let mut options = IndexedReaderOptions::new()
            .with_order(ReadOrder::LogTime)
            .with_record_length_limit(believable(self.size))
            .starting_at(start);
        if !channels.is_empty() {
            let topics: Vec<String> = channels
                .iter()
                .filter_map(|id| self.summary.channels.get(id))
                .map(|channel| channel.topic.clone())
                .collect();
            options = options.include_topics(topics);
        }
        self.messages = Some(Messages::Indexed(IndexedReader::new_with_options(&self.summary, options)?));
        Ok(())
    }

    /// None: the end.
    fn next(&mut self) -> Result<Option<Found>, Failure> {
        if self.messages.is_none() {
            self.seek(0, &[])?;
        }
        match self.messages.as_mut() {
            Some(Messages::Indexed(_)) => self.next_indexed(),
            _ => self.next_linear(),
        }
    }

    fn next_indexed(&mut self) -> Result<Option<Found>, Failure> {
        let Some(Messages::Indexed(reader)) = self.messages.as_mut() else { return Ok(None) };
        loop {
            match reader.next_event() {
                None => return Ok(None),
                Some(Err(error)) => return Err(error.into()),
                Some(Ok(IndexedReadEvent::Message { header, data })) => {
                    return Ok(Some(Found { header, data: data.as_ptr(), size: data.len() }));
                }
                Some(Ok(IndexedReadEvent::ReadChunkRequest { offset, length })) => {
                    if length as u64 > self.size || offset > self.size - length as u64 {
                        return Err(McapError::UnexpectedEof.into());
                    }
                    self.chunk.resize(length, 0);
                    self.file.read_exact_at(&mut self.chunk, offset)?;
                    reader.insert_chunk_record_data(offset, &self.chunk)?;
                }
            }
        }
    }

    fn next_linear(&mut self) -> Result<Option<Found>, Failure> {
        let Some(Messages::Linear { records, start, channels }) = self.messages.as_mut() else { return Ok(None) };
        let into = &mut self.data;
        loop {
            let mut found = None;
            let more = records.next(&mut |opcode, body| {
                if opcode == op::MESSAGE {
                    if let Record::Message { header, data } = parse_record(opcode, body)? {
                        let is_wanted = channels.is_empty() || channels.contains(&header.channel_id);
                        if is_wanted && header.log_time >= *start {
                            into.clear();
                            into.extend_from_slice(&data);
                            found = Some(Found { header, data: into.as_ptr(), size: into.len() });
                        }
                    }
                }
                Ok(())
            });
            match more {
                Ok(true) if found.is_none() => {}
                Ok(_) => return Ok(found),
                Err(_) if !self.is_complete => return Ok(None), // the end of what is whole
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn read_metadata(&self, name: &str, visit: &mut dyn FnMut(&str, &str)) -> Result<(), Failure> {
        for index in self.summary.metadata_indexes.iter().filter(|index| index.name == name) {
            if index.length < 9 || index.length > self.size || index.offset > self.size - index.length {
                return Err(McapError::BadIndex.into());
            }
            let mut record = vec![0; index.length as usize];
            self.file.read_exact_at(&mut record, index.offset)?;
            if let Record::Metadata(metadata) = parse_record(record[0], &record[9..])? {
                metadata.metadata.iter().for_each(|(key, value)| visit(key, value));
            }
        }
        Ok(())
    }
}

impl Reader {
    fn run(&mut self, call: impl FnOnce(&mut OpenFile) -> Result<(), Failure>) -> c_int {
        let Some(open) = &mut self.open else { return -1 };
        match attempt(|| call(open)) {
            Ok(()) => 0,
            Err(failure) => {
                self.error = failure.text;
                failure.code
            }
        }
    }
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_open(path: Text) -> *mut Reader {
    Box::into_raw(Box::new(match attempt(|| OpenFile::new(path.bytes())) {
        Ok(open) => Reader { open: Some(open), error: String::new() },
        Err(failure) => Reader { open: None, error: failure.text },
    }))
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_reader_error(reader: *const Reader) -> Text {
    Text::of((*reader).error.as_bytes())
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_get_summary(reader: *const Reader) -> SummaryInfo {
    let open = (*reader).open.as_ref();
    let stats = open.and_then(|open| open.summary.stats.as_ref());
    SummaryInfo {
        start_time: stats.map_or(0, |stats| stats.message_start_time),
        end_time: stats.map_or(0, |stats| stats.message_end_time),
        message_count: stats.map_or(0, |stats| stats.message_count),
        channel_count: open.map_or(0, |open| open.channels.len()),
        is_complete: open.is_some_and(|open| open.is_complete),
    }
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_get_channel(reader: *const Reader, index: usize) -> Channel {
    let known = &(*reader).open.as_ref().expect("an open file").channels[index];
    let schema = known.channel.schema.as_deref();
    Channel {
        id: known.channel.id,
        topic: Text::of(known.channel.topic.as_bytes()),
        message_encoding: Text::of(known.channel.message_encoding.as_bytes()),
        schema_name: Text::of(schema.map_or(&[], |schema| schema.name.as_bytes())),
        schema_encoding: Text::of(schema.map_or(&[], |schema| schema.encoding.as_bytes())),
        schema_data: Text::of(schema.map_or(&[], |schema| &schema.data)),
        metadata: known.pairs.as_ptr(),
        metadata_size: known.pairs.len(),
        message_count: known.message_count,
    }
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_read_metadata(
    reader: *mut Reader,
    name: Text,
    visit: extern "C" fn(*mut c_void, Text, Text),
    context: *mut c_void,
) -> c_int {
    (*reader).run(|open| {
        open.read_metadata(&name.string(), &mut |key, value| {
            visit(context, Text::of(key.as_bytes()), Text::of(value.as_bytes()))
        })
    })
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_seek(reader: *mut Reader, start: u64, channels: *const u16, size: usize) -> c_int {
    (*reader).run(|open| open.seek(start, slice(channels, size)))
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_next(reader: *mut Reader, message: *mut Message) -> c_int {
    let message = &mut *message;
    message.data = core::ptr::null();
    (*reader).run(|open| {
        if let Some(found) = open.next()? {
            *message = Message {
                channel: found.header.channel_id,
                sequence: found.header.sequence,
                log_time: found.header.log_time,
                publish_time: found.header.publish_time,
                data: found.data,
                size: found.size,
            };
        }
        Ok(())
    })
}

#[no_mangle]
pub unsafe extern "C" fn tandem_mcap_close(reader: *mut Reader) {
    drop(Box::from_raw(reader));
}
