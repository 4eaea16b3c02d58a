import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { errors } from '@causeway/contract/errors.ts';
import { locales } from '@causeway/contract/locale.ts';
import PO from 'pofile';
import { missingTexts } from './page-texts.ts';
import { struckIn } from './struck-words.ts';
import { collectUses, placeholders, type Uses } from './text-uses.ts';

/**
 * Checks the texts of each part of the product: every id that the code uses has a text, no text is unused, all three
 * languages have the same ids with the same blanks. The server and the web app must both know every message of the
 * contract's rules (`field.…`) and say the same; the server must know a sentence for every error. Where a character is
 * written in two ways, all texts keep to the one of docs/GLOSSARY.md, and struck words (struck-words.ts) do not come back. Each page
 * of the web app loads the texts that it shows (page-texts.ts).
 */

interface Part {
  name: string;
  sources: string[];
  catalogues: string[];
  /** Ids that others name: the contract's. Null where a page of its own puts its ids together: uses are not looked at. */
  implied: string[] | null;
}

/** Characters that the glossary writes otherwise: 帳, 你 and 「」 in Hong Kong, 账, 您 and “” on the mainland. */
const strayForms: Partial<Record<string, RegExp>> = { 'zh-hk': /[賬账您]/, 'zh-cn': /[賬帳你「」『』]/ };

const root = join(import.meta.dirname, '..');
const files = (patterns: string[]) => patterns.flatMap((pattern) => globSync(pattern, { cwd: root }));

const fieldIds = [...usesOf(['contract/src/**/*.ts']).ids].filter((id) => id.startsWith('field.'));
const errorIds = Object.keys(errors).map((key) => `error.${key}`);

const parts: Part[] = [
  { name: 'web', sources: ['web/src/**/*.{ts,tsx}'], catalogues: ['web/src/**/locales/**/*.po'], implied: fieldIds },
  {
    name: 'server',
    sources: ['server/src/**/*.ts'],
    catalogues: ['server/src/**/locales/*.po'],
    implied: [...fieldIds, ...errorIds],
  },
  { name: 'sandbox', sources: ['sandbox/src/**/*.ts'], catalogues: ['sandbox/**/locales/*.po'], implied: null },
];

const problems: string[] = [];
const texts = new Map(parts.map((part) => [part.name, textsOf(part)]));
for (const part of parts) checkPart(part);
checkSameFields();
for (const { route, group, id, module } of missingTexts(join(root, 'web/src')))
  problems.push(`web: ${route} shows ${id} (${module}), which is a text of ${group}, and does not load it`);

for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;
else
  console.log(
    `texts: ${[...texts].map(([name, of]) => `${name} ${of.get('en-us')?.size ?? 0}`).join(', ')} ids, all whole`,
  );

type Texts = Map<string, Map<string, string>>;

/** Locale → id → message, over all catalogues of a part. */
function textsOf(part: Part): Texts {
  const found: Texts = new Map(locales.map((locale) => [locale, new Map()]));
  for (const file of files(part.catalogues).filter((path) => !path.includes('node_modules'))) {
    const locale = /([a-z-]+)\.po$/.exec(file)?.[1] ?? '';
    const messages = found.get(locale);
    if (messages === undefined) {
      problems.push(`${file}: not one of ${locales.join(', ')}`);
      continue;
    }
    for (const item of PO.parse(readFileSync(join(root, file), 'utf8')).items) {
      if (messages.has(item.msgid)) problems.push(`${file}: ${item.msgid} is there twice`);
      if (item.msgstr.join('') === '') problems.push(`${file}: ${item.msgid} has no text`);
      messages.set(item.msgid, item.msgstr.join(''));
    }
  }
  return found;
}

function checkPart(part: Part): void {
  const byLocale = texts.get(part.name);
  if (byLocale === undefined) return;
  const all = new Set([...byLocale.values()].flatMap((messages) => [...messages.keys()]));
  for (const id of all) checkLanguages(part.name, id, byLocale);
  if (part.implied !== null) checkUses(part, all, part.implied);
}

function checkUses(part: Part, all: ReadonlySet<string>, implied: readonly string[]): void {
  const prefixes = new Set([...all].map((id) => id.split('.')[0] ?? ''));
  const uses = usesOf(part.sources);
  // The server's jobs and events are named like its texts: there only what a text function was called with must exist.
  const named = part.name === 'server' ? uses.certain : uses.ids;
  const required = new Set([...implied, ...[...named].filter((id) => prefixes.has(id.split('.')[0] ?? ''))]);
  const used = new Set([...implied, ...[...uses.ids].filter((id) => prefixes.has(id.split('.')[0] ?? ''))]);
  for (const id of required) if (!all.has(id)) problems.push(`${part.name}: ${id} is used and has no text`);
  for (const start of uses.starts) {
    const known = prefixes.has(start.split('.')[0] ?? '');
    if (known && ![...all].some((id) => id.startsWith(start)))
      problems.push(`${part.name}: no text begins with ${start}`);
  }
  for (const id of all) {
    const unused = !used.has(id) && ![...uses.starts].some((start) => id.startsWith(start));
    if (unused) problems.push(`${part.name}: ${id} is not used`);
  }
}

function checkLanguages(part: string, id: string, byLocale: Texts): void {
  const english = byLocale.get('en-us')?.get(id);
  for (const locale of locales) {
    const text = byLocale.get(locale)?.get(id);
    const stray = strayForms[locale]?.exec(text ?? '');
    if (stray) problems.push(`${part}: ${id} has ${stray[0]} in ${locale}, which the glossary writes otherwise`);
    const struck = struckIn(locale, text ?? '');
    if (struck !== null) problems.push(`${part}: ${id} in ${locale} says ${struck} (tools/struck-words.ts)`);
    // The rules of Chinese know no category but `other`: a text under `one` would never be shown.
    if (locale.startsWith('zh') && /plural,[^}]*\bone \{/.test(text ?? ''))
      problems.push(`${part}: ${id} has a plural "one" in ${locale}, where "=1" is meant`);
    if (text === undefined) problems.push(`${part}: ${id} is missing in ${locale}`);
    else if (english !== undefined && placeholders(text) !== placeholders(english)) {
      problems.push(
        `${part}: ${id} has other blanks in ${locale} (${placeholders(text)}) than in en-us (${placeholders(english)})`,
      );
    }
  }
}

/** A form checked in the browser and the same form refused by the server speak with one voice. */
function checkSameFields(): void {
  for (const locale of locales) {
    const server = texts.get('server')?.get(locale);
    for (const id of fieldIds) {
      const web = texts.get('web')?.get(locale)?.get(id);
      const other = server?.get(id);
      if (web !== undefined && other !== undefined && web !== other) {
        problems.push(`${id} in ${locale}: the web app says "${web}", the server "${other}"`);
      }
    }
  }
}

function usesOf(patterns: string[]): Uses {
  const sources = files(patterns).filter((path) => !/\.test\.tsx?$/.test(path));
  return collectUses(sources.map((path) => readFileSync(join(root, relative('.', path)), 'utf8')));
}
