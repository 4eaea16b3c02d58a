import * as identity from '@causeway/contract/identity.ts';
import { getTransaction } from '@causeway/contract/transactions.ts';
import { cancelTransfer, transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type EvmGateway, NoAgreement, type Signer } from '../features/chains/index.ts';
import { newId } from '../platform/ids.ts';
import { createLog } from '../platform/process/log.ts';
import { credit } from '../testing/company.ts';
import { expectCompanyBooks, expectLedgerToAgree, walletBalances } from '../testing/company-books.ts';
import { testDatabase } from '../testing/database.ts';
import type { Answer } from '../testing/envelope.ts';
import { type MainApp, type Member, mainApp, type Request, type Tenant } from '../testing/main-app.ts';
import { sendingJobs } from '../testing/sending.ts';
import { encrypted, payee, succeed, type TransferBody, transferRequest } from '../testing/valid-requests.ts';

/** Each race is run so often; a company and a member serve only so many, since codes are limited by member. */
const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);
const roundsPerCompany = 40;
const minutesMs = 60_000;

const amountMinor = 5_000_000n;
const feeMinor = 1_000_000n;

let world: MainApp;
/** The server's clock: only a test moves it; authenticators count by it. */
let now = new Date();
beforeAll(async () => {
  world = await mainApp(await testDatabase(), { now: () => now });
});
afterAll(async () => {
  await expectLedgerToAgree(world.db);
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

interface Racer {
  tenant: Tenant;
  as: Member;
  payeeId: string;
}

async function newRacer(): Promise<Racer> {
  const tenant = await world.company();
  return { tenant, as: await world.member(tenant, 'finance'), payeeId: await payee(world, tenant) };
}

/** Runs all rounds, with a fresh company for each forty. */
async function race(round: (racer: Racer, index: number) => Promise<void>): Promise<void> {
  let racer = await newRacer();
  for (let index = 0; index < rounds; index++) {
    if (index % roundsPerCompany === roundsPerCompany - 1) racer = await newRacer();
    await round(racer, index);
    await expectCompanyBooks(world.db, racer.tenant.id);
  }
}

function content({ tenant, payeeId }: Racer): TransferBody {
  return { id: newId(), walletId: tenant.wallets.USDT, payeeId, amount: '5', attachmentIds: [], notes: '' };
}

const prepared = (racer: Racer) => transferRequest(world, racer.tenant, content(racer), racer.as);
const balances = ({ tenant }: Racer) => walletBalances(world.db, tenant.id, tenant.wallets.USDT);

function onlyOne(answers: readonly Answer[], refusals: readonly string[]): void {
  const won = answers.filter(({ status }) => status === 200);
  const lost = answers.filter(({ status }) => status !== 200);
  expect(won, answers.map(({ raw }) => raw.body).join()).toHaveLength(1);
  for (const { key } of lost) expect(refusals).toContain(key);
}

async function transferCount({ tenant }: Racer): Promise<number> {
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql<{ count: number }>`select count(*) as count from transaction where company_id = company_id()
      and type = 'chain_withdraw'`.execute(tx),
  );
  return rows[0]?.count ?? 0;
}

test(
  'two transfers of the whole balance: one is held, the other refused',
  async () => {
    await race(async (racer) => {
      await credit(world.db, racer.tenant, 'USDT', amountMinor + feeMinor);
      const before = await balances(racer);
      const requests = [await prepared(racer), await prepared(racer)];
      const answers = await Promise.all(requests.map((request) => world.ask(transferOut, request)));
      onlyOne(answers, ['insufficientBalance', 'amountAboveBalanceMinusFee']);
      const { available, ...held } = before;
      expect(available).toBe(amountMinor + feeMinor);
      expect(await balances(racer)).toEqual({ ...held, outbound: (held.outbound ?? 0n) + amountMinor + feeMinor });
    });
  },
  10 * minutesMs,
);

/** A chain whose nodes are silent, so that a transfer gets as far as being handed to signing, and no further. */
function silentChain(asked: () => void): EvmGateway {
  const silence = async (): Promise<never> => {
    asked();
    throw new NoAgreement('silence', 'everything');
  };
  return {
    chainId: 'ethereum',
    head: silence,
    block: silence,
    blockTime: silence,
    contents: silence,
    internalTransfers: silence,
    unexplainedGrowth: silence,
    nativeBalances: silence,
    receipt: silence,
    transaction: silence,
    minedNonce: silence,
    highestNonce: silence,
    highestPendingNonce: silence,
    pending: silence,
    balance: silence,
    tokenDecimals: silence,
    estimateGas: silence,
    fees: silence,
    answers: async () => false,
    broadcast: async () => ({ outcome: 'unknown' }),
  };
}

const noSigner: Signer = { sign: () => Promise.reject(new Error('nothing may come to be signed here')) };

test(
  'cancelling against the hand-over to signing: either all is given back, or it is on its way',
  async () => {
    const log = createLog('test', 'silent');
    let handedOver = 0;
    const gateways = new Map([['ethereum', silentChain(() => handedOver++)]]);
    const jobs = sendingJobs({ database: world.db.worker, gateways, signer: noSigner, log });
    const job = jobs.find(({ name }) => name === 'outgoing.send');
    if (!job) throw new Error('there is no job that sends');
    const wins = { cancel: 0, handOver: 0 };
    await race(async (racer, index) => {
      const { tenant } = racer;
      await credit(world.db, tenant, 'USDT', amountMinor + feeMinor);
      const before = await balances(racer);
      const request = await prepared(racer);
      const { id } = (await succeed(world, transferOut, request)).data;
      const handedBefore = handedOver;

      const cancelling = world.ask(cancelTransfer, { as: racer.as, body: { id } });
      // The cancel has a longer way to the row; a varying head start lets each side come first.
      for (let start = index % 8; start > 0; start--) await world.db.worker.pool.query('select 1');
      const sending = job.run({ companyId: tenant.id, database: world.db.worker, log }, { transactionId: id });
      const [cancelled] = await Promise.all([cancelling, sending.catch(() => undefined)]);

      const { data } = await succeed(world, getTransaction, { as: racer.as, params: { id } });
      const after = await balances(racer);
      if (cancelled.status === 200) {
        wins.cancel += 1;
        expect(handedOver - handedBefore).toBe(0);
        expect(data).toMatchObject({ status: 'failed', stage: 'cancelled' });
        expect(after).toEqual(before);
      } else {
        wins.handOver += 1;
        expect(cancelled.key).toBe('transferNotCancellable');
        expect(handedOver - handedBefore).toBe(1);
        expect(data).toMatchObject({ status: 'pending', stage: 'signing', cancellable: false });
        expect(after.outbound).toBe((before.outbound ?? 0n) + amountMinor + feeMinor);
        // What was not given back is out of reach of the next round.
        expect(after.available ?? 0n).toBe((before.available ?? 0n) - amountMinor - feeMinor);
      }
    });
    // A race that one side always wins proves nothing.
    if (rounds >= 50) expect(Math.min(wins.cancel, wins.handOver)).toBeGreaterThan(0);
  },
  10 * minutesMs,
);

test(
  'one mailed transfer sent twice under different keys: one transfer, and no try is counted',
  async () => {
    await race(async (racer) => {
      await credit(world.db, racer.tenant, 'USDT', 2n * (amountMinor + feeMinor));
      const [request, transfers] = [await prepared(racer), await transferCount(racer)];
      // Each with an idempotency key of its own.
      const answers = await Promise.all([request, request].map((each) => world.ask(transferOut, each)));
      onlyOne(answers, ['idTaken']);
      expect(await transferCount(racer)).toBe(transfers + 1);
    });
  },
  10 * minutesMs,
);

test(
  'one code of an authenticator for two transfers: it proves one of them',
  async () => {
    const secrets = new Map<Racer, Secret>();
    await race(async (racer) => {
      const { as, tenant } = racer;
      const secret = secrets.get(racer) ?? (await bindAuthenticator(as));
      secrets.set(racer, secret);
      now = new Date(now.getTime() + 30_000);
      const code = new TOTP({ secret }).generate({ timestamp: now.getTime() });
      await credit(world.db, tenant, 'USDT', 2n * (amountMinor + feeMinor));
      const transfers = await transferCount(racer);
      const requests = [content(racer), content(racer)].map(
        (each): Request => ({ as, body: { ...each, fee: '1', codeMethod: 'otp_auth', code } }),
      );
      const answers = await Promise.all(requests.map((request) => world.ask(transferOut, request)));
      onlyOne(answers, ['codeWrong']);
      expect(await transferCount(racer)).toBe(transfers + 1);
    });
  },
  10 * minutesMs,
);

async function bindAuthenticator(as: Member): Promise<Secret> {
  // The database dates the secret by its own clock.
  now = new Date();
  const { data } = await succeed(world, identity.getMfa, { as });
  const secret = Secret.fromBase32(data.secret!);
  const code = new TOTP({ secret }).generate({ timestamp: now.getTime() });
  await succeed(world, identity.bindMfa, { as, body: { password: await encrypted(world), code } });
  return secret;
}

test(
  'fifty requests with one idempotency key: one transfer, fifty equal answers',
  async () => {
    await race(async (racer) => {
      await credit(world.db, racer.tenant, 'USDT', 3n * (amountMinor + feeMinor));
      const [before, transfers] = [await balances(racer), await transferCount(racer)];
      const request = { ...(await prepared(racer)), headers: { 'idempotency-key': newId() } };
      const answers = await Promise.all(Array.from({ length: 50 }, () => world.ask(transferOut, request)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(answers.map(({ raw }) => raw.body)).size).toBe(1);
      expect(answers.filter(({ raw }) => raw.headers['idempotency-replayed'] === 'true')).toHaveLength(49);
      expect(await transferCount(racer)).toBe(transfers + 1);
      const after = await balances(racer);
      expect((before.available ?? 0n) - (after.available ?? 0n)).toBe(amountMinor + feeMinor);
    });
  },
  10 * minutesMs,
);
