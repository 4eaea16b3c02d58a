import { readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Console, consoles } from '../web/vite/consoles.ts';
import { type RouteFiles, readRoutes } from '../web/vite/route-list.ts';

/**
 * Adds up what an address makes the browser load before it can paint (brotli, scripts and styles), from the manifest of the
 * finished build of each console, and fails above the budgets of the interface's design page: kilobytes of 1024 bytes.
 */
const kilobyte = 1024;
const company = { public: 118 * kilobyte, console: 140 * kilobyte };
const operator = { public: 118 * kilobyte, console: 140 * kilobyte };

/** A page of a console that is not there at first paint anyway is not measured: only what a person opens daily. */
const measured: readonly [of: Console, budgets: Record<string, number>][] = [
  [
    consoles.company,
    {
      '/sign-in': company.public,
      '/app/home': company.console,
      '/app/wallet': company.console,
      '/app/transaction': company.console,
    },
  ],
  [
    consoles.operator,
    {
      '/sign-in': operator.public,
      '/app/home': operator.console,
      '/app/companies': operator.console,
      '/app/companies/$id': operator.console,
      '/app/confirmations': operator.console,
      '/app/exceptions': operator.console,
      '/app/payments': operator.console,
      '/app/staff': operator.console,
      '/app/treasury': operator.console,
      '/app/health': operator.console,
      '/app/solvency': operator.console,
      '/app/prices': operator.console,
      '/app/assets': operator.console,
      '/app/announcements': operator.console,
      '/app/write-announcement': operator.console,
      '/app/audit-log': operator.console,
    },
  ],
];

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
}

const web = join(import.meta.dirname, '../web');

type Manifest = Record<string, Chunk>;

/** The keys of the manifest that belong to a route: the entry, its modules, the English texts. */
function keysOf(manifest: Manifest, route: RouteFiles): string[] {
  const entry = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  const modules = route.modules.map((module) => relative(web, module));
  const texts = ['base', ...route.texts].map((group) => `virtual:texts/${group}/en-us`);
  return [
    ...entry,
    ...[...modules, ...texts].map((name) => {
      const key = Object.keys(manifest).find((candidate) => candidate === name || candidate.endsWith(name));
      if (key === undefined) throw new Error(`${name} is not in the build's manifest`);
      return key;
    }),
  ];
}

/** All files that these keys load without being asked again. */
function filesOf(manifest: Manifest, keys: string[]): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const queue = [...keys];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    const chunk = manifest[key];
    if (chunk === undefined || seen.has(key)) continue;
    seen.add(key);
    files.add(chunk.file);
    for (const style of chunk.css ?? []) files.add(style);
    queue.push(...(chunk.imports ?? []));
  }
  return files;
}

/** Prints what each page of a console loads; returns whether one is above its budget. */
function measure(of: Console, budgets: Record<string, number>): boolean {
  const dist = join(web, of.outDir);
  const manifest: Manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
  const routes = readRoutes(of);
  let failed = false;
  for (const [path, budget] of Object.entries(budgets)) {
    const route = routes.find((candidate) => candidate.path === path);
    if (route === undefined) throw new Error(`no route of ${of.title} declares ${path}`);
    const files = [...filesOf(manifest, keysOf(manifest, route))];
    const sizes = files.map((file) => [file, statSync(join(dist, `${file}.br`)).size] as const);
    const total = sizes.reduce((sum, [, size]) => sum + size, 0);
    const over = total > budget;
    failed ||= over;
    console.log(
      `${of.title} ${path.padEnd(20)} ${(total / kilobyte).toFixed(1)} KB of ${budget / kilobyte}${over ? '  TOO MUCH' : ''}`,
    );
    if (!over && !process.argv.includes('--files')) continue;
    for (const [file, size] of sizes.sort((a, b) => b[1] - a[1])) console.log(`  ${String(size).padStart(7)}  ${file}`);
  }
  return failed;
}

const failures = measured.map(([of, budgets]) => measure(of, budgets));
if (failures.includes(true)) process.exitCode = 1;
