// The page: header, contents, global filter, theme, drawing as charts come into view, printing.

function remembered(key, value) {
  try {
    // Storage is not there for files in some browsers, nor in private windows.
    if (value !== undefined) localStorage.setItem(key, value);
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

class Page {
  constructor(analysis) {
    this.analysis = analysis;
    this.contestants = new Contestants(analysis);
    this.hidden = new Set();
    this.cards = [];
    this.printing = false;
    this.machineLine = machineLine(analysis.machine);
    this.wantsDark = matchMedia('(prefers-color-scheme: dark)');
    this.chosenTheme = remembered('tandem-lab-theme');
  }

  isHidden(contestant) {
    return this.hidden.has(contestant);
  }

  isDark() {
    return !this.printing && (this.chosenTheme ? this.chosenTheme === 'dark' : this.wantsDark.matches);
  }

  look() {
    const dark = this.isDark();
    return {
      dark,
      print: this.printing,
      narrow: innerWidth < 600,
      ink: dark ? '#eceae6' : '#1d1c1a',
      muted: dark ? '#a8a49d' : '#66635c',
      grid: dark ? '#34332f' : '#e8e5df',
      surface: dark ? '#1d1d1b' : '#ffffff',
      noise: dark ? '#b5a98a' : '#8a7a50',
    };
  }

  build() {
    const {analysis, contestants} = this;
    const run = analysis.run ?? {};
    document.title = `${run.title || run.id || 'Run'} – Tandem laboratory`;
    const parts = [
      verdictPart(analysis, contestants),
      ...list(analysis.sections).map((section) => sectionPart(section, this)),
      systemsPart(analysis, contestants),
      failuresPart(analysis, contestants),
      absentPart(analysis),
      machinePart(analysis),
      runPart(analysis),
    ].filter(Boolean);
    const main = el('main', {id: 'main'}, this.header(run), parts);
    this.side = el('aside', {id: 'side'}, this.contents(parts), this.filter());
    document.body.append(
      el('a.skip', {href: '#main'}, 'Skip to the report'),
      this.bar(),
      el('div.frame', {}, this.side, main),
    );
    this.applyTheme();
    this.watch(parts);
  }

  header(run) {
    const trials = Object.values(run.trials ?? {}).reduce((sum, count) => sum + count, 0);
    const facts = [
      dateText(run.started),
      counted(list(this.analysis.sections).length, 'experiment'),
      trials ? counted(trials, 'trial') : '',
    ].filter(Boolean);
    return el(
      'header',
      {},
      el('h1', {}, run.title || run.id || 'Run'),
      el('p.subtitle', {}, facts.join(' · '), ' ', run.complete ? null : el('span.chip.warning', {}, 'partial run')),
      run.complete
        ? null
        : el(
            'p.partial',
            {},
            'This run was not finished: some trials are missing, and what follows is what there is so far.',
          ),
      el('p.machine-line', {}, this.machineLine),
    );
  }

  bar() {
    this.menu = el(
      'button.tool.menu',
      {
        type: 'button',
        'aria-expanded': 'false',
        'aria-controls': 'side',
        onclick: () => this.openSide(!this.side.classList.contains('open')),
      },
      'Contents & systems',
    );
    this.theme = el('button.tool', {type: 'button', id: 'theme', onclick: () => this.switchTheme()}, 'Dark');
    return el(
      'div.bar',
      {},
      el('a.brand', {href: '#verdict'}, 'Tandem', el('span', {}, ' laboratory')),
      this.menu,
      this.theme,
      el('button.tool', {type: 'button', id: 'print', onclick: () => print()}, 'Print'),
    );
  }

  openSide(open) {
    this.side.classList.toggle('open', open);
    this.menu.setAttribute('aria-expanded', String(open));
  }

  contents(parts) {
    this.links = parts.map((part) =>
      el('a', {href: `#${part.id}`, onclick: () => this.openSide(false)}, part.querySelector('h2').textContent),
    );
    return el('nav', {'aria-label': 'contents'}, el('h2', {}, 'Contents'), this.links);
  }

  filter() {
    const used = new Set(this.cards.flatMap(({series}) => series.map(({contestant}) => contestant)));
    const all = this.contestants.all().filter(({id}) => used.has(id));
    this.keys = all.map((one) =>
      el(
        'button.key',
        {
          type: 'button',
          'data-contestant': one.id,
          'aria-pressed': 'true',
          onclick: () => {
            if (!this.hidden.delete(one.id)) this.hidden.add(one.id);
            this.refilter();
          },
        },
        nameWithSwatch(one),
      ),
    );
    const groups = [...new Set(all.map(({group}) => group))].filter((group) => group !== 'ours');
    const choose = (text, hides) =>
      el(
        'button.tool',
        {
          type: 'button',
          'data-choose': text,
          onclick: () => {
            this.hidden = new Set(all.filter(hides).map(({id}) => id));
            this.refilter();
          },
        },
        text,
      );
    return el(
      'div.filter',
      {role: 'group', 'aria-label': 'systems shown in all charts'},
      el('h2', {}, 'Systems in all charts'),
      el(
        'div.choices',
        {},
        choose('all', () => false),
        choose('none', () => true),
        groups.length > 1
          ? groups.map((group) => choose(group, (one) => one.group !== group && one.group !== 'ours'))
          : null,
      ),
      this.keys,
    );
  }

  refilter() {
    for (const key of this.keys) key.setAttribute('aria-pressed', String(!this.hidden.has(key.dataset.contestant)));
    for (const card of this.cards) card.refresh();
  }

  switchTheme() {
    this.chosenTheme = this.isDark() ? 'light' : 'dark';
    remembered('tandem-lab-theme', this.chosenTheme);
    this.applyTheme();
  }

  applyTheme() {
    const dark = this.isDark();
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    this.theme.textContent = dark ? 'Light' : 'Dark';
    for (const card of this.cards) card.redraw();
  }

  watch(parts) {
    // Far from the view charts are erased again: hundreds of canvases would need much memory.
    const near = new IntersectionObserver(
      (entries) =>
        entries.forEach(({target, isIntersecting}) => {
          target.card.isNear = isIntersecting;
          if (isIntersecting) target.card.draw();
          else if (!this.printing) target.card.erase();
        }),
      {rootMargin: '800px 0px'},
    );
    for (const card of this.cards) {
      card.stage.card = card;
      near.observe(card.stage);
    }
    const reading = new IntersectionObserver(
      (entries) =>
        entries.forEach(({target, isIntersecting}) => {
          if (isIntersecting)
            this.links.forEach((link) => link.toggleAttribute('aria-current', link.hash === `#${target.id}`));
        }),
      {rootMargin: '-20% 0px -75% 0px'},
    );
    parts.forEach((part) => reading.observe(part));
    this.wantsDark.addEventListener('change', () => this.applyTheme());
    addEventListener('beforeprint', () => this.forPrint(true));
    addEventListener('afterprint', () => this.forPrint(false));
    if (location.hash === '#print') this.forPrint(true);
  }

  // On paper: light, everything opened, every chart drawn at the width of the paper.
  forPrint(printing) {
    if (printing === this.printing) return;
    this.printing = printing;
    document.documentElement.classList.toggle('printing', printing);
    for (const box of document.querySelectorAll('details')) {
      if (printing) box.dataset.wasOpen = String(box.open);
      box.open = printing ? !box.closest('figure') || box.children.length > 1 : box.dataset.wasOpen === 'true';
    }
    this.applyTheme();
    for (const card of this.cards) {
      card.erase();
      if (printing || card.isNear) card.draw();
    }
  }
}

// Terminals get 'us', people get 'µs'. Series are left alone: CSV files have their names, and they are long.
function forPeople(value, key) {
  if (typeof value === 'string') return value.replace(/(\d) us\b/g, '$1\u00a0µs');
  if (Array.isArray(value)) return key === 'series' ? value : value.map((one) => forPeople(one));
  return value && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, forPeople(one, name)]))
    : value;
}

new Page(forPeople(JSON.parse(document.getElementById('analysis').textContent))).build();
