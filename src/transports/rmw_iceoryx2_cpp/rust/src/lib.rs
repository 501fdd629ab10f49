//! The functions of ../tandem_iceoryx2.h; what they do is said there.
#![allow(clippy::missing_safety_doc)]

use core::ffi::{c_char, CStr};
use core::fmt::Debug;
use core::mem::{align_of, size_of, MaybeUninit};
use iceoryx2::port::update_connections::UpdateConnections;
use iceoryx2::port::{publisher, subscriber};
use iceoryx2::prelude::*;
use iceoryx2::sample::Sample;
use iceoryx2::sample_mut_uninit::SampleMutUninit;

type Service = ipc_threadsafe::Service;
type Publisher = publisher::Publisher<Service, [u8], Header>;
type Subscriber = subscriber::Subscriber<Service, [u8], Header>;
type Loan = SampleMutUninit<Service, [MaybeUninit<u8>], Header>;
type Taken = Sample<Service, [u8], Header>;

#[repr(C)]
#[derive(Debug, Default, Clone, Copy, ZeroCopySend)]
pub struct Header {
    sequence: u64,
    timestamp: i64,
}

#[repr(C)]
pub struct Chunk {
    payload: *mut u8,
    size: usize,
    header: *mut Header,
    storage: Storage,
}

#[repr(C, align(16))]
struct Storage([u8; 208]);

const _: () = assert!(size_of::<Loan>() <= size_of::<Storage>() && align_of::<Loan>() <= align_of::<Storage>());
const _: () = assert!(size_of::<Taken>() <= size_of::<Storage>() && align_of::<Taken>() <= align_of::<Storage>());

#[repr(C)]
pub struct ServiceOptions {
    name: *const c_char,
    alignment: usize,
    initial_size: usize,
    grows: bool,
    history: usize,
    max_buffer: usize,
    max_borrowed: usize,
    max_loaned: usize,
    max_chunks: usize,
    max_subscribers: usize,
}

unsafe fn text<'a>(pointer: *const c_char) -> Result<&'a str, String> {
    CStr::from_ptr(pointer).to_str().map_err(|e| e.to_string())
}

fn because<E: Debug>(error: E) -> String {
    format!("{error:?}")
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
            core::ptr::null_mut()
        }
    }
}

unsafe fn free<T>(object: *mut T) {
    if !object.is_null() {
        drop(Box::from_raw(object));
    }
}

unsafe fn new_node(root: *const c_char, prefix: *const c_char) -> Result<Node<Service>, String> {
    set_log_level_from_env_or(LogLevel::Fatal);
    let mut config = Config::default();
    config.global.set_root_path(&text(root)?.try_into().map_err(because)?);
    config.global.prefix = text(prefix)?.try_into().map_err(because)?;
    let builder = NodeBuilder::new().config(&config).signal_handling_mode(SignalHandlingMode::Disabled);
    builder.create::<Service>().map_err(because)
}

unsafe fn new_publisher(node: &Node<Service>, options: &ServiceOptions) -> Result<Publisher, String> {
    let name = text(options.name)?.try_into().map_err(because)?;
    let alignment = Alignment::new(options.alignment).ok_or("the alignment is no power of two")?;
    let mut builder = node.service_builder(&name).publish_subscribe::<[u8]>().user_header::<Header>();
    builder = builder.payload_alignment(alignment).max_publishers(1).enable_safe_overflow(true);
    builder = builder.history_size(options.history).subscriber_max_buffer_size(options.max_buffer);
    builder = builder.subscriber_max_borrowed_samples(options.max_borrowed);
    if options.max_subscribers > 0 {
        builder = builder.max_subscribers(options.max_subscribers).max_nodes(options.max_subscribers + 1);
    }
    let strategy = if options.grows { AllocationStrategy::PowerOfTwo } else { AllocationStrategy::Static };
    let max_chunks = options.max_chunks;
    let service = builder.create().map_err(because)?;
    let port = service.publisher_builder().initial_max_slice_len(options.initial_size).allocation_strategy(strategy);
    let port = port.max_loaned_samples(options.max_loaned);
    port.override_sample_preallocation(move |worst| worst.min(max_chunks)).create().map_err(because)
}

unsafe fn new_subscriber(
    node: &Node<Service>,
    name: *const c_char,
    alignment: usize,
    buffer: &mut usize,
    history: &mut usize,
) -> Result<Subscriber, String> {
    let name = text(name)?.try_into().map_err(because)?;
    let alignment = Alignment::new(alignment).ok_or("the alignment is no power of two")?;
    let builder = node.service_builder(&name).publish_subscribe::<[u8]>().user_header::<Header>();
    let service = builder.payload_alignment(alignment).open().map_err(because)?;
    *buffer = (*buffer).min(service.static_config().subscriber_max_buffer_size());
    *history = (*history).min(service.static_config().history_size()).min(*buffer);
    let port = service.subscriber_builder().buffer_size(*buffer).history_request(*history);
    port.create().map_err(because)
}

#[no_mangle]
pub unsafe extern "C" fn iox2_node_new(
    root: *const c_char,
    prefix: *const c_char,
    error: *mut c_char,
    error_size: usize,
) -> *mut Node<Service> {
    hand_out(new_node(root, prefix), error, error_size)
}

#[no_mangle]
pub unsafe extern "C" fn iox2_node_free(node: *mut Node<Service>, is_last: bool) {
    let config = (*node).config().clone();
    free(node);
    if is_last {
        let _ = iceoryx2::testing::remove_global_mgmt_segment::<Service>(&config);
    }
}

#[no_mangle]
pub unsafe extern "C" fn iox2_node_clean_up(node: &Node<Service>) {
    node.try_cleanup_dead_nodes();
}

#[no_mangle]
pub unsafe extern "C" fn iox2_publisher_new(
    node: &Node<Service>,
    options: &ServiceOptions,
    error: *mut c_char,
    error_size: usize,
) -> *mut Publisher {
    hand_out(new_publisher(node, options), error, error_size)
}

#[no_mangle]
pub unsafe extern "C" fn iox2_publisher_free(publisher: *mut Publisher) {
    free(publisher)
}

#[no_mangle]
pub unsafe extern "C" fn iox2_publisher_update(publisher: &Publisher) {
    let _ = publisher.update_connections();
}

#[no_mangle]
pub unsafe extern "C" fn iox2_loan(publisher: &Publisher, size: usize, chunk: &mut Chunk) -> bool {
    let Ok(mut loan) = publisher.loan_slice_uninit(size) else {
        return false;
    };
    chunk.payload = loan.payload_mut().as_mut_ptr().cast();
    chunk.size = size;
    chunk.header = loan.user_header_mut();
    chunk.storage.0.as_mut_ptr().cast::<Loan>().write(loan);
    true
}

#[no_mangle]
pub unsafe extern "C" fn iox2_loan_send(chunk: &mut Chunk) -> bool {
    chunk.storage.0.as_ptr().cast::<Loan>().read().assume_init().send().is_ok()
}

#[no_mangle]
pub unsafe extern "C" fn iox2_loan_drop(chunk: &mut Chunk) {
    drop(chunk.storage.0.as_ptr().cast::<Loan>().read())
}

#[no_mangle]
pub unsafe extern "C" fn iox2_subscriber_new(
    node: &Node<Service>,
    name: *const c_char,
    alignment: usize,
    buffer: &mut usize,
    history: &mut usize,
    error: *mut c_char,
    error_size: usize,
) -> *mut Subscriber {
    hand_out(new_subscriber(node, name, alignment, buffer, history), error, error_size)
}

#[no_mangle]
pub unsafe extern "C" fn iox2_subscriber_free(subscriber: *mut Subscriber) {
    free(subscriber)
}

#[no_mangle]
pub unsafe extern "C" fn iox2_has_samples(subscriber: &Subscriber) -> bool {
    subscriber.has_samples().unwrap_or(false)
}

#[no_mangle]
pub unsafe extern "C" fn iox2_take(subscriber: &Subscriber, chunk: &mut Chunk) -> bool {
    let Ok(Some(sample)) = subscriber.receive() else {
        return false;
    };
    chunk.payload = sample.payload().as_ptr().cast_mut();
    chunk.size = sample.payload().len();
    chunk.header = (sample.user_header() as *const Header).cast_mut();
    chunk.storage.0.as_mut_ptr().cast::<Taken>().write(sample);
    true
}

#[no_mangle]
pub unsafe extern "C" fn iox2_sample_drop(chunk: &mut Chunk) {
    drop(chunk.storage.0.as_ptr().cast::<Taken>().read())
}
