import type { OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type * as calls from '@causeway/contract/operator-outputs.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { explorerPage } from '../../transactions/index.ts';
import type { StaffContext } from '../console/dependencies.ts';
import {
  findOutputSet,
  type OutputRow,
  type OutputSetRow,
  outputList,
  outputSetList,
  spendingCostMinor,
} from './outputs-store.ts';

/** The outputs that companies and the treasury can spend on Bitcoin's chains. */

/** @throws DomainError cursorInvalid */
export async function listSets(
  tx: Tx,
  _context: StaffContext,
  query: Query<typeof calls.listOutputSets>,
): Promise<OutputInput<typeof calls.listOutputSets>> {
  const page = await readPage(tx, outputSetList, query, undefined);
  return { ...page, items: page.items.map(shownSet) };
}

/** @throws DomainError notFound */
export async function getSet(
  tx: Tx,
  _context: StaffContext,
  { chainId, companyId }: { chainId: string; companyId: string },
): Promise<OutputInput<typeof calls.getOutputSet>> {
  return shownSet(await setOf(tx, chainId, companyId));
}

/** @throws DomainError notFound, cursorInvalid */
export async function listOutputs(
  tx: Tx,
  _context: StaffContext,
  query: Query<typeof calls.listOutputs>,
): Promise<OutputInput<typeof calls.listOutputs>> {
  const set = await setOf(tx, query.chainId, query.companyId);
  const page = await readPage(tx, outputList, query, undefined);
  return { ...page, items: page.items.map((row) => shownOutput(row, set)) };
}

/** @throws DomainError notFound */
export async function setOf(tx: Tx, chainId: string, companyId: string): Promise<OutputSetRow> {
  const set = await findOutputSet(tx, chainId, companyId);
  if (!set) throw new DomainError('notFound');
  return set;
}

export function shownOutput(row: OutputRow, { decimals, rate, explorerUrl }: OutputSetRow) {
  const { amountMinor, isChange, seenAt, ...output } = row;
  return {
    ...output,
    quantity: formatAmount(amountMinor, decimals),
    origin: isChange ? ('change' as const) : ('deposit' as const),
    small: rate !== null && amountMinor <= spendingCostMinor(rate),
    seenAt: seenAt.toISOString(),
    explorerUrl: explorerUrl === null ? null : explorerPage(explorerUrl, row.hash),
  };
}

function shownSet(row: OutputSetRow): OutputInput<typeof calls.getOutputSet> {
  const { companyId, companyName, chainId, chainName, explorerUrl, coin, decimals, dust, small, rate } = row;
  const say = (minor: bigint) => formatAmount(minor, decimals);
  return {
    companyId,
    companyName,
    chainId,
    chainName,
    explorerUrl,
    coin,
    confirmed: { count: row.confirmedCount, quantity: say(row.confirmedMinor) },
    waiting: { count: row.waitingCount, quantity: say(row.waitingMinor) },
    leaving: { count: row.leavingCount, quantity: say(row.leavingMinor) },
    dust,
    small,
    spendingCost: rate === null ? null : say(spendingCostMinor(rate)),
    oldestAt: row.oldestAt?.toISOString() ?? null,
    booked: row.bookedMinor === null ? null : say(row.bookedMinor),
    difference: row.bookedMinor === null ? null : say(row.heldMinor - row.bookedMinor),
  };
}
