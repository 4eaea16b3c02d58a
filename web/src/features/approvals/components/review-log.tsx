import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useReviewLogs } from '../api.ts';
import { ChangeDifference } from './task-change.tsx';

/** Every change of the approval settings: who, when, what it was before and after. */
export function ReviewLog() {
  const t = useText();
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const logs = useReviewLogs({ size: '10', ...(cursor !== undefined && { cursor }) });
  const { data } = logs;
  const next = data?.next ?? null;
  return (
    <Card title={t('approvals.log')}>
      {data === undefined && logs.error !== null ? (
        <ErrorState error={logs.error} onRetry={() => void logs.refetch()} />
      ) : (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-32" />}>
          {data?.items.length === 0 && <EmptyState title={t('approvals.log.empty')} />}
          <ul className="m-0 flex list-none flex-col p-0">
            {data?.items.map(({ id, at, actor, text, change, taskId }) => (
              <li key={id} className="border-line py-2.5 not-last:border-b">
                <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                  <span className="min-w-0 break-words">{text}</span>
                  <span className="text-12 text-faint">
                    {actor ?? t('approvals.system')} · <Time at={at} />
                  </span>
                </div>
                {change !== null && (
                  <details className="mt-1 text-13">
                    <summary className="cursor-pointer text-accent">{t('approvals.log.difference')}</summary>
                    <div className="mt-2">
                      <ChangeDifference change={change} />
                    </div>
                  </details>
                )}
                {taskId !== null && (
                  <PlainLink href={`/app/approval/${taskId}`} className="text-13 text-accent">
                    {t('approvals.log.task')}
                  </PlainLink>
                )}
              </li>
            ))}
          </ul>
          {(cursors.length > 0 || next !== null) && (
            <div className="mt-3 flex gap-2">
              <Button size="small" disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
                {t('approvals.log.newer')}
              </Button>
              <Button
                size="small"
                disabled={next === null}
                onClick={() => next !== null && setCursors([...cursors, next])}
              >
                {t('approvals.log.older')}
              </Button>
            </div>
          )}
        </Loading>
      )}
    </Card>
  );
}
