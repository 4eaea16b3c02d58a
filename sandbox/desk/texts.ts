/** The desk's language: kept in the browser, English at first. Texts come from the PO files, by their ids. */
const KEY = 'sandbox-desk-locale';
const LANGUAGE_TAGS: Readonly<Record<string, string>> = {
  'en-us': 'en-US',
  'zh-hk': 'zh-Hant-HK',
  'zh-cn': 'zh-Hans-CN',
};

let texts: Record<string, string> = {};

export function locale(): string {
  const stored = localStorage.getItem(KEY) ?? '';
  return stored in LANGUAGE_TAGS ? stored : 'en-us';
}

export async function loadTexts(next: string): Promise<void> {
  const response = await fetch(`/texts/${next}.json`);
  texts = await response.json();
  localStorage.setItem(KEY, next);
  document.documentElement.lang = LANGUAGE_TAGS[next] ?? 'en-US';
  document.title = text('desk.title');
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    element.textContent = text(element.getAttribute('data-text') ?? '');
  }
  for (const element of document.querySelectorAll<HTMLElement>('[data-label]')) {
    const label = text(element.getAttribute('data-label') ?? '');
    element.setAttribute('aria-label', label);
    element.setAttribute('placeholder', label);
  }
}

/** A text in the present language, its `{names}` filled in. */
export function text(id: string, values: Readonly<Record<string, string | number>> = {}): string {
  return (texts[id] ?? id).replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export function time(iso: string | number): string {
  return new Date(iso).toLocaleString(document.documentElement.lang, { hour12: false });
}
