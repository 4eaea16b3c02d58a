import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { addressKindOf, feeOf, latestSends, type Send } from '../../chains/index.ts';
import { accountsByKind, findPosting, move, post } from '../../ledger/index.ts';
import { finalKind } from '../../outgoing/index.ts';
import type { LifecycleRow } from '../../transactions/index.ts';
import { isLacking } from './coin-selection.ts';
import { type BitcoinPlan, paidBy, paymentsOf, paysLessThan, planOf, shareOf } from './plan.ts';
import { coinsOf } from './planning.ts';
import { rateOf, selectable } from './quoting.ts';
import { replacement } from './replacement.ts';
import { findAccelerated } from './store/accelerations.ts';
import { type FeeRates, findFeeRates, findPromisedFee, type PromisedFee, setPromisedFee } from './store/fees.ts';
import { findRaisedTo, setRaisedTo } from './store/joined.ts';
import { isChangeUsed, spendableOutputs } from './store/outputs.ts';

/** A member raises the fee of a transfer that waits for a block; the worker then replaces it (docs/adr/0089). Amounts in satoshis. */

export interface RaisedFee {
  /** Of the attempt that waits; where it makes several payments, of all of them, as the raised fee. */
  formerMinor: bigint;
  formerVsize: number;
  networkFeeMinor: bigint;
  vsize: number;
}

/** What the next block would cost a transfer. Null: it waits for none, it is raised already, its change is spent, or its coins do not suffice. */
export async function offerRaise(tx: Tx, transfer: LifecycleRow): Promise<RaisedFee | 'noRates' | 'staleRates' | null> {
  const { id, chainId, companyId, stage } = transfer;
  if (chainId === null || stage !== 'broadcast') return null;
  const [send] = await latestSends(tx, id, 'transfer');
  const promised = await findPromisedFee(tx, id);
  if (!send || !waits(send) || promised === null) return null;
  const plan = planOf(send);
  const paid = paidBy(plan);
  if (await isRaised(tx, send, promised)) return null;
  if (send.hash === null || (await isChangeUsed(tx, companyId, chainId, send.hash))) return null;
  const rates = await findFeeRates(tx, chainId);
  if (rates === null) return 'noRates';
  if (rates.isStale) return 'staleRates';
  const found = replacement(
    {
      inputs: coinsOf(plan),
      outputs: paid.map(({ address, amountMinor }) => ({
        kind: addressKindOf(address),
        amountMinor: BigInt(amountMinor),
      })),
      changeKind: 'p2wpkh',
      feeMinor: BigInt(plan.feeMinor),
      vsize: plan.vsize,
    },
    {
      feeRate: rateOf(await urgentRate(tx, id, plan, rates)),
      // An acceleration spends the deposit alone.
      coins: plan.parent === undefined ? (await spendableOutputs(tx, companyId, chainId)).map(selectable) : [],
    },
  );
  if (isLacking(found)) return null;
  return {
    formerMinor: BigInt(plan.feeMinor),
    formerVsize: plan.vsize,
    networkFeeMinor: found.feeMinor,
    vsize: found.vsize,
  };
}

/** Whether its initiator, or that of a payment of the same transaction, has raised the fee, and no attempt has it yet. */
async function isRaised(tx: Tx, send: Send, { networkFeeMinor }: PromisedFee): Promise<boolean> {
  const plan = planOf(send);
  if (plan.joined === undefined) return paysLessThan(plan, networkFeeMinor);
  const raised = await findRaisedTo(tx, paymentsOf(send));
  return raised !== null && paysLessThan(plan, raised.feeMinor);
}

/** In thousandths: what a transfer pays for the next block; of an acceleration, so that both it and the deposit come to that. */
async function urgentRate(tx: Tx, id: string, { vsize }: BitcoinPlan, { urgent }: FeeRates): Promise<number> {
  const parent = await findAccelerated(tx, id);
  if (parent === null) return urgent;
  const lackingMinor = feeOf(parent.vsize + vsize, BigInt(urgent)) - parent.feeMinor;
  return Math.max(urgent, Math.ceil((Number(lackingMinor) * 1000) / vsize));
}

function waits({ raw, minedBlock, finalAt, isEmpty, emptyWantedAt }: Send): boolean {
  return raw !== null && minedBlock === null && finalAt === null && !isEmpty && emptyWantedAt === null;
}

/**
 * Holds what the fee is raised by, and promises it: of several payments in one transaction the one whose initiator raises it pays all that is added.
 * @throws DomainError insufficientBalance
 */
export async function raiseFee(
  tx: Tx,
  { id, walletId, feeMinor }: LifecycleRow,
  { formerMinor }: Pick<RaisedFee, 'formerMinor'>,
  networkFeeMinor: bigint,
): Promise<bigint> {
  const extraMinor = networkFeeMinor - formerMinor;
  const { available, outbound } = await accountsByKind(tx, walletId, ['available', 'outbound']);
  await post(tx, {
    id: newId(),
    kind: await nextRaise(tx, id),
    sourceId: id,
    description: 'network fee raised',
    legs: move(available.id, outbound.id, extraMinor),
  });
  await setFee(tx, id, feeMinor + extraMinor);
  const [send] = await latestSends(tx, id, 'transfer');
  const promised = await findPromisedFee(tx, id);
  if (send && promised && planOf(send).joined !== undefined) {
    await setPromisedFee(tx, id, promised.networkFeeMinor + extraMinor);
    await setRaisedTo(tx, id, networkFeeMinor);
  } else await setPromisedFee(tx, id, networkFeeMinor);
  return feeMinor + extraMinor;
}

/**
 * What the miner did not get of the promised fee goes back to the company before its payment is settled: an attempt before the fee was raised
 * may be the one that a block has, and what would have been dust is not taken.
 */
export async function chargeFee(tx: Tx, transfer: LifecycleRow, send: Send): Promise<LifecycleRow> {
  const promised = await findPromisedFee(tx, transfer.id);
  if (promised === null) return transfer;
  if (planOf(send).joined !== undefined) await setRaisedTo(tx, transfer.id, null);
  const unusedMinor = promised.networkFeeMinor - shareOf(send);
  if (unusedMinor <= 0n || transfer.status !== 'pending') return transfer;
  const { available, outbound } = await accountsByKind(tx, transfer.walletId, ['available', 'outbound']);
  await post(tx, {
    id: newId(),
    kind: finalKind('transfer.unused', send.finals),
    sourceId: transfer.id,
    description: 'unused network fee given back',
    legs: move(outbound.id, available.id, unusedMinor),
  });
  const feeMinor = transfer.feeMinor - unusedMinor;
  await setFee(tx, transfer.id, feeMinor);
  await setPromisedFee(tx, transfer.id, promised.networkFeeMinor - unusedMinor);
  return { ...transfer, feeMinor };
}

/** A fee is raised once more where the attempt that it was raised for lost its block. */
async function nextRaise(tx: Tx, id: string): Promise<string> {
  for (let raises = 0; ; raises += 1) {
    const kind = finalKind('transfer.raise', raises);
    if ((await findPosting(tx, id, kind)) === null) return kind;
  }
}

async function setFee(tx: Tx, id: string, feeMinor: bigint): Promise<void> {
  await sql`
    update transaction set fee = ${feeMinor.toString()}, updated_at = now()
    where company_id = company_id() and id = ${id}`.execute(tx);
}
