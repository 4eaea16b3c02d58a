import { formatAmount } from '@causeway/contract/money.ts';
import type { OperatorTransactionDetail, PaymentAttempt } from '@causeway/contract/operator-transactions.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { outpointKey } from '../../chains/index.ts';
import { explorerPage } from '../../transactions/index.ts';
import {
  type AnswerRow,
  type AttemptRow,
  findAnswers,
  findAttempts,
  findQueue,
  type SpendingPlan,
} from './attempts-store.ts';

/** Every attempt of a payment with what the nodes said of it, the newest first. */
export async function attemptsOf(tx: Tx, transactionId: string): Promise<PaymentAttempt[]> {
  const rows = await findAttempts(tx, transactionId);
  const answers = await findAnswers(tx, [...new Set(rows.map(({ paymentId }) => paymentId))]);
  return rows.map((row) => shown(row, rows, answers));
}

export async function queueOf(tx: Tx, transactionId: string): Promise<OperatorTransactionDetail['queue']> {
  const row = await findQueue(tx, transactionId);
  if (!row) return null;
  const { chainId, ...queue } = row;
  return { ...queue, chain: chainId };
}

function shown(row: AttemptRow, all: readonly AttemptRow[], answers: readonly AnswerRow[]): PaymentAttempt {
  const whole = (minor: bigint | null) => (minor === null ? null : formatAmount(minor, row.feeDecimals));
  const later = all.filter(({ paymentId, attempt }) => paymentId === row.paymentId && attempt > row.attempt);
  const next = later.reduce<AttemptRow | null>(
    (found, one) => (found === null || one.attempt < found.attempt ? one : found),
    null,
  );
  return {
    kind: row.kind,
    attempt: row.attempt,
    state: stateOf(row, later.length > 0),
    from: row.from,
    nonce: row.nonce,
    maxFeePerGas: inGwei(row.maxFeePerGas),
    maxPriorityFeePerGas: inGwei(row.maxPriorityFeePerGas),
    gasLimit: row.gasLimit?.toString() ?? null,
    spends: row.plan && spendingOf(row.plan, row),
    networkFee: whole(row.gasCost),
    feeCoin: row.feeCoin,
    hash: row.hash,
    explorerUrl: row.explorerUrl === null || row.hash === null ? null : explorerPage(row.explorerUrl, row.hash),
    replacedBy: next?.hash ?? null,
    createdAt: row.createdAt.toISOString(),
    firstBroadcastAt: row.firstBroadcastAt?.toISOString() ?? null,
    lastBroadcastAt: row.lastBroadcastAt?.toISOString() ?? null,
    minedBlock: row.minedBlock,
    finalAt: row.finalAt?.toISOString() ?? null,
    answers: answers
      .filter(({ paymentId, attempt }) => paymentId === row.paymentId && attempt === row.attempt)
      .map(({ node, answer, words, firstAt, lastAt, times }) => ({
        node,
        answer,
        words: words === '' ? null : words,
        firstAt: firstAt.toISOString(),
        lastAt: lastAt.toISOString(),
        times,
      })),
  };
}

/** A transaction may have more than a thousand. */
const inputsShown = 20;

function spendingOf(
  { inputs, outputs, joined = [], feeMinor, vsize }: SpendingPlan,
  { kind, feeDecimals: decimals, lost }: AttemptRow,
): PaymentAttempt['spends'] {
  const say = (minor: string) => formatAmount(BigInt(minor), decimals);
  const lossOf = (output: string) => {
    const loss = lost[output];
    return loss ? { since: new Date(loss.since).toISOString(), replacedBy: loss.replacedBy } : null;
  };
  return {
    inputs: inputs.slice(0, inputsShown).map((input) => ({
      output: outpointKey(input),
      address: input.address,
      quantity: say(input.amountMinor),
      lost: lossOf(outpointKey(input)),
    })),
    inputCount: inputs.length,
    payments: joined.map(({ paymentId, shareMinor }, place) => {
      const paid = kind === 'empty' ? undefined : outputs[place];
      return {
        id: paymentId,
        payee: paid?.address ?? null,
        quantity: paid ? say(paid.amountMinor) : null,
        share: say(shareMinor),
      };
    }),
    fee: say(feeMinor),
    feeRate: (Number(feeMinor) / vsize).toFixed(1),
    size: vsize,
  };
}

const gweiDecimals = 9;

function inGwei(wei: bigint | null): string | null {
  return wei === null ? null : formatAmount(wei, gweiDecimals);
}

/** Of a payment's attempts a block has one at the most; the others are replaced by it, whichever came first. */
function stateOf(row: AttemptRow, isReplaced: boolean): PaymentAttempt['state'] {
  if (row.minedBlock !== null) return row.finalAt === null ? 'mined' : 'final';
  if (row.supersededAt !== null) return 'superseded';
  if (isReplaced || row.finalAt !== null) return 'replaced';
  if (row.hash === null) return 'unsigned';
  return row.firstBroadcastAt === null ? 'signed' : 'broadcast';
}
