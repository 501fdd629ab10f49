// An image on a canvas.
import { useEffect, useRef } from 'preact/hooks';
import { useText } from './text.js';

async function draw(canvas, picture) {
  if (picture.pixels) {
    canvas.width = picture.width;
    canvas.height = picture.height;
    canvas.getContext('2d').putImageData(new ImageData(picture.pixels, picture.width, picture.height), 0, 0);
    return;
  }
  const bitmap = await createImageBitmap(new Blob([picture.compressed]));
  canvas.width = picture.ofWidth = picture.width = bitmap.width;
  canvas.height = picture.ofHeight = picture.height = bitmap.height;
  canvas.getContext('2d').drawImage(bitmap, 0, 0);
  bitmap.close();
}

export function Picture({ topic, picture }) {
  const text = useText();
  const canvas = useRef(null);
  useEffect(() => {
    draw(canvas.current, picture).catch(() => {}); // one that cannot be decoded is not drawn
  }, [picture]);
  const { width, height, ofWidth, ofHeight } = picture;
  return (
    <figure class="picture">
      <canvas ref={canvas} role="img" aria-label={text('pictureLabel', topic, ofWidth ?? '?', ofHeight ?? '?')} />
      {width && <figcaption>{text('pictureSize', ofWidth, ofHeight, width, height)}</figcaption>}
    </figure>
  );
}
