import type { TradeDetail } from '@causeway/contract/trades.ts';
import type { TradeStep } from '@causeway/contract/trades-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
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

/** Whether the goods are elsewhere by this line than by the one before that says where they are: an update can be about anything else. */
function isNewPhase(timeline: TradeDetail['timeline'], index: number): boolean {
  const before = timeline.slice(0, index).findLast(({ phase }) => phase !== null);
  return timeline[index]?.phase != null && before?.phase !== timeline[index].phase;
}

/** Everything that happened to a trade, the latest first. */
export function TradeLines({ timeline, asset }: Pick<TradeDetail, 'timeline' | 'asset'>) {
  const t = useText();
  return (
    <Timeline
      label={t('trades.timeline')}
      stages={timeline
        .map(({ step, at, by, amount, phase, note, version, milestones }, index) => {
          const reached = milestones.length > 0 && t('trades.reached', { names: milestones.join(t('trades.comma')) });
          const isMoved = isNewPhase(timeline, index);
          const words = [
            isMoved && reached,
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
            title:
              step !== 'updated'
                ? t(`trades.step.${step}`)
                : isMoved
                  ? t(`trades.phase.${phase}`)
                  : reached || t('trades.step.updated'),
            at,
            tone: tones[step],
            ...(words.length > 0 && { detail: <span className="wrap-anywhere">{words.join(' · ')}</span> }),
          };
        })
        .toReversed()}
    />
  );
}
