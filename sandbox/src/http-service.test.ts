import { request } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { bodyOf, type HttpService, sendHalf, sendJson, startHttp } from './http-service.ts';

let service: HttpService;
afterEach(() => service.stop());

const start = async (): Promise<void> => {
  service = await startHttp({
    purpose: 'a test',
    async serve(request, response) {
      const body = await bodyOf(request, 10);
      if (body === 'half') return sendHalf(response, 200, { whole: false });
      if (body === 'throw') throw new Error('out of order');
      sendJson(response, body === null ? 413 : 200, { body });
    },
    failed: (response, error) => sendJson(response, 500, { error: String(error) }),
  });
};
const post = (body: string): Promise<Response> => fetch(service.url, { method: 'POST', body });

test('a body is read up to its limit in bytes, and what fails is answered', async () => {
  await start();
  expect(await (await post('港元')).json()).toEqual({ body: '港元' });
  expect((await post('1234567890')).status).toBe(200);
  const failed = await post('throw');
  expect(failed.status).toBe(500);
  expect(await failed.json()).toEqual({ error: 'Error: out of order' });
  // Four characters of three bytes each. The connection may end before the answer is read.
  expect(
    await post('港元港元').then(
      ({ status }) => status,
      () => 413,
    ),
  ).toBe(413);
});

test('half of an answer breaks off', async () => {
  await start();
  await expect(post('half').then((response) => response.json())).rejects.toThrow();
});

test('down, it ends its connections and takes no other; up again, it has its port', async () => {
  await start();
  const open = request(service.url, { method: 'POST' });
  const ended = new Promise<unknown>((resolve) => open.once('error', resolve));
  open.write('wa');
  await post('first');
  await service.setDown(true);
  await service.setDown(true);
  expect(await ended).toBeInstanceOf(Error);
  await expect(post('second')).rejects.toThrow();
  await service.setDown(false);
  expect(await (await post('third')).json()).toEqual({ body: 'third' });
  await service.setDown(true);
  await service.stop();
  await expect(post('fourth')).rejects.toThrow();
});
