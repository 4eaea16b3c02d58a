import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { freePort, isPortFree } from './free-port.ts';
import { PORTS } from './settings.ts';

/** Linux takes the ports of outgoing connections from here on (net.ipv4.ip_local_port_range). */
const FIRST_OF_CONNECTIONS = 32_768;

test('no port of the sandbox can be held by an outgoing connection', () => {
  for (const { fallback } of Object.values(PORTS)) expect(fallback).toBeLessThan(FIRST_OF_CONNECTIONS);
});

test('a free port is below the range of outgoing connections, and is handed out once', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  expect(new Set(ports).size).toBe(50);
  expect(Math.max(...ports)).toBeLessThan(FIRST_OF_CONNECTIONS);
  const fixed: number[] = Object.values(PORTS).map(({ fallback }) => fallback);
  expect(ports.filter((port) => fixed.includes(port))).toEqual([]);
});

test('processes that look for ports at the same time never get the same one, nor take the same from one that died', async () => {
  await leaveBehind(1000);
  const module = new URL('free-port.ts', import.meta.url).href;
  const script = `
    const { freePort } = await import('${module}');
    const ports = [];
    for (let left = 300; left > 0; left -= 1) ports.push(await freePort());
    console.log(JSON.stringify(ports));
    // Holds them until all have theirs.
    process.stdin.resume();`;
  const children = [1, 2, 3].map(() => spawn(process.execPath, ['--input-type=module', '--eval', script]));
  const lists = await Promise.all(
    children.map(async ({ stdout }) => {
      for await (const line of createInterface({ input: stdout })) return JSON.parse(line) as number[];
      return [];
    }),
  );
  for (const child of children) child.stdin.end();
  await Promise.all(children.map((child) => once(child, 'exit')));
  expect(lists.map((ports) => ports.length)).toEqual([300, 300, 300]);
  expect(new Set(lists.flat()).size).toBe(900);
}, 60_000);

/** A process takes so many ports and is killed before it can give them back. */
async function leaveBehind(count: number): Promise<void> {
  const module = new URL('free-port.ts', import.meta.url).href;
  const script = `
    const { freePort } = await import('${module}');
    for (let left = ${count}; left > 0; left -= 1) await freePort();
    process.kill(process.pid, 'SIGKILL');`;
  await once(spawn(process.execPath, ['--input-type=module', '--eval', script]), 'exit');
}

test('a port that a server listens on is not free', async () => {
  const port = await freePort();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  expect(await isPortFree(port)).toBe(false);
  await new Promise((resolve) => server.close(resolve));
  expect(await isPortFree(port)).toBe(true);
});
