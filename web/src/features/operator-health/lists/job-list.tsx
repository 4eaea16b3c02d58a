import { listFailedJobs } from 'virtual:calls/operator-health';
import { defineList } from '../../../ui/list-view.tsx';
import { Time } from '../../../ui/time.tsx';
import { JobActions } from '../components/job-actions.tsx';

const again_ms = 10_000;

/** Jobs that were tried as often as they may be, the newest first. */
export const jobList = defineList({
  call: listFailedJobs,
  label: 'ops.title.failedJobs',
  name: 'operator-failed-jobs',
  filters: [
    { kind: 'choice', name: 'mail', label: 'ops.jobs.kind', options: { yes: 'ops.jobs.mail' } },
    { kind: 'choice', name: 'aside', label: 'ops.field.state', options: { yes: 'ops.jobs.aside' } },
  ],
  columns: ({ t }) => [
    {
      id: 'name',
      header: t('ops.queues.name'),
      card: 'title',
      skeleton: 'w-32',
      cell: ({ name }) => <span className="font-mono text-13 wrap-anywhere">{name}</span>,
    },
    {
      id: 'company',
      header: t('ops.health.company'),
      skeleton: 'w-28',
      cell: ({ companyName }) => <span className="wrap-anywhere">{companyName ?? '–'}</span>,
    },
    {
      id: 'error',
      header: t('ops.jobs.error'),
      width: '30%',
      skeleton: 'w-48',
      cell: ({ error, attempts }) => (
        <span className="text-13 wrap-anywhere">
          {error ?? '–'} <span className="text-faint">{t('ops.jobs.attempts', { count: attempts })}</span>
        </span>
      ),
    },
    {
      id: 'failedAt',
      header: t('ops.jobs.failedAt'),
      skeleton: 'w-32',
      cell: ({ failedAt }) => <Time at={failedAt} />,
    },
    { id: 'decision', header: t('ops.jobs.decision'), skeleton: 'w-32', cell: (job) => <JobActions job={job} /> },
  ],
  rowId: ({ id }) => id,
  empty: { icon: 'check', title: 'ops.jobs.empty', text: 'ops.jobs.emptyText' },
  again_ms: () => again_ms,
});
