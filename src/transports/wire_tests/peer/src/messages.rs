// The messages that the tests exchange, as their definitions say. CDR and JSON both come from serde.
use ros2_client::Message;
use serde::{Deserialize, Serialize};

macro_rules! message {
    ($name:ident { $($field:ident: $type:ty),* $(,)? }) => {
        #[derive(Serialize, Deserialize)]
        pub struct $name {
            $(pub $field: $type),*
        }
        impl Message for $name {}
    };
}

message!(Text { data: String });
message!(Time { sec: i32, nanosec: u32 });
message!(Header { stamp: Time, frame_id: String });

message!(Point { x: f64, y: f64, z: f64 });
message!(Quaternion { x: f64, y: f64, z: f64, w: f64 });
message!(Pose { position: Point, orientation: Quaternion });
message!(PoseStamped { header: Header, pose: Pose });

message!(KeyValue { key: String, value: String });
message!(DiagnosticStatus { level: u8, name: String, message: String, hardware_id: String, values: Vec<KeyValue> });
message!(DiagnosticArray { header: Header, status: Vec<DiagnosticStatus> });

message!(Point32 { x: f32, y: f32, z: f32 });
message!(Polygon { points: Vec<Point32> });
message!(SolidPrimitive { r#type: u8, dimensions: Vec<f64>, polygon: Polygon });

message!(Image {
    header: Header,
    height: u32,
    width: u32,
    encoding: String,
    is_bigendian: u8,
    step: u32,
    data: Vec<u8>,
});

message!(PointField { name: String, offset: u32, datatype: u8, count: u32 });
message!(PointCloud2 {
    header: Header,
    height: u32,
    width: u32,
    fields: Vec<PointField>,
    is_bigendian: bool,
    point_step: u32,
    row_step: u32,
    data: Vec<u8>,
    is_dense: bool,
});
