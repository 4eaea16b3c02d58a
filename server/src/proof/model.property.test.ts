import * as contract from '@causeway/contract/transfers.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { type Address, getAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gasTankOwner, watchOnce } from '../features/chains/index.ts';
import { openAddress } from '../features/chains/store/addresses.ts';
import { createChainListener, evmFamily, reconcileChain, tendOnce } from '../features/rails/index.ts';
import { createTransferKind, createTransferSubject } from '../features/transfers/index.ts';
import { cancel } from '../features/transfers/service/cancel.ts';
import { submitting } from '../features/transfers/service/submit.ts';
import { DomainError } from '../platform/domain-error.ts';
import { batched, runOnce } from '../platform/http/route.ts';
import { newId } from '../platform/ids.ts';
import { createLog } from '../platform/process/log.ts';
import { chainFamilies, outgoingKinds } from '../testing/chain-families.ts';
import { expectLedgerToAgree, walletBalances } from '../testing/company-books.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { type Action, actionsAt, fundingAt } from '../testing/model-actions.ts';
import { createModelChain, type ModelChain, paymentCostWei } from '../testing/model-chain.ts';
import { modelCoins as coins, type ModelCoin, type ModelSide, openModelSides } from '../testing/model-sides.ts';
import { keepTestPrices } from '../testing/prices.ts';
import { sendingJobs } from '../testing/sending.ts';

/**
 * Random histories of two companies on a chain that reorganises, falls silent and refuses payments. After every step the
 * product's figures must be those of a model that knows only the chain and what was asked, never the ledger.
 */

const depth = 3;
const chainId = 'ethereum';
type Coin = ModelCoin;
/** One unit of the model's amounts, and the withdrawal fee, in minor units. */
const unit: Record<Coin, bigint> = { USDT: 1_000_000n, ETH: 1_000_000_000_000_000n };

let db: TestDatabase;
let chain: ModelChain;
const addresses = new Map<string, Address>();
const tank = getAddress('0x7a4e000000000000000000000000000000007a4e');
const log = createLog('test', process.env['TEST_LOG_LEVEL'] ?? 'silent');

beforeAll(async () => {
  db = await testDatabase();
  await keepTestPrices(db);
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
  await follow();
});
afterAll(() => db.close());

interface Transfer {
  id: string;
  side: ModelSide;
  coin: Coin;
  amountMinor: bigint;
  /** Its hold was given back: cancelled, refused, or refused by the chain for good. */
  isReleased: boolean;
}

/** What the model remembers beside the chain. */
interface Model {
  sides: ModelSide[];
  transfers: Transfer[];
  /** Deposits that have been deep enough while they stood, by hash. */
  credited: Set<string>;
  events: { companyId: string; name: string; payload: Record<string, unknown> }[];
}

async function newModel(): Promise<Model> {
  const sides = await openModelSides(db);
  for (const { company, address } of sides) addresses.set(company.id, address);
  return { sides, transfers: [], credited: new Set(), events: [] };
}

const worker = () => ({
  database: db.worker,
  gateways: new Map([[chainId, chain.gateway]]),
  signer: chain.signer,
  kinds: outgoingKinds,
  familyOf: () => evmFamily,
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
    for (const job of sendingJobs(worker()).filter(({ on }) => on?.includes(event.name))) {
      const run = job.run({ companyId: event.companyId, database: db.worker, log }, event.payload);
      await run.catch(() => model.events.push(event));
    }
  }
}

const tend = () => tendOnce(worker(), chainId, { intervalMs: 0, rebroadcastAfterMs: 0, stuckAfterMs: 3_600_000 });

/** The figures of one wallet as they must be, from the chain and the transfers alone. */
function expected(model: Model, side: ModelSide, coin: Coin) {
  const figures = { net: 0n, outbound: 0n, inbound: 0n, fee: 0n, gas: 0n };
  for (const { hash, coin: of, amountMinor, from } of chain.sentTo(side.address)) {
    if (of !== coin) continue;
    const found = chain.find(hash);
    if (from === tank) {
      if (found && chain.head() - found.height >= depth) figures.gas += amountMinor;
      continue;
    }
    if (!found?.succeeded) model.credited.delete(hash);
    else if (model.credited.has(hash) || chain.head() - found.height >= depth) {
      model.credited.add(hash);
      figures.net += amountMinor;
    } else figures.inbound += amountMinor;
  }
  for (const transfer of model.transfers.filter((each) => each.side === side)) {
    const total = transfer.amountMinor + unit[coin];
    const hash = chain.hashOf(transfer.id);
    const found = hash === null ? null : chain.find(hash);
    const isFinal = found !== null && chain.head() - found.height >= depth;
    if (isFinal && coin === 'ETH') figures.gas -= paymentCostWei;
    if (transfer.coin !== coin) continue;
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
      const { net, outbound, inbound, fee, gas } = expected(model, side, coin);
      const seen = await walletBalances(db, side.company.id, side.company.wallets[coin]);
      const own = (seen.available ?? 0n) + (seen.deficit ?? 0n);
      const rest = { outbound: seen.outbound ?? 0n, inbound: seen.inbound ?? 0n, fee: seen.fee ?? 0n };
      expect(rest).toEqual({ outbound, inbound, fee });
      // A deep reorganisation can put a network fee before the advance that covers it: of the chain's own coin, what is
      // the company's and what was advanced are known together.
      expect(own + (seen.gas ?? 0n)).toBe(net + gas);
      expect(seen.chain ?? 0n).toBe(-(net + gas + outbound + inbound + fee));
      if (coin === 'ETH') continue;
      // A wallet never has both an available balance and a deficit.
      expect(seen.available ?? 0n).toBe(net > 0n ? net : 0n);
    }
  }
  const { mismatches, height } = await spoken(() => reconcileChain(db.operator, chain.gateway));
  expect(mismatches).toEqual([]);
  expect(height).toBe(chain.head());
}

async function submitTransfer(model: Model, action: Extract<Action, { do: 'submit' }>): Promise<void> {
  const side = model.sides[action.side];
  if (!side) throw new Error('there are two sides');
  const { coin } = action;
  const amountMinor = BigInt(action.units) * unit[coin] + 1n;
  const payeeId = side.payees[coin][action.payee] ?? '';
  const { available = 0n } = await walletBalances(db, side.company.id, side.company.wallets[coin]);
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
  const ports = {
    openProofs: async () => ({
      prove: () => ({ proof: { method: 'email', id: newId() }, use: () => undefined }),
      write: () => [],
    }),
    seal: () => 'sealed',
    families: chainFamilies,
    kind: createTransferKind(chainFamilies),
    subject: createTransferSubject(chainFamilies),
  };
  const context = { ...side.context, ...ports, idempotencyKey: newId() };
  const running = batched(db.app, contract.transferOut, submitting)(context, { ...body, codeMethod: 'email' });
  const key = await running.then(
    () => null,
    (error: unknown) => (error instanceof DomainError ? error.key : String(error)),
  );
  const enough = available >= amountMinor + unit[coin];
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
  const cancelling = runOnce(
    db.app,
    contract.cancelTransfer,
    { work: cancel },
    { ...transfer.side.context, kind: createTransferKind(chainFamilies), idempotencyKey: newId() },
    { id: transfer.id },
  );
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

/** The signer's refusal of a transfer of which nothing was signed ends it; the model learns it from its stage alone. */
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
    // A signed payment of the chain's own coin whose cover a reorganisation took waits until the cover is paid in.
    for (const party of model.sides) {
      const { net } = expected(model, party, 'ETH');
      if (net < 0n) chain.deposit(party.address, 'ETH', unit.ETH - net);
    }
    await work(model);
    await tend();
    await noteRefusals(model);
    await perform(model, { do: 'mine', blocks: depth + 1 });
    const open = model.sides.flatMap((side) => coins.map((coin) => expected(model, side, coin)));
    if (open.every(({ outbound, inbound }) => outbound === 0n && inbound === 0n)) return;
  }
  throw new Error('a transfer or a deposit does not come to its end');
}

/** The same histories each time, so that every end is among them; another seed and more of them look further. */
const histories = Number(process.env['PROOF_HISTORIES'] ?? 12);
const seed = Number(process.env['PROOF_SEED'] ?? 4);

describe('transfers and deposits against a model', () => {
  test(
    'every history leaves the figures that the chain and the requests alone make, to the last unit',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(actionsAt(depth), { minLength: 15, maxLength: 40, size: 'max' }), async (history) => {
          const model = await newModel();
          for (const action of [...fundingAt(depth), ...history]) {
            await perform(model, action);
            await check(model);
          }
          await settle(model);
          await check(model);
          await expectLedgerToAgree(db);
        }),
        { numRuns: histories, seed, endOnFailure: true },
      );
    },
    Math.max(600_000, histories * 5_000),
  );

  test('the histories had every end that there is', async () => {
    const { rows } = await db.operator.withoutCompany((tx) =>
      sql<{ what: string; count: number }>`
        select stage as what, count(*) as count from transaction_stage group by stage
        union all select kind, count(*) from ledger_posting group by kind`.execute(tx),
    );
    const seen = Object.fromEntries(rows.map(({ what, count }) => [what, count]));
    const ends = ['completed', 'cancelled', 'failed', 'refused', 'credited', 'orphaned', 'reversed', 'deficit.repaid'];
    for (const end of ends) expect.soft(seen[end] ?? 0, end).toBeGreaterThan(0);
  });
});
