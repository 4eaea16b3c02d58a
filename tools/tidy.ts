import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { features } from './features.mjs';

/**
 * Enforces the order of the repository, so that reviews need not: names of files, rooms of features, lengths, migrations,
 * catalogues in three languages, words that mark unfinished work. Prints each breach and exits 1 if there is one.
 */

/** What a file or a migration may belong to. */
const owners = ['platform', ...features];
const maxLines = 400;
const drawers = /(^|\/)(utils?|helpers?|common|misc|shared)\.(ts|tsx)$/;
const serverRooms =
  /^(index|routes|service|domain|store|events|jobs)\.ts$|\.test\.ts$|^(service|store|adapters|locales)\//;
/** In the web app the pure rules of a page are beside its api, with their tests. */
const webRooms = /^(index\.tsx?|routes[a-z-]*\.tsx|[a-z-]+\.ts)$|\.test\.ts$|^(pages|components|lists|locales)\//;

/** Rooms of a feature beyond the usual, with the reason: docs/ARCHITECTURE.md, "Further rooms". */
const furtherRooms = new Set(
  [
    ...readFileSync(join(import.meta.dirname, '../docs/ARCHITECTURE.md'), 'utf8').matchAll(
      /^- `((?:server|web)\/src\/features\/[^`]+)`/gm,
    ),
  ].map((match) => match[1]),
);

/** Words that hide the subject of a comment; docs/STYLE.md says what to write instead. */
const vague =
  /\b(nobody|whoever|somebody|(?:is|are) told|stands?(?!-)|what (?:is|was) left|in one go|the one who|anew)\b/i;
/**
 * What the features for every kind of money do not name (docs/adr/0052): a family of chains, what only one family has, a kind of
 * payment. Their tests do, since they need one.
 */
const general = /^server\/src\/features\/(approvals|risk|transactions|outgoing)\/.*(?<!\.test)\.ts$/;
const particular =
  /\b(evm|eip-?\d+|erc-?20|viem|nonces?|gas|[gm]?wei|utxo|bitcoin|chain_withdraw|chain_deposit|crypto_withdrawal|chain_send)\b|'transfer'/i;
const comment = /^\s*(?:\/\/|\/?\*)|\s\/\/\s/;
/**
 * Timers on the server beside the one loop, and why each is no loop of a feature. What repeats is `startLoop`, what runs by
 * the clock a `CronJob`.
 */
const timers = new Map([
  ['platform/jobs/loop.ts', 'the loop itself'],
  ['platform/jobs/job-pool.ts', 'waits once for the last job to be reported'],
  ['platform/jobs/job-track.ts', 'the end of its patience with running jobs'],
  ['features/banks/adapters/files.ts', 'the time that one answer of a bank may take'],
  ['features/banks/api/client.ts', 'a pause between the attempts of one read'],
  ['platform/turns.ts', 'lets what else waits for the event loop go between two slices of a long work'],
  ['platform/batching.ts', 'the end of a turn of the event loop, which begins a batch'],
  ['platform/database/database.ts', 'a pause between the attempts of one transaction'],
  ['platform/http/http-limits.ts', 'measures the rate of one request while its body arrives'],
  ['platform/http/live-stream.ts', 'heartbeat and end of session of one open stream'],
  ['platform/process/health.ts', 'the time that one check may take'],
  ['platform/process/memory.ts', 'collects garbage in processes that have no log yet'],
  ['platform/process/shutdown.ts', 'the time that a shutdown may take'],
  ['platform/audit/export.ts', 'waits for the signature over one export'],
  ['platform/audit/checkpoint.ts', 'waits for one event to be sealed'],
  ['features/chains/bitcoin/adapters/core-rpc.ts', 'the end of a turn of the event loop, which sends a batch'],
  ['features/rails/service/reconciling.ts', 'a pause between a few comparisons with a moving chain'],
  [
    'features/statements/adapters/statement-pdf.ts',
    'the end of a turn of the event loop between rows of a long document',
  ],
  ['features/batches/reading/csv.ts', 'the end of a turn of the event loop between parts of a large file'],
  ['features/rails/evm/allotting.ts', 'a pause between a few attempts to take a busy nonce'],
]);

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
  if (/\.(ts|tsx|mjs)$/.test(name)) checkComments(file, text);
  if (general.test(file)) checkGeneral(file, text);
  if (/\.(only|skip)\(/.test(text) && /\.(test|spec)\.tsx?$/.test(file))
    breaches.push(`${file}: a test is switched off`);
}

function checkComments(file: string, text: string): void {
  for (const [index, line] of text.split('\n').entries()) {
    const said = comment.test(line) ? vague.exec(line.slice(line.search(comment)))?.[0] : undefined;
    if (said !== undefined)
      breaches.push(`${file}:${index + 1}: "${said}" in a comment; name the subject (docs/STYLE.md)`);
  }
}

function checkGeneral(file: string, text: string): void {
  for (const [index, line] of text.split('\n').entries()) {
    const named = particular.exec(line)?.[0];
    if (named !== undefined)
      breaches.push(`${file}:${index + 1}: names ${named}; ask the subject, the kind or the rail`);
  }
}

/** Documents; docs/security.md quotes the titles of tests, docs/STYLE.md the words themselves. */
function checkProse(file: string): void {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const said = vague.exec(line)?.[0];
    if (said !== undefined) breaches.push(`${file}:${index + 1}: "${said}"; name the subject (docs/STYLE.md)`);
  }
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

/** Migrations up to here ran on databases without companies. */
const lastOnEmpty = '0063_wallets_after_restore.sql';

/**
 * A migration that writes rows of a company's table must lift the fence from its owner for that statement: otherwise it changes no
 * row, and succeeds on an empty database alone.
 */
function checkMigratedRows(files: readonly string[]): void {
  const migrations = files
    .filter((path) => path.startsWith('server/migrations/'))
    .map((file) => ({ file, text: readFileSync(file, 'utf8').replaceAll(/\$\$[\s\S]*?\$\$/g, '') }));
  const fenced = new Set<string | undefined>();
  for (const { file, text } of migrations) {
    const fence = /call causeway\.fence\('causeway\.(\w+)'\)|^(?:update|delete from|insert into) causeway\.(\w+)/gm;
    for (const { 1: fencing, 2: table, index } of text.matchAll(fence)) {
      if (fencing !== undefined) fenced.add(fencing);
      const lifted = `alter table causeway.${table} no force row level security`;
      if (fenced.has(table) && basename(file) > lastOnEmpty && !text.slice(0, index).includes(lifted))
        breaches.push(`${file}: writes rows of ${table} behind its fence, so it changes none; say "${lifted}" before`);
    }
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

/** A timer outside the list is a loop of a feature's own, or becomes one. */
function checkTimers(file: string): void {
  const path = /^server\/src\/(.+)$/.exec(file)?.[1];
  if (path === undefined || /\.test\.ts$|^(testing|proof)\//.test(path) || !path.endsWith('.ts')) return;
  const used = /\bset(Interval|Timeout|Immediate)\(|node:timers/.test(readFileSync(file, 'utf8'));
  if (used && !timers.has(path))
    breaches.push(`${file}: a timer; use startLoop, or say in tools/tidy.ts why it is no loop`);
  if (!used && timers.has(path))
    breaches.push(`${file}: has no timer and stands on the list of timers in tools/tidy.ts`);
}

const files = tracked();
for (const file of files) {
  checkFile(file);
  checkRooms(file);
  if (file.endsWith('.md') && !['docs/security.md', 'docs/STYLE.md'].includes(file)) checkProse(file);
  checkTimers(file);
}
checkMigrations(files);
checkMigratedRows(files);
checkCatalogues(files);
for (const breach of breaches) console.error(breach);
if (breaches.length > 0) process.exitCode = 1;
else console.log(`tidy: ${files.length} files in order`);
