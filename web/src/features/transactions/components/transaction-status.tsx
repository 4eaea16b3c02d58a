import type { Transaction } from '@causeway/contract/transactions.ts';
import { useText } from '../../../lib/locale.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { pendingTone, stageText, statusTexts } from '../words.ts';

type Row = Pick<Transaction, 'status' | 'stage' | 'confirmations' | 'confirmationsNeeded'> & { heldUp?: boolean };

/** The status' word; a pending transaction also shows its stage. */
export function TransactionStatusWord({ row }: { row: Row }) {
  const t = useText();
  const { text, tone } = statusTexts[row.status];
  const said = row.status === 'completed' || row.stage === row.status;
  return (
    <StatusDot
      tone={row.status === 'pending' ? pendingTone(row) : tone}
      {...(!said && { detail: <StageWord row={row} /> })}
    >
      {t(text)}
    </StatusDot>
  );
}

/** The stage; while the chain confirms it, with the confirmations. */
function StageWord({ row }: { row: Row }) {
  const t = useText();
  if (row.status === 'pending' && row.confirmations !== null && row.confirmationsNeeded !== null) {
    return t('transactions.confirmations', { have: row.confirmations, need: row.confirmationsNeeded });
  }
  return t(stageText(row));
}
