//! The functions of ../tandem_zenoh.h; what they do is said there.
#![allow(clippy::missing_safety_doc)]

use core::ffi::{c_char, c_void, CStr};
use core::ptr::{null, null_mut};
use core::time::Duration;
use std::io::{stderr, IsTerminal};
use tracing_subscriber::EnvFilter;
use zenoh::bytes::ZBytes;
use zenoh::key_expr::KeyExpr;
use zenoh::liveliness::LivelinessToken;
use zenoh::pubsub::Subscriber;
use zenoh::qos::{CongestionControl, Reliability};
use zenoh::query::{ConsolidationMode, Query, QueryTarget, Queryable};
use zenoh::sample::{Locality, Sample, SampleKind};
use zenoh::shm::{AllocAlignment, GarbageCollect, PosixShmProviderBackend, ShmProvider, ShmProviderBuilder, ZShmMut};
use zenoh::{Config, Session, Wait};
use zenoh_ext::{AdvancedPublisher, AdvancedPublisherBuilderExt, AdvancedSubscriber, AdvancedSubscriberBuilderExt};
use zenoh_ext::{CacheConfig, HistoryConfig, MissDetectionConfig, RecoveryConfig};

type Pool = ShmProvider<PosixShmProviderBackend>;

/// How often a publisher tells which message was its last, as stock publishers do.
const HEARTBEAT: Duration = Duration::from_millis(500);

/// What a payload or a message lies in.
pub enum Owner {
    Heap(Box<[u8]>),
    Shared(ZShmMut),
    Sent(ZBytes),
    Received(#[allow(dead_code)] ZBytes, #[allow(dead_code)] ZBytes, Option<Query>),
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
    owner: *mut Owner,
}

#[repr(C)]
pub struct Callback {
    call: extern "C" fn(*mut c_void, *const Message),
    drop: extern "C" fn(*mut c_void),
    context: *mut c_void,
}

#[repr(C)]
pub struct TokenCallback {
    call: extern "C" fn(*mut c_void, *const c_char, usize, bool),
    context: *mut c_void,
}

#[repr(C)]
pub struct PublisherOptions {
    is_reliable: bool,
    blocks: bool,
    is_express: bool,
    cached: usize,
}

#[repr(C)]
pub struct SubscriberOptions {
    is_reliable: bool,
    ignores_local: bool,
    history: usize,
}

unsafe impl Send for Callback {}
unsafe impl Sync for Callback {}
unsafe impl Send for TokenCallback {}
unsafe impl Sync for TokenCallback {}

impl Drop for Callback {
    fn drop(&mut self) {
        (self.drop)(self.context)
    }
}

impl Callback {
    fn call(&self, payload: Option<&ZBytes>, attachment: Option<&ZBytes>, query: Option<Query>) {
        let nothing = ZBytes::new();
        let payload = in_one_piece(payload.unwrap_or(&nothing));
        let attachment = in_one_piece(attachment.unwrap_or(&nothing));
        let mut message = Message {
            payload: null(),
            size: payload.len(),
            attachment: null(),
            attachment_size: attachment.len(),
            owner: null_mut(),
        };
        // The pieces do not move with the objects that own them.
        message.payload = payload.slices().next().map_or(null(), |piece| piece.as_ptr());
        message.attachment = attachment.slices().next().map_or(null(), |piece| piece.as_ptr());
        message.owner = Box::into_raw(Box::new(Owner::Received(payload, attachment, query)));
        (self.call)(self.context, &message)
    }

    fn call_with(&self, sample: &Sample) {
        if sample.kind() == SampleKind::Put {
            self.call(Some(sample.payload()), sample.attachment(), None)
        }
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

unsafe fn write_text(text: &str, memory: *mut c_char, size: usize) {
    let length = text.len().min(size.saturating_sub(1));
    if size > 0 {
        core::ptr::copy_nonoverlapping(text.as_ptr(), memory.cast(), length);
        *memory.add(length) = 0;
    }
}

/// Whether it went well; if not, the reason is there as text.
unsafe fn tell(done: Result<(), String>, error: *mut c_char, size: usize) -> bool {
    if let Err(reason) = &done {
        write_text(reason, error, size);
    }
    done.is_ok()
}

/// The object on the heap, or null and the reason as text.
unsafe fn hand_out<T>(made: Result<T, String>, error: *mut c_char, size: usize) -> *mut T {
    match made {
        Ok(object) => Box::into_raw(Box::new(object)),
        Err(reason) => {
            write_text(&reason, error, size);
            null_mut()
        }
    }
}

unsafe fn free<T>(object: *mut T) {
    if !object.is_null() {
        drop(Box::from_raw(object));
    }
}

unsafe fn key_of(key: *const c_char) -> Result<KeyExpr<'static>, String> {
    KeyExpr::try_from(text(key)?.to_owned()).map_err(because)
}

unsafe fn bytes_of(memory: *const u8, size: usize) -> ZBytes {
    if size == 0 {
        ZBytes::new()
    } else {
        ZBytes::from(core::slice::from_raw_parts(memory, size))
    }
}

/// What is sent of a payload, which stays the caller's.
unsafe fn sent(payload: *mut Owner) -> ZBytes {
    payload.as_mut().map_or(ZBytes::new(), |owner| {
        let sent = match core::mem::replace(owner, Owner::Nothing) {
            Owner::Heap(memory) => ZBytes::from(memory.into_vec()),
            Owner::Shared(memory) => ZBytes::from(memory),
            Owner::Sent(bytes) => bytes,
            _ => ZBytes::new(),
        };
        *owner = Owner::Sent(sent.clone());
        sent
    })
}

/// Zenoh's own log, as RUST_LOG says. Where programs print their results it would be in the way.
fn log_to_stderr() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("error"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr);
    let _ = log.with_ansi(stderr().is_terminal()).try_init(); // the first session has done it for all
}

#[no_mangle]
pub unsafe extern "C" fn zn_config_new(file: *const c_char, error: *mut c_char, error_size: usize) -> *mut Config {
    let made = if file.is_null() {
        Ok(Config::default())
    } else {
        text(file).and_then(|path| Config::from_file(path).map_err(because))
    };
    hand_out(made, error, error_size)
}

#[no_mangle]
pub unsafe extern "C" fn zn_config_set(
    config: &mut Config,
    key: *const c_char,
    value: *const c_char,
    error: *mut c_char,
    error_size: usize,
) -> bool {
    let set = text(key).and_then(|key| config.insert_json5(key, text(value)?).map_err(because));
    tell(set, error, error_size)
}

#[no_mangle]
pub unsafe extern "C" fn zn_config_get(config: &Config, key: *const c_char, value: *mut c_char, size: usize) -> bool {
    let found = text(key).ok().and_then(|key| config.get_json(key).ok()).filter(|json| json.len() < size);
    if let Some(json) = &found {
        write_text(json, value, size);
    }
    found.is_some()
}

#[no_mangle]
pub unsafe extern "C" fn zn_config_free(config: *mut Config) {
    free(config)
}

#[no_mangle]
pub unsafe extern "C" fn zn_open(config: &Config, error: *mut c_char, error_size: usize) -> *mut Session {
    log_to_stderr();
    hand_out(zenoh::open(config.clone()).wait().map_err(because), error, error_size)
}

#[no_mangle]
pub unsafe extern "C" fn zn_close(session: *mut Session) {
    if !session.is_null() {
        let _ = (*session).close().wait();
    }
    free(session)
}

#[no_mangle]
pub unsafe extern "C" fn zn_id(session: &Session, id: *mut c_char, size: usize) {
    write_text(&session.zid().to_string(), id, size)
}

#[no_mangle]
pub unsafe extern "C" fn zn_token_new(
    session: &Session,
    key: *const c_char,
    error: *mut c_char,
    error_size: usize,
) -> *mut LivelinessToken {
    let made = key_of(key).and_then(|key| session.liveliness().declare_token(key).wait().map_err(because));
    hand_out(made, error, error_size)
}

#[no_mangle]
pub unsafe extern "C" fn zn_token_free(token: *mut LivelinessToken) {
    free(token)
}

#[no_mangle]
pub unsafe extern "C" fn zn_watch_tokens(
    session: &Session,
    key: *const c_char,
    callback: TokenCallback,
    error: *mut c_char,
    error_size: usize,
) -> *mut Subscriber<()> {
    let made = key_of(key).and_then(|key| {
        let call = move |sample: Sample| {
            let callback = &callback;
            let key = sample.key_expr().as_str();
            (callback.call)(callback.context, key.as_ptr().cast(), key.len(), sample.kind() == SampleKind::Put)
        };
        session.liveliness().declare_subscriber(key).history(true).callback(call).wait().map_err(because)
    });
    hand_out(made, error, error_size)
}

#[no_mangle]
pub unsafe extern "C" fn zn_unwatch_tokens(watch: *mut Subscriber<()>) {
    if !watch.is_null() {
        let _ = Box::from_raw(watch).undeclare().wait_callbacks().wait();
    }
}

#[no_mangle]
pub unsafe extern "C" fn zn_publisher_new(
    session: &Session,
    key: *const c_char,
    options: &PublisherOptions,
    error: *mut c_char,
    error_size: usize,
) -> *mut AdvancedPublisher<'static> {
    let control = if options.blocks { CongestionControl::Block } else { CongestionControl::Drop };
    let reliability = if options.is_reliable { Reliability::Reliable } else { Reliability::BestEffort };
    let made = key_of(key).and_then(|key| {
        let publisher = session
            .declare_publisher(key)
            .congestion_control(control)
            .reliability(reliability)
            .express(options.is_express)
            .advanced();
        let publisher = if options.cached == 0 {
            publisher
        } else {
            publisher.cache(CacheConfig::default().max_samples(options.cached)).publisher_detection()
        };
        let publisher = if options.cached == 0 || !options.is_reliable {
            publisher
        } else {
            publisher.sample_miss_detection(MissDetectionConfig::default().sporadic_heartbeat(HEARTBEAT))
        };
        publisher.wait().map_err(because)
    });
    hand_out(made, error, error_size)
}

#[no_mangle]
pub unsafe extern "C" fn zn_publisher_free(publisher: *mut AdvancedPublisher<'static>) {
    free(publisher)
}

#[no_mangle]
pub unsafe extern "C" fn zn_put(
    publisher: &AdvancedPublisher<'static>,
    payload: *mut Owner,
    attachment: *const u8,
    size: usize,
) -> bool {
    publisher.put(sent(payload)).attachment(bytes_of(attachment, size)).wait().is_ok()
}

#[no_mangle]
pub unsafe extern "C" fn zn_subscriber_new(
    session: &Session,
    key: *const c_char,
    options: &SubscriberOptions,
    callback: Callback,
    error: *mut c_char,
    error_size: usize,
) -> *mut AdvancedSubscriber<()> {
    let origin = if options.ignores_local { Locality::Remote } else { Locality::Any };
    let made = key_of(key).and_then(|key| {
        let subscriber = session
            .declare_subscriber(key)
            .callback(move |sample| callback.call_with(&sample))
            .allowed_origin(origin)
            .advanced();
        let subscriber = if options.history == 0 {
            subscriber
        } else {
            let history = HistoryConfig::default().detect_late_publishers().max_samples(options.history);
            subscriber.subscriber_detection().query_timeout(Duration::MAX).history(history)
        };
        let subscriber = if options.history == 0 || !options.is_reliable {
            subscriber
        } else {
            subscriber.recovery(RecoveryConfig::default().heartbeat())
        };
        subscriber.wait().map_err(because)
    });
    hand_out(made, error, error_size)
}

#[no_mangle]
pub unsafe extern "C" fn zn_subscriber_free(subscriber: *mut AdvancedSubscriber<()>) {
    free(subscriber)
}

#[no_mangle]
pub unsafe extern "C" fn zn_queryable_new(
    session: &Session,
    key: *const c_char,
    callback: Callback,
    error: *mut c_char,
    error_size: usize,
) -> *mut Queryable<()> {
    let made = key_of(key).and_then(|key| {
        let call = move |query: Query| callback.call(query.payload(), query.attachment(), Some(query.clone()));
        session.declare_queryable(key).complete(true).callback(call).wait().map_err(because)
    });
    hand_out(made, error, error_size)
}

#[no_mangle]
pub unsafe extern "C" fn zn_queryable_free(queryable: *mut Queryable<()>) {
    free(queryable)
}

#[no_mangle]
pub unsafe extern "C" fn zn_reply(query: &Owner, payload: *mut Owner, attachment: *const u8, size: usize) -> bool {
    match query {
        Owner::Received(_, _, Some(query)) => {
            let reply = query.reply(query.key_expr().clone(), sent(payload));
            reply.attachment(bytes_of(attachment, size)).wait().is_ok()
        }
        _ => false,
    }
}

#[no_mangle]
pub unsafe extern "C" fn zn_get(
    session: &Session,
    key: *const c_char,
    payload: *mut Owner,
    attachment: *const u8,
    size: usize,
    callback: Callback,
) -> bool {
    key_of(key).is_ok_and(|key| {
        let call = move |reply: zenoh::query::Reply| {
            if let Ok(sample) = reply.result() {
                callback.call_with(sample)
            }
        };
        let get = session
            .get(key)
            .payload(sent(payload))
            .attachment(bytes_of(attachment, size))
            .target(QueryTarget::AllComplete)
            .consolidation(ConsolidationMode::None)
            .timeout(Duration::from_millis(u64::MAX))
            .callback(call);
        get.wait().is_ok()
    })
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
