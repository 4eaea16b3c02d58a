import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { completeLockfile, type Lockfile, problemsOf } from './lockfile.ts';

const readLockfile = (): Lockfile =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as Lockfile;

test('npm ci finds every optional binary of every platform, and no registry is named', () => {
  expect(problemsOf(readLockfile())).toEqual([]);
});

test.each([
  ['@biomejs/cli-darwin-arm64', 'has no entry'],
  ['@swc/core-darwin-x64', 'has no entry'],
  ['@foundry-rs/anvil-linux-arm64', 'has no entry'],
])('a lock file without %s is refused', (name, problem) => {
  const lockfile = readLockfile();
  delete lockfile.packages[`node_modules/${name}`];
  expect(problemsOf(lockfile)).toEqual([expect.stringContaining(problem)]);
});

test('a registry in the file and a missing checksum are refused', () => {
  const lockfile = readLockfile();
  const { integrity: _, ...entry } = lockfile.packages['node_modules/fastify']!;
  lockfile.packages['node_modules/fastify'] = { ...entry, resolved: 'https://registry.example/fastify.tgz' };
  expect(problemsOf(lockfile)).toEqual([
    'package-lock.json names a registry for node_modules/fastify',
    'package-lock.json has no checksum for fastify',
  ]);
});

test('entries that a mirror lacks are added for their platform', () => {
  const lockfile = readLockfile();
  delete lockfile.packages['node_modules/@foundry-rs/anvil-darwin-amd64'];
  expect(completeLockfile(lockfile)).toEqual(['@foundry-rs/anvil-darwin-amd64']);
  expect(lockfile.packages['node_modules/@foundry-rs/anvil-darwin-amd64']).toMatchObject({
    os: ['darwin'],
    cpu: ['x64'],
    optional: true,
  });
  expect(problemsOf(lockfile)).toEqual([]);
});

test('the Node.js that production runs is one version everywhere', () => {
  const read = (file: string) => readFileSync(join(import.meta.dirname, '..', file), 'utf8');
  const pinned = read('.nvmrc').trim();
  const { optionalDependencies } = JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> };
  const packages = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-linux-'));
  expect(packages.map(([, version]) => version)).toEqual([pinned, pinned]);
  const images = [...read('Dockerfile').matchAll(/^FROM node:([\d.]+)/gm)].map(([, version]) => version);
  expect(new Set(images)).toEqual(new Set([pinned]));
});
