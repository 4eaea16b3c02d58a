import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readRoutes } from './route-list.ts';

const src = join(import.meta.dirname, '../src');

it('reads every declared page, with modules that are there', () => {
  const routes = readRoutes(src);
  const sources = globSync('{app,features/*}/routes.tsx', { cwd: src }).map((path) =>
    readFileSync(join(src, path), 'utf8'),
  );
  const declared = sources.join('\n').match(/\b(?:public|console)Page\(\{/g)?.length ?? 0;
  expect(routes).toHaveLength(declared);
  for (const { path, modules } of routes) {
    expect(path).toMatch(/^\//);
    for (const module of modules) expect(existsSync(module), `${path}: ${module}`).toBe(true);
  }
});
