import type { OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type * as calls from '@causeway/contract/operator-treasury.ts';
import { type FeePaymentState, feePaymentStates } from '@causeway/contract/operator-treasury-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { type SettlementRow, settlementList, type TreasuryCoinRow } from './settlements-store.ts';
import type { Valuing } from './valuing.ts';

/** The treasury of a chain, and the settlements of exchanged coins. */

/** @throws DomainError cursorInvalid */
export async function listSettlements(
  tx: Tx,
  context: StaffContext,
  query: Query<typeof calls.listSettlements>,
): Promise<OutputInput<typeof calls.listSettlements>> {
  const page = await readPage(tx, settlementList, query, undefined);
  return {
    ...page,
    items: page.items.map(({ decimals, amountMinor, stage, failureReason, at, ...row }: SettlementRow) => ({
      ...row,
      quantity: formatAmount(amountMinor, decimals),
      state: stateOf(stage),
      at: at.toISOString(),
      problem: failureReason === null ? null : translate(context.locale, failureReason),
    })),
  };
}

/** One without a payment is done by its legs. */
function stateOf(stage: string | null): FeePaymentState {
  if (stage === null) return 'completed';
  return feePaymentStates.find((state) => state === stage) ?? (stage === 'submitted' ? 'approved' : 'failed');
}

/** Null where the chain has no treasury. */
export function shownTreasury(rows: readonly TreasuryCoinRow[], usdOf: Valuing) {
  const [first] = rows;
  if (!first) return null;
  const readAt = rows.flatMap((row) => row.readAt ?? []).sort((a, b) => a.getTime() - b.getTime())[0];
  return {
    address: first.address,
    readAt: readAt?.toISOString() ?? null,
    coins: rows.map(({ coin, decimals, balanceMinor, ...row }) => {
      const say = (minor: bigint) => formatAmount(minor, decimals);
      return {
        coin,
        balance: balanceMinor === null ? null : say(balanceMinor),
        usd: balanceMinor === null ? null : usdOf(coin, decimals, balanceMinor),
        owed: say(row.owedMinor),
        due: say(row.dueMinor),
        underWayIn: say(row.inMinor),
        underWayOut: say(row.outMinor),
        missing: row.missingMinor === null ? null : say(row.missingMinor),
      };
    }),
  };
}
