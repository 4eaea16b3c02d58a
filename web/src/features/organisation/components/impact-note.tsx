import { useText } from '../../../lib/locale.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useImpact } from '../api.ts';

/** What happens to a member's open approvals when they are disabled, deleted or given another role: said before it happens. */
export function ImpactNote({ memberId }: { memberId: string }) {
  const t = useText();
  const impact = useImpact(memberId, true);
  const { data } = impact;
  if (data === undefined && impact.error !== null) {
    return <ErrorState error={impact.error} onRetry={() => void impact.refetch()} />;
  }
  const effects = data && [
    ...(data.pendingDecisions > 0 ? [t('organisation.impact.decisions', { count: data.pendingDecisions })] : []),
    ...(data.pendingOwn > 0 ? [t('organisation.impact.own', { count: data.pendingOwn })] : []),
    ...(data.rules + data.policies > 0
      ? [t('organisation.impact.named', { rules: data.rules, policies: data.policies })]
      : []),
    ...(data.deputyFor > 0 ? [t('organisation.impact.deputy', { count: data.deputyFor })] : []),
  ];
  return (
    <Loading loading={effects === undefined} skeleton={<Skeleton height="h-14" />}>
      <Banner kind={effects?.length === 0 && data?.lastAdministrator === false ? 'notice' : 'pending'}>
        {data?.lastAdministrator && <p className="m-0 font-medium">{t('organisation.impact.lastAdministrator')}</p>}
        {effects?.length === 0 ? (
          <p className="m-0">{t('organisation.impact.none')}</p>
        ) : (
          <ul className="m-0 flex list-none flex-col gap-1 p-0">
            {effects?.map((effect) => (
              <li key={effect}>{effect}</li>
            ))}
          </ul>
        )}
      </Banner>
    </Loading>
  );
}
