import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { globalAgent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createSignerClient, serveSigner } from '../features/chains/index.ts';
import { createDiskStore } from '../features/files/index.ts';
import { newId } from '../platform/ids.ts';
import { createLog } from '../platform/process/log.ts';
import { transferRequest } from '../testing/evm-requests.ts';

/**
 * Each process is a user of its own: what they share, they share by a group. Run as root, these tests take on the users for
 * real (effective ids, which the kernel judges by); run as anybody else, they can only look at modes, and say so.
 */

interface User {
  uid: number;
  groups: readonly number[];
}

const [socketGroup, filesGroup] = [64_001, 64_002];
const signerUser: User = { uid: 64_010, groups: [] };
const mainUser: User = { uid: 64_011, groups: [filesGroup] };
const workerUser: User = { uid: 64_012, groups: [filesGroup, socketGroup] };
const stranger: User = { uid: 64_013, groups: [] };

const isRoot = process.getuid?.() === 0;
if (!isRoot) process.stdout.write('users.test.ts: not root, so other users cannot be tried; only modes are checked.\n');

const directory = mkdtempSync(join(tmpdir(), 'causeway-users-'));
chmodSync(directory, 0o755);
afterAll(() => rmSync(directory, { recursive: true }));

/** Runs `work` with the rights of a user; without root, with our own. */
async function as<T>(user: User, work: () => Promise<T>): Promise<T> {
  if (!isRoot) return work();
  process.setgroups?.([user.uid, ...user.groups]);
  process.setegid?.(user.uid);
  process.seteuid?.(user.uid);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
    process.setgroups?.([0]);
  }
}

function folder(name: string, owner: User, group: number, mode: number): string {
  const path = join(directory, name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  if (isRoot) chownSync(path, owner.uid, group);
  chmodSync(path, mode);
  return path;
}

const modeOf = (path: string) => statSync(path).mode & 0o7777;

describe('the signer’s socket', () => {
  const request = transferRequest(newId(), newId(), 0);
  const duties = {
    sign: async () => ({ signed: false, refusal: 'unknown', journaled: false }) as const,
    checkpoint: async () => ({ signed: true }) as const,
    solvency: async () => ({ signed: true }) as const,
    addresses: {
      register: async () => 1,
      after: async (mark: { seq: number; hash: string }) => ({ entries: [], mark }),
    },
  };
  const log = createLog('test', 'silent');
  const serve = (path: string, isShared: boolean) =>
    as(signerUser, () => serveSigner(join(path, 'signer.sock'), duties, log, { isShared }));
  const sign = (user: User, path: string) => {
    // A connection that another user opened is kept for the next request; this user has to open its own.
    globalAgent.destroy();
    return as(user, () => createSignerClient(join(path, 'signer.sock')).sign(request)).then(
      () => 'answered',
      (error: NodeJS.ErrnoException) => error.code,
    );
  };

  test('shared, it is open to the worker by its group, and to no other user', async () => {
    const run = folder('run', signerUser, socketGroup, 0o2750);
    const server = await serve(run, true);
    try {
      expect(modeOf(join(run, 'signer.sock'))).toBe(0o660);
      expect(await sign(workerUser, run)).toBe('answered');
      if (!isRoot) return;
      expect(statSync(join(run, 'signer.sock')).gid).toBe(socketGroup);
      for (const user of [mainUser, stranger]) expect(await sign(user, run)).toBe('EACCES');
      // The folder keeps the worker from putting another socket in its place.
      await expect(as(workerUser, async () => rmSync(join(run, 'signer.sock')))).rejects.toThrow(/EACCES/);
    } finally {
      await server.close();
    }
  });

  test('not shared, it is open to the signer’s user alone', async () => {
    const run = folder('alone', signerUser, socketGroup, 0o2755);
    const server = await serve(run, false);
    try {
      expect(modeOf(join(run, 'signer.sock'))).toBe(0o600);
      expect(await sign(signerUser, run)).toBe('answered');
      if (isRoot) for (const user of [workerUser, stranger]) expect(await sign(user, run)).toBe('EACCES');
    } finally {
      await server.close();
    }
  });

  test.each([0o2770, 0o2757, 0o750])('a shared one is refused in a folder of mode %i', async (mode) => {
    const run = folder('unsafe', signerUser, socketGroup, mode);
    await expect(serve(run, true)).rejects.toThrow(/SIGNER_SOCKET_MODE=0660 needs a folder .*chmod 2750/);
  });

  test('a missing folder is named', async () => {
    await expect(serve(join(directory, 'none'), true)).rejects.toThrow(/SIGNER_SOCKET: the folder .* does not exist/);
  });
});

describe('uploaded files', () => {
  const name = '0123456789abcdef0123456789abcdef';
  const content = Buffer.from('%PDF-');
  let mask = 0;
  beforeEach(() => {
    // A unit's or a person's umask may take the group's rights away.
    mask = process.umask(0o077);
    return () => void process.umask(mask);
  });

  test('written by main in a shared folder, they are read and removed by the worker, and by no other user', async () => {
    const files = folder('files', { uid: 0, groups: [] }, filesGroup, 0o2770);
    await as(mainUser, () => createDiskStore(files).put(name, content));
    const [below = ''] = readdirSync(files);
    expect(modeOf(join(files, below))).toBe(0o2770);
    expect(modeOf(join(files, below, name))).toBe(0o660);
    if (isRoot) {
      expect(statSync(join(files, below, name)).gid).toBe(filesGroup);
      const own = name.replace(/f$/, 'd');
      await expect(as(stranger, () => createDiskStore(files).put(own, content))).rejects.toThrow(/EACCES/);
      await expect(as(stranger, () => createDiskStore(files).get(name))).rejects.toThrow(/EACCES/);
    }
    await as(workerUser, async () => {
      const store = createDiskStore(files);
      expect(await text(await store.get(name))).toBe('%PDF-');
      await store.put(name.replace(/f$/, 'e'), content);
      await store.remove(name);
    });
    expect(readdirSync(join(files, below))).toEqual([name.replace(/f$/, 'e')]);
  });

  test('in a folder of one user they stay closed to all others', async () => {
    const files = folder('private', mainUser, mainUser.uid, 0o700);
    await as(mainUser, () => createDiskStore(files).put(name, content));
    const [below = ''] = readdirSync(files);
    expect([modeOf(join(files, below)), modeOf(join(files, below, name))]).toEqual([0o700, 0o600]);
  });

  test.each([
    ['does not exist', join(directory, 'nothing')],
    ['is not a folder', import.meta.filename],
  ])('a folder that %s is said in one sentence', (problem, path) => {
    expect(() => createDiskStore(path)).toThrow(new RegExp(`^FILES_DIR: .*${problem}$`));
  });
});
