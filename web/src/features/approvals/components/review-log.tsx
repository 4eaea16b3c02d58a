import { listReviewLogs } from 'virtual:calls/approvals';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { defineHistory, History } from '../../../ui/history.tsx';
import { Time } from '../../../ui/time.tsx';
import { ChangeLink } from '../../control/index.ts';
import { ChangeDifference } from './task-change.tsx';

const reviewLog = defineHistory({
  call: listReviewLogs,
  rowId: ({ id }) => id,
  empty: { title: 'approvals.log.empty' },
  size: '10',
});

/** Every change of the approval settings: who, when, what it was before and after. */
export function ReviewLog() {
  const t = useText();
  return (
    <Card title={t('approvals.log')}>
      <History history={reviewLog}>
        {({ at, actor, text, change, taskId }) => (
          <>
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
              <ChangeLink taskId={taskId} className="text-13 text-accent">
                {t('approvals.log.task')}
              </ChangeLink>
            )}
          </>
        )}
      </History>
    </Card>
  );
}
