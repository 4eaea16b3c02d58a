import { sql } from 'kysely';
import { NoAgreement } from '../../features/chains/index.ts';
import { askFeeRates } from '../../features/rails/bitcoin/fee-rates.ts';
import { quoteAmount, readFeeBasis } from '../../features/rails/bitcoin/quoting.ts';
import { createBitcoinRail, offerRaise, raiseFee } from '../../features/rails/index.ts';
import { lockTransaction } from '../../features/transactions/index.ts';
import { isWalletFrozen } from '../../features/wallets/index.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { Killed } from '../dying.ts';
import { fundingAt } from '../model-actions.ts';
import { type Model, modelDepth } from '../model-figures.ts';
import { type ModelWorld, openModelWorld } from '../model-world.ts';
import type { SignedCompany } from '../signer-world.ts';
import { strangersAddress } from './addresses.ts';
import type { HistoryAction } from './history-actions.ts';
import { bitcoin } from './signer-world.ts';
import { type BitcoinWorld, bitcoinWorld } from './world.ts';

/** Two companies with a wallet on a Bitcoin chain and one on an EVM chain, in one database, and one worker that may die at any of its steps. */

export interface HistoryTransfer {
  id: string;
  company: SignedCompany;
  payee: string;
  isOutside: boolean;
  amountMinor: bigint;
}

export interface History {
  companies: readonly SignedCompany[];
  transfers: HistoryTransfer[];
  /** Transactions of strangers, the latest last, with whom they pay. */
  paid: { hash: string; address: string; amountMinor: bigint }[];
  /** The EVM chain's part. */
  model: Model;
}

export interface HistoryWorld {
  bitcoin: BitcoinWorld;
  evm: ModelWorld;
  begin(): Promise<History>;
  perform(history: History, action: HistoryAction): Promise<void>;
  /**
   * Everything that can still come to an end does; what spends coins that are gone for good is given up as two operators do.
   * @returns transfers that were never signed, in a wallet that is frozen
   */
  settle(history: History): Promise<readonly HistoryTransfer[]>;
  stageOf(transfer: HistoryTransfer): Promise<string>;
  /** Hashes of what was signed of a transfer. */
  signedOf(transfer: HistoryTransfer): Promise<string[]>;
  close(): Promise<void>;
}

const unitMinor = 40_000n;
const bounds = { floor: 1, ceiling: 500, fallback: 10 };
/** What a company has in the end beside what a history gave it, so that what waits for coins finds some. */
const coverMinor = 10_000_000n;
const mostRounds = 12;

let strangers = 0;
function newStranger(): string {
  strangers += 1;
  return strangersAddress(`of a history ${strangers}`);
}

export async function historyWorld(): Promise<HistoryWorld> {
  const world = await bitcoinWorld();
  const { chain, worker } = world;
  const evm = await openModelWorld({
    beside: {
      db: world.db,
      worker,
      id: bitcoin.id,
      gateway: chain.gateway,
      family: createBitcoinRail({ account: world.account, network: 'regtest' }),
      signer: { sign: world.sign },
    },
  });

  async function begin(): Promise<History> {
    // Wallets are opened on the one chain by the product, and on the other by the model.
    await world.asSuperuser(`update causeway.chain set enabled = id = '${bitcoin.id}'`);
    const companies = [await world.company({ isFunded: false }), await world.company({ isFunded: false })];
    await world.asSuperuser('update causeway.chain set enabled = true');
    const history = { companies, transfers: [], paid: [], model: await evm.newModel(companies.map(({ id }) => id)) };
    for (const action of fundingAt(modelDepth)) await evm.perform(history.model, action);
    for (const side of [0, 1]) fund(history, { side, units: 30, place: 0, isReplaceable: false });
    await world.advance(bitcoin.confirmations + 1);
    return history;
  }

  function fund(
    { companies, paid }: History,
    { side, units, place, isReplaceable }: { side: number; units: number; place: number; isReplaceable: boolean },
  ): void {
    const address = companies[side]?.addresses[place] ?? '';
    const amountMinor = BigInt(units) * unitMinor + 1n;
    const hash = chain.fund([{ address, amountMinor }], { isReplaceable });
    paid.push({ hash, address, amountMinor });
  }

  /** Their payer pays something else with the same coin, while it waits at a node. */
  function replace({ paid }: History, { index, to, at }: Extract<HistoryAction, { act: 'replace' }>): void {
    const waiting = paid.filter(({ hash }) => chain.isWaiting(hash));
    const former = waiting[index % Math.max(1, waiting.length)];
    if (!former) return;
    const address = to === 'elsewhere' ? newStranger() : former.address;
    const amountMinor = to === 'less' ? former.amountMinor - 1_000n : former.amountMinor;
    paid.push({ hash: chain.refund(former.hash, [{ address, amountMinor }], at), address, amountMinor });
  }

  async function send(history: History, action: Extract<HistoryAction, { act: 'send' }>): Promise<void> {
    const { companies, transfers } = history;
    const [company, other] = action.side === 0 ? companies : [...companies].reverse();
    if (!company || !other) throw new Error('there are two companies');
    const { available = 0n } = await world.balances(company);
    const amountMinor = (available * BigInt(action.percent)) / 100n;
    const isOutside = action.to === 'outside';
    const payee = isOutside ? newStranger() : (other.addresses[4] ?? '');
    const basis = await world.db.app.withCompany(company.id, (tx) => readFeeBasis(tx, company.id, bitcoin.id));
    if (basis === null || amountMinor < 1_000n) return;
    const quote = quoteAmount(basis, { kind: 'p2wpkh', amountMinor, level: action.level });
    if ('lacking' in quote || amountMinor + quote.networkFeeMinor > available) return;
    const id = newId();
    await world.promised(company, payee, amountMinor, quote.networkFeeMinor, { id, level: action.level });
    transfers.push({ id, company, payee, isOutside, amountMinor });
  }

  /** Payments that are approved before any job runs, to strangers and to the other company in turn. */
  async function sendSeveral(
    history: History,
    { side, percents, level }: Extract<HistoryAction, { act: 'sendSeveral' }>,
  ): Promise<void> {
    for (const [place, percent] of percents.entries()) {
      await send(history, { act: 'send', side, percent, to: place % 2 === 0 ? 'outside' : 'other', level });
    }
    // Tending takes them up one after another, and the first takes the others with it; jobs of their own come later.
    await attempt(history, 'tend');
  }

  async function raise({ transfers }: History, index: number): Promise<void> {
    // The newest wait for a block, if any does.
    const transfer = transfers.at(-1 - (index % 3));
    if (!transfer) return;
    await world.db.app
      .withCompany(transfer.company.id, async (tx) => {
        const row = await lockTransaction(tx, transfer.id);
        const offer = row && (await offerRaise(tx, row));
        if (row && offer && typeof offer !== 'string') await raiseFee(tx, row, offer, offer.networkFeeMinor);
      })
      .catch((error: unknown) => {
        if (!(error instanceof DomainError && error.key === 'insufficientBalance')) throw error;
      });
  }

  /** What the worker does by itself, as often as it takes: it stops where nodes do not agree, and where its process dies. */
  async function attempt(history: History, what: 'work' | 'tend' | 'read' | 'look'): Promise<void> {
    const doing = {
      work: () => evm.perform(history.model, { do: 'work' }),
      tend: () => world.tend(),
      read: () => world.followBlocks(),
      look: () => world.look(),
    }[what];
    await doing().catch((error: unknown) => {
      if (!(error instanceof NoAgreement || error instanceof Killed)) throw error;
    });
  }

  async function perform(history: History, action: HistoryAction): Promise<void> {
    if ('do' in action) return evm.perform(history.model, action);
    switch (action.act) {
      case 'fund':
        return fund(history, action);
      case 'replace':
        return replace(history, action);
      case 'mine':
        chain.isFull = action.isFull;
        for (let left = action.blocks; left > 0; left -= 1) {
          chain.mine();
          if (action.isRead) await attempt(history, 'read');
        }
        return;
      case 'fork':
        chain.reorganise(action.depth, action.fate);
        return attempt(history, 'read');
      case 'send':
        return send(history, action);
      case 'sendSeveral':
        return sendSeveral(history, action);
      case 'raise':
        return raise(history, action.index);
      case 'rates': {
        chain.estimates = { urgent: action.urgent, normal: action.urgent / 2, economy: action.urgent / 4, minimum: 1 };
        return askFeeRates(world.db.worker, chain.gateway, bounds);
      }
      case 'nodes': {
        const { stopped, reached, miner } = action;
        return void Object.assign(chain, { stopped, reached, miner });
      }
      case 'gossip':
        return chain.gossip();
      case 'die':
        worker.doom(action.transactions, action.moment);
        await attempt(history, action.during);
        return worker.revive();
      default:
        return attempt(history, action.act);
    }
  }

  async function settle(history: History): Promise<readonly HistoryTransfer[]> {
    Object.assign(chain, { stopped: null, reached: null, isFull: false, leastRate: 0 });
    for (const { addresses } of history.companies)
      chain.fund([{ address: addresses[0] ?? '', amountMinor: coverMinor }]);
    await evm.settle(history.model);
    let open: HistoryTransfer[] = [];
    for (let round = 0; round < mostRounds; round += 1) {
      chain.repeatLost();
      chain.gossip();
      await world.followBlocks();
      await world.look();
      await evm.perform(history.model, { do: 'work' });
      await world.tend();
      for (let left = bitcoin.confirmations + 1; left > 0; left -= 1) {
        chain.mine();
        await world.followBlocks();
      }
      await world.look();
      for (const transfer of open) await world.giveUp(transfer.company, transfer.id);
      const stages = await Promise.all(history.transfers.map(stageOf));
      open = history.transfers.filter((_, place) => !['completed', 'failed'].includes(stages[place] ?? ''));
      if (chain.waiting().length === 0 && (await Promise.all(open.map(isForlorn))).every(Boolean)) return open;
    }
    const stages = await Promise.all(open.map(stageOf));
    throw new Error(`transfers do not come to their end: ${stages.join(', ')}; ${chain.waiting().length} wait`);
  }

  /** Unsigned, in a wallet that is frozen because a credited deposit was taken back. */
  async function isForlorn(transfer: HistoryTransfer): Promise<boolean> {
    return (await signedOf(transfer)).length === 0 && (await isFrozen(transfer.company));
  }

  function isFrozen({ id, wallets }: SignedCompany): Promise<boolean> {
    return world.db.worker.withCompany(id, (tx) => isWalletFrozen(tx, wallets.get(`BTC@${bitcoin.id}`) ?? ''));
  }

  async function stageOf({ company, id }: HistoryTransfer): Promise<string> {
    return (await world.transaction(company, id)).stage;
  }

  async function signedOf({ company, id }: HistoryTransfer): Promise<string[]> {
    const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
      sql<{ hash: string }>`select hash from chain_send where company_id = company_id() and transfer_id = ${id}
        and hash is not null`.execute(tx),
    );
    return rows.map(({ hash }) => hash);
  }

  const close = async () => {
    await evm.close();
    await world.close();
  };
  return { bitcoin: world, evm, begin, perform, settle, stageOf, signedOf, close };
}
