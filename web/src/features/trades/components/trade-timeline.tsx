import type { TradeDetail } from '@causeway/contract/trades.ts';
import type { TradeStep } from '@causeway/contract/trades-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import type { Tone } from '../../../ui/status-dot.tsx';
import { Timeline } from '../../../ui/timeline.tsx';

const tones: Record<TradeStep, Tone> = {
  announced: 'progress',
  updated: 'progress',
  contradicted: 'negative',
  submitted: 'pending',
  frozen: 'positive',
  refused: 'negative',
  withdrawn: 'neutral',
  declined: 'negative',
  released: 'positive',
  returned: 'notice',
  disputed: 'negative',
  cancelled: 'negative',
  release_failed: 'negative',
  release_paid: 'notice',
  refrozen: 'positive',
};

/** Everything that happened to a trade, the latest first, and what the platform was informed of. */
export function TradeTimeline({ trade }: { trade: TradeDetail }) {
  const t = useText();
  const { timeline, asset, messages } = trade;
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Card title={t('trades.timeline')}>
        <Timeline
          label={t('trades.timeline')}
          stages={timeline
            .map(({ step, at, by, amount, phase, note, version }, index) => {
              const words = [
                amount !== null && amountLine(amount, asset),
                by,
                step === 'contradicted'
                  ? note
                      .split(', ')
                      .map((field) => t(`trades.term.${field}`))
                      .join(t('trades.comma'))
                  : note,
                version !== null && t('trades.version', { version }),
              ].filter(Boolean);
              return {
                key: String(index),
                title: step === 'updated' && phase !== null ? t(`trades.phase.${phase}`) : t(`trades.step.${step}`),
                at,
                tone: tones[step],
                ...(words.length > 0 && { detail: <span className="wrap-anywhere">{words.join(' · ')}</span> }),
              };
            })
            .toReversed()}
        />
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
