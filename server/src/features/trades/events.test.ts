import { listTrades } from '@causeway/contract/trades.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { randomAddress } from '../../testing/company.ts';
import { mainApp } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';
import {
  confirmed,
  figures,
  saidOf,
  sendEvent,
  type TradeWorld,
  tradeDetail,
  tradeWorld,
  trading,
} from '../../testing/trades.ts';

/** Events of the trade platform, and of those who are not it. */

let of: TradeWorld;
beforeAll(async () => {
  of = await tradeWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await of.close();
});

const ok = { status: 200, key: undefined };
interface SentHeaders {
  id?: string | undefined;
  at?: number | undefined;
  body: string;
  signature?: string | undefined;
}
const otherSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const signedBy = (secret: string, { id = '', at = 0, body }: SentHeaders) =>
  new Webhook(secret).sign(id, new Date(at * 1000), body);

/** Each with the platform's own signature but where it says otherwise. */
const forgeries: [string, (genuine: SentHeaders) => SentHeaders][] = [
  ['is signed with another secret', (sent) => ({ ...sent, signature: signedBy(otherSecret, sent) })],
  ['has another body', (sent) => ({ ...sent, body: sent.body.replace('"version":2', '"version":3') })],
  ['has one more space in it', (sent) => ({ ...sent, body: `${sent.body} ` })],
  ['has another id', (sent) => ({ ...sent, id: 'msg_other' })],
  ['was overheard and has the time of now', (sent) => ({ ...sent, at: (sent.at ?? 0) + 1 })],
  ['is six minutes old', (sent) => late(sent, -360)],
  ['is six minutes ahead', (sent) => late(sent, 360)],
  ['has no id', ({ id: _id, ...sent }) => sent],
  ['has no time', ({ at: _at, ...sent }) => sent],
  ['has no signature', ({ signature: _signature, ...sent }) => sent],
  ['has an empty signature', (sent) => ({ ...sent, signature: 'v1,' })],
  ['has its signature without a version', (sent) => ({ ...sent, signature: sent.signature?.slice(3) })],
  [
    'has its signature under another version',
    (sent) => ({ ...sent, signature: sent.signature?.replace('v1,', 'v1a,') }),
  ],
  [
    'has eleven signatures of which the last is right',
    (sent) => ({ ...sent, signature: `${'v1,x '.repeat(10)}${sent.signature}` }),
  ],
  [
    'is signed with the other direction’s kind of body',
    (sent) => ({ ...sent, signature: signedBy(of.secrets[0], { ...sent, body: '{}' }) }),
  ],
];

function late(sent: SentHeaders, seconds: number): SentHeaders {
  const moved = { ...sent, at: (sent.at ?? 0) + seconds };
  return { ...moved, signature: signedBy(of.secrets[0], moved) };
}

const minutes = (count: number) => new Date(Date.now() + count * 60_000);

describe('who sent it', () => {
  test('one that is signed otherwise, changed, too old or of the future is refused, and nothing is kept', async () => {
    const company = await of.world.company();
    const said = saidOf(company.address, randomAddress());
    const refused = { status: 401, key: 'tradeEventRefused' };
    expect(await sendEvent(of, said, { secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` })).toEqual(refused);
    expect(await sendEvent(of, said, { signed: JSON.stringify({ another: 'body' }) })).toEqual(refused);
    expect(await sendEvent(of, said, { at: minutes(-6) })).toEqual(refused);
    expect(await sendEvent(of, said, { at: minutes(6) })).toEqual(refused);
    const { data } = await succeed(of.world, listTrades, { as: company.admin });
    expect(data).toMatchObject({ total: 0, connected: true });
  });

  test('one within five minutes is taken in, and so is one under the secret before the rotation', async () => {
    const company = await of.world.company();
    const late = saidOf(company.address, randomAddress());
    expect(await sendEvent(of, late, { at: minutes(-4) })).toEqual(ok);
    expect(await sendEvent(of, saidOf(company.address, randomAddress()), { secret: of.secrets[1] })).toEqual(ok);
    const { data } = await succeed(of.world, listTrades, { as: company.admin });
    expect(data.summary).toMatchObject({ created: 2, inProgress: 0, success: 0, cancelled: 0 });
  });

  test.each(forgeries)('of a trade that is frozen, one that %s changes nothing', async (_, forge) => {
    const { company, said } = await trading(of);
    await confirmed(of, company.admin, said.id);
    const before = await tradeDetail(of, company.admin, said.id);
    const at = Math.floor(Date.now() / 1000);
    const body = JSON.stringify({
      type: 'trade.updated',
      timestamp: new Date().toISOString(),
      data: { ...said, version: 2, status: 'cancelled', phase: 'closed' },
    });
    const id = `msg_${newId()}`;
    const genuine = { id, at, body, signature: new Webhook(of.secrets[0]).sign(id, new Date(at * 1000), body) };
    const sent = forge(genuine);
    const response = await of.world.app.inject({
      method: 'POST',
      url: '/hooks/trades',
      payload: sent.body,
      headers: {
        'content-type': 'application/json',
        ...(sent.id !== undefined && { 'webhook-id': sent.id }),
        ...(sent.at !== undefined && { 'webhook-timestamp': String(sent.at) }),
        ...(sent.signature !== undefined && { 'webhook-signature': sent.signature }),
      },
    });
    expect([response.statusCode, response.json<{ key?: string }>().key]).toEqual([401, 'tradeEventRefused']);
    expect(await tradeDetail(of, company.admin, said.id)).toEqual(before);
  });

  test('without a secret no platform is connected, and the list says so', async () => {
    const unconnected = await mainApp(of.db);
    const company = await unconnected.company();
    const { data } = await succeed(unconnected, listTrades, { as: company.admin });
    expect(data.connected).toBe(false);
    expect((await sendEvent({ ...of, world: unconnected }, saidOf(company.address, randomAddress()))).status).toBe(404);
    await unconnected.close();
  });

  test('one that is no event, or of no company here, or of a coin that is none here, is refused', async () => {
    const company = await of.world.company();
    const said = saidOf(company.address, randomAddress());
    const unknown = { status: 404, key: 'tradeUnknownHere' };
    expect(await sendEvent(of, saidOf(randomAddress(), randomAddress()))).toEqual(unknown);
    expect(await sendEvent(of, { ...said, currency: 'DOGE' })).toEqual(unknown);
    expect(await sendEvent(of, saidOf(company.address, company.address))).toMatchObject({ status: 404 });
    expect(await sendEvent(of, { ...said, version: 0 })).toMatchObject({ status: 400, key: 'validationFailed' });
    expect(await sendEvent(of, { ...said, quantity: '0' })).toMatchObject({ status: 400 });
    expect(await sendEvent(of, { ...said, note: 'x'.repeat(70_000) })).toMatchObject({ status: 413 });
  });
});

describe('in which order', () => {
  test('a version counts once: the same again, another text under it and an earlier one change nothing', async () => {
    const { company, said } = await trading(of);
    const shipped = { ...said, version: 2, phase: 'shipped' as const, billOfLading: 'MAEU-1' };
    expect(await sendEvent(of, shipped)).toEqual(ok);
    expect(await sendEvent(of, shipped)).toEqual(ok);
    expect(await sendEvent(of, { ...shipped, billOfLading: 'FORGED' })).toEqual(ok);
    expect(await sendEvent(of, said)).toEqual(ok);
    const trade = await tradeDetail(of, company.admin, said.id);
    expect(trade).toMatchObject({ version: 2, phase: 'shipped', billOfLading: 'MAEU-1' });
    expect(trade.timeline.map(({ step, version }) => [step, version])).toEqual([
      ['announced', 1],
      ['updated', 2],
    ]);
  });

  test('a later version waits for the one that is missing, and both are taken in as it arrives', async () => {
    const { company, said } = await trading(of);
    expect(await sendEvent(of, { ...said, version: 3, phase: 'inspected', billOfLading: 'B3' })).toEqual(ok);
    const waiting = await tradeDetail(of, company.admin, said.id);
    expect(waiting).toMatchObject({ version: 1, phase: 'agreed', waitingVersions: [3] });
    expect(await sendEvent(of, { ...said, version: 2, phase: 'shipped', billOfLading: 'B2' })).toEqual(ok);
    const trade = await tradeDetail(of, company.admin, said.id);
    expect(trade).toMatchObject({ version: 3, phase: 'inspected', billOfLading: 'B3', waitingVersions: [] });
    expect(trade.timeline.map(({ version }) => version)).toEqual([1, 2, 3]);
  });

  test('versions that arrive at the same moment are taken in once each', async () => {
    const company = await of.world.company();
    const said = saidOf(company.address, randomAddress());
    const versions = [5, 1, 3, 2, 4, 1, 5, 2, 3, 4];
    const sent = await Promise.all(versions.map((version) => sendEvent(of, { ...said, version })));
    expect(sent).toEqual(versions.map(() => ok));
    const trade = await tradeDetail(of, company.admin, said.id);
    expect(trade.timeline.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('what it says', () => {
  test('the coin, the network and the addresses of a trade never change; the amount can until it is confirmed', async () => {
    const { company, said } = await trading(of);
    await sendEvent(of, { ...said, version: 2, seller: { ...said.seller, wallet: randomAddress() } });
    expect(await tradeDetail(of, company.admin, said.id)).toMatchObject({
      contradiction: { fields: ['payeeWallet'], version: 2 },
      payee: { wallet: said.seller.wallet },
    });
    await sendEvent(of, { ...said, version: 3, quantity: '1200' });
    const changed = await tradeDetail(of, company.admin, said.id);
    expect(changed).toMatchObject({ quantity: '1200.000000', contradiction: null });
  });

  test('what contradicts what was confirmed is kept and shown, and not taken over; what follows is', async () => {
    const { company, said } = await trading(of);
    await confirmed(of, company.admin, said.id);
    const other = { ...said, version: 2, quantity: '4000', seller: { ...said.seller, name: 'Thief Limited' } };
    expect(await sendEvent(of, other)).toEqual(ok);
    const trade = await tradeDetail(of, company.admin, said.id);
    expect(trade).toMatchObject({
      quantity: '1000.000000',
      payee: { name: 'Delta Textiles' },
      contradiction: { fields: ['quantityMinor', 'payeeName'] },
    });
    expect(trade.timeline.at(-1)).toMatchObject({ step: 'contradicted', version: 2 });
    expect(await figures(of, company)).toEqual({ available: '4000', escrow: '1000', outbound: '0' });
    await sendEvent(of, { ...said, version: 3, phase: 'shipped' });
    expect(await tradeDetail(of, company.admin, said.id)).toMatchObject({ phase: 'shipped', contradiction: null });
  });

  test('a refund only grows, and never beyond what was not paid', async () => {
    const { company, said } = await trading(of);
    await confirmed(of, company.admin, said.id);
    await sendEvent(of, { ...said, version: 2, refunded: '300' });
    expect(await figures(of, company)).toEqual({ available: '4300', escrow: '700', outbound: '0' });
    for (const [version, refunded] of [
      [3, '200'],
      [4, '1001'],
    ] as const) {
      await sendEvent(of, { ...said, version, refunded });
      const { contradiction } = await tradeDetail(of, company.admin, said.id);
      expect(contradiction).toMatchObject({ fields: ['refunded'], version });
    }
    expect(await figures(of, company)).toEqual({ available: '4300', escrow: '700', outbound: '0' });
  });

  test('to its seller too, no refund is above the amount; what comes after such an event is taken in', async () => {
    const seller = await of.world.company('Delta Textiles');
    const said = saidOf(randomAddress(), seller.address, { refunded: '1000.000001' });
    const read = () => tradeDetail(of, seller.admin, said.id);
    expect(await sendEvent(of, said)).toEqual(ok);
    expect(await read()).toMatchObject({ refunded: '0.000000', contradiction: { fields: ['refunded'], version: 1 } });
    // The third comes first, and waits: taken in behind the second, it does not keep it back.
    expect(await sendEvent(of, { ...said, version: 3, quantity: '200', refunded: '300' })).toEqual(ok);
    expect(await sendEvent(of, { ...said, version: 2, refunded: '300' })).toEqual(ok);
    expect(await read()).toMatchObject({
      ...{ version: 3, quantity: '1000.000000', refunded: '300.000000' },
      contradiction: { fields: ['refunded'], version: 3 },
    });
    expect(await sendEvent(of, { ...said, version: 4, refunded: '1000' })).toEqual(ok);
    expect(await read()).toMatchObject({ refunded: '1000.000000', contradiction: null });
  });

  test('texts that no field of the console takes are refused: they could not be kept, or would show as others', async () => {
    const { company, said } = await trading(of);
    const refused = { status: 400, key: 'validationFailed' };
    const shipped = { ...said, version: 2 };
    for (const bad of ['A\u0000B', 'A\u202eB', 'A\ud800B']) {
      expect(await sendEvent(of, { ...shipped, number: bad })).toEqual(refused);
      expect(await sendEvent(of, { ...shipped, note: bad })).toEqual(refused);
      expect(await sendEvent(of, { ...shipped, seller: { ...said.seller, address: bad } })).toEqual(refused);
      const milestones = [{ id: 'm1', name: bad, amount: '1', reached: false }];
      expect(await sendEvent(of, { ...shipped, milestones })).toEqual(refused);
    }
    expect(await sendEvent(of, { ...shipped, note: 'A line\nand another' })).toEqual(ok);
    expect((await tradeDetail(of, company.admin, said.id)).version).toBe(2);
  });

  test('nothing was refunded of what is not frozen, and a cancelled trade gives back all that is', async () => {
    const early = await trading(of, { refunded: '300' });
    const first = await tradeDetail(of, early.company.admin, early.said.id);
    expect(first).toMatchObject({ refunded: '0.000000', contradiction: { fields: ['refunded'], version: 1 } });
    const { company, said } = await trading(of);
    await confirmed(of, company.admin, said.id);
    await sendEvent(of, { ...said, version: 2, status: 'cancelled', phase: 'closed', refunded: '1000' });
    expect(await tradeDetail(of, company.admin, said.id)).toMatchObject({ state: 'cancelled', contradiction: null });
    expect(await figures(of, company)).toEqual({ available: '5000', escrow: '0', outbound: '0' });
  });

  test('both sides that are companies here see the same trade, and no third company does', async () => {
    const seller = await of.world.company('Delta Textiles');
    const third = await of.world.company();
    const { company, said } = await trading(of, {}, seller.address);
    const sold = await tradeDetail(of, seller.admin, said.id);
    const bought = await tradeDetail(of, company.admin, said.id);
    expect(sold).toMatchObject({ side: 'seller', state: 'created', actor: 'buyer', frozen: '0.000000' });
    expect(sold.can).toEqual({ confirm: false, decline: false, release: false, dispute: false });
    expect([bought.side, bought.quantity, bought.payee]).toEqual(['buyer', sold.quantity, sold.payee]);
    expect((await succeed(of.world, listTrades, { as: third.admin })).data.total).toBe(0);
    await expect(tradeDetail(of, third.admin, said.id)).rejects.toThrow('tradeNotFound');
    await sendEvent(of, { ...said, version: 2, status: 'in_progress', phase: 'shipped' });
    // The platform's word is not that the amount is frozen.
    for (const { admin } of [company, seller])
      expect(await tradeDetail(of, admin, said.id)).toMatchObject({
        state: 'created',
        phase: 'shipped',
        actor: 'buyer',
      });
  });
});
