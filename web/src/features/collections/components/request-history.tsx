import type { PaymentRequestStep } from '@causeway/contract/payment-requests-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import type { Tone } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { Timeline } from '../../../ui/timeline.tsx';
import type { Request } from '../api.ts';
import { reminderLine } from '../words.ts';

const tones: Partial<Record<PaymentRequestStep, Tone>> = {
  credited: 'positive',
  settled: 'positive',
  settled_by_hand: 'positive',
  accepted: 'positive',
  refunded: 'positive',
  unresolved: 'pending',
  taken_back: 'negative',
  refund_failed: 'negative',
  expired: 'negative',
  cancelled: 'negative',
};

/** What happened to the request, from the first line down. */
export function RequestHistory({ request }: { request: Request }) {
  const t = useText();
  return (
    <Card title={t('collections.history')}>
      <Timeline
        label={t('collections.history')}
        stages={request.timeline.map((line, index) => ({
          key: `${index}-${line.step}`,
          title: t(`collections.step.${line.step}`),
          at: line.at,
          tone: tones[line.step] ?? 'progress',
          detail: <Detail line={line} />,
        }))}
      />
    </Card>
  );
}

function Detail({ line }: { line: Request['timeline'][number] }) {
  const t = useText();
  const parts = [
    line.amount !== null && line.asset !== null ? amountLine(line.amount, line.asset) : '',
    line.causes.map((cause) => t(`collections.cause.${cause}`)).join(' · '),
    line.by ?? '',
    line.note,
  ].filter(Boolean);
  return (
    <span className="flex flex-wrap gap-x-3">
      <span className="wrap-anywhere">{parts.join(' · ')}</span>
      {line.transactionId !== null && (
        <PlainLink href={`/app/transaction/${line.transactionId}`} className="text-accent">
          {t('collections.payment.openTransaction')}
        </PlainLink>
      )}
    </span>
  );
}

/** When the payer is reminded, and was. */
export function ReminderCard({ request: { reminders } }: { request: Request }) {
  const t = useText();
  const { days, nextOn, stoppedAt, sent } = reminders;
  if (days.length === 0 && sent.length === 0) return null;
  return (
    <Card title={t('collections.field.reminders')}>
      <div className="flex flex-col gap-2 text-13">
        {days.length > 0 && <p className="m-0">{days.map((day) => reminderLine(t, day)).join(' · ')}</p>}
        {stoppedAt !== null ? (
          <p className="m-0 text-pending">
            {t('collections.reminders.stopped')} <Time at={stoppedAt} />
          </p>
        ) : (
          nextOn !== null && <p className="m-0 text-muted">{t('collections.reminders.next', { day: nextOn })}</p>
        )}
        {sent.length > 0 && (
          <ul className="m-0 flex list-none flex-col gap-1 p-0 text-muted">
            {sent.map(({ at, by }) => (
              <li key={at}>
                <Time at={at} />
                {by !== null && ` · ${by}`}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}
