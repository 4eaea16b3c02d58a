import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { consoles } from './consoles.ts';
import { readRoutes } from './route-list.ts';

const src = join(import.meta.dirname, '../src');

it.each([
  ['company', '{app,features/!(operator|operator-*)}/routes*.tsx'],
  ['operator', '{operator,features/operator,features/operator-*}/routes*.tsx'],
] as const)('reads every declared page of the console %s, with modules that are there', (which, files) => {
  const routes = readRoutes(consoles[which]);
  const sources = globSync(files, { cwd: src }).map((path) => readFileSync(join(src, path), 'utf8'));
  expect(sources.length).toBeGreaterThan(1);
  const declared = sources.join('\n').match(/\b(?:public|console)Page\(\{/g)?.length ?? 0;
  expect(routes).toHaveLength(declared);
  for (const { path, modules } of routes) {
    expect(path).toMatch(/^\//);
    for (const module of modules) expect(existsSync(module), `${path}: ${module}`).toBe(true);
  }
});
