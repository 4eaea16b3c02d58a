import type { ExceptionWork } from '@causeway/contract/operator-exceptions.ts';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { actTones } from '../../operator/index.ts';

/** What operators have proposed, and what the worker made of it within a day; each leads to its proposal. */
export function ActWork({ work }: { work: readonly ExceptionWork[] }) {
  const t = useText();
  if (work.length === 0) return null;
  return (
    <Card flush title={t('ops.exceptions.work')}>
      <ul aria-label={t('ops.exceptions.work')} className="m-0 list-none p-0">
        {work.map(({ proposalId, title, state, at, by }) => (
          <li key={proposalId} className="border-line not-last:border-b">
            <PlainLink
              href={`/app/confirmations/${proposalId}`}
              className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-3 text-text no-underline -outline-offset-2 hover:bg-hover"
            >
              <span className="min-w-0 font-medium wrap-anywhere">{title}</span>
              <span className="flex flex-wrap items-baseline gap-x-4 text-13 text-faint">
                <StatusDot tone={state === 'open' ? 'pending' : actTones[state]}>
                  {t(`ops.exceptions.state.${state}`)}
                </StatusDot>
                <span>
                  {by} · <Time at={at} />
                </span>
              </span>
            </PlainLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}
