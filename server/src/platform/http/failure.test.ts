import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { uploadFile } from '@causeway/contract/files.ts';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { noDatabase } from '../../testing/session-app.ts';
import { systemClock } from '../clock.ts';
import { newId } from '../ids.ts';
import { createApp } from './app.ts';
import { route } from './route.ts';

test('an upload that its sender gives up is not stored, and is no failure of ours', async () => {
  const complaints: string[] = [];
  const stream = new Writable({
    write(line, _encoding, done) {
      complaints.push(String(line));
      done();
    },
  });
  const app = await createApp({
    log: pino({ level: 'error' }, stream),
    trustedProxies: [],
    inlineHashes: { script: [], style: [] },
  });
  const stored = vi.fn();
  const answered = vi.fn();
  app.addHook('onSend', async () => answered());
  const session = { id: newId(), companyId: newId(), userId: newId(), userName: 'Ada Wong' };
  const authenticate = async () => ({ ...session, permissions: [uploadFile.access] });
  const http = { app, authenticate, database: noDatabase, clock: systemClock };
  route.open(http, uploadFile, 'slow work', stored);
  await app.listen({ host: '127.0.0.1', port: 0 });

  const sent = request({
    host: '127.0.0.1',
    port: (app.server.address() as AddressInfo).port,
    method: uploadFile.method,
    path: uploadFile.path,
    headers: {
      authorization: `Bearer ${'a'.repeat(43)}`,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': 1_000_000,
    },
  });
  sent.on('error', () => undefined);
  const arrived = once(app.server, 'request');
  sent.write('--b\r\nContent-Disposition: form-data; name="file"; filename="scan.pdf"\r\n\r\n%PDF-1.7');
  await arrived;
  sent.destroy();
  await vi.waitFor(() => expect(answered).toHaveBeenCalled(), { timeout: 20_000 });
  expect(stored).not.toHaveBeenCalled();
  expect(complaints).toEqual([]);
  await app.close();
});
