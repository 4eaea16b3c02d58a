import * as contract from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import pg from 'pg';
import type { Address } from 'viem';
import { expect } from 'vitest';
import { type ChainGateway, gasTankOwner, type Signer, treasuryOwner, watchOnce } from '../features/chains/index.ts';
import { openAddress } from '../features/chains/store/addresses.ts';
import type { RailFamily } from '../features/rails/family.ts';
import { createChainListener, evmFamily, reconcileChain, tendOnce } from '../features/rails/index.ts';
import { createTransferKind, createTransferSubject } from '../features/transfers/index.ts';
import { cancel } from '../features/transfers/service/cancel.ts';
import { submitting } from '../features/transfers/service/submit.ts';
import type { Database } from '../platform/database/database.ts';
import { DomainError } from '../platform/domain-error.ts';
import { batched, runOnce } from '../platform/http/route.ts';
import { newId } from '../platform/ids.ts';
import { createLog } from '../platform/process/log.ts';
import { chainFamilies, outgoingKinds } from './chain-families.ts';
import { walletBalances } from './company-books.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import type { Action } from './model-actions.ts';
import { createModelChain, type ModelChain, type ModelPlatform } from './model-chain.ts';
import {
  expected,
  type Model,
  type ModelFigures,
  type ModelSettlement,
  type ModelTransfer,
  modelDepth,
  modelUnit,
  platform,
} from './model-figures.ts';
import { modelCoins as coins, type ModelCoin, type ModelSide, openModelSides } from './model-sides.ts';
import { keepTestPrices } from './prices.ts';
import { sendingJobs } from './sending.ts';

/**
 * Two companies of the product on a chain in memory, and beside them a model that knows only the chain and what was asked and answered, never the
 * ledger. Steps are carried out on both, and their figures compared.
 */

const chainId = 'ethereum';
const unit = modelUnit;
const { tank, treasury } = platform;
const log = createLog('test', process.env['TEST_LOG_LEVEL'] ?? 'silent');

export interface ModelWorld {
  db: TestDatabase;
  chain: ModelChain;
  platform: ModelPlatform;
  /** Signed so far, over all histories. */
  settlements: readonly ModelSettlement[];
  newModel(companyIds?: readonly string[]): Promise<Model>;
  perform(model: Model, action: Action): Promise<void>;
  /** The product's figures are the model's, of each wallet, and the chain's. */
  check(model: Model): Promise<void>;
  /** The figures of one wallet as they must be, from the chain, the transfers and the exchanges alone. */
  expected(model: Model, side: ModelSide, coin: ModelCoin): ModelFigures;
  /** Everything that can still come to an end does: nothing remains on its way. `more`: a further part of each round, true once it is done. */
  settle(model: Model, more?: () => Promise<boolean>): Promise<void>;
  close(): Promise<void>;
}

/** A chain of another family in the same database, whose payments the same worker sends. */
export interface FurtherChain {
  db: TestDatabase;
  /** The worker's, which may die. */
  worker: Database;
  id: string;
  gateway: ChainGateway;
  family: RailFamily;
  signer: Signer;
}

interface Parts {
  db: TestDatabase;
  beside: FurtherChain | null;
  chain: ModelChain;
  settlements: ModelSettlement[];
  scale: bigint;
}

/** `scale`: how many units of a coin one unit of an action is. */
export async function openModelWorld({
  scale = 1n,
  beside = null,
}: {
  scale?: bigint;
  beside?: FurtherChain | null;
} = {}): Promise<ModelWorld> {
  const db = beside?.db ?? (await testDatabase());
  await keepTestPrices(db);
  const owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
  await owner.query('update causeway.chain set confirmations = $1 where id = $2', [modelDepth, chainId]);
  const { rows } = await owner.query<{ coin: string; contract: Address }>(
    'select coin, contract from causeway.chain_asset where contract is not null',
  );
  await owner.end();
  const contracts = Object.fromEntries(rows.map(({ coin, contract: of }) => [coin, of]));
  const settlements: ModelSettlement[] = [];
  const chain = createModelChain(chainId, contracts, platform, async (companyId, id) => {
    const { from, to, coin, amountMinor, legs } = await readSettlement(db, companyId, id);
    settlements.push({ id, companyId, from, to, coin, amountMinor, legs });
    return { from, to, coin, amountMinor };
  });
  await db.worker.withCompany(gasTankOwner, (tx) => openAddress(tx, chainId, tank, null));
  await db.worker.withCompany(treasuryOwner, (tx) => openAddress(tx, chainId, treasury, null));
  const parts: Parts = { db, beside, chain, settlements, scale };
  await follow(parts);
  return {
    ...{ db, chain, platform, settlements },
    newModel: async (companyIds) => ({
      sides: await openModelSides(db, companyIds),
      transfers: [],
      exchanges: [],
      credited: new Set(),
      events: [],
    }),
    perform: (model, action) => perform(parts, model, action),
    check: (model) => check(parts, model),
    expected: (model, side, coin) => expected(parts, model, side, coin),
    settle: (model, more) => settle(parts, model, more),
    close: async () => {
      if (!beside) await db.close();
    },
  };
}

/** As the worker has written it; whether it is what its exchanges make is for the test to say. */
async function readSettlement(db: TestDatabase, companyId: string, id: string): Promise<ModelSettlement> {
  const { rows } = await db.worker.withCompany(companyId, (tx) =>
    sql<{ from: Address; to: Address; coin: string; amountMinor: bigint; legs: string[] }>`
      select t.payer_account as "from", t.payee_account as "to", t.coin, t.quantity as "amountMinor",
        array(select l.exchange_id || '/' || l.side from settlement_leg l
          where l.company_id = t.company_id and l.settlement_id = t.id order by 1) as legs
      from transaction t where t.company_id = company_id() and t.id = ${id}
        and t.type in ('fx_settlement_in', 'fx_settlement_out')`.execute(tx),
  );
  const [row] = rows;
  if (!row) throw new Error(`the signer knows no payment ${id}`);
  return { id, companyId, ...row };
}

function worker({ db, chain, beside }: Parts) {
  const gateways = new Map<string, ChainGateway>([[chainId, chain.gateway]]);
  if (beside) gateways.set(beside.id, beside.gateway);
  const signer: Signer = {
    sign: (request) => (beside && 'plan' in request && 'psbt' in request.plan ? beside : chain).signer.sign(request),
  };
  const familyOf = (id: string) => (beside?.id === id ? beside.family : evmFamily);
  return { database: beside?.worker ?? db.worker, gateways, signer, kinds: outgoingKinds, familyOf, log };
}

async function follow(parts: Parts): Promise<void> {
  const listener = createChainListener(worker(parts));
  await watchOnce({ database: worker(parts).database, gateway: parts.chain.gateway, listener, log });
}

/** Runs the jobs of what was announced; what fails is tried again the next time, as the queue would. */
async function work(parts: Parts, model: Model): Promise<void> {
  const { db } = parts;
  const { rows } = await db.worker.withoutCompany((tx) =>
    sql<Model['events'][number] & { id: string }>`
      delete from outbox returning company_id as "companyId", id, name, payload`.execute(tx),
  );
  const events = [...model.events, ...rows.sort((a, b) => (a.id < b.id ? -1 : 1))];
  model.events = [];
  for (const event of events) {
    for (const job of sendingJobs(worker(parts)).filter(({ on }) => on?.includes(event.name))) {
      const { database } = worker(parts);
      const run = job.run({ companyId: event.companyId, database, log }, event.payload);
      await run.catch(() => model.events.push(event));
    }
  }
}

const tend = (parts: Parts) =>
  tendOnce(worker(parts), chainId, { intervalMs: 0, rebroadcastAfterMs: 0, stuckAfterMs: 3_600_000 });

async function check(parts: Parts, model: Model): Promise<void> {
  const { db, chain } = parts;
  for (const side of model.sides) {
    for (const coin of coins) {
      const { net, outbound, inbound, fee, gas, fx } = expected(parts, model, side, coin);
      const seen = await walletBalances(db, side.company.id, side.company.wallets[coin]);
      const own = (seen.available ?? 0n) + (seen.deficit ?? 0n);
      const rest = {
        outbound: seen.outbound ?? 0n,
        inbound: seen.inbound ?? 0n,
        fee: seen.fee ?? 0n,
        fx: seen.fx ?? 0n,
      };
      expect(rest).toEqual({ outbound, inbound, fee, fx });
      // A deep reorganisation can put a network fee before the advance that covers it: of the chain's own coin, what is
      // the company's and what was advanced are known together.
      expect(own + (seen.gas ?? 0n)).toBe(net + gas);
      expect(seen.chain ?? 0n).toBe(-(net + gas + outbound + inbound + fee + fx));
      if (coin === 'ETH') continue;
      // A wallet never has both an available balance and a deficit.
      expect(seen.available ?? 0n).toBe(net > 0n ? net : 0n);
    }
  }
  const { mismatches, height } = await spoken(parts, () => reconcileChain(db.operator, chain.gateway));
  expect(mismatches).toEqual([]);
  expect(height).toBe(chain.head());
}

async function submitTransfer(
  { db, chain, scale }: Parts,
  model: Model,
  action: Extract<Action, { do: 'submit' }>,
): Promise<void> {
  const side = model.sides[action.side];
  if (!side) throw new Error('there are two sides');
  const { coin } = action;
  const amountMinor = BigInt(action.units) * scale * unit[coin] + 1n;
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

async function stageOf({ db }: Parts, transfer: ModelTransfer): Promise<string> {
  const { rows } = await db.app.withCompany(transfer.side.company.id, (tx) =>
    sql<{
      stage: string;
    }>`select stage from transaction where company_id = company_id() and id = ${transfer.id}`.execute(tx),
  );
  return rows[0]?.stage ?? '';
}

async function cancelTransfer(parts: Parts, model: Model, index: number): Promise<void> {
  const transfer = model.transfers[index % Math.max(1, model.transfers.length)];
  if (!transfer) return;
  const stage = await stageOf(parts, transfer);
  const cancelling = runOnce(
    parts.db.app,
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
async function noteRefusals(parts: Parts, model: Model): Promise<void> {
  for (const transfer of model.transfers) {
    if (parts.chain.hashOf(transfer.id) !== null) continue;
    if ((await stageOf(parts, transfer)) === 'refused') transfer.isReleased = true;
  }
}

async function perform(parts: Parts, model: Model, action: Action): Promise<void> {
  const { db, chain, scale } = parts;
  switch (action.do) {
    case 'deposit': {
      const side = model.sides[action.side];
      if (side) chain.deposit(side.address, action.coin, BigInt(action.units) * scale * unit[action.coin] + 1n);
      return;
    }
    case 'mine':
      for (let left = action.blocks; left > 0; left--) {
        chain.mine();
        await followed(parts, model);
      }
      return;
    case 'reorganise':
      chain.reorganise(action.blocks, action.keep);
      return followed(parts, model);
    case 'submit':
      return submitTransfer(parts, model, action);
    case 'cancel':
      return cancelTransfer(parts, model, action.index);
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
      await work(parts, model);
      return noteRefusals(parts, model);
    case 'tend':
      await tend(parts);
      return noteRefusals(parts, model);
    case 'unfreeze':
      for (const { company } of model.sides) {
        await db.operator.withCompany(company.id, (tx) =>
          sql`update wallet set frozen_at = null, frozen_reason = null where company_id = company_id()`.execute(tx),
        );
      }
  }
}

/** The watcher reads up to the head, and the model notes what has become deep enough. */
async function followed(parts: Parts, model: Model): Promise<void> {
  await spoken(parts, () => follow(parts));
  for (const side of model.sides) for (const coin of coins) expected(parts, model, side, coin);
}

/** What the proof itself must know of the chain it asks even while the nodes are silent to everybody else. */
async function spoken<T>({ chain }: Parts, ask: () => Promise<T>): Promise<T> {
  const wasSilent = chain.silent;
  chain.silent = false;
  try {
    return await ask();
  } finally {
    chain.silent = wasSilent;
  }
}

/** Everything that can still come to an end does: nothing is left on its way. */
async function settle(parts: Parts, model: Model, more: () => Promise<boolean> = async () => true): Promise<void> {
  const { chain, scale } = parts;
  Object.assign(chain, { silent: false, reverting: false, refusing: false });
  for (let round = 0; round < 30; round++) {
    await perform(parts, model, { do: 'unfreeze' });
    // A signed payment of the chain's own coin whose cover a reorganisation took waits until the cover is paid in.
    for (const party of model.sides) {
      const { net } = expected(parts, model, party, 'ETH');
      if (net < 0n) chain.deposit(party.address, 'ETH', scale * unit.ETH - net);
    }
    const isDone = await more();
    await work(parts, model);
    await tend(parts);
    await noteRefusals(parts, model);
    await perform(parts, model, { do: 'mine', blocks: modelDepth + 1 });
    const open = model.sides.flatMap((side) => coins.map((coin) => expected(parts, model, side, coin)));
    if (isDone && open.every(({ outbound, inbound }) => outbound === 0n && inbound === 0n)) return;
  }
  throw new Error('a transfer or a deposit does not come to its end');
}
