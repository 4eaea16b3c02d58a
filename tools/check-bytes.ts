import { readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type RouteFiles, readRoutes } from '../web/vite/route-list.ts';

/**
 * Adds up what an address makes the browser load before it can paint (brotli, scripts and styles), from the manifest of the
 * finished build, and fails above the budgets of the interface's design page: kilobytes of 1024 bytes.
 */
const kilobyte = 1024;
const budgets = { public: 118 * kilobyte, console: 140 * kilobyte };

/** A page of the console that is not there at first paint anyway is not measured: only what a person opens daily. */
const measured: Record<string, number> = {
  '/sign-in': budgets.public,
  '/app/home': budgets.console,
  '/app/wallet': budgets.console,
  '/app/transaction': budgets.console,
};

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
}

const web = join(import.meta.dirname, '../web');
const dist = join(web, 'dist');
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));

/** The keys of the manifest that belong to a route: the entry, its modules, the English texts. */
function keysOf(route: RouteFiles): string[] {
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
function filesOf(keys: string[]): Set<string> {
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

const routes = readRoutes(join(web, 'src'));
let failed = false;
for (const [path, budget] of Object.entries(measured)) {
  const route = routes.find((candidate) => candidate.path === path);
  if (route === undefined) throw new Error(`no route declares ${path}`);
  const files = [...filesOf(keysOf(route))];
  const sizes = files.map((file) => [file, statSync(join(dist, `${file}.br`)).size] as const);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  const over = total > budget;
  failed ||= over;
  console.log(
    `${path.padEnd(20)} ${(total / kilobyte).toFixed(1)} KB of ${budget / kilobyte}${over ? '  TOO MUCH' : ''}`,
  );
  if (over || process.argv.includes('--files')) {
    for (const [file, size] of sizes.sort((a, b) => b[1] - a[1])) {
      console.log(`  ${String(size).padStart(7)}  ${file}`);
    }
  }
}
if (failed) process.exitCode = 1;
