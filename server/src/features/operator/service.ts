import { locales } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { audit } from '../../platform/audit/record.ts';
import type { Database } from '../../platform/database/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import type { ChainFamilies, ChainGateway } from '../chains/index.ts';
import { nilCompany } from '../identity/index.ts';
import { amountOf } from '../ledger/index.ts';
import { type AnnouncementTexts, publishAnnouncement } from '../notices/index.ts';
import { insertPublished } from './announcements/store.ts';
import { type Wait, waitOf } from './domain.ts';
import { insertPrice } from './pricing/store.ts';
import { findAsset, findAssetRows, findOperatorWallets, findStuck } from './store.ts';
import { sayWait } from './words.ts';

/** Who works, and on what: a database connected as causeway_operator, and the operating system's user. */
export interface CommandContext {
  database: Database;
  operator: string;
  /** Where the operator's console is opened; without one there are no links to it. */
  consoleUrl?: string | undefined;
}

/** The chains as well. */
export interface OperatorContext extends CommandContext {
  families: ChainFamilies;
  /** Every chain that is configured. */
  gateways: readonly ChainGateway[];
}

export async function showAssets({ database }: OperatorContext) {
  const rows = await database.withoutCompany(findAssetRows);
  return rows.map(({ chainId, coin, decimals, minimumMinor, feeMinor, enabled }) => ({
    chain: chainId,
    coin,
    fee: formatAmount(feeMinor, decimals),
    minimum: formatAmount(minimumMinor, decimals),
    enabled,
  }));
}

/** @throws DomainError coinNotOnChain, amountFormat, amountTooManyDecimals, amountTooLarge */
export async function setFee({ database, operator }: OperatorContext, coin: string, chain: string, amount: string) {
  return database.withCompany(nilCompany, async (tx) => {
    const asset = (await findAssetRows(tx)).find((row) => row.coin === coin && row.chainId === chain);
    if (!asset) throw new DomainError('coinNotOnChain');
    const feeMinor = amountOf(amount, { asset: coin, decimals: asset.decimals });
    const key = { kind: 'withdrawal_fee', asset: coin, chain, bank: null, companyId: null } as const;
    await insertPrice(tx, { ...key, id: newId(), value: feeMinor, validFrom: null, proposalId: null, setBy: operator });
    const before = formatAmount(asset.feeMinor, asset.decimals);
    const fee = formatAmount(feeMinor, asset.decimals);
    await audit(tx, {
      actor: { kind: 'operator', id: operator },
      action: 'operator.setFee',
      subjectKind: 'chainAsset',
      subjectId: `${chain}/${coin}`,
      detail: { before: { fee: before }, after: { fee } },
    });
    return { coin, chain, before, fee };
  });
}

/** @throws DomainError assetUnknown, amountFormat, amountTooManyDecimals, amountTooLarge */
export async function setMinimum({ database, operator }: OperatorContext, asset: string, amount: string) {
  return database.withCompany(nilCompany, async (tx) => {
    const known = await findAsset(tx, asset);
    if (!known) throw new DomainError('assetUnknown');
    const minimumMinor = amountOf(amount, known);
    for (const kind of ['withdrawal_minimum', 'recharge_minimum'] as const) {
      const key = { kind, asset, chain: null, bank: null, companyId: null };
      await insertPrice(tx, {
        ...key,
        id: newId(),
        value: minimumMinor,
        validFrom: null,
        proposalId: null,
        setBy: operator,
      });
    }
    const inUnits = (minor: bigint) => formatAmount(minor, known.decimals);
    const [before, minimum] = [inUnits(known.minimumMinor), inUnits(minimumMinor)];
    await audit(tx, {
      actor: { kind: 'operator', id: operator },
      action: 'operator.setMinimum',
      subjectKind: 'asset',
      subjectId: asset,
      detail: { before: { minimum: before }, after: { minimum } },
    });
    return { asset, before, minimum };
  });
}

/** Transfers that have not moved for so many minutes, and what each waits for. */
export async function showStuck({ database }: OperatorContext, minutes: number) {
  const rows = await database.withoutCompany((tx) => findStuck(tx, { minutes, most: 1000, withApprovals: true }));
  return rows.map((row) => ({
    companyId: row.companyId,
    company: row.company,
    id: row.id,
    stage: row.stage,
    coin: row.coin,
    payee: row.payee,
    hash: row.hash,
    walletFrozen: row.walletFrozen,
    chain: row.chainId,
    amount: formatAmount(row.quantityMinor, row.decimals),
    since: row.since.toISOString(),
    waitsFor: sayForCommand(waitOf(row)),
  }));
}

/** The commands that deal with what a transfer waits for. */
const commands: Partial<Record<Wait['reason'], string>> = {
  decision: 'payments release',
  address: 'payments held',
  tank: 'payments held',
};

function sayForCommand(wait: Wait): string {
  const command = commands[wait.reason];
  return `${sayWait('en-us', wait)}${command === undefined ? '' : ` (${command})`}`;
}

/** A company's wallets, or the frozen ones of all companies. */
export function showWallets({ database }: OperatorContext, companyId: string | undefined) {
  return database.withoutCompany((tx) => findOperatorWallets(tx, companyId ? { companyId } : { frozen: true }));
}

/** Publishes an announcement to every company; each language needs a title and a text. */
export async function publish({ database, operator }: OperatorContext, texts: AnnouncementTexts) {
  const id = await database.withCompany(nilCompany, async (tx) => {
    const announcementId = await publishAnnouncement(tx, texts, operator);
    await insertPublished(tx, { id: announcementId, texts, by: operator });
    return announcementId;
  });
  return { id, languages: locales.length };
}
