// Publishers and subscriptions of every type behind one face.
use ros2_client::qos::{Durability, History, WhenFull};
use ros2_client::{Message, MessageTypeName, Name, Node, Publisher, QosProfile, Subscription};

use crate::messages::*;

pub struct Spec {
    pub is_publisher: bool,
    pub topic: String,
    pub type_name: String,
    pub qos: QosProfile,
}

impl Spec {
    pub fn parse(text: &str) -> Spec {
        let words: Vec<&str> = text.split(' ').collect();
        let [role, topic, type_name, policies @ ..] = words.as_slice() else { panic!("'{text}' is no SPEC") };
        let mut qos = QosProfile::publisher_default()
            .reliability_reliable(WhenFull::Block)
            .history(History::KeepLast { depth: 10 });
        for policy in policies {
            qos = match *policy {
                "best_effort" => qos.reliability_best_effort(),
                "transient_local" => qos.durability(Durability::TransientLocal),
                other => panic!("'{other}' is no quality of service"),
            };
        }
        Spec { is_publisher: *role == "talk", topic: topic.to_string(), type_name: type_name.to_string(), qos }
    }
}

pub trait Endpoint {
    fn matched(&self, node: &Node) -> usize;
    fn publish(&self, json: &str);
    /// The next message in JSON.
    fn take(&self) -> Option<String>;
}

impl<M: Message + 'static> Endpoint for Publisher<M> {
    fn matched(&self, node: &Node) -> usize {
        self.get_subscription_count(node)
    }
    fn publish(&self, json: &str) {
        if self.publish(serde_json::from_str(json).expect("a message in JSON")).is_err() {
            eprintln!("wire_peer: a message could not be published");
        }
    }
    fn take(&self) -> Option<String> {
        None
    }
}

impl<M: Message + 'static> Endpoint for Subscription<M> {
    fn matched(&self, node: &Node) -> usize {
        self.get_publisher_count(node)
    }
    fn publish(&self, _: &str) {
        panic!("a subscription does not publish");
    }
    fn take(&self) -> Option<String> {
        match self.take() {
            Ok(taken) => taken.map(|(message, _)| serde_json::to_string(&message).expect("JSON")),
            Err(error) => {
                eprintln!("wire_peer: {error}");
                None
            }
        }
    }
}

fn make_of<M: Message + 'static>(node: &mut Node, spec: &Spec) -> Box<dyn Endpoint> {
    let (package, short) = spec.type_name.split_once('/').expect("PACKAGE/TYPE");
    let name = Name::parse(&spec.topic).expect("a topic's name");
    let topic = node.create_topic(&name, MessageTypeName::new(package, short), &spec.qos).expect("a topic");
    if spec.is_publisher {
        Box::new(node.create_publisher::<M>(&topic, None).expect("a publisher"))
    } else {
        Box::new(node.create_subscription::<M>(&topic, None).expect("a subscription"))
    }
}

pub fn make(node: &mut Node, spec: &Spec) -> Box<dyn Endpoint> {
    let make = match spec.type_name.as_str() {
        "std_msgs/String" => make_of::<Text>,
        "sensor_msgs/Image" => make_of::<Image>,
        "sensor_msgs/PointCloud2" => make_of::<PointCloud2>,
        "geometry_msgs/PoseStamped" => make_of::<PoseStamped>,
        "diagnostic_msgs/DiagnosticArray" => make_of::<DiagnosticArray>,
        "shape_msgs/SolidPrimitive" => make_of::<SolidPrimitive>,
        other => panic!("wire_peer does not know {other}"),
    };
    make(node, spec)
}
