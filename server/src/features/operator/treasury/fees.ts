import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import { type ErrorKey, errors } from '@causeway/contract/errors.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type * as calls from '@causeway/contract/operator-treasury.ts';
import { type FeePaymentState, feePaymentStates } from '@causeway/contract/operator-treasury-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { translate } from '../../../platform/text/texts.ts';
import { findChains } from '../../chains/index.ts';
import { amountOf } from '../../ledger/index.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { propose, requireActing } from '../console/service/proposals.ts';
import { lockStaff } from '../console/store/accounts.ts';
import { findAddress } from './addresses-store.ts';
import { chooseSources } from './domain.ts';
import { type FeePaymentRow, findFeeSources, findFeeTotals, paymentList, sourceList } from './fees-store.ts';
import type { FeesInput } from './kinds.ts';
import { valuing } from './valuing.ts';

/** Fees that lie at companies' addresses, and their collection. */

export async function list(tx: Tx, context: StaffContext): Promise<OutputInput<typeof calls.listCollectableFees>> {
  const usdOf = await valuing(tx, context.clock.now());
  const totals = await findFeeTotals(tx);
  return {
    fees: totals.map(({ decimals, feeMinor, underWayMinor, collectedMinor, ...row }) => ({
      ...row,
      quantity: formatAmount(feeMinor, decimals),
      usd: usdOf(row.coin, decimals, feeMinor),
      underWay: formatAmount(underWayMinor, decimals),
      collected: formatAmount(collectedMinor, decimals),
    })),
  };
}

/** @throws DomainError notFound, cursorInvalid */
export async function listSources(
  tx: Tx,
  _context: StaffContext,
  query: Query<typeof calls.listFeeSources>,
): Promise<OutputInput<typeof calls.listFeeSources>> {
  const { decimals } = await coinOf(tx, query.chainId, query.coin);
  const page = await readPage(tx, sourceList, query, undefined);
  return {
    ...page,
    items: page.items.map(({ walletId, companyId, companyName, address, frozen, feeMinor, underWayMinor }) => ({
      id: walletId,
      companyId,
      companyName,
      address,
      frozen,
      quantity: formatAmount(feeMinor, decimals),
      underWay: formatAmount(underWayMinor, decimals),
    })),
  };
}

/**
 * @throws DomainError notFound, treasuryAddressGone, feesNone, proposalOpen, and those of an amount on `minimum`
 */
export async function proposeWithdrawal(
  tx: Tx,
  context: StaffContext,
  input: Body<typeof calls.proposeFeeWithdrawal> & { chainId: string; coin: string },
): Promise<OutputInput<typeof calls.proposeFeeWithdrawal>> {
  const { chainId, coin, addressId, minimum, reason } = input;
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.treasury');
  const { decimals, chainName } = await coinOf(tx, chainId, coin);
  const minimumMinor = amountOf(minimum, { asset: coin, decimals }, 'minimum');
  const address = await findAddress(tx, addressId, { lock: true });
  if (!address || address.removedAt !== null || address.chainId !== chainId) {
    throw new DomainError('treasuryAddressGone', {}, { addressId: 'error.treasuryAddressGone' });
  }
  const chosen = chooseSources(await findFeeSources(tx, chainId, coin), minimumMinor);
  if (chosen.length === 0) throw new DomainError('feesNone', { coin });
  const fees: FeesInput = {
    chainId,
    chainName,
    coin,
    decimals,
    addressId,
    address: address.address,
    name: address.label,
    parts: chosen.map(({ source: { companyId, companyName, walletId }, amountMinor }) => ({
      id: newId(),
      companyId,
      companyName,
      walletId,
      amount: amountMinor.toString(),
    })),
  };
  const subject = { subjectId: `${chainId}:${coin}`, subjectName: `${coin} · ${chainName}` };
  const proposalId = await propose(tx, context, { kind: 'fees.withdraw', ...subject, input: fees, reason });
  const totalMinor = chosen.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  return { proposalId, payments: chosen.length, total: { asset: coin, quantity: formatAmount(totalMinor, decimals) } };
}

/** @throws DomainError cursorInvalid */
export async function listPayments(
  tx: Tx,
  context: StaffContext,
  query: Query<typeof calls.listFeePayments>,
): Promise<OutputInput<typeof calls.listFeePayments>> {
  const page = await readPage(tx, paymentList, query, undefined);
  return { ...page, items: page.items.map((row) => shown(row, context.locale)) };
}

function shown({ decimals, amountMinor, stage, refusal, failureReason, at, ...row }: FeePaymentRow, locale: Locale) {
  return {
    ...row,
    quantity: formatAmount(amountMinor, decimals),
    state: stateOf(stage, refusal),
    at: at.toISOString(),
    problem:
      refusal !== null && isErrorKey(refusal)
        ? translate(locale, `error.${refusal}`)
        : failureReason === null
          ? null
          : translate(locale, failureReason),
  };
}

function stateOf(stage: string | null, refusal: string | null): FeePaymentState {
  if (stage === null) return refusal === null ? 'waiting' : 'refused';
  return feePaymentStates.find((state) => state === stage) ?? 'failed';
}

function isErrorKey(text: string): text is ErrorKey {
  return text in errors;
}

async function coinOf(tx: Tx, chainId: string, coin: string): Promise<{ decimals: number; chainName: string }> {
  const chain = (await findChains(tx)).find(({ id }) => id === chainId);
  const known = chain?.coins.find((one) => one.coin === coin);
  if (!chain || !known) throw new DomainError('notFound');
  return { decimals: known.decimals, chainName: chain.name };
}
