// The frame of the page: sections, language, connection, notices. What is shown is in the address behind '#'.
import { useEffect, useState } from 'preact/hooks';
import { GraphSection } from './graph.jsx';
import { ParametersSection } from './parameters.jsx';
import { notices, state, useParts } from './store.js';
import { Language, LANGUAGES, languageOfBrowser, useText } from './text.js';
import { TopicsSection } from './topics.jsx';

const SECTIONS = ['topics', 'graph', 'parameters'];

function place() {
  const [section, ...rest] = decodeURIComponent(location.hash.slice(1)).split(':');
  return { section: SECTIONS.includes(section) ? section : 'topics', topic: rest.join(':') || null };
}

function usePlace() {
  const [now, setNow] = useState(place());
  useEffect(() => {
    const follow = () => setNow(place());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return now;
}

function Sections({ section }) {
  const text = useText();
  return (
    <nav aria-label={text('sections')}>
      {SECTIONS.map((each) => (
        <a key={each} href={`#${each}`} aria-current={each === section ? 'page' : undefined}>{text(each)}</a>
      ))}
    </nav>
  );
}

function State() {
  useParts(state);
  const text = useText();
  return <p role="status" class={`state ${state.value}`}><span aria-hidden="true">●</span> {text(state.value)}</p>;
}

function Notices() {
  useParts(notices);
  const text = useText();
  return (
    <div class="notices" role="log" aria-label={text('notices')}>
      {notices.all.map((each) => (
        <p key={each.key} class={each.level > 1 ? 'error' : 'notice'}>
          {each.text}
          <button type="button" onClick={() => notices.remove(each.key)} aria-label={text('dismiss')}>×</button>
        </p>
      ))}
    </div>
  );
}

function Page({ language, setLanguage }) {
  const text = useText();
  const { section, topic } = usePlace();
  return (
    <>
      <a class="skip" href="#content" onClick={(event) => {
        event.preventDefault();
        document.getElementById('content').focus();
      }}>{text('skip')}</a>
      <header>
        <h1>{text('title')}</h1>
        <Sections section={section} />
        <State />
        <button type="button" class="language" lang={language === 'en' ? 'zh' : 'en'} title={text('languageHint')}
          onClick={() => setLanguage(language === 'en' ? 'zh' : 'en')}>{text('language')}</button>
      </header>
      <main id="content" tabIndex={-1}>
        {section === 'topics' && <TopicsSection chosen={topic} />}
        {section === 'graph' && <GraphSection />}
        {section === 'parameters' && <ParametersSection />}
      </main>
      <Notices />
      <footer><a href="licences.txt">{text('licences')}</a></footer>
    </>
  );
}

export function App() {
  const [language, setLanguage] = useState(languageOfBrowser());
  useEffect(() => {
    document.documentElement.lang = language;
    localStorage.setItem('tandem-view-language', language);
  }, [language]);
  return (
    <Language.Provider value={language}>
      <Page language={language} setLanguage={(next) => LANGUAGES.includes(next) && setLanguage(next)} />
    </Language.Provider>
  );
}
