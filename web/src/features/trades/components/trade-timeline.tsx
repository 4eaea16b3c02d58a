import type { TradeDetail } from '@causeway/contract/trades.ts';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { Timeline } from '../../../ui/timeline.tsx';
import { TradeLines } from './trade-lines.tsx';

/** Everything that happened to a trade, the latest first, and what the platform was informed of. */
export function TradeTimeline({ trade }: { trade: TradeDetail }) {
  const t = useText();
  const { timeline, asset, messages } = trade;
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Card title={t('trades.timeline')}>
        <TradeLines timeline={timeline} asset={asset} />
      </Card>
      {messages.length > 0 && (
        <Card title={t('trades.messages')}>
          <Timeline
            label={t('trades.messages')}
            stages={messages
              .map(({ type, at, deliveredAt, attempts, problem }, index) => ({
                key: String(index),
                title: t(`trades.message.${type}`),
                at,
                tone:
                  deliveredAt !== null
                    ? ('positive' as const)
                    : problem === null
                      ? ('progress' as const)
                      : ('pending' as const),
                detail: t(
                  deliveredAt !== null
                    ? 'trades.message.accepted'
                    : problem === null
                      ? 'trades.message.waits'
                      : 'trades.message.repeated',
                  { attempts },
                ),
              }))
              .toReversed()}
          />
        </Card>
      )}
    </div>
  );
}
