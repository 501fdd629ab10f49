//! The functions of ../tandem_zenoh.h; what they do is said there.
#![allow(clippy::missing_safety_doc)]

use core::ffi::{c_char, c_void, CStr};
use core::ptr::{null, null_mut};
use zenoh::bytes::ZBytes;
use zenoh::key_expr::KeyExpr;
use zenoh::pubsub::{Publisher, Subscriber};
use zenoh::qos::CongestionControl;
use zenoh::sample::Sample;
use zenoh::shm::{AllocAlignment, GarbageCollect, PosixShmProviderBackend, ShmProvider, ShmProviderBuilder, ZShmMut};
use zenoh::{Session, Wait};

type Pool = ShmProvider<PosixShmProviderBackend>;

/// What a payload or a message lies in.
pub enum Owner {
    Heap(Box<[u8]>),
    Shared(ZShmMut),
    Sent(ZBytes),
    Received(#[allow(dead_code)] Sample, #[allow(dead_code)] ZBytes, #[allow(dead_code)] ZBytes),
    Nothing,
}

#[repr(C)]
pub struct Payload {
    memory: *mut u8,
    owner: *mut Owner,
}

#[repr(C)]
pub struct Message {
    payload: *const u8,
    size: usize,
    attachment: *const u8,
    attachment_size: usize,
    is_shared: bool,
    owner: *mut Owner,
}

#[repr(C)]
pub struct Callback {
    call: extern "C" fn(*mut c_void, *const Message),
    drop: extern "C" fn(*mut c_void),
    context: *mut c_void,
}

unsafe impl Send for Callback {}
unsafe impl Sync for Callback {}

impl Drop for Callback {
    fn drop(&mut self) {
        (self.drop)(self.context)
    }
}

impl Callback {
    fn call(&self, sample: Sample) {
        let payload = in_one_piece(sample.payload());
        let attachment = in_one_piece(sample.attachment().unwrap_or(&ZBytes::new()));
        let mut message = Message {
            payload: null(),
            size: payload.len(),
            attachment: null(),
            attachment_size: attachment.len(),
            is_shared: payload.as_shm().is_some(),
            owner: null_mut(),
        };
        // The pieces do not move with the objects that own them.
        message.payload = payload.slices().next().map_or(null(), |piece| piece.as_ptr());
        message.attachment = attachment.slices().next().map_or(null(), |piece| piece.as_ptr());
        message.owner = Box::into_raw(Box::new(Owner::Received(sample, payload, attachment)));
        (self.call)(self.context, &message)
    }
}

fn in_one_piece(bytes: &ZBytes) -> ZBytes {
    if bytes.slices().count() <= 1 {
        bytes.clone()
    } else {
        ZBytes::from(bytes.to_bytes().into_owned())
    }
}

unsafe fn text<'a>(pointer: *const c_char) -> Result<&'a str, String> {
    CStr::from_ptr(pointer).to_str().map_err(|e| e.to_string())
}

/// Without the line of Zenoh's sources.
fn because<E: ToString>(error: E) -> String {
    error.to_string().split(" at /").next().unwrap_or_default().to_owned()
}

/// The object on the heap, or null and the reason as text.
unsafe fn hand_out<T>(made: Result<T, String>, error: *mut c_char, size: usize) -> *mut T {
    match made {
        Ok(object) => Box::into_raw(Box::new(object)),
        Err(reason) => {
            let length = reason.len().min(size.saturating_sub(1));
            if size > 0 {
                core::ptr::copy_nonoverlapping(reason.as_ptr(), error.cast(), length);
                *error.add(length) = 0;
            }
            null_mut()
        }
    }
}

unsafe fn free<T>(object: *mut T) {
    if !object.is_null() {
        drop(Box::from_raw(object));
    }
}

unsafe fn open(config: *const c_char) -> Result<Session, String> {
    zenoh::init_log_from_env_or("off");
    let config = zenoh::Config::from_json5(text(config)?).map_err(because)?;
    zenoh::open(config).wait().map_err(because)
}

unsafe fn key_of(key: *const c_char) -> Result<KeyExpr<'static>, String> {
    KeyExpr::try_from(text(key)?.to_owned()).map_err(because)
}

#[no_mangle]
pub unsafe extern "C" fn zn_open(config: *const c_char, error: *mut c_char, error_size: usize) -> *mut Session {
    hand_out(open(config), error, error_size)
}

#[no_mangle]
pub unsafe extern "C" fn zn_close(session: *mut Session) {
    if !session.is_null() {
        let _ = (*session).close().wait();
    }
    free(session)
}

#[no_mangle]
pub unsafe extern "C" fn zn_publisher_new(
    session: &Session,
    key: *const c_char,
    blocks: bool,
    express: bool,
    error: *mut c_char,
    error_size: usize,
) -> *mut Publisher<'static> {
    let control = if blocks { CongestionControl::Block } else { CongestionControl::Drop };
    let made = key_of(key).and_then(|key| {
        let publisher = session.declare_publisher(key).congestion_control(control).express(express);
        publisher.wait().map_err(because)
    });
    hand_out(made, error, error_size)
}

#[no_mangle]
pub unsafe extern "C" fn zn_publisher_free(publisher: *mut Publisher<'static>) {
    free(publisher)
}

#[no_mangle]
pub unsafe extern "C" fn zn_put(
    publisher: &Publisher<'static>,
    payload: *mut Owner,
    attachment: *const u8,
    size: usize,
) -> bool {
    let bytes = payload.as_mut().map_or(ZBytes::new(), |owner| {
        let sent = match core::mem::replace(owner, Owner::Nothing) {
            Owner::Heap(memory) => ZBytes::from(memory.into_vec()),
            Owner::Shared(memory) => ZBytes::from(memory),
            Owner::Sent(bytes) => bytes,
            _ => ZBytes::new(),
        };
        *owner = Owner::Sent(sent.clone());
        sent
    });
    publisher.put(bytes).attachment(core::slice::from_raw_parts(attachment, size)).wait().is_ok()
}

#[no_mangle]
pub unsafe extern "C" fn zn_subscriber_new(
    session: &Session,
    key: *const c_char,
    callback: Callback,
    error: *mut c_char,
    error_size: usize,
) -> *mut Subscriber<()> {
    let made = key_of(key).and_then(|key| {
        let subscriber = session.declare_subscriber(key).callback(move |sample| callback.call(sample));
        subscriber.wait().map_err(because)
    });
    hand_out(made, error, error_size)
}

#[no_mangle]
pub unsafe extern "C" fn zn_subscriber_free(subscriber: *mut Subscriber<()>) {
    free(subscriber)
}

#[no_mangle]
pub unsafe extern "C" fn zn_pool_new(size: usize, error: *mut c_char, error_size: usize) -> *mut Pool {
    let aligned = (size.next_multiple_of(64), AllocAlignment::new(6).unwrap_or_default());
    hand_out(ShmProviderBuilder::default_backend(aligned).wait().map_err(because), error, error_size)
}

#[no_mangle]
pub unsafe extern "C" fn zn_pool_free(pool: *mut Pool) {
    free(pool)
}

#[no_mangle]
pub unsafe extern "C" fn zn_allocate(pool: *const Pool, size: usize, payload: &mut Payload) -> bool {
    let mut owner = match pool.as_ref() {
        None => Owner::Heap(vec![0; size].into_boxed_slice()),
        Some(pool) => match pool.alloc(size).with_policy::<GarbageCollect>().wait() {
            Ok(memory) => Owner::Shared(memory),
            Err(_) => return false,
        },
    };
    payload.memory = match &mut owner {
        Owner::Heap(memory) => memory.as_mut_ptr(),
        Owner::Shared(memory) => memory.as_mut().as_mut_ptr(),
        _ => null_mut(),
    };
    payload.owner = Box::into_raw(Box::new(owner));
    true
}

#[no_mangle]
pub unsafe extern "C" fn zn_free(owner: *mut Owner) {
    free(owner)
}
