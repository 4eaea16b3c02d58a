import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { LinkedText } from '../../../ui/linked-text.tsx';
import { Banner } from '../../../ui/states.tsx';
import { pendingTone } from '../words.ts';

interface Props {
  detail: TransactionDetail;
  /** The page of another transaction, for one that has to go first. */
  hrefOf: (id: string) => string;
}

const idIn = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** A pending thing always says what it waits for and since when. */
export function WaitingNote({ detail, hrefOf }: Props) {
  const t = useText();
  const formats = useFormats();
  if (detail.waitingFor === null) return null;
  const inReview = detail.stage === 'waiting_approval' && detail.approvalTaskId !== null;
  const first = idIn.exec(detail.waitingFor)?.[0];
  return (
    <Banner kind={pendingTone(detail)}>
      {inReview ? (
        t('transactions.waitingForApproval', { names: detail.waitingFor })
      ) : (
        <LinkedText
          text={detail.waitingFor}
          links={first === undefined ? [] : [{ value: first, link: hrefOf(first) }]}
        />
      )}
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
