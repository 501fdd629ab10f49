// Making elements. Text always goes in as text, so what a run brings along (names, reasons) can never become markup.

const kSvg = 'http://www.w3.org/2000/svg';

// el('button.quiet', {type: 'button', onclick: f}, 'text', child, null, [more children])
function el(what, attributes = {}, ...children) {
  const [tag, ...classes] = what.split('.');
  return filled(document.createElement(tag), classes, attributes, children);
}

function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(kSvg, tag), [], attributes, children);
}

function filled(element, classes, attributes, children) {
  if (classes.length) element.classList.add(...classes);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class')
      element.classList.add(
        ...String(value ?? '')
          .split(' ')
          .filter(Boolean),
      );
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  const present = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== '');
  element.append(...present);
  return element;
}

function list(value) {
  return Array.isArray(value) ? value : [];
}

function isNumber(value) {
  return typeof value === 'number' && Number.isFinite(value);
}

// A table in a box of its own, which scrolls when it is wider than the page. Cells are texts or elements; numbers
// are aligned.
function table({caption, columns, rows, kind = ''}) {
  const numeric = (value) => isNumber(value) || /^([-−+]?[\d.,]+\s?\S{0,8}|[-–]|)$/.test(value ?? '');
  const aligned = columns.map((_, index) =>
    index && kind !== 'texts' && rows.every((row) => numeric(row[index])) ? 'number' : null,
  );
  const shown = (value) =>
    isNumber(value) ? digits(value) : typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
  const cell = (value, index) =>
    index === 0 ? el('th', {scope: 'row'}, shown(value)) : el('td', {class: aligned[index]}, shown(value));
  return el(
    'div.table-box',
    {tabindex: 0, role: 'region', 'aria-label': caption || 'table'},
    el(
      'table',
      {class: kind || null},
      caption ? el('caption', {}, caption) : null,
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          columns.map((column, index) => el('th', {scope: 'col', class: aligned[index]}, column)),
        ),
      ),
      el(
        'tbody',
        {},
        rows.map((row) => el('tr', {}, row.map(cell))),
      ),
    ),
  );
}

function details(summary, ...children) {
  return el('details', {}, el('summary', {}, summary), ...children);
}
