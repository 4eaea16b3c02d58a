import { getHistory, getOverview } from 'virtual:calls/wallets';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const fetched = vi.fn<typeof fetch>();
const overview = {
  currency: 'USD',
  total: '12.50',
  available: '12.50',
  outbound: '0.00',
  escrow: '0.00',
  inbound: '0.00',
  pricesUpdatedAt: null,
  pricesStale: false,
};
const history = { overview, days: [{ date: '2026-01-31', total: '12.50' }], change: null };
const envelope = (data: unknown) => new Response(JSON.stringify({ code: 0, data, errors: [] }));

/** A client whose schemas come as `load` says. */
async function clientWith(load: (real: () => Promise<unknown>) => Promise<unknown>) {
  vi.doMock('./check-answer.ts', (importOriginal) => load(importOriginal) as Promise<object>);
  return import('./client.ts');
}

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('fetch', fetched);
  fetched.mockReset();
});
afterEach(() => {
  vi.doUnmock('./check-answer.ts');
  vi.unstubAllGlobals();
});

it('a request does not wait for the schemas, its answer does', async () => {
  const arrival = Promise.withResolvers<void>();
  const { send } = await clientWith((real) => arrival.promise.then(real));
  const response = envelope(history);
  fetched.mockResolvedValueOnce(response);
  const settled = vi.fn();
  const sent = send(getHistory, {}).finally(settled);
  expect(fetched).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(response.bodyUsed).toBe(true), { timeout: 20_000 });
  expect(settled).not.toHaveBeenCalled();
  arrival.resolve();
  expect(await sent).toEqual(history);
});

it('an answer that comes before the schemas and is not what the contract says is refused', async () => {
  const arrival = Promise.withResolvers<void>();
  const { send } = await clientWith((real) => arrival.promise.then(real));
  const response = envelope({ ...history, days: [{ date: 'yesterday', total: 12.5 }] });
  fetched.mockResolvedValueOnce(response);
  const sent = send(getHistory, {}).catch((error: unknown) => error);
  await vi.waitFor(() => expect(response.bodyUsed).toBe(true), { timeout: 20_000 });
  arrival.resolve();
  expect(await sent).toMatchObject({ key: 'malformed', refused: false });
});

it('each answer is checked against the schema of its own call', async () => {
  const { send } = await clientWith((real) => real());
  fetched.mockResolvedValueOnce(envelope(history));
  expect(await send(getOverview, {}).catch((error: unknown) => error)).toMatchObject({ key: 'malformed' });
});

it('a refusal needs no schemas', async () => {
  const { send } = await clientWith(() => new Promise(() => undefined));
  const refusal = {
    code: 1003,
    data: null,
    errors: ['No permission'],
    key: 'noPermission',
    fields: {},
    requestId: '1',
  };
  fetched.mockResolvedValueOnce(new Response(JSON.stringify(refusal), { status: 403 }));
  expect(await send(getHistory, {}).catch((error: unknown) => error)).toMatchObject({ key: 'noPermission' });
});

it('schemas that did not come leave the outcome unknown, and are asked for again', async () => {
  let reachable = false;
  const { send } = await clientWith((real) =>
    reachable ? real() : Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
  );
  fetched.mockImplementation(async () => envelope(history));
  expect(await send(getHistory, {}).catch((error: unknown) => error)).toMatchObject({ key: 'network', refused: false });
  reachable = true;
  expect(await send(getHistory, {})).toEqual(history);
});
