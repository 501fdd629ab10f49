//! The summary of a file: as it stands at its end, or, where it was not finished, made from what is whole in it.

use crate::Failure;
use mcap::records::{ChunkIndex, Record, Statistics};
use mcap::sans_io::linear_reader::{LinearReadEvent, LinearReader, LinearReaderOptions};
use mcap::sans_io::summary_reader::{SummaryReadEvent, SummaryReader, SummaryReaderOptions};
use mcap::{parse_record, Channel, McapError, McapResult, Schema, Summary};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

/// Bytes of a record or chunk, after decompression, that may come from so many bytes of a file; more is not believed.
pub fn believable(size: u64) -> usize {
    size.saturating_mul(1 << 14).min(1 << 30) as usize
}

/// None if the file has no summary, or a broken one.
pub fn read_summary(file: &mut File) -> Result<Option<Summary>, Failure> {
    let size = file.metadata()?.len();
    let options = SummaryReaderOptions::default()
        .with_file_size(size)
        .with_record_length_limit(size as usize);
    let mut reader = SummaryReader::new_with_options(options);
    while let Some(event) = reader.next_event() {
        match event {
            Ok(SummaryReadEvent::ReadRequest(need)) => {
                let count = file.read(reader.insert(need))?;
                reader.notify_read(count);
            }
            Ok(SummaryReadEvent::SeekRequest(to)) => {
                let Ok(position) = file.seek(to) else { return Ok(None) };
                reader.notify_seeked(position);
            }
            Err(_) => return Ok(None),
        }
    }
    Ok(reader.finish())
}

/// Reads records one by one from the file's begin. Whole chunks are records of it.
pub struct Records {
    reader: LinearReader,
    file: File,
}

impl Records {
    pub fn of(file: &File, emit_chunks: bool) -> Result<Records, Failure> {
        let mut file = file.try_clone()?;
        file.seek(SeekFrom::Start(0))?;
        let size = file.metadata()?.len();
        let options = LinearReaderOptions::default()
            .with_skip_end_magic(true)
            .with_emit_chunks(emit_chunks)
            .with_record_length_limit(if emit_chunks { size as usize } else { believable(size) });
        Ok(Records { reader: LinearReader::new_with_options(options), file })
    }

    /// Hands the next record to `visit`. False at the end.
    pub fn next(&mut self, visit: &mut dyn FnMut(u8, &[u8]) -> McapResult<()>) -> McapResult<bool> {
        loop {
            match self.reader.next_event() {
                None => return Ok(false),
                Some(Err(error)) => return Err(error),
                Some(Ok(LinearReadEvent::ReadRequest(need))) => {
                    let count = self.file.read(self.reader.insert(need))?;
                    self.reader.notify_read(count);
                }
                Some(Ok(LinearReadEvent::Record { data, opcode })) => {
                    visit(opcode, data)?;
                    return Ok(true);
                }
            }
        }
    }
}

#[derive(Default)]
struct Scan {
    summary: Summary,
    statistics: Statistics,
    offset: u64, // of the record that is being looked at
}

impl Scan {
    fn add(&mut self, record: Record) -> McapResult<()> {
        match record {
            Record::Schema { header, data } => {
                let schema = Schema {
                    id: header.id,
                    name: header.name,
                    encoding: header.encoding,
                    data: Cow::Owned(data.into_owned()),
                };
                self.summary.schemas.insert(schema.id, Arc::new(schema));
            }
            Record::Channel(channel) => {
                let schema = self.summary.schemas.get(&channel.schema_id).cloned();
                let known = Channel {
                    id: channel.id,
                    topic: channel.topic,
                    schema,
                    message_encoding: channel.message_encoding,
                    metadata: channel.metadata,
                };
                self.summary.channels.insert(known.id, Arc::new(known));
            }
            Record::Message { header, .. } => {
                let all = &mut self.statistics;
                let is_first = all.message_count == 0;
                all.message_count += 1;
                all.message_start_time =
                    if is_first { header.log_time } else { all.message_start_time.min(header.log_time) };
                all.message_end_time = all.message_end_time.max(header.log_time);
                *all.channel_message_counts.entry(header.channel_id).or_insert(0) += 1;
            }
            _ => {}
        }
        Ok(())
    }

    fn add_chunk(&mut self, body: &[u8]) -> McapResult<()> {
        let Record::Chunk { header, .. } = parse_record(mcap::records::op::CHUNK, body)? else {
            return Err(McapError::BadIndex);
        };
        self.add_messages(body)?;
        self.summary.chunk_indexes.push(ChunkIndex {
            message_start_time: header.message_start_time,
            message_end_time: header.message_end_time,
            chunk_start_offset: self.offset,
            chunk_length: 9 + body.len() as u64,
            message_index_offsets: Default::default(),
            message_index_length: 0,
            compression: header.compression,
            compressed_size: header.compressed_size,
            uncompressed_size: header.uncompressed_size,
        });
        Ok(())
    }
}

impl Scan {
    /// The crate's reader of chunks believes every length, so the chunk is read as a file of one chunk.
    fn add_messages(&mut self, body: &[u8]) -> McapResult<()> {
        let mut begin = vec![mcap::records::op::CHUNK];
        begin.extend_from_slice(&(body.len() as u64).to_le_bytes());
        let mut input = begin.as_slice().chain(body);
        let options = LinearReaderOptions::default()
            .with_skip_start_magic(true)
            .with_skip_end_magic(true)
            .with_record_length_limit(believable(body.len() as u64));
        let mut reader = LinearReader::new_with_options(options);
        while let Some(event) = reader.next_event() {
            match event? {
                LinearReadEvent::ReadRequest(need) => {
                    let count = input.read(reader.insert(need))?;
                    if count == 0 {
                        return Ok(());
                    }
                    reader.notify_read(count);
                }
                LinearReadEvent::Record { data, opcode } => self.add(parse_record(opcode, data)?)?,
            }
        }
        Ok(())
    }
}

/// Reads the whole file, up to what is not whole. Fails only if it is no MCAP file, or cannot be read.
pub fn scan(file: &File) -> Result<Summary, Failure> {
    let mut records = Records::of(file, true)?;
    let mut scan = Scan { offset: mcap::MAGIC.len() as u64, ..Default::default() };
    loop {
        let mut length = 0;
        let more = records.next(&mut |opcode, data| {
            length = 9 + data.len() as u64;
            match opcode {
                mcap::records::op::CHUNK => scan.add_chunk(data),
                _ => scan.add(parse_record(opcode, data)?),
            }
        });
        scan.offset += length;
        match more {
            Ok(true) => {}
            Err(error @ (McapError::BadMagic | McapError::Io(_))) => return Err(error.into()),
            Ok(false) | Err(_) => break,
        }
    }
    let mut summary = scan.summary;
    summary.stats = Some(scan.statistics);
    Ok(summary)
}

/// Messages of each channel.
pub fn counts(summary: &Summary) -> HashMap<u16, u64> {
    let all = summary.stats.as_ref().map(|stats| stats.channel_message_counts.clone());
    all.unwrap_or_default().into_iter().collect()
}
