import { saveBlob } from '../../lib/save-blob.ts';

/** Hands a text to the browser to save. */
export function saveText(name: string, text: string): void {
  saveBlob(name, new Blob([text], { type: 'text/plain;charset=utf-8' }));
}

/** Prints a text alone, without the page around it. */
export function printText(title: string, text: string): void {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  document.body.append(frame);
  const sheet = frame.contentDocument;
  if (sheet === null || frame.contentWindow === null) return;
  sheet.title = title;
  const block = sheet.createElement('pre');
  block.textContent = text;
  sheet.body.append(block);
  frame.contentWindow.addEventListener('afterprint', () => frame.remove());
  frame.contentWindow.print();
}
