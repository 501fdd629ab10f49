// wire_peer NODE SPEC...: a node that publishes what it reads and prints what it receives, messages in JSON.
//
// A SPEC is one argument, `talk|listen TOPIC PACKAGE/TYPE [best_effort] [transient_local]`. It reads lines:
//   TOPIC MESSAGE            publishes the message
//   wait TOPIC COUNT         answered with `matched TOPIC` when the other side of the topic has so many
//   graph                    answered with `graph` and what it knows of the others, in JSON
// and prints `ready`, then `message TOPIC JSON` for each message that it receives. ROS_DOMAIN_ID says where. It ends
// with its input.
//
// wire_peer --serve|--call SERVICE enhanced|cyclone: a server or a client (service.rs), which numbers requests as stock
// nodes over Fast DDS or over Cyclone DDS do.
mod endpoints;
mod messages;
mod service;

use std::collections::BTreeMap;
use std::io::BufRead;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use endpoints::{Endpoint, Spec};
use futures::StreamExt;
use futures::executor::block_on;
use ros2_client::entities_info::NodeEntitiesInfo;
use ros2_client::{Context, ContextOptions, Node, NodeEvent, NodeName, NodeOptions};

const PAUSE: Duration = Duration::from_millis(5);

type Nodes = Arc<Mutex<BTreeMap<String, Vec<NodeEntitiesInfo>>>>;

fn lines_of_input() -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || std::io::stdin().lock().lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    receiver
}

/// Runs the node's discovery for as long as the process lives.
fn follow(node: &mut Node) -> Nodes {
    let spinner = node.spinner().expect("a spinner");
    let events = node.status_receiver().expect("events");
    thread::spawn(move || block_on(spinner.spin()));
    let nodes = Nodes::default();
    let known = Arc::clone(&nodes);
    thread::spawn(move || {
        block_on(events.for_each(|event| {
            if let NodeEvent::ParticipantEntities(told) = event {
                known.lock().unwrap().insert(format!("{:?}", told.gid()), told.nodes().clone());
            }
            futures::future::ready(())
        }))
    });
    nodes
}

fn print_graph(context: &Context, nodes: &Nodes) {
    let known = nodes.lock().unwrap();
    let names: Vec<String> = known.values().flatten().map(|node| node.fully_qualified_name()).collect();
    let mut topics: Vec<_> = context.discovered_topics().into_iter().map(|t| (t.name, t.type_name)).collect();
    topics.dedup();
    println!("graph {}", serde_json::json!({"nodes": names, "topics": topics}));
}

fn take_all(endpoints: &BTreeMap<String, Box<dyn Endpoint>>) {
    for (topic, endpoint) in endpoints {
        while let Some(text) = endpoint.take() {
            println!("message {topic} {text}");
        }
    }
}

/// While it waits, what is received is taken, lest reliable publishers wait for it.
fn wait_for_peers(node: &Node, endpoints: &BTreeMap<String, Box<dyn Endpoint>>, request: &str) {
    let (topic, count) = request.split_once(' ').expect("TOPIC COUNT");
    let count: usize = count.parse().expect("a number");
    while endpoints[topic].matched(node) < count {
        take_all(endpoints);
        thread::sleep(PAUSE);
    }
    println!("matched {topic}");
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [name, specs @ ..] = words.as_slice() else {
        eprintln!("usage: wire_peer NODE 'talk|listen TOPIC PACKAGE/TYPE [best_effort] [transient_local]'...");
        std::process::exit(2);
    };
    let domain = std::env::var("ROS_DOMAIN_ID").ok().and_then(|d| d.parse().ok()).unwrap_or(0);
    let context = Context::with_options(ContextOptions::new().domain_id(domain)).expect("a DDS participant");
    if let (role @ ("--serve" | "--call"), [service, mapping]) = (name.as_str(), specs) {
        return service::run(&context, role, service, mapping);
    }
    let options = NodeOptions::new().enable_rosout(false).start_parameter_services(false);
    let mut node = context.new_node(NodeName::new("/peers", name).expect("a node's name"), options).expect("a node");
    let nodes = follow(&mut node);
    let mut endpoints = BTreeMap::new();
    for spec in specs {
        let spec = Spec::parse(spec);
        endpoints.insert(spec.topic.clone(), endpoints::make(&mut node, &spec));
    }
    println!("ready");
    let input = lines_of_input();
    loop {
        match input.recv_timeout(PAUSE) {
            Ok(line) => match line.split_once(' ').unwrap_or((&line, "")) {
                ("graph", _) => print_graph(&context, &nodes),
                ("wait", request) => wait_for_peers(&node, &endpoints, request),
                (topic, message) => endpoints[topic].publish(message),
            },
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        take_all(&endpoints);
    }
}
