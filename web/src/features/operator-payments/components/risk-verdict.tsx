import type { Explanation, RiskCheck } from '@causeway/contract/risk.ts';
import { useText } from '../../../lib/locale.tsx';
import { StatusDot, Tag, type Tone } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';

const outcomeTones: Record<RiskCheck['outcome'], Tone> = {
  stopped: 'negative',
  exempted: 'positive',
  passed: 'positive',
  notConcerned: 'neutral',
};

/** Why risk let it pass or stopped it, each time it was judged, by the company's policies as they were then. */
export function RiskVerdict({ risk: { judgements } }: { risk: Explanation }) {
  const t = useText();
  return (
    <ol className="m-0 flex list-none flex-col gap-5 p-0">
      {judgements.map(({ id, at, moment, allowed, sentence, checks }) => (
        <li key={id} className="flex flex-col gap-2">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <StatusDot tone={allowed ? 'positive' : 'negative'}>
              <span className="font-medium">{t(allowed ? 'ops.risk.allowed' : 'ops.risk.stopped')}</span>
            </StatusDot>
            <Tag>{t(`ops.risk.moment.${moment}`)}</Tag>
            <span className="text-12 text-faint">
              <Time at={at} />
            </span>
          </span>
          <p className="m-0 break-words">{sentence}</p>
          <details>
            <summary className="cursor-pointer text-13 text-accent">{t('ops.risk.checks')}</summary>
            <ol className="m-0 mt-2 list-none rounded-10 border border-line p-0">
              {checks.map((check, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a step that found nothing has no name but its place
                <li key={index} className="flex flex-col gap-0.5 border-line px-4 py-2.5 not-last:border-b">
                  <span className="flex flex-wrap items-baseline justify-between gap-x-4">
                    <span className="font-medium break-words">{check.name}</span>
                    <StatusDot tone={outcomeTones[check.outcome]}>{t(`ops.risk.outcome.${check.outcome}`)}</StatusDot>
                  </span>
                  <span className="text-13 break-words text-muted">{check.saw}</span>
                  <span className="text-13 break-words text-muted">{check.why}</span>
                </li>
              ))}
            </ol>
          </details>
        </li>
      ))}
    </ol>
  );
}
