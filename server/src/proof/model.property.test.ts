import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { type Address, getAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gasTankOwner, watchOnce } from '../features/chains/index.ts';
import { openAddress } from '../features/chains/store.ts';
import {
  cancel,
  createChainListener,
  createTransferJobs,
  reconcileChain,
  submit,
  tendOnce,
} from '../features/transfers/index.ts';
import { DomainError } from '../platform/domain-error.ts';
import { newId } from '../platform/ids.ts';
import { createLog } from '../platform/log.ts';
import type { SignedInContext } from '../platform/session.ts';
import { openTestCompany, randomAddress, type TestCompany } from '../testing/company.ts';
import { expectLedgerToAgree, walletBalances } from '../testing/company-books.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { createModelChain, type ModelChain } from '../testing/model-chain.ts';

/**
 * Random histories of two companies on a chain that reorganises, falls silent and refuses payments. After every step the
 * product's figures must be those of a model that knows only the chain and what was asked, never the ledger.
 */

const depth = 3;
const chainId = 'ethereum';
const coins = ['USDT', 'ETH'] as const;
type Coin = (typeof coins)[number];
/** One unit of the model's amounts, and the withdrawal fee, in minor units. */
const unit: Record<Coin, bigint> = { USDT: 1_000_000n, ETH: 1_000_000_000_000_000n };

let db: TestDatabase;
let chain: ModelChain;
const addresses = new Map<string, Address>();
const tank = getAddress('0x7a4e000000000000000000000000000000007a4e');
const log = createLog('test', process.env['TEST_LOG_LEVEL'] ?? 'silent');

beforeAll(async () => {
  db = await testDatabase();
  const owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
  await owner.query('update causeway.chain set confirmations = $1 where id = $2', [depth, chainId]);
  const { rows } = await owner.query<{ coin: string; contract: Address }>(
    'select coin, contract from causeway.chain_asset where contract is not null',
  );
  await owner.end();
  const contracts = Object.fromEntries(rows.map(({ coin, contract }) => [coin, contract]));
  chain = createModelChain(chainId, contracts, tank, (companyId) => addresses.get(companyId) ?? tank);
  await db.worker.withCompany(gasTankOwner, (tx) => openAddress(tx, chainId, tank, null));
});
afterAll(() => db.close());

interface Side {
  company: TestCompany;
  address: Address;
  context: SignedInContext;
  /** By coin: a payee outside, and one that is the other company. */
  payees: Record<Coin, string[]>;
}

interface Transfer {
  id: string;
  side: Side;
  coin: Coin;
  amountMinor: bigint;
  /** Its hold was given back: cancelled, refused, or refused by the chain for good. */
  isReleased: boolean;
}

/** What the model remembers beside the chain. */
interface Model {
  sides: Side[];
  transfers: Transfer[];
  /** Deposits that have been deep enough while they stood, by hash. */
  credited: Set<string>;
  events: { companyId: string; name: string; payload: Record<string, unknown> }[];
}

async function newSide(): Promise<Side> {
  const company = await openTestCompany(db);
  const address = company.address as Address;
  addresses.set(company.id, address);
  await db.app.withCompany(company.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Model')`.execute(tx),
  );
  const session = { id: newId(), companyId: company.id, userId: newId(), userName: 'Ada', permissions: [] };
  const context = { session, locale: 'en-us' as const, ip: '127.0.0.1', userAgent: '', requestId: newId() };
  return { company, address, context, payees: { USDT: [], ETH: [] } };
}

async function newModel(): Promise<Model> {
  const [one, other] = [await newSide(), await newSide()];
  for (const [side, counterpart] of [
    [one, other],
    [other, one],
  ] as const) {
    for (const coin of coins) {
      for (const address of [randomAddress(), counterpart.address]) {
        const id = newId();
        side.payees[coin].push(id);
        await db.app.withCompany(side.company.id, (tx) =>
          sql`insert into crypto_payee (company_id, id, label, chain_id, coin, address, likeness, created_by, created_by_name)
            values (company_id(), ${id}, 'P', ${chainId}, ${coin}, ${address}, 'abcdabcd', ${newId()}, 'Ada')`.execute(
            tx,
          ),
        );
      }
    }
  }
  return { sides: [one, other], transfers: [], credited: new Set(), events: [] };
}

const worker = () => ({
  database: db.worker,
  gateways: new Map([[chainId, chain.gateway]]),
  signer: chain.signer,
  log,
});

async function follow(): Promise<void> {
  const listener = createChainListener(worker());
  await watchOnce({ database: db.worker, gateway: chain.gateway, listener, log });
}

/** Runs the jobs of what was announced; what fails is tried again the next time, as the queue would. */
async function work(model: Model): Promise<void> {
  const { rows } = await db.worker.withoutCompany((tx) =>
    sql<Model['events'][number] & { id: string }>`
      delete from outbox returning company_id as "companyId", id, name, payload`.execute(tx),
  );
  const events = [...model.events, ...rows.sort((a, b) => (a.id < b.id ? -1 : 1))];
  model.events = [];
  for (const event of events) {
    for (const job of createTransferJobs(worker()).filter(({ on }) => on?.includes(event.name))) {
      const run = job.run({ companyId: event.companyId, database: db.worker, log }, event.payload);
      await run.catch(() => model.events.push(event));
    }
  }
}

const tend = () => tendOnce(worker(), chainId, { intervalMs: 0, rebroadcastAfterMs: 0, stuckAfterMs: 3_600_000 });

/** The figures of one wallet as they must be, from the chain and the transfers alone. */
function expected(model: Model, side: Side, coin: Coin) {
  const figures = { net: 0n, outbound: 0n, inbound: 0n, fee: 0n };
  for (const { hash, coin: of, amountMinor, from } of chain.sentTo(side.address)) {
    if (of !== coin || from === tank) continue;
    const found = chain.find(hash);
    if (!found?.succeeded) model.credited.delete(hash);
    else if (model.credited.has(hash) || chain.head() - found.height >= depth) {
      model.credited.add(hash);
      figures.net += amountMinor;
    } else figures.inbound += amountMinor;
  }
  for (const transfer of model.transfers.filter((each) => each.side === side && each.coin === coin)) {
    const total = transfer.amountMinor + unit[coin];
    const hash = chain.hashOf(transfer.id);
    const found = hash === null ? null : chain.find(hash);
    const isFinal = found !== null && chain.head() - found.height >= depth;
    if (isFinal && !found.succeeded) transfer.isReleased = true;
    if (isFinal && found.succeeded) {
      figures.net -= total;
      figures.fee += unit[coin];
    } else if (!transfer.isReleased) {
      figures.net -= total;
      figures.outbound += total;
    }
  }
  return figures;
}

async function check(model: Model): Promise<void> {
  for (const side of model.sides) {
    for (const coin of coins) {
      const { net, outbound, inbound, fee } = expected(model, side, coin);
      const seen = await walletBalances(db, side.company.id, side.company.wallets[coin]);
      const { available = 0n, deficit = 0n, gas = 0n, chain: mirror = 0n } = seen;
      // What is available and what is owed never stand beside each other.
      expect({
        available,
        deficit,
        outbound: seen.outbound ?? 0n,
        inbound: seen.inbound ?? 0n,
        fee: seen.fee ?? 0n,
      }).toEqual({ available: net > 0n ? net : 0n, deficit: net < 0n ? net : 0n, outbound, inbound, fee });
      expect(mirror).toBe(-(net + outbound + inbound + fee + gas));
    }
  }
  const { mismatches, height } = await spoken(() => reconcileChain(db.operator, chain.gateway));
  expect(mismatches).toEqual([]);
  expect(height).toBe(chain.head());
}

type Action =
  | { do: 'deposit'; side: number; coin: Coin; units: number }
  | { do: 'mine'; blocks: number }
  | { do: 'reorganise'; blocks: number; keep: boolean }
  | { do: 'submit'; side: number; coin: Coin; units: number; payee: number }
  | { do: 'cancel'; index: number }
  | { do: 'silence' | 'revert' | 'refuse'; on: boolean }
  | { do: 'work' | 'tend' | 'unfreeze' };

async function submitTransfer(model: Model, action: Extract<Action, { do: 'submit' }>): Promise<void> {
  const side = model.sides[action.side];
  if (!side) throw new Error('there are two sides');
  const { coin } = action;
  const amountMinor = BigInt(action.units) * unit[coin] + 1n;
  const payeeId = side.payees[coin][action.payee] ?? '';
  const { net } = expected(model, side, coin);
  const isFrozen = await db.app.withCompany(side.company.id, (tx) =>
    sql`select from wallet where company_id = company_id() and id = ${side.company.wallets[coin]}
      and frozen_at is not null`.execute(tx),
  );
  const id = newId();
  const decimals = coin === 'ETH' ? 18 : 6;
  const digits = amountMinor.toString().padStart(decimals + 1, '0');
  const amount = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  const fee = coin === 'ETH' ? '0.001' : '1';
  const walletId = side.company.wallets[coin];
  const body = {
    id,
    walletId,
    payeeId,
    amount,
    attachmentIds: [],
    notes: '',
    fee,
    codeMethod: 'email',
    code: '000000',
  };
  const deps = {
    database: db.app,
    verifyCode: async () => ({ method: 'email', id: newId() }),
    authorise: async () => 'sealed',
  };
  const submitting = submit(deps, { ...side.context, idempotencyKey: newId() }, { ...body, codeMethod: 'email' });
  const key = await submitting.then(
    () => null,
    (error: unknown) => (error instanceof DomainError ? error.key : String(error)),
  );
  const enough = net >= amountMinor + unit[coin];
  if (isFrozen.rows.length > 0) expect(key).toBe('walletFrozen');
  else expect(key).toBe(enough ? null : 'amountAboveBalanceMinusFee');
  if (key !== null) return;
  model.transfers.push({ id, side, coin, amountMinor, isReleased: false });
  const { rows } = await db.app.withCompany(side.company.id, (tx) =>
    sql<{ address: Address }>`select payee_account as address from transaction where company_id = company_id()
      and id = ${id}`.execute(tx),
  );
  chain.know(id, { from: side.address, to: rows[0]?.address ?? tank, coin, amountMinor });
}

async function stageOf(transfer: Transfer): Promise<string> {
  const { rows } = await db.app.withCompany(transfer.side.company.id, (tx) =>
    sql<{
      stage: string;
    }>`select stage from transaction where company_id = company_id() and id = ${transfer.id}`.execute(tx),
  );
  return rows[0]?.stage ?? '';
}

async function cancelTransfer(model: Model, index: number): Promise<void> {
  const transfer = model.transfers[index % Math.max(1, model.transfers.length)];
  if (!transfer) return;
  const stage = await stageOf(transfer);
  const cancelling = cancel(db.app, { ...transfer.side.context, idempotencyKey: newId() }, transfer.id);
  const isCancelled = await cancelling.then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ key: 'transferNotCancellable' });
      return false;
    },
  );
  expect(isCancelled).toBe(stage === 'approved');
  if (isCancelled) transfer.isReleased = true;
}

/** The signer's refusal of a transfer of which nothing was signed ends it; the model is told by its stage alone. */
async function noteRefusals(model: Model): Promise<void> {
  for (const transfer of model.transfers) {
    if (chain.hashOf(transfer.id) === null && (await stageOf(transfer)) === 'refused') transfer.isReleased = true;
  }
}

async function perform(model: Model, action: Action): Promise<void> {
  switch (action.do) {
    case 'deposit': {
      const side = model.sides[action.side];
      if (side) chain.deposit(side.address, action.coin, BigInt(action.units) * unit[action.coin] + 1n);
      return;
    }
    case 'mine':
      for (let left = action.blocks; left > 0; left--) {
        chain.mine();
        await followed(model);
      }
      return;
    case 'reorganise':
      chain.reorganise(action.blocks, action.keep);
      return followed(model);
    case 'submit':
      return submitTransfer(model, action);
    case 'cancel':
      return cancelTransfer(model, action.index);
    case 'silence':
      chain.silent = action.on;
      return;
    case 'revert':
      chain.reverting = action.on;
      return;
    case 'refuse':
      chain.refusing = action.on;
      return;
    case 'work':
      await work(model);
      return noteRefusals(model);
    case 'tend':
      await tend();
      return noteRefusals(model);
    case 'unfreeze':
      for (const { company } of model.sides) {
        await db.operator.withCompany(company.id, (tx) =>
          sql`update wallet set frozen_at = null, frozen_reason = null where company_id = company_id()`.execute(tx),
        );
      }
  }
}

/** The watcher reads up to the head, and the model notes what has become deep enough. */
async function followed(model: Model): Promise<void> {
  await spoken(follow);
  for (const side of model.sides) for (const coin of coins) expected(model, side, coin);
}

/** What the proof itself must know of the chain it asks even while the nodes are silent to everybody else. */
async function spoken<T>(ask: () => Promise<T>): Promise<T> {
  const wasSilent = chain.silent;
  chain.silent = false;
  try {
    return await ask();
  } finally {
    chain.silent = wasSilent;
  }
}

/** Everything that can still come to an end does: nothing is left on its way. */
async function settle(model: Model): Promise<void> {
  Object.assign(chain, { silent: false, reverting: false, refusing: false });
  for (let round = 0; round < 30; round++) {
    await perform(model, { do: 'unfreeze' });
    await work(model);
    await tend();
    await noteRefusals(model);
    await perform(model, { do: 'mine', blocks: depth + 1 });
    const open = model.sides.flatMap((side) => coins.map((coin) => expected(model, side, coin)));
    if (open.every(({ outbound, inbound }) => outbound === 0n && inbound === 0n)) return;
  }
  throw new Error('a transfer or a deposit does not come to its end');
}

const side = fc.constantFrom(0, 1);
const coin = fc.constantFrom<Coin>(...coins);
const amount = fc.integer({ min: 1, max: 20 });
const actions: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('deposit' as const), side, coin, units: fc.integer({ min: 5, max: 60 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: depth + 1 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('reorganise' as const),
      blocks: fc.integer({ min: 1, max: depth + 3 }),
      keep: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      side,
      coin,
      units: amount,
      payee: fc.constantFrom(0, 1),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), index: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('silence' as const, 'revert' as const, 'refuse' as const),
      on: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('work' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('tend' as const, 'unfreeze' as const) }) },
);

describe('transfers and deposits against a model', () => {
  test('every history leaves the figures that the chain and the requests alone make, to the last unit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(actions, { minLength: 10, maxLength: 40 }), async (history) => {
        const model = await newModel();
        try {
          await followed(model);
          for (const action of history) {
            await perform(model, action);
            if (!chain.silent) await check(model);
          }
        } finally {
          await settle(model);
        }
        await check(model);
        await expectLedgerToAgree(db);
      }),
      { numRuns: Number(process.env['PROOF_HISTORIES'] ?? 40) },
    );
  }, 600_000);
});
