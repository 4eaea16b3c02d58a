import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type * as calls from '@causeway/contract/operator-exchange.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type OperatorContext } from '../../../platform/session.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { propose, requireActing } from '../console/service/proposals.ts';
import { lockStaff } from '../console/store/accounts.ts';
import { requireFuture } from '../pricing/domain.ts';
import { findAssets, findCompanyName, readClock } from '../pricing/store.ts';
import type { TermsInput } from './kinds.ts';
import { type TermsRow, termsList, withdrawPlanned } from './store.ts';

/** What is added to spreads: proposed by one operator and confirmed by another; what is only planned, one operator takes back. */

export async function listTerms(
  tx: Tx,
  _context: OperatorContext,
  query: Query<typeof calls.listExchangeTerms>,
): Promise<OutputInput<typeof calls.listExchangeTerms>> {
  const page = await readPage(tx, termsList, query, undefined);
  return { ...page, items: page.items.map(shown) };
}

function shown(row: TermsRow): calls.ExchangeTermsRow {
  return {
    id: row.id,
    company: row.companyId === null ? null : { id: row.companyId, name: row.company ?? '' },
    sell: row.sell,
    buy: row.buy,
    fromUsd: formatAmount(row.fromUsdCents, 2),
    basisPoints: row.basisPoints,
    validFrom: row.validFrom.toISOString(),
    validUntil: row.state === 'withdrawn' ? null : (row.validUntil?.toISOString() ?? null),
    state: row.state,
    proposal: { id: row.proposalId, proposedBy: row.proposedBy, confirmedBy: row.confirmedBy },
    withdrawal:
      row.withdrawnAt === null
        ? null
        : { at: row.withdrawnAt.toISOString(), by: row.withdrawnBy ?? '', reason: row.withdrawalReason ?? '' },
  };
}

/** @throws DomainError notFound, assetUnknown, amountFormat, amountTooManyDecimals, amountTooLarge, priceInPast, proposalOpen */
export async function proposeTerms(
  tx: Tx,
  context: StaffContext,
  { companyId = null, sell = null, buy = null, fromUsd, basisPoints, validFrom, reason }: NullableKey,
): Promise<{ proposalId: string }> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.price');
  requireFuture(validFrom, await readClock(tx));
  for (const [field, asset] of [['sell', sell] as const, ['buy', buy] as const]) {
    if (asset !== null && (await findAssets(tx, asset)).length === 0) throw refusal('assetUnknown', {}, field);
  }
  const companyName = companyId === null ? null : await findCompanyName(tx, companyId);
  if (companyId !== null && companyName === null) throw new DomainError('notFound');
  const fromUsdCents = amountOf(fromUsd, { asset: 'USD', decimals: 2 }, 'fromUsd').toString();
  const input: TermsInput = {
    companyId,
    companyName,
    sell,
    buy,
    fromUsdCents,
    basisPoints,
    validFrom: validFrom ?? null,
  };
  const subjectId = [sell ?? '*', buy ?? '*', fromUsdCents, companyId ?? ''].join(' ');
  const subjectName = `${sell ?? '*'} → ${buy ?? '*'}`;
  return { proposalId: await propose(tx, context, { kind: 'exchange.terms', subjectId, subjectName, input, reason }) };
}

type Given = Body<typeof calls.proposeExchangeTerms>;
type NullableKey = Omit<Given, 'companyId' | 'sell' | 'buy'> & {
  [Name in 'companyId' | 'sell' | 'buy']?: Given[Name] | null;
};

/** Takes planned terms back: what holds before holds on. @throws DomainError notFound, priceInForce */
export async function withdrawTerms(
  tx: Tx,
  context: StaffContext,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  await lockStaff(tx);
  const { id: by } = await requireActing(tx, context, 'operator.price');
  const [row] = (await readPage(tx, termsList, { id }, undefined)).items;
  if (!row) throw new DomainError('notFound');
  if (!(await withdrawPlanned(tx, { id, by, reason }))) throw new DomainError('priceInForce');
  await audit(tx, {
    actor: actorOf(context),
    action: 'operator.withdrawExchangeTerms',
    subjectKind: 'exchangeTerms',
    subjectId: id,
    detail: {
      ...(row.sell !== null && { sell: row.sell }),
      ...(row.buy !== null && { buy: row.buy }),
      ...(row.company !== null && { company: row.company }),
      fromUsd: formatAmount(row.fromUsdCents, 2),
      validFrom: row.validFrom.toISOString(),
      reason,
    },
  });
}
