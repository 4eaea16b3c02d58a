import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Tx } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import type { JobDefinition } from '../../platform/jobs.ts';
import type { Log } from '../../platform/log.ts';
import { announce, live } from '../../platform/outbox.ts';
import { findRestoreMode } from '../../platform/restore-mode.ts';
import {
  addressFromXpub,
  companiesWithAddresses,
  companiesWithoutAddress,
  enabledCoins,
  findChain,
  findDerivationIndex,
  gasTankOwner,
  nextDerivationIndex,
  openAddress,
} from '../chains/index.ts';
import { identityEvents } from '../identity/index.ts';
import { type AccountKind, openAccounts } from '../ledger/index.ts';
import { findWallet, lacksWallets, openWallet } from './store/opening.ts';

const walletAccounts: readonly AccountKind[] = ['available', 'outbound', 'inbound', 'chain', 'fee', 'deficit'];
/** The chain's own coin also carries what the gas tank advanced. */
const nativeAccounts: readonly AccountKind[] = [...walletAccounts, 'gas'];

export interface WalletOpening {
  /**
   * Opens what the company lacks of addresses, wallets and accounts; harmless when it lacks nothing. While restore mode holds,
   * a company gets no first address: `openMissing` opens it afterwards.
   */
  open(companyId: string): Promise<void>;
  /** The same for every company, and the gas tank's own: after a coin or chain was added, and after a restore. */
  openMissing(): Promise<void>;
}

/** @param evmXpub extended public key of the companies' account; @param gasTank the tank's EIP-55 address */
export function createWalletOpening(database: Database, evmXpub: string, gasTank: string): WalletOpening {
  async function openIn(tx: Tx): Promise<void> {
    const coins = await enabledCoins(tx);
    const known = await findDerivationIndex(tx);
    if (known === null && (await findRestoreMode(tx)) !== null) return;
    const index = known ?? (await nextDerivationIndex(tx));
    const address = addressFromXpub(evmXpub, index);
    for (const chainId of new Set(coins.map((coin) => coin.chainId))) await openAddress(tx, chainId, address, index);
    for (const { chainId, coin } of coins) await openWalletOf(tx, chainId, coin);
    await announce(tx, [live('balance')]);
  }

  // One opening of a company at a time, so that it never takes two indexes.
  const open = (companyId: string) => database.withCompany(companyId, openIn, { locks: [lockOf(companyId)] });

  return {
    open,
    async openMissing() {
      await database.withCompany(gasTankOwner, async (tx) => {
        const chainIds = new Set((await enabledCoins(tx)).map((coin) => coin.chainId));
        for (const chainId of chainIds) await openAddress(tx, chainId, gasTank, null);
      });
      for (const companyId of await database.withoutCompany(companiesWithAddresses)) {
        if (await database.withCompany(companyId, lacksWallets)) await open(companyId);
      }
      for (const companyId of await database.withoutCompany(companiesWithoutAddress)) await open(companyId);
    },
  };
}

/**
 * The company's wallet of a coin on a chain, made with its accounts when there is none yet: what arrives for a coin that
 * is switched off belongs to the company all the same.
 */
export async function openWalletOf(tx: Tx, chainId: string, coin: string): Promise<string> {
  const known = await findWallet(tx, chainId, coin);
  if (known !== null) return known;
  const walletId = await openWallet(tx, newId(), chainId, coin);
  const chain = await findChain(tx, chainId);
  await openAccounts(tx, walletId, coin, chain?.nativeCoin === coin ? nativeAccounts : walletAccounts);
  return walletId;
}

function lockOf(companyId: string): bigint {
  return createHash('sha256').update(`wallets.open/${companyId}`).digest().readBigInt64BE();
}

/** Opens a new company's wallets. */
export function walletOpeningJobs(opening: WalletOpening): JobDefinition[] {
  return [
    {
      name: 'wallets.open',
      on: [identityEvents.companyCreated],
      run: ({ companyId }) => opening.open(companyId),
    },
  ];
}

const missingIntervalMs = 60_000;

/** Opens what is missing now and once a minute; the first round is done when this resolves. */
export async function startWalletOpening(opening: WalletOpening, log: Log): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController();
  const round = () =>
    opening
      .openMissing()
      .catch((error: unknown) => log.warn({ err: error }, 'wallets could not be opened; trying again'));
  await round();
  const running = (async () => {
    for (;;) {
      await delay(missingIntervalMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      await round();
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
