import type { OperatorTradeDetail } from '@causeway/contract/operator-trades.ts';
import { useText } from '../../../lib/locale.tsx';
import { StatusDot, type Tone } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { RawBody } from './raw-body.tsx';

type Event = OperatorTradeDetail['events'][number];

const tones: Record<Event['outcome'], Tone> = { applied: 'positive', contradicted: 'negative', waiting: 'pending' };

/** Every event of the platform as it arrived, the latest first. */
export function ReceivedEvents({ events }: { events: readonly Event[] }) {
  const t = useText();
  return (
    <ol className="m-0 flex list-none flex-col gap-4 p-0">
      {events.toReversed().map(({ version, messageId, outcome, receivedAt, body }) => (
        <li key={version} className="flex flex-col gap-1.5 border-b border-line pb-4 last:border-b-0 last:pb-0">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
            <span className="font-medium">{t('ops.trades.version', { version })}</span>
            <span className="text-12 text-faint">
              <Time at={receivedAt} />
            </span>
          </div>
          <StatusDot tone={tones[outcome]}>{t(`ops.trades.outcome.${outcome}`)}</StatusDot>
          <span className="font-mono text-12 text-faint wrap-anywhere">{messageId}</span>
          <RawBody text={body} label={t('ops.trades.asReceived')} />
        </li>
      ))}
    </ol>
  );
}
