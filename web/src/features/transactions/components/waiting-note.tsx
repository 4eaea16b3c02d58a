import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Banner } from '../../../ui/states.tsx';
import { pendingTone } from '../words.ts';

/** A pending thing always says what it waits for and since when. */
export function WaitingNote({ detail }: { detail: TransactionDetail }) {
  const t = useText();
  const formats = useFormats();
  if (detail.waitingFor === null) return null;
  const inReview = detail.stage === 'waiting_approval' && detail.approvalTaskId !== null;
  return (
    <Banner kind={pendingTone(detail)}>
      {inReview ? t('transactions.waitingForApproval', { names: detail.waitingFor }) : detail.waitingFor}
      {detail.waitingSince !== null && (
        <span className="text-muted" title={formats.relative(detail.waitingSince)}>
          {' · '}
          {t('transactions.panel.since', { time: formats.dateTime(detail.waitingSince) })}
        </span>
      )}
      {detail.expectedAt !== null && (
        <span>
          {' · '}
          {t('transactions.panel.expected', { time: formats.time(detail.expectedAt) })}
        </span>
      )}
    </Banner>
  );
}
