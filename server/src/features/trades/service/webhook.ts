import { formatAmount } from '@causeway/contract/money.ts';
import type { TradeStep } from '@causeway/contract/trades-rules.ts';
import type { WebhookEventType } from '@causeway/contract/webhooks-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { noteEvent } from '../../webhooks/index.ts';
import type { LineWritten } from '../events.ts';
import { findReleaseOf } from '../store/releases.ts';
import { type LineRow, readLine, readTrade } from '../store/trades.ts';
import { shownTrade } from './list.ts';

/** Which event it is that a line is written; the others are steps of an approval. */
const types: Partial<Record<TradeStep, WebhookEventType>> = {
  announced: 'trade.announced',
  updated: 'trade.updated',
  contradicted: 'trade.contradicted',
  frozen: 'trade.frozen',
  declined: 'trade.declined',
  released: 'trade.released',
  returned: 'trade.returned',
  disputed: 'trade.disputed',
  cancelled: 'trade.cancelled',
  release_failed: 'trade.release_failed',
  release_paid: 'trade.release_paid',
};

/** Makes the webhook of a line, once; a line's id is its event's. */
export async function noteLine(tx: Tx, { tradeId, lineId }: LineWritten): Promise<void> {
  const line = await readLine(tx, lineId);
  const trade = await readTrade(tx, tradeId);
  invariant(trade && line, `line ${lineId} of trade ${tradeId} is kept`);
  const type = types[line.step];
  if (type === undefined) return;
  const transactionId = line.step === 'released' ? await findReleaseOf(tx, lineId) : line.transactionId;
  const body = bodyOf(type, {
    shown: shownTrade(trade),
    version: trade.version,
    line,
    transactionId,
    decimals: trade.decimals,
  });
  await noteEvent(tx, { id: lineId, type, transactionId, body, at: line.at });
}

interface Noted {
  shown: ReturnType<typeof shownTrade>;
  version: number;
  line: LineRow;
  transactionId: string | null;
  decimals: number;
}

/** As docs/WEBHOOKS.md describes it: the line, and the trade as it is when the event is written. */
function bodyOf(type: WebhookEventType, { shown, version, line, transactionId, decimals }: Noted): string {
  const { id, number, side, state, phase, chainId, asset, quantity, frozen, paid, paying, refunded } = shown;
  return JSON.stringify({
    type,
    timestamp: line.at.toISOString(),
    data: {
      ...{
        tradeId: id,
        number,
        version,
        side,
        state,
        phase,
        chain: chainId,
        asset,
        quantity,
        frozen,
        paid,
        paying,
        refunded,
      },
      amount: line.amountMinor === null ? null : formatAmount(line.amountMinor, decimals),
      transactionId,
      note: line.note,
      payer: shown.payer,
      payee: shown.payee,
      billOfLading: shown.billOfLading,
      actor: shown.actor,
      actBy: shown.actBy,
    },
  });
}
