/** Text that is HTML already. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What a place of a template takes; `null` and `false` leave it empty. */
export type HtmlValue = Html | string | number | null | false | readonly HtmlValue[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as it is written in an element or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A template whose values are escaped, unless they are HTML themselves: html`<p>${text}</p>`. Attributes have to be quoted. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.map((part, i) => (i === 0 ? part : `${written(values[i - 1] ?? null)}${part}`)).join(''));
}

function written(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  if (value === null || value === false) return '';
  return value.map(written).join('');
}
