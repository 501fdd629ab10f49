//! Where the crate's writer writes: pieces in memory, until they are put out together.

use core::ffi::{c_int, c_void};
use std::cell::RefCell;
use std::io::{Error, ErrorKind, Result, Seek, SeekFrom, Write};
use std::rc::Rc;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Piece {
    data: *const u8,
    size: usize,
}

impl Piece {
    pub fn of(bytes: &[u8]) -> Piece {
        Piece { data: bytes.as_ptr(), size: bytes.len() }
    }
}

pub type SinkFunction = extern "C" fn(*mut c_void, *mut Piece, usize) -> c_int;

/// The crate writes a chunk's header last, so a chunk stays here until it is whole: in the file there is never half of one,
/// unless the process is killed while the kernel copies. A large message is not copied: the caller lends its bytes.
pub struct Sink {
    function: SinkFunction,
    context: *mut c_void,
    start: u64, // the offset in the file of what follows
    head: Vec<u8>,
    lent: Option<Piece>, // behind head
    tail: Vec<u8>,       // behind lent
    cursor: u64,
    offered: Option<Piece>,
}

impl Sink {
    pub fn new(function: SinkFunction, context: *mut c_void) -> Sink {
        Sink {
            function,
            context,
            start: 0,
            head: Vec::new(),
            lent: None,
            tail: Vec::new(),
            cursor: 0,
            offered: None,
        }
    }

    /// If these bytes are the next that are written as they are, they stay where they are until put_out().
    pub fn offer(&mut self, bytes: Option<&[u8]>) {
        self.offered = bytes.map(Piece::of);
    }

    pub fn size(&self) -> usize {
        self.head.len() + self.lent.map_or(0, |piece| piece.size) + self.tail.len()
    }

    pub fn put_out(&mut self) -> Result<()> {
        let size = self.size();
        if size == 0 {
            return Ok(());
        }
        let nothing = Piece::of(&[]);
        let mut pieces = [Piece::of(&self.head), self.lent.unwrap_or(nothing), Piece::of(&self.tail)];
        let error = (self.function)(self.context, pieces.as_mut_ptr(), pieces.len());
        self.start += size as u64;
        self.discard();
        match error {
            0 => Ok(()),
            error => Err(Error::from_raw_os_error(error)),
        }
    }

    pub fn discard(&mut self) {
        self.head.clear();
        self.lent = None;
        self.tail.clear();
        self.cursor = self.start;
        self.offered = None;
    }
}

impl Write for Sink {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        let at = (self.cursor - self.start) as usize;
        if at == self.size() {
            match (self.offered, self.lent) {
                (Some(piece), _) if piece.data == data.as_ptr() && piece.size == data.len() => {
                    self.lent = self.offered.take();
                }
                (_, Some(_)) => self.tail.extend_from_slice(data),
                (_, None) => self.head.extend_from_slice(data),
            }
        } else {
            match self.head.get_mut(at..at + data.len()) {
                Some(old) => old.copy_from_slice(data),
                None => return Err(Error::new(ErrorKind::Unsupported, "it is in the file already")),
            }
        }
        self.cursor += data.len() as u64;
        Ok(data.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Seek for Sink {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let end = self.start + self.size() as u64;
        let target = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::Current(distance) => self.cursor.checked_add_signed(distance),
            SeekFrom::End(distance) => end.checked_add_signed(distance),
        };
        match target {
            Some(offset) if (self.start..=end).contains(&offset) => {
                self.cursor = offset;
                Ok(offset)
            }
            _ => Err(Error::new(ErrorKind::Unsupported, "it is in the file already")),
        }
    }
}

/// The crate's writer has one handle of a sink, we have the other.
#[derive(Clone)]
pub struct SharedSink(pub Rc<RefCell<Sink>>);

impl Write for SharedSink {
    fn write(&mut self, data: &[u8]) -> Result<usize> {
        self.0.borrow_mut().write(data)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Seek for SharedSink {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.0.borrow_mut().seek(to)
    }
}
