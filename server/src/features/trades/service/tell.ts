import { sayAmount } from '@causeway/contract/money.ts';
import type { TradeSide, TradeStep } from '@causeway/contract/trades-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { notify } from '../../notices/index.ts';
import { findPeople } from '../../organisation/index.ts';
import type { TradeNews } from '../domain.ts';
import type { LineWritten } from '../events.ts';
import { markReminded } from '../store/due.ts';
import { type LineRow, readLine, readLines, readTrade, type TradeRow } from '../store/trades.ts';

/** Notices about trades, and the mails that go with them. They go to those who can act on payments. */

const ofSteps: Partial<Record<TradeStep, string>> = {
  contradicted: 'tradeContradicted',
  cancelled: 'tradeCancelled',
  returned: 'tradeReturned',
  declined: 'tradeDeclined',
  released: 'tradeReleased',
  disputed: 'tradeDisputeRaised',
  release_failed: 'tradeReleaseFailed',
  release_paid: 'tradeReleasePaid',
};
const ofNews: Record<TradeNews, string> = {
  frozen: 'tradeFrozen',
  paid: 'tradePaid',
  refunded: 'tradeRefunded',
  shipped: 'tradeShipped',
  inspected: 'tradeInspected',
  disputed: 'tradeDisputed',
  settled: 'tradeSettled',
  closed: 'tradeClosed',
  milestone: 'tradeMilestone',
};

/** The kind of notice that a line asks for; null: none. Approvals have notices of their own. */
function kindOf(step: TradeStep, news: TradeNews | null, side: TradeSide): string | null {
  if (step === 'announced') return side === 'buyer' ? 'tradeToConfirm' : 'tradeAnnounced';
  if (step === 'updated') return news && ofNews[news];
  return ofSteps[step] ?? null;
}

export async function tell(tx: Tx, { tradeId, lineId, news, byId }: LineWritten): Promise<void> {
  const trade = await readTrade(tx, tradeId);
  const line = await readLine(tx, lineId);
  invariant(trade && line, `line ${lineId} of trade ${tradeId} is kept`);
  // The notice of the cancelling says that what was frozen is back.
  if (line.step === 'returned' && (await wasCancelledBy(tx, tradeId, line.version))) return;
  const kind = kindOf(line.step, news, trade.side);
  if (kind !== null) await give(tx, trade, { kind, sourceId: lineId, line, except: byId });
}

async function wasCancelledBy(tx: Tx, tradeId: string, version: number | null): Promise<boolean> {
  const lines = await readLines(tx, tradeId);
  return lines.some((line) => line.step === 'cancelled' && line.version === version);
}

/** @returns whether a notice was given */
export async function remind(tx: Tx, id: string, period: { from: Date; to: Date }): Promise<boolean> {
  if (!(await markReminded(tx, id, period))) return false;
  const trade = await readTrade(tx, id);
  invariant(trade, 'a trade stays');
  return give(tx, trade, { kind: 'tradeDeadline', sourceId: newId(), line: null, except: null });
}

interface Given {
  kind: string;
  sourceId: string;
  line: LineRow | null;
  /** A member who did it. */
  except: string | null;
}

async function give(tx: Tx, trade: TradeRow, { kind, sourceId, line, except }: Given): Promise<boolean> {
  const people = await findPeople(tx);
  const to = people.filter(
    ({ id, status, permissions }) => id !== except && status === 'active' && permissions.includes('transfer.create'),
  );
  const { side, decimals, asset, number, payerName, payeeName, actBy, billOfLading } = trade;
  return notify(tx, {
    kind,
    sourceId,
    values: {
      number,
      coin: asset,
      side,
      other: side === 'buyer' ? payeeName : payerName,
      amount: sayAmount(line?.amountMinor ?? trade.quantityMinor, decimals),
      by: line?.by ?? '',
      reason: line?.note ?? '',
      billOfLading: billOfLading ?? '–',
      ...(actBy === null ? { deadline: 'none', until: '' } : { deadline: 'set', until: { at: actBy.toISOString() } }),
    },
    link: `/app/wallet/tradego/${trade.id}`,
    to: to.map(({ id }) => id),
  });
}
