import { render } from 'preact';
import { App } from './app.jsx';
import { connection } from './connection.js';
import 'uplot/dist/uPlot.min.css';
import './style.css';

connection.open();
render(<App />, document.getElementById('app'));
