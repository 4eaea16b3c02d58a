import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Holds docs/security.md to what it claims: every requirement is there once, says how it is met, and each test or heading that it
 * names is there. Prints each breach and exits 1 if there is one.
 */

const root = join(import.meta.dirname, '..');
const page = 'docs/security.md';
const rowPattern = /^\| (\d+\.\d+\.\d+) \| ([^|]+) \| (.+) \|$/;
const referencePattern = /`([^`]+\.(?:ts|md))` › `([^`]+)`/g;
const sources = new Map<string, string | null>();
const breaches: string[] = [];

function sourceOf(file: string): string | null {
  const known = sources.get(file);
  if (known !== undefined) return known;
  const path = join(root, file);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : null;
  sources.set(file, text);
  return text;
}

/** A heading of a document, or a title in a call of `test`, `it` or `describe`. */
function holds(file: string, source: string, title: string): boolean {
  if (file.endsWith('.md'))
    return source.split('\n').some((line) => line.replace(/^#+ /, '') === title && line !== title);
  const quoted = [`'${title.replaceAll("'", "\\'")}'`, `"${title}"`, `\`${title}\``];
  return /\b(test|it|describe)\b/.test(source) && quoted.some((literal) => source.includes(literal));
}

const counts = { tested: 0, shown: 0, not: 0, open: 0 };
const seen = new Set<string>();
const text = readFileSync(join(root, page), 'utf8');
for (const line of text.split('\n')) {
  const [, id, , proof] = rowPattern.exec(line) ?? [];
  if (id === undefined || proof === undefined) {
    if (/^\| \d+\.\d+\.\d+/.test(line)) breaches.push(`a row that cannot be read: ${line.slice(0, 80)}`);
    continue;
  }
  if (seen.has(id)) breaches.push(`${id} stands twice`);
  seen.add(id);
  const references = [...proof.matchAll(referencePattern)];
  for (const [, file = '', title = ''] of references) {
    const source = sourceOf(file);
    if (source === null) breaches.push(`${id}: there is no ${file}`);
    else if (!holds(file, source, title)) breaches.push(`${id}: ${file} has no "${title}"`);
  }
  if (references.length > 0) counts.shown += 1;
  else if (proof.startsWith('does not apply: ')) counts.not += 1;
  else if (proof.startsWith('**open**: ')) counts.open += 1;
  else breaches.push(`${id} says neither what shows it nor why not`);
  if (references.some(([, file = '']) => file.endsWith('.ts'))) counts.tested += 1;
}

const sentence = `Of ${seen.size} requirements ${counts.shown} are shown (${counts.tested} by tests), ${counts.not} do not apply, ${counts.open} are open.`;
if (!text.includes(sentence)) breaches.push(`${page} must say: ${sentence}`);
for (const breach of breaches) console.error(breach);
if (breaches.length > 0) process.exit(1);
console.log(`security: ${sentence}`);
