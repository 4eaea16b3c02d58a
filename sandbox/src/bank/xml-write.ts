/** Elements as text. What the bank has no value for is left out, as ISO 20022 wants it. */

export type Xml = { xml: string };

/** An element with text or elements inside; undefined and empty parts are left out, and with them an element that has nothing else. */
export function e(
  name: string,
  content: string | undefined | readonly (Xml | undefined)[],
  attributes: Readonly<Record<string, string>> = {},
): Xml | undefined {
  const inside =
    content === undefined
      ? ''
      : typeof content === 'string'
        ? escaped(content)
        : content.map((part) => part?.xml ?? '').join('');
  if (inside === '') return undefined;
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  return { xml: `<${name}${given.join('')}>${inside}</${name}>` };
}

/** A text cut to the length that the schema allows. */
export const cut = (text: string | undefined, length: number): string | undefined =>
  text === undefined ? undefined : [...text.trim()].slice(0, length).join('');

export function document(message: string, content: readonly (Xml | undefined)[]): string {
  const root = e('Document', content, { xmlns: `urn:iso:std:iso:20022:tech:xsd:${message}` });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root?.xml ?? ''}\n`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escaped(text: string): string {
  // Characters that XML 1.0 does not have at all cannot be escaped either.
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '?')
    .replaceAll(/[&<>"']/g, (found) => ESCAPES[found] ?? found);
}
