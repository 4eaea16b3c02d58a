import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { maxFileBytes } from '@causeway/contract/files-rules.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../../testing/main-app.ts';
import { type MainProcess, mainEnvironment, startMain } from '../../testing/main-process.ts';
import { connected, untilClosed } from '../../testing/raw-http.ts';

/** A file of a gigabyte, streamed to the program itself: refused early, and never held. */

const gigabyte = 1024 ** 3;
const piece = Buffer.alloc(64 * 1024, `${'a'.repeat(63)}\n`);

let db: TestDatabase;
let world: MainApp;
let tenant: Tenant;
let main: MainProcess;
let directory: string;
beforeAll(async () => {
  db = await testDatabase();
  world = await mainApp(db);
  tenant = await world.company();
  directory = mkdtempSync(join(tmpdir(), 'causeway-upload-'));
  main = await startMain(mainEnvironment(directory, db.urlFor('causeway_app')), { LOG_LEVEL: 'warn', DRAIN_MS: '0' });
}, 240_000);
afterAll(async () => {
  main.child.kill('SIGTERM');
  await main.exited;
  rmSync(directory, { recursive: true });
  await world.close();
  await db.close();
});

/** The most memory that the process has had resident so far, in bytes. */
function peak(): number {
  const status = readFileSync(`/proc/${main.child.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** It has room again, or is closed. */
function taken(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const event of ['drain', 'close'] as const) socket.off(event, done);
      resolve();
    };
    for (const event of ['drain', 'close'] as const) socket.once(event, done);
  });
}

interface Sent {
  status: number;
  key: string | null;
  /** Of the file, as far as the server took it. */
  bytes: number;
}

/** Sends a file piece by piece as fast as the server takes it, until it hangs up or has all. */
async function send({ isDeclared }: { isDeclared: boolean }): Promise<Sent> {
  const boundary = 'x'.repeat(20);
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="endless.csv"\r\ncontent-type: text/csv\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const socket = await connected(main.port);
  const answer = untilClosed(socket);
  const length = isDeclared ? `content-length: ${head.length + gigabyte + tail.length}` : 'transfer-encoding: chunked';
  socket.write(
    `POST /web/crypto/batch/upload HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${tenant.admin.token}\r\n` +
      `content-type: multipart/form-data; boundary=${boundary}\r\n${length}\r\n\r\n`,
  );
  const write = async (bytes: Buffer | string) => {
    if (!isDeclared) socket.write(`${Buffer.byteLength(bytes).toString(16)}\r\n`);
    const isTaken = socket.write(bytes);
    if (!isDeclared) socket.write('\r\n');
    if (!isTaken && !socket.closed) await taken(socket);
  };
  await write(head);
  let bytes = 0;
  for (; bytes < gigabyte && !socket.destroyed; bytes += piece.length) await write(piece);
  if (!socket.destroyed) {
    await write(tail);
    if (!isDeclared) socket.write('0\r\n\r\n');
    socket.end();
  }
  const { status, body } = await answer;
  const key = /"key":"(\w+)"/.exec(body)?.[1] ?? null;
  return { status, key, bytes: bytes - socket.writableLength };
}

describe.each([
  ['whose length is declared', { isDeclared: true }],
  ['in chunks, without a length', { isDeclared: false }],
])('a gigabyte %s', (_, how) => {
  test('is refused after little more than a file may be, and the process holds no more than that', {
    timeout: 120_000,
  }, async () => {
    const before = peak();
    const sent = await send(how);
    expect(sent).toMatchObject({ status: 413, key: 'fileTooLarge' });
    expect(sent.bytes).toBeLessThan(4 * maxFileBytes);
    expect(peak() - before).toBeLessThan(10 * maxFileBytes);
    // It goes on to serve others.
    const answer = await fetch(`http://127.0.0.1:${main.port}/web/crypto/wallets`, {
      headers: { authorization: `Bearer ${tenant.admin.token}` },
    });
    expect(answer.status).toBe(200);
  });
});
