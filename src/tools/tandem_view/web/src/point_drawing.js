// Draws points on a WebGL canvas, seen from a place on a sphere around their middle.
const VERTEX = `#version 300 es
in vec3 place;
in float value;
in uint colour;
uniform mat4 view;
uniform vec2 range;
uniform bool coloured;
uniform float size;
out vec3 shade;
vec3 ramp(float t) { // blue, green, yellow, red
  return clamp(vec3(1.5 - abs(4.0 * t - 3.0), 1.5 - abs(4.0 * t - 2.0), 1.5 - abs(4.0 * t - 1.0)), 0.0, 1.0);
}
void main() {
  gl_Position = view * vec4(place, 1.0);
  gl_PointSize = clamp(size / gl_Position.w, 1.5, 8.0);
  vec3 own = vec3(float(colour >> 16u & 255u), float(colour >> 8u & 255u), float(colour & 255u)) / 255.0;
  shade = coloured ? own : ramp(clamp((value - range.x) / max(range.y - range.x, 1e-6), 0.0, 1.0));
}`;
const FRAGMENT = `#version 300 es
precision mediump float;
in vec3 shade;
out vec4 pixel;
void main() {
  vec2 from = gl_PointCoord - 0.5;
  if (dot(from, from) > 0.25) discard;
  pixel = vec4(shade, 1.0);
}`;
const STRIDE = 16; // bytes of a point
const FIELD = 1.0; // of view, radians

function program(gl) {
  const made = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  return made;
}

/** The middle of most points, how far they reach from it, and the range of their values. */
function extent(points) {
  const values = new Float32Array(points.values);
  const steps = Math.max(1, Math.floor(points.count / 2000));
  const axes = [[], [], [], []];
  for (let point = 0; point < points.count; point += steps) {
    for (let axis = 0; axis < 4; ++axis) axes[axis].push(values[4 * point + axis]);
  }
  const ranges = axes.map((axis) => {
    axis.sort((a, b) => a - b);
    return [axis[Math.floor(axis.length * 0.02)] ?? 0, axis[Math.floor(axis.length * 0.98)] ?? 1];
  });
  const middle = ranges.slice(0, 3).map(([least, most]) => (least + most) / 2);
  const reach = Math.max(...ranges.slice(0, 3).map(([least, most]) => most - least), 1e-3);
  return { middle, reach, range: ranges[3] };
}

/** Column-major: perspective times the look from `eye` at `middle`, z up. */
function matrix(eye, middle, aspect, reach) {
  const minus = (a, b) => a.map((each, axis) => each - b[axis]);
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const unit = (a) => a.map((each) => each / Math.hypot(...a));
  const back = unit(minus(eye, middle));
  const right = unit(cross([0, 0, 1], back));
  const up = cross(back, right);
  const scale = 1 / Math.tan(FIELD / 2);
  const near = reach * 0.01;
  const far = reach * 50;
  const rows = [right.map((each) => each * scale / aspect), up.map((each) => each * scale), back];
  const depth = (near + far) / (near - far);
  const moved = [-dot(rows[0], eye), -dot(rows[1], eye), -dot(back, eye)];
  return new Float32Array([
    rows[0][0], rows[1][0], back[0] * depth, -back[0],
    rows[0][1], rows[1][1], back[1] * depth, -back[1],
    rows[0][2], rows[1][2], back[2] * depth, -back[2],
    moved[0], moved[1], moved[2] * depth + 2 * near * far / (near - far), -moved[2],
  ]);
}

export class PointDrawing {
  #gl;
  #canvas;
  #program;
  #count = 0;
  #extent = null;
  #areColoured = false;
  #around = -2.3; // radians
  #above = 0.6;
  #distance = 1.3; // of what the points reach

  constructor(canvas, gl) {
    this.#canvas = canvas;
    this.#gl = gl;
    this.#program = program(gl);
    gl.useProgram(this.#program);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    const place = gl.getAttribLocation(this.#program, 'place');
    const value = gl.getAttribLocation(this.#program, 'value');
    const colour = gl.getAttribLocation(this.#program, 'colour');
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 3, gl.FLOAT, false, STRIDE, 0);
    gl.enableVertexAttribArray(value);
    gl.vertexAttribPointer(value, 1, gl.FLOAT, false, STRIDE, 12);
    gl.enableVertexAttribArray(colour);
    gl.vertexAttribIPointer(colour, 1, gl.UNSIGNED_INT, STRIDE, 12);
    gl.enable(gl.DEPTH_TEST);
  }

  show(points) {
    this.#count = points.count;
    this.#areColoured = points.areColoured;
    const now = extent(points);
    // The view follows slowly, so that it does not tremble.
    if (!this.#extent || now.reach > 2 * this.#extent.reach || now.reach < this.#extent.reach / 2) this.#extent = now;
    this.#extent.range = now.range;
    this.#gl.bufferData(this.#gl.ARRAY_BUFFER, points.values, this.#gl.DYNAMIC_DRAW);
    this.draw();
  }

  turn(around, above) {
    this.#around -= around;
    this.#above = Math.max(-1.5, Math.min(1.5, this.#above + above));
    this.draw();
  }

  zoom(factor) {
    this.#distance = Math.max(0.05, Math.min(20, this.#distance * factor));
    this.draw();
  }

  draw() {
    const gl = this.#gl;
    if (!this.#extent) return;
    const ratio = Math.min(devicePixelRatio, 2);
    this.#canvas.width = this.#canvas.clientWidth * ratio;
    this.#canvas.height = this.#canvas.clientHeight * ratio;
    gl.viewport(0, 0, this.#canvas.width, this.#canvas.height);
    gl.clearColor(0.06, 0.07, 0.09, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const { middle, reach, range } = this.#extent;
    const away = reach * this.#distance;
    const eye = [middle[0] + away * Math.cos(this.#above) * Math.cos(this.#around),
      middle[1] + away * Math.cos(this.#above) * Math.sin(this.#around), middle[2] + away * Math.sin(this.#above)];
    const uniform = (name) => gl.getUniformLocation(this.#program, name);
    gl.uniformMatrix4fv(uniform('view'), false, matrix(eye, middle, this.#canvas.width / this.#canvas.height, reach));
    gl.uniform2fv(uniform('range'), range);
    gl.uniform1i(uniform('coloured'), this.#areColoured ? 1 : 0);
    gl.uniform1f(uniform('size'), this.#canvas.height * reach * 0.006);
    gl.drawArrays(gl.POINTS, 0, this.#count);
  }

  end() {
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
  }
}
