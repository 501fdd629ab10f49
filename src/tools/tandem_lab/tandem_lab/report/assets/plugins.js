// What the chart library does not draw by itself: intervals, whiskers of boxes, bands, the noise floor.

// Where a value lies on the axis of values, which is the horizontal one when bars lie on their side.
function valueScale(chart) {
  return chart.options.indexAxis === 'y' ? chart.scales.x : chart.scales.y;
}

// A line along the values from low to high at `at`, with an end piece of half width `cap`.
function whisker(context, chart, at, low, high, cap) {
  const scale = valueScale(chart);
  const flat = chart.options.indexAxis === 'y';
  const from = scale.getPixelForValue(low);
  const to = scale.getPixelForValue(high);
  const line = (a, b, c, d) => {
    context.moveTo(flat ? b : a, flat ? a : b);
    context.lineTo(flat ? d : c, flat ? c : d);
  };
  context.beginPath();
  line(at, from, at, to);
  line(at - cap, from, at + cap, from);
  line(at - cap, to, at + cap, to);
  context.stroke();
}

function inside(chart, draw) {
  const {left, top, right, bottom} = chart.chartArea;
  const context = chart.ctx;
  context.save();
  context.beginPath();
  context.rect(left, top, right - left, bottom - top);
  context.clip();
  draw(context);
  context.restore();
}

function eachElement(chart, visit) {
  chart.data.datasets.forEach((dataset, index) => {
    chart
      .getDatasetMeta(index)
      .data.forEach((element, position) => visit(dataset, element, dataset.raw?.[position], position));
  });
}

function onAxis(scale, value) {
  return isNumber(value) && (scale.type !== 'logarithmic' || value > 0);
}

// Points with `low` and `high` get an interval.
const intervalPlugin = {
  id: 'interval',
  afterDatasetsDraw(chart) {
    const scale = valueScale(chart);
    inside(chart, (context) =>
      eachElement(chart, (dataset, element, raw, position) => {
        if (!raw || dataset.band || raw.low === raw.high || !onAxis(scale, raw.low) || !onAxis(scale, raw.high)) return;
        const colour = dataset.intervalColour ?? dataset.borderColor;
        context.strokeStyle = Array.isArray(colour) ? colour[position] : colour;
        context.lineWidth = dataset.emphasis ? 2 : 1.25;
        whisker(context, chart, chart.options.indexAxis === 'y' ? element.y : element.x, raw.low, raw.high, 4);
      }),
    );
  },
};

// Boxes are floating bars from q1 to q3; this adds the median and the way to the least and the greatest.
const boxPlugin = {
  id: 'box',
  afterDatasetsDraw(chart) {
    const scale = valueScale(chart);
    const flat = chart.options.indexAxis === 'y';
    inside(chart, (context) =>
      eachElement(chart, (dataset, element, raw, position) => {
        if (!raw || !isNumber(raw.median)) return;
        const colour = dataset.borderColor;
        context.strokeStyle = Array.isArray(colour) ? colour[position] : colour;
        context.lineWidth = 1.25;
        const at = flat ? element.y : element.x;
        const half = (flat ? element.height : element.width) / 2;
        for (const [inner, outer] of [
          [raw.q1, raw.min],
          [raw.q3, raw.max],
        ]) {
          if (onAxis(scale, inner) && onAxis(scale, outer)) whisker(context, chart, at, inner, outer, 0);
          if (onAxis(scale, outer)) whisker(context, chart, at, outer, outer, half * 0.5);
        }
        context.lineWidth = 2.5;
        if (onAxis(scale, raw.median)) whisker(context, chart, at, raw.median, raw.median, half);
      }),
    );
  },
};

// Between `low` and `high` of all points of a series: what the other repetitions did.
const bandPlugin = {
  id: 'band',
  beforeDatasetsDraw(chart) {
    inside(chart, (context) =>
      chart.data.datasets.forEach((dataset) => {
        const points =
          dataset.band?.filter(({low, high}) => onAxis(chart.scales.y, low) && onAxis(chart.scales.y, high)) ?? [];
        if (points.length < 2) return;
        const at = (value, scale) => scale.getPixelForValue(value);
        context.beginPath();
        for (const {x, high} of points) context.lineTo(at(x, chart.scales.x), at(high, chart.scales.y));
        for (const {x, low} of points.reverse()) context.lineTo(at(x, chart.scales.x), at(low, chart.scales.y));
        context.closePath();
        context.globalAlpha = 0.14;
        context.fillStyle = dataset.borderColor;
        context.fill();
      }),
    );
  },
};

// The noise floor: how far apart two results must be to mean anything. Around the line or across the end of the bar of
// one system (ours, where it is shown), at least as wide as can be seen; for distances (jitter), from nothing up to it.
const noisePlugin = {
  id: 'noise',
  beforeDatasetsDraw(chart, _, {value, relative, label, colour, reference, separate}) {
    if (!isNumber(value) || value <= 0) return;
    const lying = chart.options.indexAxis === 'y';
    const distance = (y) => (isNumber(relative) ? Math.abs(y) * relative : value);
    inside(chart, (context) => {
      context.fillStyle = colour;
      context.globalAlpha = 0.25;
      if (reference === undefined) floorUpTo(chart, context, value);
      else if (lying) bandAcross(chart, context, reference, distance(reference));
      else
        (separate ? reference.map((point) => [point]) : [reference]).forEach((points) =>
          bandAround(chart, context, points, distance),
        );
    });
    const context = chart.ctx;
    context.save();
    context.fillStyle = colour;
    context.font = '11px system-ui, sans-serif';
    context.textAlign = 'right';
    context.fillText(label, chart.chartArea.right, chart.chartArea.top - 5);
    context.restore();
  },
};

function floorUpTo(chart, context, value) {
  const scale = valueScale(chart);
  const {left, right, top, bottom} = chart.chartArea;
  if (value < scale.min) return;
  const at = scale.getPixelForValue(Math.min(value, scale.max));
  if (chart.options.indexAxis === 'y') context.fillRect(left, top, at - left, bottom - top);
  else context.fillRect(left, at, right - left, bottom - at);
}

function bandAcross(chart, context, best, distance) {
  const {top, bottom} = chart.chartArea;
  const at = chart.scales.x.getPixelForValue(best);
  const half = Math.max(2, Math.abs(chart.scales.x.getPixelForValue(best + distance) - at));
  context.fillRect(at - half, top, 2 * half, bottom - top);
}

function bandAround(chart, context, points, distance) {
  const {x: across, y: up} = chart.scales;
  const edges = points.map(({x, y}) => {
    const at = up.getPixelForValue(y);
    const half = Math.max(4, Math.abs(up.getPixelForValue(y + distance(y)) - at));
    return {x: across.getPixelForValue(x), high: at - half, low: at + half};
  });
  if (edges.length === 1) {
    edges.push({...edges[0], x: edges[0].x + 9});
    edges[0].x -= 9;
  }
  context.beginPath();
  for (const {x, high} of edges) context.lineTo(x, high);
  for (const {x, low} of edges.reverse()) context.lineTo(x, low);
  context.fill();
}
