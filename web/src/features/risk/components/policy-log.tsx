import type { OutputInput } from '@causeway/contract/call.ts';
import type { listRiskPolicyLogs } from '@causeway/contract/risk.ts';
import { useText } from '../../../lib/locale.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { usePolicyLogs } from '../api.ts';
import { policyPath } from '../words.ts';
import { pageOf, usePages } from './pages.tsx';
import { useSentence } from './use-sentence.ts';

type LogRow = OutputInput<typeof listRiskPolicyLogs>['items'][number];

/** Who changed which policy, when, and what it said before and after; of one policy, or (null) of all. */
export function PolicyLog({ policyId }: { policyId: string | null }) {
  const t = useText();
  const pages = usePages();
  const logs = usePolicyLogs({ ...pageOf(pages.cursor), ...(policyId !== null && { policyId }) });
  const { data } = logs;
  if (data === undefined && logs.error !== null) {
    return <ErrorState error={logs.error} onRetry={() => void logs.refetch()} />;
  }
  return (
    <Loading loading={data === undefined} skeleton={<Skeleton height="h-64" />}>
      {data?.items.length === 0 && <EmptyState icon="clock" title={t('risk.log.empty')} />}
      <ul className="m-0 list-none p-0">
        {data?.items.map((row) => (
          <li key={row.id} className="flex flex-col gap-1 border-line py-3 not-last:border-b">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="min-w-0 break-words">
                <span className="font-medium">{t(`risk.policyAction.${row.action}`)}</span>{' '}
                {policyId === null && (
                  <PlainLink href={`${policyPath}/${row.policyId}`} className="text-accent">
                    {row.policyName}
                  </PlainLink>
                )}
              </span>
              <span className="text-12 text-faint">
                {row.by} · <Time at={row.at} />
              </span>
            </div>
            <Difference row={row} />
          </li>
        ))}
      </ul>
      {pages.buttons(data?.next ?? null)}
    </Loading>
  );
}

function Difference({ row: { action, before, after } }: { row: LogRow }) {
  const t = useText();
  const sentence = useSentence();
  const state = after ?? before;
  if (state === null) return null;
  if (action === 'moved' && before !== null && after !== null) {
    const places = { term: t('risk.policy.position'), before: before.position, after: after.position };
    return <p className="m-0 text-13 text-muted">{t('risk.log.change', places)}</p>;
  }
  if (action === 'edited' && before !== null && after !== null) {
    return (
      <div className="text-13 text-muted">
        {before.name !== after.name && (
          <p className="m-0">
            {t('risk.log.change', { term: t('risk.policy.name'), before: before.name, after: after.name })}
          </p>
        )}
        <p className="m-0 break-words line-through">{sentence(before)}</p>
        <p className="m-0 break-words text-text">{sentence(after)}</p>
      </div>
    );
  }
  return <p className="m-0 text-13 break-words text-muted">{sentence(state)}</p>;
}
