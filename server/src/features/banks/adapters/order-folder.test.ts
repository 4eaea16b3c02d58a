import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestSftp, testSftp, type WritingFault } from '../../../testing/sftp-server.ts';
import type { BankConnectionError } from '../gateway.ts';
import { filesGateway, type OrderFolder } from '../index.ts';

/** Orders put into a bank's folder over real SFTP: the bank sees a name only of a whole file, and what went wrong is said as it is. */

/** A busy machine answers late, which is not what is tried here. */
const patient = 15_000;
let bank: TestSftp;
beforeEach(async () => {
  bank = await testSftp();
  bank.connection.timeoutMs = patient;
});
afterEach(() => bank.close());

const name = 'pain.001_A.xml';
const order = Buffer.from(`<Document>${'payment '.repeat(20_000)}</Document>`);
/** One visit. */
const visit = <T>(work: (folder: OrderFolder) => Promise<T>) =>
  filesGateway(bank.connection).visit(({ orders }) => {
    if (orders.kind !== 'folder') throw new Error('the bank takes files');
    return work(orders);
  });
const files = () => readdirSync(join(bank.folder, 'out')).sort();
const content = (file: string) => readFileSync(join(bank.folder, 'out', file));
const problemOf = (work: (folder: OrderFolder) => Promise<unknown>) =>
  visit(work).then(
    () => null,
    ({ problem }: BankConnectionError) => problem,
  );

test('a file has an unfinished name until it is whole, then its own; the bank takes it', async () => {
  await visit(async (folder) => {
    expect(await folder.look(name)).toBe('none');
    await folder.put(name, order);
    expect(files()).toEqual([`${name}.tmp`]);
    expect(await folder.look(name)).toBe('unfinished');
    await folder.finish(name);
    expect(await folder.look(name)).toBe('whole');
    expect(files()).toEqual([name]);
    expect(content(name).equals(order)).toBe(true);
    rmSync(join(bank.folder, 'out', name));
    expect(await folder.look(name)).toBe('none');
  });
});

test('what an earlier try left is replaced, also where it was longer', async () => {
  writeFileSync(join(bank.folder, 'out', `${name}.tmp`), Buffer.concat([order, order]));
  await visit(async (folder) => {
    await folder.put(name, order);
    await folder.finish(name);
  });
  expect(files()).toEqual([name]);
  expect(content(name).equals(order)).toBe(true);
});

test('a name that is taken is not given again', async () => {
  writeFileSync(join(bank.folder, 'out', name), 'the first');
  await visit((folder) => folder.put(name, order));
  expect(await problemOf((folder) => folder.finish(name))).toBe('notWritten');
  expect(content(name).toString()).toBe('the first');
});

describe('what goes wrong', () => {
  test.each([
    ['refused', 'notWritten'],
    ['short', 'notWritten'],
    ['silence', 'unreachable'],
    ['break', 'unreachable'],
  ] as const)('in writing (%s): nothing has its name, and the next visit writes it whole', async (how, problem) => {
    if (how === 'silence') bank.connection.timeoutMs = 2000;
    bank.failNext('writing', how);
    expect(await problemOf((folder) => folder.put(name, order))).toBe(problem);
    bank.connection.timeoutMs = patient;
    expect(files()).not.toContain(name);
    await visit(async (folder) => {
      await folder.put(name, order);
      await folder.finish(name);
    });
    expect(files()).toEqual([name]);
    expect(content(name).equals(order)).toBe(true);
  });

  test.each<[WritingFault, string, string]>([
    ['refused', 'notWritten', 'unfinished'],
    ['silence', 'unreachable', 'unfinished'],
    ['break', 'unreachable', 'unfinished'],
    ['break after', 'unreachable', 'whole'],
  ])('in naming (%s): the next visit sees how far it came', async (how, problem, found) => {
    bank.failNext('renaming', how);
    await visit((folder) => folder.put(name, order));
    if (how === 'silence') bank.connection.timeoutMs = 2000;
    expect(await problemOf((folder) => folder.finish(name))).toBe(problem);
    bank.connection.timeoutMs = patient;
    await visit(async (folder) => {
      expect(await folder.look(name)).toBe(found);
      if (found === 'unfinished') await folder.finish(name);
    });
    expect(files()).toEqual([name]);
    expect(content(name).equals(order)).toBe(true);
  });

  test('a folder that is not there', async () => {
    rmSync(join(bank.folder, 'out'), { recursive: true });
    expect(await problemOf((folder) => folder.put(name, order))).toBe('folderMissing');
    mkdirSync(join(bank.folder, 'out'));
    expect(await problemOf((folder) => folder.finish(name))).toBe('folderMissing');
  });

  test('a server with another host key gets nothing', async () => {
    bank.changeHostKey();
    expect(await problemOf((folder) => folder.put(name, order))).toBe('hostKeyChanged');
    expect(files()).toEqual([]);
  });
});
