import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { features } from './features.mjs';

/**
 * Holds the house in order, so that nobody has to argue about it: names of files, rooms of features, lengths, migrations,
 * catalogues in three languages, words that mark unfinished work. Prints each breach and exits 1 if there is one.
 */

/** What a file or a migration may belong to. */
const owners = ['platform', ...features];
const maxLines = 400;
const drawers = /(^|\/)(utils?|helpers?|common|misc|shared)\.(ts|tsx)$/;
const serverRooms =
  /^(index|routes|service|domain|store|events|jobs)\.ts$|\.test\.ts$|^(service|store|adapters|locales)\//;
/** In the web app pure rules of a page stand beside its api, with their tests. */
const webRooms = /^(index\.tsx?|routes\.tsx|[a-z-]+\.ts)$|\.test\.ts$|^(pages|components|locales)\//;

/** Rooms of a feature beyond the usual, with the reason: docs/ARCHITECTURE.md, "Further rooms". */
const furtherRooms = new Set(
  [
    ...readFileSync(join(import.meta.dirname, '../docs/ARCHITECTURE.md'), 'utf8').matchAll(
      /^- `((?:server|web)\/src\/features\/[^`]+)`/gm,
    ),
  ].map((match) => match[1]),
);

const breaches: string[] = [];

function tracked(): string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '');
}

function checkFile(file: string): void {
  const name = basename(file);
  const isSource = ['.ts', '.tsx', '.mjs', '.sql', '.css'].includes(extname(file));
  if (!isSource) return;
  if (
    !/^\.?[a-z0-9]+([-.][a-z0-9]+)*\.(test\.|spec\.|config\.|d\.)?(tsx?|mjs|css)$/.test(name) &&
    !file.endsWith('.sql')
  ) {
    breaches.push(`${file}: a file name is kebab-case`);
  }
  if (drawers.test(file)) breaches.push(`${file}: a drawer for everything; name it for what it holds`);
  if (file.includes('/generated/')) return;
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n').length - 1;
  if (lines > maxLines) breaches.push(`${file}: ${lines} lines; split it before ${maxLines}`);
  if (file !== 'tools/tidy.ts' && /\b(TODO|FIXME|XXX)\b/.test(text))
    breaches.push(`${file}: unfinished work is written into docs/, not into code`);
  if (/\.(only|skip)\(/.test(text) && /\.(test|spec)\.tsx?$/.test(file))
    breaches.push(`${file}: a test is switched off`);
}

function checkRooms(file: string): void {
  const match = /^(server|web)\/src\/features\/([^/]+)\/(.+)$/.exec(file);
  if (!match) return;
  const [, workspace, feature, room] = match;
  if (feature === undefined || room === undefined) return;
  if (!owners.includes(feature)) breaches.push(`${file}: ${feature} is not on the list of features`);
  const rooms = workspace === 'server' ? serverRooms : webRooms;
  const prefix = `${workspace}/src/features/${feature}/`;
  const isFurther = [...furtherRooms].some(
    (further) => further !== undefined && file.startsWith(further.replace(/\*$/, '')),
  );
  if (!rooms.test(room) && !isFurther) breaches.push(`${file}: ${prefix} has no such room`);
}

function checkMigrations(files: readonly string[]): void {
  const numbers = new Map<string, string>();
  for (const file of files.filter((path) => path.startsWith('server/migrations/'))) {
    const match = /^(\d{4})_([a-z]+)_[a-z0-9_]+\.sql$/.exec(basename(file));
    const [number, feature] = [match?.[1], match?.[2]];
    if (number === undefined || feature === undefined || !owners.includes(feature)) {
      breaches.push(`${file}: a migration is named NNNN_<feature>_<what>.sql`);
      continue;
    }
    const twin = numbers.get(number);
    if (twin !== undefined) breaches.push(`${file}: number ${number} is also ${twin}`);
    numbers.set(number, file);
  }
}

function checkCatalogues(files: readonly string[]): void {
  const folders = new Set(files.filter((file) => file.endsWith('.po')).map((file) => dirname(file)));
  for (const folder of folders) {
    const ids = ['en-us', 'zh-hk', 'zh-cn'].map((locale) => idsOf(join(folder, `${locale}.po`)));
    const all = new Set(ids.flatMap((set) => [...set]));
    for (const id of all)
      if (!ids.every((set) => set.has(id))) breaches.push(`${folder}: ${id} is not in all three languages`);
  }
}

function idsOf(file: string): Set<string> {
  try {
    return new Set([...readFileSync(file, 'utf8').matchAll(/^msgid "(.+)"$/gm)].map((match) => match[1] ?? ''));
  } catch {
    breaches.push(`${file} is missing`);
    return new Set();
  }
}

const files = tracked();
for (const file of files) {
  checkFile(file);
  checkRooms(file);
}
checkMigrations(files);
checkCatalogues(files);
for (const breach of breaches) console.error(breach);
if (breaches.length > 0) process.exitCode = 1;
else console.log(`tidy: ${files.length} files in order`);
