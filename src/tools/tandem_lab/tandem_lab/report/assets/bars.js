// Bars and boxes: lying with a name beside each, in groups along an axis, or stacked.

// One bar for each system, lying, best first: its name is beside it.
function flatBars(chart, series, view) {
  const better = betterOf(chart.y) === 'higher' ? -1 : 1;
  const known = series
    .filter((one) => isDrawable(one.points[0]?.y, view.yLog))
    .sort((a, b) => better * (a.points[0].y - b.points[0].y));
  return flat(chart, known, view, (point) => point.y);
}

// On phones a long name takes two lines.
function broken(name, view) {
  if (!view.look.narrow || name.length < 15) return name;
  const middle = name.indexOf(' ', name.length / 2 - 4);
  return middle < 0 ? name : [name.slice(0, middle), name.slice(middle + 1)];
}

function flatBoxes(chart, series, view) {
  const known = series
    .filter((one) => isDrawable(one.points[0]?.q1, view.yLog))
    .sort((a, b) => a.points[0].median - b.points[0].median);
  return flat(chart, known, view, (point) => [point.q1, point.q3]);
}

function flat(chart, known, view, valueOf) {
  const colours = known.map((one) => colourOf(one, view));
  const dataset = {
    data: known.map((one) => valueOf(one.points[0])),
    raw: known.map((one) => ({...one.points[0], name: one.name})),
    borderColor: colours,
    borderWidth: 1,
    borderSkipped: false,
    intervalColour: view.look.ink,
    maxBarThickness: 22,
    backgroundColor: known.map((one, index) => colours[index] + (one.look.ours ? 'dd' : one.look.hollow ? '33' : '77')),
  };
  const names = {
    grid: {display: false, borderColor: view.look.grid},
    ticks: {
      autoSkip: false,
      color: view.look.ink,
      font: (context) => ({size: view.look.narrow ? 11 : 12, weight: known[context.index]?.look.ours ? '700' : '400'}),
    },
  };
  return assembled(chart, known, view, {
    type: 'bar',
    data: {labels: known.map((one) => broken(one.name, view)), datasets: [dataset]},
    indexAxis: 'y',
    reference: known[oursOf(known)]?.points[0].y ?? known[oursOf(known)]?.points[0].median,
    y: names,
    x: valueAxis(chart.y, view.yLog, view.look),
    interaction: {mode: 'nearest', axis: 'y', intersect: false},
  });
}

function groupedBoxes(chart, series, view) {
  const places = [...new Set(series.flatMap(({points}) => points.map(({x}) => x)))].sort((a, b) => a - b);
  const datasets = series.map((one) => {
    const boxOf = new Map(
      one.points.filter((point) => isDrawable(point.q1, view.yLog)).map((point) => [point.x, point]),
    );
    const raw = places.map((x) => (boxOf.has(x) ? {...boxOf.get(x), at: x} : null));
    const colour = colourOf(one, view);
    return {
      label: one.name,
      raw,
      data: raw.map((box) => (box ? [box.q1, box.q3] : null)),
      borderColor: colour,
      borderWidth: 1,
      borderSkipped: false,
      backgroundColor: colour + (one.look.hollow ? '22' : '55'),
      maxBarThickness: 26,
    };
  });
  const reference = places
    .map((x, index) => ({x: index, y: datasets[oursOf(series)]?.raw[index]?.median}))
    .filter(({y}) => isNumber(y));
  const axis = {
    ...axisLook(chart.x, view.look),
    grid: {display: false, borderColor: view.look.grid},
    ticks: {color: view.look.muted, maxRotation: 40},
  };
  return assembled(chart, series, view, {
    type: 'bar',
    data: {labels: places.map((x) => withUnit(x, chart.x?.unit)), datasets},
    x: axis,
    reference,
    y: valueAxis(chart.y, view.yLog, view.look),
    interaction: {mode: 'index', intersect: false},
  });
}

// One bar for each system, each layer's share stacked on those below it.
function layers(chart, series, view) {
  const names = [...new Set(series.flatMap(({points}) => points.map(({x}) => x)))];
  const datasets = names.map((name, index) => {
    const raw = series.map((one) => one.points.find(({x}) => x === name) ?? null);
    return {
      label: String(name),
      raw: raw.map((point) => point && {...point, name: `${name}, adding ${withUnit(point.added, chart.y?.unit)}`}),
      data: raw.map((point) => point?.added ?? null),
      stack: 'layers',
      borderColor: view.look.surface,
      borderWidth: 1,
      maxBarThickness: 34,
      intervalColour: 'transparent',
      backgroundColor: (view.look.dark ? kHues[index % kHues.length].dark : kHues[index % kHues.length].light) + 'cc',
    };
  });
  const axis = {...valueAxis(chart.y, false, view.look), stacked: true};
  const config = assembled(chart, series, view, {
    type: 'bar',
    data: {labels: series.map((one) => one.name), datasets},
    indexAxis: 'y',
    x: axis,
    reference: series[oursOf(series)]?.points.at(-1)?.y,
    y: {stacked: true, grid: {display: false, borderColor: view.look.grid}, ticks: {color: view.look.ink}},
    interaction: {mode: 'nearest', axis: 'xy', intersect: false},
  });
  config.options.plugins.legend = {display: true, position: 'bottom', labels: {color: view.look.ink, boxWidth: 14}};
  return config;
}
