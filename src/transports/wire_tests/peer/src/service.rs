// A server or a client of example_interfaces/AddTwoInts, in lines as of wire_service.
use std::io::BufRead;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use futures::executor::block_on;
use ros2_client::qos::{History, WhenFull};
use ros2_client::{
    Client, Context, Message, Name, Node, NodeName, NodeOptions, QosProfile, Server, ServiceMapping, ServiceTypeName,
};
use serde::{Deserialize, Serialize};

const PAUSE: Duration = Duration::from_millis(1);

#[derive(Clone, Serialize, Deserialize)]
pub struct Request {
    a: i64,
    b: i64,
}
impl Message for Request {}

#[derive(Clone, Serialize, Deserialize)]
pub struct Response {
    sum: i64,
}
impl Message for Response {}

fn serve(server: &Server<Request, Response>, input: &mpsc::Receiver<String>) {
    println!("ready");
    while !matches!(input.recv_timeout(PAUSE), Err(mpsc::RecvTimeoutError::Disconnected)) {
        loop {
            match server.receive_request() {
                Ok(Some((id, request))) => {
                    let response = Response { sum: request.a.wrapping_add(request.b) };
                    server.send_response(id, response).expect("a response that can be sent");
                }
                Ok(None) => break,
                Err(error) => eprintln!("wire_peer: {error:?}"),
            }
        }
    }
}

/// Replies to other clients come too. Asks again every second: a server that does not know the client yet drops what it
/// sends, and DDS does not tell.
fn call(client: &Client<Request, Response>, request: &Request) -> i64 {
    loop {
        let sent = client.send_request(request.clone()).expect("a request that can be sent");
        let end = Instant::now() + Duration::from_secs(1);
        while Instant::now() < end {
            match client.receive_response() {
                Ok(Some((id, response))) if id == sent => return response.sum,
                Ok(Some(_)) => {}
                Ok(None) => std::thread::sleep(PAUSE),
                Err(error) => eprintln!("wire_peer: {error:?}"),
            }
        }
        println!("again");
    }
}

fn call_what_is_read(client: &Client<Request, Response>, node: &Node) {
    block_on(client.wait_for_service(node));
    println!("ready");
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let numbers: Vec<i64> = line.split(' ').map(|word| word.parse().expect("a number")).collect();
        println!("sum {}", call(client, &Request { a: numbers[0], b: numbers[1] }));
    }
}

pub fn run(context: &Context, role: &str, service: &str, mapping: &str) {
    let mapping = match mapping {
        "enhanced" => ServiceMapping::Enhanced,
        "cyclone" => ServiceMapping::Cyclone,
        other => panic!("'{other}' is no mapping of services"),
    };
    let qos = QosProfile::publisher_default()
        .reliability_reliable(WhenFull::Block)
        .history(History::KeepLast { depth: 100 });
    let options = NodeOptions::new().enable_rosout(false).start_parameter_services(false);
    let mut node = context.new_node(NodeName::new("/peers", "service").expect("a name"), options).expect("a node");
    let spinner = node.spinner().expect("a spinner");
    std::thread::spawn(move || block_on(spinner.spin()));
    let name = Name::parse(service).expect("a service's name");
    let type_name = ServiceTypeName::new("example_interfaces", "AddTwoInts");
    if role == "--serve" {
        let server = node.create_server(mapping, &name, &type_name, qos.clone(), qos).expect("a server");
        serve(&server, &crate::lines_of_input());
    } else {
        let client = node.create_client(mapping, &name, &type_name, qos.clone(), qos).expect("a client");
        call_what_is_read(&client, &node);
    }
}
