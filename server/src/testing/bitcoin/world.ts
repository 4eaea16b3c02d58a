import type { FeeLevel } from '@causeway/contract/transfers-rules.ts';
import { sql } from 'kysely';
import { expect } from 'vitest';
import {
  bitcoinFamily,
  type ChainGateway,
  evmFamily,
  familiesByName,
  type Outpoint,
  type Signer,
  watchOnce,
} from '../../features/chains/index.ts';
import type { AccountKind } from '../../features/ledger/index.ts';
import { runCommand } from '../../features/operator/command-line.ts';
import { exceptionActHandlers } from '../../features/operator/index.ts';
import { askFeeRates } from '../../features/rails/bitcoin/fee-rates.ts';
import { readMempool } from '../../features/rails/bitcoin/mempool.ts';
import {
  createBitcoinRail,
  createChainListener,
  offerRaise,
  raiseFee,
  reconcileChain,
  type SendingDependencies,
  tendOnce,
} from '../../features/rails/index.ts';
import { lockTransaction } from '../../features/transactions/index.ts';
import { createRegisteredOpening } from '../../features/wallets/index.ts';
import { outgoingKindsOf } from '../../outgoing-kinds.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import type { JobDefinition } from '../../platform/jobs/jobs.ts';
import { createLog } from '../../platform/process/log.ts';
import { type SeenTransaction, transactions } from '../chain-transfers.ts';
import { expectLedgerToAgree, walletBalances } from '../company-books.ts';
import { type MortalDatabase, mortalDatabase } from '../dying.ts';
import { sendingJobs } from '../sending.ts';
import type { SignedCompany } from '../signer-world.ts';
import { type BitcoinChain, createBitcoinChain } from './chain.ts';
import { type BitcoinSignerWorld, bitcoin, bitcoinSignerWorld } from './signer-world.ts';

/** A Bitcoin chain in memory under the real signer, worker, ledger and operator. */

export interface BitcoinWorld extends BitcoinSignerWorld {
  /** A transfer whose fee is promised to the network, all of it. */
  promised(
    company: SignedCompany,
    payee: string,
    amountMinor: bigint,
    feeMinor: bigint,
    terms?: { id?: string; level?: FeeLevel },
  ): Promise<string>;
  chain: BitcoinChain;
  /** Further jobs of the worker, which run with those that send payments. */
  further: JobDefinition[];
  /** The worker's; a test may have its process die. */
  worker: MortalDatabase;
  /** What the worker has. */
  parts(): SendingDependencies;
  /** Reads the blocks, and then the mempool. */
  follow(): Promise<void>;
  followBlocks(): Promise<void>;
  /** Reads what waits for a block. */
  look(): Promise<void>;
  /** Runs the jobs of what was announced, all at the same time; with another signer or gateway where one is named. */
  work(parts?: { signer?: Signer; gateway?: ChainGateway }): Promise<void>;
  tend(stuckAfterMs?: number, parts?: { signer?: Signer; gateway?: ChainGateway }): Promise<void>;
  /** Blocks, each read and worked off. */
  advance(blocks: number): Promise<void>;
  /** Deposits of these amounts, one to each of the company's first addresses, deep enough. */
  deposit(company: SignedCompany, ...amounts: bigint[]): Promise<void>;
  /** The balances of the company's wallet, in minor units. */
  balances(company: SignedCompany): Promise<Partial<Record<AccountKind, bigint>>>;
  transaction(company: SignedCompany, id: string): Promise<SeenTransaction>;
  /** Asks the node for fee rates again: a raise refuses those that are older than half an hour. */
  askRates(): Promise<void>;
  /** A member raises the fee of a transfer to what the next block costs. @returns the new fee */
  raise(company: SignedCompany, id: string): Promise<bigint>;
  /** The worker's part of the act by which two operators give up a payment. @returns whether it was possible */
  giveUp(company: SignedCompany, id: string): Promise<boolean>;
  /** What blocks have paid to an address, less what was spent from there. */
  held(address: string): bigint;
  /** The outputs that a transfer spends, none while it has no plan. */
  inputsOf(company: SignedCompany, id: string): Promise<(Outpoint & { address: string; amountMinor: bigint })[]>;
  expectBooks(): Promise<void>;
  /** One command of the operator's. */
  run(...args: string[]): Promise<unknown>;
}

const log = createLog('test', process.env['TEST_LOG_LEVEL'] ?? 'silent');
/** The signer's own limits are proved elsewhere. */
const roomy = {
  maxFeeRate: 500,
  maxFeePercent: 50,
  smallFeeMinor: 50_000n,
  maxAccelerationsPerHour: 100,
  treasuryPerDay: new Map<string, bigint>(),
};
const noBalances = { available: 0n, outbound: 0n, inbound: 0n, fee: 0n, deficit: 0n };

export async function bitcoinWorld(): Promise<BitcoinWorld> {
  const signing = await bitcoinSignerWorld(roomy);
  const chain = createBitcoinChain(bitcoin.id);
  const database = mortalDatabase(signing.db.worker);
  const families = familiesByName([evmFamily, bitcoinFamily('regtest')]);
  const askRates = () => askFeeRates(signing.db.worker, chain.gateway, { floor: 1, ceiling: 500, fallback: 10 });
  await askRates();

  function partsWith({
    signer = { sign: signing.sign },
    gateway = chain.gateway,
  }: {
    signer?: Signer;
    gateway?: ChainGateway;
  } = {}) {
    const family = createBitcoinRail({ account: signing.account, network: 'regtest' });
    const gateways = new Map([[bitcoin.id, gateway]]);
    return { database, gateways, familyOf: () => family, signer, kinds: outgoingKindsOf(families), log };
  }

  const beforeReading = createRegisteredOpening({ database: signing.db.worker, ...signing.addressing, log });

  const world: BitcoinWorld = {
    ...signing,
    chain,
    further: [],
    worker: database,
    askRates,
    parts: () => partsWith(),
    async promised(company, payee, amountMinor, feeMinor, { id = newId(), level = 'normal' } = {}) {
      await signing.transfer(company, payee, amountMinor, feeMinor, id);
      await signing.db.app.withCompany(company.id, (tx) =>
        sql`insert into bitcoin_fee (company_id, transaction_id, level, network_fee, vsize)
          values (company_id(), ${id}, ${level}, ${feeMinor.toString()}, 141)`.execute(tx),
      );
      return id;
    },
    async follow() {
      await world.followBlocks();
      await world.look();
    },
    async followBlocks() {
      const listener = signing.withFreshAddresses(createChainListener(partsWith()));
      await watchOnce({ database, gateway: chain.gateway, listener, log, startBlock: 0, beforeReading });
    },
    look: () => readMempool({ database, log, onReached: signing.onReached }, chain.gateway),
    async work(parts) {
      const { rows } = await database.withoutCompany((tx) =>
        sql<{ companyId: string; name: string; payload: Record<string, unknown> }>`
          delete from outbox returning company_id as "companyId", name, payload`.execute(tx),
      );
      const jobs = [...sendingJobs(partsWith(parts)), ...world.further];
      await Promise.all(
        rows.flatMap(({ companyId, name, payload }) =>
          jobs.filter(({ on }) => on?.includes(name)).map((job) => job.run({ companyId, database, log }, payload)),
        ),
      );
    },
    tend: (stuckAfterMs = 3_600_000, parts) =>
      tendOnce(partsWith(parts), bitcoin.id, { intervalMs: 0, rebroadcastAfterMs: 0, stuckAfterMs }),
    async advance(blocks) {
      for (let left = blocks; left > 0; left -= 1) {
        chain.mine();
        await world.follow();
        await world.work();
      }
    },
    async deposit({ addresses }, ...amounts) {
      for (const [index, amountMinor] of amounts.entries()) {
        chain.fund([{ address: addresses[index] ?? '', amountMinor }]);
      }
      await world.advance(bitcoin.confirmations + 1);
    },
    async balances({ id, wallets }) {
      return { ...noBalances, ...(await walletBalances(signing.db, id, wallets.get(`BTC@${bitcoin.id}`) ?? '')) };
    },
    async transaction(company, id) {
      const found = (await transactions(world, company)).find((each) => each.id === id);
      if (!found) throw new Error(`there is no transaction ${id}`);
      return found;
    },
    raise: ({ id: companyId }, id) =>
      signing.db.app.withCompany(companyId, async (tx) => {
        const transfer = await lockTransaction(tx, id);
        const offer = transfer && (await offerRaise(tx, transfer));
        if (!transfer || offer === null || typeof offer === 'string')
          throw new Error(`nothing to raise: ${transfer?.stage}, ${typeof offer === 'string' ? offer : 'no offer'}`);
        return raiseFee(tx, transfer, offer, offer.networkFeeMinor);
      }),
    async giveUp({ id: companyId }, id) {
      const reason = 'its coins are gone';
      const subject = { companyId, subjectId: id, subjectName: null, input: {}, before: {} };
      const people = { proposedBy: newId(), confirmedBy: newId() };
      const act = { proposalId: newId(), kind: 'payment.abandon', ...subject, ...people, reason } as const;
      const handler = exceptionActHandlers(partsWith())['payment.abandon'];
      try {
        const prepared = await handler.prepare?.(act);
        await database.withCompany(companyId, (tx) => handler.perform(tx, act, prepared));
        return true;
      } catch (error) {
        if (error instanceof DomainError && error.key === 'exceptionNotPossible') return false;
        throw error;
      }
    },
    held: (address) => chain.unspent(address).reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    async inputsOf({ id: companyId }, id) {
      const { rows } = await database.withCompany(companyId, (tx) =>
        sql<{ plan: { inputs: { hash: string; index: number; address: string; amountMinor: string }[] } }>`
          select plan from chain_send
          where company_id = company_id() and transfer_id = ${id} and attempt = 1`.execute(tx),
      );
      return (rows[0]?.plan.inputs ?? []).map((input) => ({ ...input, amountMinor: BigInt(input.amountMinor) }));
    },
    async expectBooks() {
      expect(await reconcileChain(database, chain.gateway)).toMatchObject({ mismatches: [] });
      await expectLedgerToAgree(signing.db);
    },
    async run(...args) {
      const context = { database: signing.db.operator, operator: 'jo', families, gateways: [chain.gateway] };
      return JSON.parse(await runCommand(context, [...args, '--json'], async () => context));
    },
  };
  return world;
}
