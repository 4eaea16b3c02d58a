/** Hands a text to the browser to save. */
export function saveText(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  link.download = name;
  link.click();
  // The browser has begun the download by the next turn.
  setTimeout(() => URL.revokeObjectURL(link.href));
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
