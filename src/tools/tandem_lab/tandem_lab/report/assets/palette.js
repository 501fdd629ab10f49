// Who has which colour, dash and marker: the same in every chart. Ours is the only warm, bold line; floors are grey.
// Colours differ in lightness as well as in hue, and dashes and markers repeat what colours say.

const kOurs = {light: '#d1440c', dark: '#ff8a4c'};
const kHues = [
  {light: '#0068b3', dark: '#58b0f2'},
  {light: '#0a8a62', dark: '#3ccf9f'},
  {light: '#a14a8f', dark: '#e29ad2'},
  {light: '#5a49c4', dark: '#a99bff'},
  {light: '#1b8f9e', dark: '#63d3e0'},
  {light: '#857400', dark: '#d6c34a'},
  {light: '#8a1f4f', dark: '#e5789f'},
  {light: '#35637a', dark: '#9cc0d4'},
  {light: '#4d6b00', dark: '#b3d45c'},
  {light: '#7b1fa2', dark: '#c77dff'},
];
const kGreys = [
  {light: '#55534e', dark: '#c2c0ba'},
  {light: '#7d7a74', dark: '#9f9c96'},
  {light: '#9a9791', dark: '#85827c'},
];
const kMarkers = ['circle', 'rect', 'triangle', 'rectRot', 'star', 'cross', 'rectRounded', 'crossRot'];
const kDashes = {
  solid: [],
  vendor: [7, 4],
  floors: [
    [2, 3],
    [6, 3, 2, 3],
    [10, 4],
    [1, 4],
    [4, 2],
    [8, 2, 2, 2],
  ],
};
const kVariants = [
  {dash: [3, 3], marker: 'triangle', hollow: true},
  {dash: [9, 3, 2, 3], marker: 'rectRot', hollow: false},
  {dash: [1, 3], marker: 'star', hollow: true},
];
const kKnown = [
  'fastdds',
  'cyclonedds',
  'zeromq',
  'iceoryx',
  'iceoryx2',
  'zenoh',
  'zeromq-bare',
  'connext',
  'opensplice',
  'connext-connector',
];

function baseOf(id) {
  return String(id).replace(/-(vendor|default|tuned|defaults)$/, '');
}

function isOurs(id) {
  return /^tandem(-|$)/.test(String(id));
}

// id -> {id, title, group, ours, colour: {light, dark}, dash, marker, hollow, width}; unknown ones are added when met.
class Contestants {
  constructor(analysis) {
    this.known = new Map();
    this.bases = [...kKnown];
    this.floors = 0;
    for (const contestant of list(analysis.contestants)) this.add(contestant);
  }

  add({id, title, kind = '', settings = '', version = ''}) {
    const floor = kind === 'floor' || /^floor/.test(id);
    const variant = settings === 'vendor' || baseOf(id) !== id;
    const group = isOurs(id) ? 'ours' : floor ? 'floors' : variant ? 'vendor settings' : 'transports';
    this.known.set(id, {
      id,
      title: title || id,
      group,
      version,
      settings,
      ours: isOurs(id),
      ...this.look(id, floor, variant),
    });
  }

  look(id, floor, variant) {
    if (isOurs(id)) {
      return {
        colour: kOurs,
        dash: id === 'tandem' ? [] : kDashes.vendor,
        marker: 'circle',
        hollow: id !== 'tandem',
        width: 3,
      };
    }
    if (floor) {
      const index = this.floors++;
      return {
        colour: kGreys[index % kGreys.length],
        dash: kDashes.floors[index % kDashes.floors.length],
        marker: kMarkers[(index + 4) % kMarkers.length],
        hollow: true,
        width: 1.5,
      };
    }
    const base = baseOf(id);
    if (!this.bases.includes(base)) this.bases.push(base);
    const index = this.bases.indexOf(base);
    return {
      colour: kHues[index % kHues.length],
      dash: variant ? kDashes.vendor : [],
      marker: kMarkers[(index + 1) % kMarkers.length],
      hollow: variant,
      width: 2,
    };
  }

  of(id, title) {
    if (!this.known.has(id)) this.add({id, title});
    return this.known.get(id);
  }

  all() {
    return [...this.known.values()];
  }
}

// A small picture of a contestant's line and marker, for legends and tables.
function swatch(look, width = 26) {
  const middle = width / 2;
  const shapes = {
    circle: () => svg('circle', {cx: middle, cy: 6, r: 3.6}),
    rect: () => svg('rect', {x: middle - 3.4, y: 2.6, width: 6.8, height: 6.8}),
    rectRounded: () => svg('rect', {x: middle - 3.4, y: 2.6, width: 6.8, height: 6.8, rx: 2}),
    triangle: () => svg('path', {d: `M${middle} 1.6L${middle + 4.4} 9.6H${middle - 4.4}Z`}),
    rectRot: () => svg('path', {d: `M${middle} 1L${middle + 5} 6L${middle} 11L${middle - 5} 6Z`}),
    cross: () => svg('path', {d: `M${middle} 2V10M${middle - 4} 6H${middle + 4}`}),
    crossRot: () => svg('path', {d: `M${middle - 3} 3L${middle + 3} 9M${middle - 3} 9L${middle + 3} 3`}),
    star: () =>
      svg('path', {
        d: `M${middle} 2V10M${middle - 4} 6H${middle + 4}M${middle - 3} 3L${middle + 3} 9M${middle - 3} 9L${middle + 3} 3`,
      }),
  };
  const line = svg('line', {x1: 0, y1: 6, x2: width, y2: 6, 'stroke-dasharray': look.dash.join(' ') || null});
  const marker = shapes[look.marker]();
  marker.setAttribute('class', look.hollow ? 'hollow' : 'full');
  const picture = svg(
    'svg',
    {class: 'swatch', width, height: 12, viewBox: `0 0 ${width} 12`, 'aria-hidden': 'true', 'stroke-width': look.width},
    line,
    marker,
  );
  // Through the object model, as the content security policy allows no style attributes.
  picture.style.setProperty('--light', look.colour.light);
  picture.style.setProperty('--dark', look.colour.dark);
  return picture;
}

function nameWithSwatch(look, name = look.title) {
  return el('span.name', {class: look.ours ? 'ours' : null}, swatch(look), el('span', {}, name));
}
