import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Time } from '../../../ui/time.tsx';
import { useRuns } from '../api-runs.ts';

/** On a batch's page: the way to its submission, and what has been submitted so far. */
export function BatchRuns({ batchId, canSubmit }: { batchId: string; canSubmit: boolean }) {
  const t = useText();
  const formats = useFormats();
  const mayMake = usePermission('transfer.create') === true;
  const items = useRuns(batchId).data?.items ?? [];
  const open = items[0]?.open ?? 0;
  const isFirst = items.length === 0;
  return (
    <>
      {mayMake && canSubmit && (isFirst || open > 0) && (
        <div className="flex justify-end">
          <PlainLink href={`/app/storm/${batchId}/submit`} className={buttonClass('primary', 'large')}>
            {isFirst ? t('batches.submit.title') : t('batches.run.sendAgain', { count: open })}
          </PlainLink>
        </div>
      )}
      {!isFirst && (
        <Card title={t('batches.runs.title')}>
          <ul className="m-0 list-none rounded-6 border border-line p-0">
            {items.map(({ id, number, rows, createdAt, initiator, progress }) => (
              <li key={id} className="border-b border-line px-4 py-2.5 text-13 last:border-b-0">
                <PlainLink
                  href={`/app/storm/${batchId}/run/${id}`}
                  className="flex flex-wrap items-baseline justify-between gap-x-4"
                >
                  <span className="text-accent">{t('batches.runs.one', { number, rows, name: initiator.name })}</span>
                  <span className="text-muted">
                    {t('batches.runs.progress', {
                      completed: formats.count(progress.completed),
                      failed: formats.count(progress.failed),
                    })}
                    {' · '}
                    <Time at={createdAt} />
                  </span>
                </PlainLink>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}
