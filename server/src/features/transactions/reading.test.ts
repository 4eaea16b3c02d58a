import type { Output } from '@causeway/contract/call.ts';
import type { listTransactions } from '@causeway/contract/transactions.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import type { Answer } from '../../testing/envelope.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { insertTestTransaction, noParts, type TestTransaction } from '../../testing/transactions.ts';
import { countTransfersTo, findDealtWith, registerTransactionRoutes } from './index.ts';

const path = '/web/crypto/transaction';
let db: TestDatabase;
let http: SessionApp;
let company: TestCompany;
let caller: Caller;

beforeAll(async () => {
  db = await testDatabase();
  http = await sessionApp(db.app, (app) =>
    registerTransactionRoutes(app, {
      ...noParts,
      companyName: async () => '遠航貿易有限公司 Far Voyage Ltd',
    }),
  );
});
afterAll(async () => {
  await http.close();
  await db.close();
});
beforeEach(async () => {
  company = await openTestCompany(db);
  caller = http.signIn(company.id);
});

const add = (transaction: TestTransaction = {}) => insertTestTransaction(db, company, transaction);

async function ids(query: string, as = caller): Promise<string[]> {
  const answer = await as.get(`${path}?${query}`);
  expect(answer.errors).toEqual([]);
  return answer.data.items.map(({ id }) => id);
}

/** Follows the cursors to the end. */
async function allIds(query: string): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { data }: Answer<Output<typeof listTransactions>> = await caller.get(
      `${path}?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    found.push(...data.items.map(({ id }) => id));
    cursor = data.next;
  }
  return found;
}

describe('the list', () => {
  test('pages by time and by amount in both directions, each row once, with the kept total', async () => {
    const made: { id: string; whole: number }[] = [];
    // Amounts of different coins compare in whole coins; several rows share one instant and one amount.
    for (let i = 0; i < 25; i++) {
      const coin = i % 2 === 0 ? 'ETH' : 'USDT';
      const whole = (i % 5) + 1;
      const quantityMinor = BigInt(whole) * (coin === 'ETH' ? 10n ** 18n : 10n ** 6n);
      const createdAt = `2026-01-01T00:00:0${Math.floor(i / 4)}.123456Z`;
      made.push({ id: await add({ coin, quantityMinor, createdAt }), whole });
    }
    const answer = await caller.get(`${path}?size=10`);
    expect(answer.data).toMatchObject({ total: 25, totalExact: true });
    for (const sort of ['time', 'amount']) {
      const down = await allIds(`size=10&sort=${sort}`);
      const up = await allIds(`size=10&sort=${sort}&order=asc`);
      expect(new Set(down)).toEqual(new Set(made.map(({ id }) => id)));
      expect(down).toHaveLength(25);
      expect(up).toEqual([...down].reverse());
    }
    const wholes = (await allIds('size=10&sort=amount')).map((id) => made.find((each) => each.id === id)?.whole);
    expect(wholes).toEqual([...wholes].sort((a = 0, b = 0) => b - a));
  });

  test('filters by everything, alone and together', async () => {
    const deposit = await add({ createdAt: '2026-01-01T10:00:00Z', payerName: 'Ωmega <b>' });
    const failed = await add({
      type: 'chain_withdraw',
      status: 'failed',
      coin: 'ETH',
      quantityMinor: 10n ** 17n,
      createdAt: '2026-01-02T10:00:00Z',
      notes: "100%_sure'; --",
      payeeName: '陳大文',
      hash: `0x${'Ab'.repeat(32)}`,
    });
    const pending = await add({
      type: 'chain_withdraw',
      status: 'pending',
      stage: 'approved',
      coin: 'HKDT',
      createdAt: '2026-01-03T10:00:00Z',
      payeeAccount: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    });
    expect(await ids('')).toEqual([pending, failed, deposit]);
    expect(await ids('type=chain_withdraw')).toEqual([pending, failed]);
    expect(await ids('status=failed')).toEqual([failed]);
    expect(await ids('coin=USDT')).toEqual([deposit]);
    expect(await ids(`walletId=${company.wallets.ETH}`)).toEqual([failed]);
    expect(await ids('from=2026-01-02T10:00:00Z')).toEqual([pending, failed]);
    expect(await ids('to=2026-01-02T10:00:00Z')).toEqual([deposit]);
    expect(await ids('from=0000-01-01T00:00:00Z&to=9999-12-31T23:59:59.999Z')).toHaveLength(3);
    expect(await ids('amountMin=0.1&amountMax=0.1')).toEqual([failed]);
    expect(await ids('amountMin=0.100000000000000001')).toEqual([pending, deposit]);
    expect(await ids(`keyword=${encodeURIComponent('ωMEGA <B>')}`)).toEqual([deposit]);
    expect(await ids(`keyword=${encodeURIComponent("100%_sure'; --")}`)).toEqual([failed]);
    expect(await ids(`keyword=${encodeURIComponent('%')}`)).toEqual([failed]);
    expect(await ids(`keyword=${encodeURIComponent('大文')}`)).toEqual([failed]);
    expect(await ids(`keyword=0x${'aB'.repeat(32)}`)).toEqual([failed]);
    expect(await ids('keyword=0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')).toEqual([pending]);
    expect(await ids(`keyword=${deposit.toUpperCase()}`)).toEqual([deposit]);
    expect(await ids('type=chain_withdraw&status=pending&coin=HKDT&amountMin=1&keyword=0x5a')).toEqual([pending]);
    expect(await ids('type=chain_withdraw&coin=USDT')).toEqual([]);
    const filtered = await caller.get(`${path}?type=chain_withdraw`);
    expect(filtered.data).toMatchObject({ total: 2, totalExact: true, next: null });
  });

  test.each([
    'type=nonsense',
    'amountMin=1e3',
    'amountMax=-1',
    'size=1000',
    'from=yesterday',
    'walletId=1',
    'keyword=a%00b',
    'unknown=1',
  ])('%s fails validation', async (query) => {
    expect((await caller.get(`${path}?${query}`)).key).toBe('validationFailed');
  });

  test.each(['', '&sort=amount'])('a cursor of another shape is refused (%s)', async (sort) => {
    for (const values of [['1'], ["1' or 1=1", newId()], ['1.0', newId()], [1, 2]]) {
      const cursor = Buffer.from(JSON.stringify(values)).toString('base64url');
      expect((await caller.get(`${path}?cursor=${cursor}${sort}`)).key).toBe('cursorInvalid');
    }
  });

  test("shows nothing of another company's", async () => {
    const own = await add();
    const other = await openTestCompany(db);
    const stranger = http.signIn(other.id);
    expect(await ids('')).toEqual([own]);
    expect(await ids('', stranger)).toEqual([]);
    expect(await ids(`keyword=${own}`, stranger)).toEqual([]);
    expect(await ids(`walletId=${company.wallets.USDT}`, stranger)).toEqual([]);
    expect((await stranger.get(path)).data.total).toBe(0);
    expect((await stranger.get(`${path}?type=chain_deposit`)).data.total).toBe(0);
  });
});

describe('the detail', () => {
  test('tells the timeline, what it waits for in the reader’s language, and whether one may cancel', async () => {
    const id = await add({
      type: 'chain_withdraw',
      status: 'pending',
      stage: 'approved',
      initiatorId: caller.session.userId,
      initiatorName: 'Ada Wong',
      feeMinor: 1_000_000n,
    });
    const mine = await caller.get(`${path}/${id}`);
    expect(mine.data).toMatchObject({
      quantity: '5.000000',
      fee: '1.000000',
      direction: 'out',
      description: 'On-chain transfer',
      waitingFor: 'Waiting to be signed',
      cancellable: true,
      timeline: [{ stage: 'approved', actor: 'Ada Wong', reason: null }],
      attachments: [],
      hashes: [],
    });
    expect((await caller.get(`${path}/${id}`, 'zh-cn')).data.waitingFor).toBe('等待签名');
    expect((await http.signIn(company.id).get(`${path}/${id}`)).data.cancellable).toBe(false);
  });

  test('a confirming deposit counts its confirmations', async () => {
    const block = { blockNumber: 7, confirmations: 2, hash: `0x${'1'.repeat(64)}` };
    const id = await add({ status: 'pending', stage: 'seen', ...block });
    const { data } = await caller.get(`${path}/${id}`);
    expect(data.waitingFor).toBe('Waiting for confirmations on Ethereum: 2 of 6');
    expect(data).toMatchObject({ confirmations: 2, confirmationsNeeded: 6, cancellable: false, actualCredited: null });
  });

  test('a deposit that no block has waits for one, and has no confirmations', async () => {
    const id = await add({ status: 'pending', stage: 'seen', confirmations: 0, hash: `0x${'3'.repeat(64)}` });
    const { data } = await caller.get(`${path}/${id}`);
    expect(data.waitingFor).toBe('Waiting to be included in a block on Ethereum');
    expect(data).toMatchObject({ blockNumber: null, confirmations: null, confirmationsNeeded: 6 });
    const { items } = (await caller.get(path)).data;
    expect(items.find((item) => item.id === id)).toMatchObject({ stage: 'seen', confirmations: null });
  });

  describe('when it is expected to be final', () => {
    const hash = `0x${'2'.repeat(64)}`;
    const sent = { type: 'chain_withdraw', status: 'pending', stage: 'broadcast', hash };
    const expectedAt = async (transaction: TestTransaction): Promise<string | null> =>
      (await caller.get(`${path}/${await add(transaction)}`)).data.expectedAt;

    test('without a block: a block later than its confirmations take from the broadcast', async () => {
      const at = new Date();
      const expected = new Date(at.getTime() + (6 + 1) * 12_000).toISOString();
      expect(await expectedAt({ ...sent, createdAt: at.toISOString() })).toBe(expected);
    });

    test('in a block: as long as the confirmations that it lacks take', async () => {
      const before = Date.now();
      const at = await expectedAt({ ...sent, stage: 'confirming', blockNumber: 7, confirmations: 4 });
      const span = 2 * 12_000;
      expect(Date.parse(at ?? '')).toBeGreaterThanOrEqual(before + span);
      expect(Date.parse(at ?? '')).toBeLessThanOrEqual(Date.now() + span);
    });

    test.each<[string, TestTransaction]>([
      ['before it is sent', { type: 'chain_withdraw', status: 'pending', stage: 'approved' }],
      ['once the moment has passed', { ...sent, createdAt: new Date(Date.now() - 85_000).toISOString() }],
      ['of one that is final', { type: 'chain_withdraw', hash, blockNumber: 7, confirmations: 6 }],
    ])('%s nothing is said', async (_, transaction) => {
      expect(await expectedAt(transaction)).toBeNull();
    });

    test('while something holds it up nothing is said', async () => {
      const held = await sessionApp(db.app, (app) =>
        registerTransactionRoutes(app, {
          ...noParts,
          findObstruction: async () => ({ text: 'transaction.waiting.signing', behind: null }),
          companyName: async () => 'Far Voyage',
        }),
      );
      try {
        const { data } = await held.signIn(company.id).get(`${path}/${await add(sent)}`);
        expect(data).toMatchObject({ status: 'pending', expectedAt: null, heldUp: true });
      } finally {
        await held.close();
      }
    });
  });

  test('a failure says why', async () => {
    const id = await add({
      type: 'chain_withdraw',
      status: 'failed',
      stage: 'cancelled',
      failureReason: 'stage.reason.cancelled',
    });
    expect((await caller.get(`${path}/${id}`, 'zh-hk')).data.failureReason).toBe('發起人已取消');
  });

  test("another company's transaction answers as one that never existed, receipt included", async () => {
    const id = await add();
    expect((await caller.get(`${path}/${id}`)).status).toBe(200);
    const stranger = http.signIn((await openTestCompany(db)).id);
    for (const unknown of [id, newId(), 'x']) {
      expect((await stranger.get(`${path}/${unknown}`)).status).toBe(404);
      expect((await stranger.get(`${path}/${unknown}/receipt`)).status).toBe(404);
    }
  });
});

describe('what payees ask of transfers', () => {
  test('counts transfers to a payee and knows the addresses dealt with', async () => {
    const payeeId = newId();
    const account = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    await add({ type: 'chain_withdraw', payeeId, payeeName: 'Supplier', payeeAccount: account });
    await add({ payerAccount: account.toLowerCase() });
    const alike = `0x5aae${'0'.repeat(32)}eaed`;
    await db.app.withCompany(company.id, async (tx) => {
      expect((await countTransfersTo(tx, payeeId)).count).toBe(1);
      expect((await findDealtWith(tx, 'ethereum', alike)).map(({ address }) => address.toLowerCase())).toEqual([
        account.toLowerCase(),
        account.toLowerCase(),
      ]);
      expect(await findDealtWith(tx, 'ethereum', `0x5aae${'0'.repeat(32)}eaee`)).toEqual([]);
    });
    const other = await openTestCompany(db);
    expect(await db.app.withCompany(other.id, (tx) => findDealtWith(tx, 'ethereum', alike))).toEqual([]);
  });
});
