import { expect, test } from 'vitest';
import { unzip } from '../../../testing/unzip.ts';
import { type ZipEntry, zipOf } from './zip.ts';

/** Archives of many files, and readers who leave. */

const at = new Date('2026-11-28T10:00:00Z');

test('an archive holds what it was given, whatever the script of the names', async () => {
  const names = ['receipts/2026-11-28_海港茶餐廳.jpg', 'receipts/ÀÉ.pdf', 'payments.csv'];
  async function* entries(): AsyncGenerator<ZipEntry> {
    for (const name of names) yield { name, content: Buffer.from(`of ${name}`), at, compress: name.endsWith('csv') };
  }
  const chunks = await zipOf(entries()).toArray();
  const files = unzip(Buffer.concat(chunks));
  expect(files.map(({ name, content }) => [name, content.toString()])).toEqual(
    names.map((name) => [name, `of ${name}`]),
  );
});

test('months of receipts are not held in memory, and a reader who leaves ends the work', async () => {
  const megabyte = 1 << 20;
  let made = 0;
  let ended = false;
  async function* entries(most: number): AsyncGenerator<ZipEntry> {
    try {
      for (; made < most; made += 1) yield { name: `${made}.jpg`, content: Buffer.alloc(megabyte, made), at };
    } finally {
      ended = true;
    }
  }
  let size = 0;
  // What was made and has not been read yet.
  let most = 0;
  for await (const chunk of zipOf(entries(160))) {
    size += (chunk as Buffer).length;
    most = Math.max(most, made * megabyte - size);
  }
  expect(size).toBeGreaterThan(160 * megabyte);
  expect(most).toBeLessThan(8 * megabyte);
  made = 0;
  ended = false;
  const left = zipOf(entries(160));
  for await (const _ of left) break;
  await expect.poll(() => ended).toBe(true);
  expect(made).toBeLessThan(10);
});

test('what goes wrong with an entry goes wrong with the archive', async () => {
  async function* entries(): AsyncGenerator<ZipEntry> {
    yield { name: 'a.pdf', content: Buffer.from('a'), at };
    throw new Error('gone');
  }
  await expect(zipOf(entries()).toArray()).rejects.toThrow('gone');
});
