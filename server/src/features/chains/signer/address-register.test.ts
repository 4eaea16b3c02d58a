import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { realDisk } from '../../../platform/crypto/linked-log.ts';
import { newId } from '../../../platform/ids.ts';
import { type OpenRegister, openAddressRegister, type RegisterMark } from './address-register.ts';

const directory = mkdtempSync(join(tmpdir(), 'causeway-register-'));
afterAll(() => rmSync(directory, { recursive: true }));

let files = 0;
function newFile(): string {
  files += 1;
  return join(directory, `${files}.jsonl`);
}
const gasTank = '0x00000000000000000000000000000000000000C3';
const open = (file: string) => openAddressRegister({ file, gasTank });
const beginning: RegisterMark = { seq: 0, hash: '' };
const companyId = newId();
const evm = (place: number) => ({ companyId, family: 'evm', place });

test('a place is given once, whatever is asked for, also by a register that was opened again', async () => {
  const file = newFile();
  let register = open(file);
  const given = [
    await register.register(evm(1)),
    await register.register(evm(1)),
    await register.register(evm(100_000)),
  ];
  register.close();
  register = open(file);
  // A database that was put back asks for what it gave before.
  given.push(await register.register(evm(2)));
  expect(given).toEqual([1, 2, 100_000, 100_001]);
  expect((await register.after(beginning)).entries).toEqual(given.map((place) => evm(place)));
  register.close();
});

async function readAll(register: OpenRegister, from: RegisterMark) {
  const places: number[] = [];
  for (let mark = from; ; ) {
    const page = await register.after(mark);
    if (page.entries.length === 0) return { places, mark };
    places.push(...page.entries.map(({ place }) => place));
    mark = page.mark;
  }
}

test('a reader gets what follows its mark, page by page, and everything where its mark is of another register', async () => {
  const register = open(newFile());
  for (let left = 501; left > 0; left -= 1) await register.register(evm(1));
  const { places, mark } = await readAll(register, beginning);
  expect(places).toEqual(Array.from({ length: 501 }, (_, index) => index + 1));
  expect((await register.after(mark)).entries).toEqual([]);
  await register.register(evm(1));
  expect((await readAll(register, mark)).places).toEqual([502]);
  const other = open(newFile());
  await other.register(evm(7));
  expect((await readAll(other, mark)).places).toEqual([7]);
  for (const each of [register, other]) each.close();
}, 60_000);

test('what a crash left of the last line is no address; damage before the end, another installation and a second process are refused', async () => {
  const file = newFile();
  const path = `${file}.addresses`;
  let register = open(file);
  await register.register(evm(1));
  expect(() => open(file)).toThrow(/held by another process/);
  register.close();
  appendFileSync(path, '{"seq":2,"at":"2026-11-2');
  register = open(file);
  expect((await register.after(beginning)).entries).toEqual([evm(1)]);
  await register.register(evm(1));
  register.close();
  expect(() => openAddressRegister({ file, gasTank: `${gasTank.slice(0, -1)}4` })).toThrow(/not the journal/);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"place":1', '"place":3'));
  expect(() => open(file)).toThrow(/damaged/);
});

test('what the disk does not take is given to no one', async () => {
  let isFull = true;
  const disk = {
    ...realDisk,
    write(...args: Parameters<typeof realDisk.write>) {
      if (isFull) throw new Error('ENOSPC');
      realDisk.write(...args);
    },
  };
  const register = openAddressRegister({ file: newFile(), gasTank, disk });
  await expect(register.register(evm(1))).rejects.toThrow(/cannot be written/);
  isFull = false;
  expect(await register.register(evm(1))).toBe(1);
  expect((await register.after(beginning)).entries).toEqual([evm(1)]);
  register.close();
});
