import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { depositsOf, figuresOf, moneysOf, suspenseOf } from '../../../testing/bank-intake.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { type HttpBank, openHttpBank } from '../../../testing/http-bank.ts';
import { verifyLedger } from '../../ledger/index.ts';
import { reconcileBanks } from '../../rails/index.ts';
import { insertEvent } from '../intake/deposit-store.ts';
import { findArriving } from '../store.ts';

/** Accounts and deposits over the sandbox's HTTP API, from the desk of the bank to the company's balance. */

let db: TestDatabase;
let bank: HttpBank;
let superuser: pg.Client;
let company: { id: string; sgd: Wallet; jpy: Wallet };
beforeAll(async () => {
  db = await testDatabase();
  bank = await openHttpBank(db);
  superuser = new pg.Client({ connectionString: db.superuserUrl });
  await superuser.connect();
});
beforeEach(async () => {
  await bank.bank.api.setMode('ok');
  company = await openCompany();
});
afterAll(async () => {
  expect((await db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  await bank.visit();
  expect(await reconcileBanks(db.operator)).toMatchObject({ findings: [] });
  await superuser.end();
  await bank.close();
  await db.close();
});

interface Wallet {
  id: string;
  asset: string;
  number: string;
  holder: string;
  given: string;
  bankName: string;
  bic: string;
}

async function signUp(): Promise<string> {
  const id = newId();
  await db.app.withCompany(id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Pearl River Trading Limited')`.execute(tx),
  );
  return id;
}

async function walletsOf(companyId: string): Promise<Wallet[]> {
  const { rows } = await db.worker.withCompany(companyId, (tx) =>
    sql<Wallet>`
      select w.id, w.asset_id as asset, b.account_number as number, b.holder_name as holder, b.given_id as given, b.bank_name as "bankName", b.bic
      from wallet w join bank_account b using (company_id, bank_id, asset_id) where company_id = company_id() order by 2`.execute(
      tx,
    ),
  );
  return rows;
}

async function openCompany() {
  const id = await signUp();
  await bank.openWallets(id);
  const [jpy, sgd] = await walletsOf(id);
  if (!sgd || !jpy) throw new Error('the wallets were not opened');
  return { id, sgd, jpy };
}

const figures = (wallet = company.sgd) => figuresOf(db, company.id, wallet.id);
const connection = async () => {
  const { rows } = await db.console.withoutCompany((tx) =>
    sql<{ problem: string | null }>`select problem from bank_connection_state`.execute(tx),
  );
  return rows[0]?.problem;
};
const globalAccounts = () => bank.bank.records.all('globalAccounts');

const event = (id: string, depositId: string | null, name = 'deposit.settled') =>
  db.app.withoutCompany((tx) =>
    insertEvent(tx, { bank: 'meridian', id, name, objectId: depositId, body: Buffer.from('{}') }),
  );

describe('an account', () => {
  test('is opened by the bank in each currency, once however often it is asked for, and kept with what the bank says of it', async () => {
    const { sgd, jpy } = company;
    expect([jpy.asset, sgd.asset]).toEqual(['JPY', 'SGD']);
    const before = globalAccounts().length;
    await Promise.all([bank.openWallets(company.id), bank.openWallets(company.id)]);
    expect(globalAccounts()).toHaveLength(before);
    const atBank = globalAccounts().find(({ id }) => id === sgd.given);
    expect(atBank).toMatchObject({ number: sgd.number, currency: 'SGD', country: 'SG' });
    expect(sgd).toMatchObject({ holder: 'Causeway Client Money', bankName: 'Meridian Payments', bic: 'MRDPSGSG' });
  });

  test('that the bank opened without our having stored it is found again', async () => {
    const id = await signUp();
    await bank.bank.api.setMode('mute');
    await bank.openWallets(id);
    expect(await walletsOf(id)).toEqual([]);
    await bank.bank.api.setMode('ok');
    // The bank has forgotten what was asked under the request ids: they open nothing any more.
    await bank.bank.change((turn) => {
      for (const request of turn.all('requests')) {
        const requestId = turn.get('globalAccounts', request.id)?.requestId;
        if (requestId) turn.put('requests', `${request.path} ${requestId}`, { ...request, digest: 'another' });
      }
    });
    await Promise.all([bank.openWallets(id), bank.openWallets(id)]);
    const own = new Set((await walletsOf(id)).map(({ given }) => given));
    expect(own.size).toBe(2);
    const names = globalAccounts().map(({ requestId }) => requestId);
    expect(new Set(names).size).toBe(names.length);
  });

  test('waits while the bank is down, and everything else of the company is opened', async () => {
    const id = await signUp();
    await bank.bank.api.setMode('down');
    await bank.openWallets(id);
    const { rows } = await db.worker.withCompany(id, (tx) =>
      sql`select from wallet where company_id = company_id() and chain_id is not null`.execute(tx),
    );
    expect(rows.length).toBeGreaterThan(0);
    await bank.bank.api.setMode('ok');
    await bank.openWallets(id);
    expect(await walletsOf(id)).toHaveLength(2);
  });
});

describe('a deposit', () => {
  test('is credited once, with payer, words and the bank’s reference, however often the bank is visited', async () => {
    const id = await bank.payIn(company.sgd.number, '1234.56');
    expect(await bank.visit()).toBe(1);
    expect(await bank.visit()).toBe(0);
    expect(await figures()).toEqual({ bank: -123_456n, available: 123_456n });
    expect(await depositsOf(db, company.id)).toMatchObject([
      { stage: 'credited', quantity: 123_456n, payer: 'Kowloon Mills', description: 'Invoice 7', reference: id },
    ]);
  });

  test('that was stored by a worker which died before it noted it is known, and credited once', async () => {
    const id = await bank.payIn(company.sgd.number, '10');
    await bank.visit();
    await superuser.query('delete from causeway.bank_deposit where id = $1', [id]);
    expect(await bank.visit()).toBe(0);
    expect(await figures()).toEqual({ bank: -1000n, available: 1000n });
  });

  test('in yen has no decimals, from the bank to the books', async () => {
    await bank.payIn(company.jpy.number, '1234567');
    await bank.visit();
    expect(await figures(company.jpy)).toEqual({ bank: -1_234_567n, available: 1_234_567n });
  });

  test('on its way is arriving and in no balance; settled it is credited, rejected it stays nothing', async () => {
    const [settled, rejected] = [
      await bank.payIn(company.sgd.number, '10', { status: 'PENDING' }),
      await bank.payIn(company.sgd.number, '20', { status: 'PENDING' }),
    ];
    const arriving = () => db.app.withCompany(company.id, findArriving);
    expect(await bank.visit()).toBe(2);
    expect(await figures()).toEqual({});
    expect(await arriving()).toEqual(new Map([['meridian/SGD', 3000n]]));
    expect(await db.app.withCompany((await openCompany()).id, findArriving)).toEqual(new Map());
    await bank.become(settled, 'settled');
    await bank.become(rejected, 'rejected');
    expect(await bank.visit()).toBe(2);
    expect(await figures()).toEqual({ bank: -1000n, available: 1000n });
    expect(await arriving()).toEqual(new Map());
  });

  test('taken back is taken from the wallet; seen only then, it has come and gone', async () => {
    const seen = await bank.payIn(company.sgd.number, '10');
    await bank.visit();
    const unseen = await bank.payIn(company.sgd.number, '20');
    await bank.become(seen, 'reversed');
    await bank.become(unseen, 'reversed');
    await bank.visit();
    expect(await figures()).toEqual({});
    expect((await depositsOf(db, company.id)).map(({ stage }) => stage)).toEqual(['reversed', 'reversed']);
  });

  test.each(['named by an event', 'with its event lost, found when the last weeks are listed again'])(
    'of long ago that is taken back: %s',
    async (how) => {
      const id = await bank.payIn(company.sgd.number, '10');
      await bank.visit();
      // Others have come since, so that it is in no list that is asked for.
      await superuser.query(`insert into causeway.bank_deposit (bank_id, id, status, begun_at)
        values ('meridian', gen_random_uuid(), 'SETTLED', now() + interval '2 hours')`);
      await bank.become(id, 'reversed');
      await bank.visit();
      expect(await figures()).toEqual({ bank: -1000n, available: 1000n });
      if (how === 'named by an event') await event(`e-${id}`, id, 'deposit.reversed');
      else bank.restart();
      await bank.visit();
      expect(await figures()).toEqual({});
      await superuser.query(`delete from causeway.bank_deposit where begun_at > now() + interval '1 hour'`);
    },
  );

  test('is there at once in what the bank states, and a balance that its deposits do not explain is a finding', async () => {
    await bank.payIn(company.sgd.number, '10');
    bank.restart();
    await bank.visit();
    expect((await reconcileBanks(db.operator)).findings).toEqual([]);
    const { rows } = await superuser.query('update causeway.bank_stated set amount = amount - 1 returning asset_id');
    expect(rows.map(({ asset_id: asset }) => asset).sort()).toEqual(['JPY', 'SGD']);
    expect((await reconcileBanks(db.operator)).findings).toMatchObject([
      { bank: 'meridian', asset: 'JPY', kind: 'balanceStated', differenceMinor: -1n },
      { bank: 'meridian', asset: 'SGD', kind: 'balanceStated', differenceMinor: -1n },
    ]);
    bank.restart();
    await bank.visit();
    expect((await reconcileBanks(db.operator)).findings).toEqual([]);
  });

  test('to an account that no company has is held, and to no other company', async () => {
    const foreign = await bank.bank.change((turn) => {
      const id = newId();
      const [known] = turn.all('globalAccounts');
      if (!known) throw new Error('there is an account');
      turn.put('globalAccounts', id, { ...known, id, number: `99700199${Date.now() % 100_000}`, currency: 'SGD' });
      return turn.get('globalAccounts', id)?.number ?? '';
    });
    await bank.payIn(foreign, '7');
    await bank.visit();
    expect((await moneysOf(db, '70200000001')).at(-1)).toMatchObject({ state: 'suspense', amount: 700n });
    expect(await suspenseOf(db, '70200000001')).toEqual({ suspense: 700n, collecting: -700n });
  });
});

describe('an event', () => {
  const waiting = async () => {
    const { rows } = await db.worker.withoutCompany((tx) =>
      sql<{ id: string }>`select id from bank_event where asked_at is null order by id`.execute(tx),
    );
    return rows.map(({ id }) => id);
  };

  test('credits nothing that the bank does not say: forged, doubled, out of order', async () => {
    const id = await bank.payIn(company.sgd.number, '10', { status: 'PENDING' });
    await event('e-2', id);
    await event('e-2', id);
    await event('e-1', id, 'deposit.pending');
    await event('e-3', 'no-such-deposit');
    await bank.visit();
    expect(await figures()).toEqual({});
    expect(await waiting()).toEqual([]);
    await bank.become(id, 'settled');
    await event('e-4', id, 'deposit.rejected');
    await bank.visit();
    await bank.visit();
    expect(await figures()).toEqual({ bank: -1000n, available: 1000n });
  });

  test('waits while the bank cannot be asked', async () => {
    await event('e-5', await bank.payIn(company.sgd.number, '10'));
    await bank.bank.api.setMode('down');
    await bank.visit();
    expect(await waiting()).toEqual(['e-5']);
    await bank.bank.api.setMode('ok');
    await bank.visit();
    expect(await waiting()).toEqual([]);
    expect(await figures()).toEqual({ bank: -1000n, available: 1000n });
  });
});

test.each([
  ['down', 'unreachable'],
  ['slow', 'unreachable'],
  ['mute', 'unreachable'],
  ['half', 'unreachable'],
  ['failing', 'unreachable'],
] as const)('a bank that is %s is reported, and nothing is lost or credited twice', async (mode, problem) => {
  await bank.payIn(company.sgd.number, '10');
  await bank.bank.api.setMode(mode, 10_000);
  expect(await bank.visit()).toBe(0);
  expect(await connection()).toBe(problem);
  expect(await figures()).toEqual({});
  await bank.bank.api.setMode('ok');
  await bank.visit();
  await bank.visit();
  expect(await connection()).toBeNull();
  expect(await figures()).toEqual({ bank: -1000n, available: 1000n });
});
