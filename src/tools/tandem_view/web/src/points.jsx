// A point cloud with WebGL: turned with the mouse, a finger or the arrow keys.
import { useEffect, useRef, useState } from 'preact/hooks';
import { number } from './format.js';
import { PointDrawing } from './point_drawing.js';
import { useText } from './text.js';

const STEP = 0.1; // radians for a key

function listen(canvas, drawing) {
  let last = null;
  const turn = (event) => {
    if (!last) return;
    drawing.turn((event.clientX - last.clientX) * 0.01, (event.clientY - last.clientY) * 0.01);
    last = event;
  };
  canvas.onpointerdown = (event) => {
    canvas.setPointerCapture(event.pointerId);
    last = event;
  };
  canvas.onpointermove = turn;
  canvas.onpointerup = canvas.onpointercancel = () => { last = null; };
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    drawing.zoom(Math.exp(event.deltaY * 0.001));
  }, { passive: false });
  canvas.onkeydown = (event) => {
    const turns = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
    const zooms = { '+': 0.8, '=': 0.8, '-': 1.25 };
    if (event.key in turns) drawing.turn(...turns[event.key]);
    else if (event.key in zooms) drawing.zoom(zooms[event.key]);
    else return;
    event.preventDefault();
  };
}

export function Points({ topic, points }) {
  const text = useText();
  const canvas = useRef(null);
  const drawing = useRef(null);
  const [hasWebgl, setHasWebgl] = useState(true);
  useEffect(() => {
    const context = canvas.current.getContext('webgl2', { antialias: true, preserveDrawingBuffer: true });
    if (!context) {
      setHasWebgl(false);
      return undefined;
    }
    drawing.current = new PointDrawing(canvas.current, context);
    listen(canvas.current, drawing.current);
    const observer = new ResizeObserver(() => canvas.current && drawing.current.draw());
    observer.observe(canvas.current);
    return () => {
      observer.disconnect();
      drawing.current.end();
    };
  }, []);
  useEffect(() => drawing.current && drawing.current.show(points), [points]);
  return (
    <figure class="points">
      {hasWebgl ? <canvas ref={canvas} tabIndex={0} role="img" aria-label={text('pointsLabel', topic)} />
        : <p class="notice">{text('noWebgl')}</p>}
      <figcaption>{text('pointsCount', number(points.count), number(points.total))}. {text('turn')}</figcaption>
    </figure>
  );
}
