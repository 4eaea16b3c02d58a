import { createHash } from 'node:crypto';
import type { Database, Tx } from '../../platform/database/database.ts';
import { announce, live } from '../../platform/database/outbox.ts';
import { findRestoreMode } from '../../platform/database/restore-mode.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import type { CronJob } from '../../platform/jobs/cron.ts';
import type { JobDefinition } from '../../platform/jobs/jobs.ts';
import type { Log } from '../../platform/process/log.ts';
import {
  type BankAccountDetails,
  type BankAccountOpener,
  BankConnectionError,
  findBanks,
  nextAccountNumber,
  type OpenCurrency,
  openBankAccount,
} from '../banks/index.ts';
import {
  type AddressSources,
  companiesWithAddresses,
  companiesWithoutAddress,
  enabledCoins,
  findChain,
  findDerivationIndex,
  gasTankOwner,
  nextDerivationIndex,
  openAddress,
  sourceOf,
  treasuryOwner,
} from '../chains/index.ts';
import { findCompanyName, identityEvents } from '../identity/index.ts';
import { type AccountKind, openAccounts } from '../ledger/index.ts';
import { openAhead } from './fresh-addresses.ts';
import { findChainWallet, findUnopened, lacksWallets, openChainWallet, openWalletAtBank } from './store/opening.ts';

/** What every wallet has beside its contra account, which is of its place: `chain` or `bank`. */
const walletAccounts: readonly AccountKind[] = ['available', 'outbound', 'inbound', 'fee', 'deficit', 'fx'];
const chainAccounts: readonly AccountKind[] = [...walletAccounts, 'chain'];
/** The chain's own coin also carries what the gas tank advanced. */
const nativeAccounts: readonly AccountKind[] = [...chainAccounts, 'gas'];
const bankAccounts: readonly AccountKind[] = [...walletAccounts, 'bank'];

export interface WalletOpening {
  /**
   * Opens what the company lacks of addresses, wallets and accounts; harmless when it lacks nothing. While restore mode holds,
   * a company gets no first address: `openMissing` opens it afterwards.
   */
  open(companyId: string): Promise<void>;
  /** The same for every company, and the platform's own addresses: after a coin or chain was added, and after a restore. */
  openMissing(): Promise<void>;
}

const platformAddresses = [
  [gasTankOwner, 'gasTank'],
  [treasuryOwner, 'treasury'],
] as const;

/** `atBanks`: what opens accounts at the banks that give their numbers themselves. What one cannot open now is reported and tried again. */
export function createWalletOpening(
  database: Database,
  sources: AddressSources,
  atBanks: { openers: readonly BankAccountOpener[]; log: Log } | null = null,
): WalletOpening {
  const openerOf = new Map(atBanks?.openers.map((opener) => [opener.bank, opener]));

  async function openIn(tx: Tx): Promise<void> {
    const coins = await enabledCoins(tx);
    const known = await findDerivationIndex(tx);
    if (known === null && (await findRestoreMode(tx)) !== null) return;
    const index = known ?? (await nextDerivationIndex(tx));
    for (const [chainId, chain] of chainsOf(coins)) {
      const source = sourceOf(sources, chain);
      await openAddress(tx, chainId, source.addressAt(index, 0), index);
      await openAhead(tx, source, chainId);
    }
    for (const { chainId, coin } of coins) await openWalletOf(tx, chainId, coin);
    await openAtBanks(tx);
    await announce(tx, [live('balance')]);
  }

  // One opening of a company at a time, so that it never takes two indexes.
  const openOwn = (companyId: string) => database.withCompany(companyId, openIn, { locks: [lockOf(companyId)] });

  /** Each bank is asked with no transaction open; it opens the same account however often it is asked. */
  async function openByBanks(companyId: string): Promise<void> {
    if (!atBanks || atBanks.openers.length === 0) return;
    const lacking = await database.withCompany(companyId, findUnopenedByBanks, { readOnly: true });
    for (const { bankId: bank, asset: currency } of lacking) {
      try {
        const account = await openerOf.get(bank)?.open(companyId, currency);
        if (!account) continue;
        await database.withCompany(companyId, (tx) => openBankWallet(tx, { bank, currency, account }), {
          locks: [lockOf(companyId)],
        });
      } catch (error) {
        if (!(error instanceof BankConnectionError)) throw error;
        const { problem, detail } = error;
        atBanks.log.warn({ bank, currency, problem, detail }, 'a bank could not open an account');
      }
    }
  }

  async function open(companyId: string): Promise<void> {
    await openOwn(companyId);
    await openByBanks(companyId);
  }

  return {
    open,
    async openMissing() {
      for (const [owner, own] of platformAddresses) {
        await database.withCompany(owner, async (tx) => {
          for (const [chainId, chain] of chainsOf(await enabledCoins(tx))) {
            const address = sourceOf(sources, chain)[own];
            if (address !== null) await openAddress(tx, chainId, address, null);
          }
        });
      }
      for (const companyId of await database.withoutCompany(companiesWithAddresses)) {
        if (await database.withCompany(companyId, lacksWallets)) await openOwn(companyId);
        await openByBanks(companyId);
      }
      for (const companyId of await database.withoutCompany(companiesWithoutAddress)) await open(companyId);
    },
  };
}

/** The chains of some coins, by id. */
function chainsOf(coins: readonly { chainId: string; family: string }[]): Map<string, { family: string }> {
  return new Map(coins.map(({ chainId, family }) => [chainId, { family }]));
}

/**
 * The company's wallet of a coin on a chain, made with its accounts when there is none yet: what arrives for a coin that
 * is switched off belongs to the company all the same.
 */
export async function openWalletOf(tx: Tx, chainId: string, coin: string): Promise<string> {
  const known = await findChainWallet(tx, chainId, coin);
  if (known !== null) return known;
  const walletId = await openChainWallet(tx, newId(), chainId, coin);
  const chain = await findChain(tx, chainId);
  await openAccounts(tx, walletId, coin, chain?.nativeCoin === coin ? nativeAccounts : chainAccounts);
  return walletId;
}

/**
 * Opens the company's wallet of a currency at a bank, with its account there and its ledger accounts; harmless when it is open already.
 * Returns the wallet's id.
 * @throws DomainError bankUnknown, currencyNotAtBank
 */
export async function openBankWallet(
  tx: Tx,
  { bank: bankId, currency: asset, account }: { bank: string; currency: string; account: BankAccountDetails },
): Promise<string> {
  const bank = (await findBanks(tx)).find((each) => each.id === bankId && each.enabled);
  if (!bank) throw new DomainError('bankUnknown');
  if (!bank.currencies.some((each) => each.asset === asset && each.enabled)) throw new DomainError('currencyNotAtBank');
  await openBankAccount(tx, bankId, asset, account);
  const walletId = await openWalletAtBank(tx, newId(), bankId, asset);
  await openAccounts(tx, walletId, asset, bankAccounts);
  await announce(tx, [live('balance')]);
  return walletId;
}

/**
 * Opens what the company lacks of wallets at banks, each with a number of its own out of the bank's range. While restore mode holds, none
 * is opened: a number may have been given since the backup to another company, and the operator first sets the range beyond it.
 */
async function openAtBanks(tx: Tx): Promise<void> {
  const unopened = (await findUnopened(tx)).filter(({ byBank }) => !byBank);
  if (unopened.length === 0 || (await findRestoreMode(tx)) !== null) return;
  const holderName = await findCompanyName(tx);
  for (const { bankId, asset } of unopened) {
    const accountNumber = await nextAccountNumber(tx, bankId);
    // The range has come to its end since: the operator enlarges it, and the next round opens the rest.
    if (accountNumber === null) continue;
    const account = { holderName, accountNumber, branchCode: null, iban: null };
    await openBankWallet(tx, { bank: bankId, currency: asset, account });
  }
}

/** What the company lacks at banks that open accounts themselves; nothing while restore mode holds. */
async function findUnopenedByBanks(tx: Tx): Promise<OpenCurrency[]> {
  const unopened = (await findUnopened(tx)).filter(({ byBank }) => byBank);
  return unopened.length === 0 || (await findRestoreMode(tx)) !== null ? [] : unopened;
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

/** Opens what is missing, once a minute. */
export function openMissingJob(opening: WalletOpening): CronJob {
  return { name: 'wallets.openMissing', schedule: '* * * * *', run: () => opening.openMissing() };
}
