import { useParams } from '@tanstack/react-router';
import { useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { Time } from '../../../ui/time.tsx';
import { useIntercepts, usePolicyVersions } from '../api.ts';
import { HitRow } from '../components/hit-row.tsx';
import { pageOf, usePages } from '../components/pages.tsx';
import { PolicyLog } from '../components/policy-log.tsx';
import { useSentence } from '../components/use-sentence.ts';
import { policyPath } from '../words.ts';

const viewNames = ['view'] as const;
const views = ['intercepts', 'versions', 'log'] as const;
type View = (typeof views)[number];

/** One policy beside the list: what it says, what it stopped, its versions and its log. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const sentence = useSentence();
  const state = useListState(viewNames);
  const view = views.find((one) => one === state.filters.view) ?? 'intercepts';
  const versions = usePolicyVersions(id, { size: '20' });
  const newest = versions.data?.items[0];
  return (
    <SidePanel title={newest?.name ?? t('risk.policy.title')} backTo={policyPath}>
      {versions.data === undefined && versions.error !== null ? (
        <ErrorState error={versions.error} onRetry={() => void versions.refetch()} />
      ) : (
        <Loading loading={newest === undefined} skeleton={<Skeleton height="h-80" />}>
          {newest && (
            <div className="flex flex-col gap-5">
              <p className="m-0 break-words">{sentence(newest)}</p>
              <Tabs<View>
                label={t('risk.policy.title')}
                tabs={views.map((key) => ({ key, label: t(`risk.policyView.${key}`) }))}
                value={view}
                onChange={(next) => state.setFilters({ view: next === 'intercepts' ? null : next })}
              >
                {view === 'intercepts' && <Intercepts id={id} />}
                {view === 'versions' && <Versions id={id} />}
                {view === 'log' && <PolicyLog policyId={id} />}
              </Tabs>
            </div>
          )}
        </Loading>
      )}
    </SidePanel>
  );
}

function Intercepts({ id }: { id: string }) {
  const t = useText();
  const pages = usePages();
  const intercepts = useIntercepts(id, pageOf(pages.cursor));
  const { data } = intercepts;
  if (data === undefined && intercepts.error !== null) {
    return <ErrorState error={intercepts.error} onRetry={() => void intercepts.refetch()} />;
  }
  return (
    <Loading loading={data === undefined} skeleton={<Skeleton height="h-48" />}>
      {data?.items.length === 0 && (
        <EmptyState icon="shield" title={t('risk.intercepts.empty')} text={t('risk.intercepts.emptyText')} />
      )}
      <ul className="m-0 list-none p-0">
        {data?.items.map((hit) => (
          <li key={hit.id} className="border-line py-3 not-last:border-b">
            <HitRow hit={hit} />
          </li>
        ))}
      </ul>
      {pages.buttons(data?.next ?? null)}
    </Loading>
  );
}

function Versions({ id }: { id: string }) {
  const t = useText();
  const pages = usePages();
  const sentence = useSentence();
  const versions = usePolicyVersions(id, pageOf(pages.cursor));
  const { data } = versions;
  if (data === undefined && versions.error !== null) {
    return <ErrorState error={versions.error} onRetry={() => void versions.refetch()} />;
  }
  return (
    <Loading loading={data === undefined} skeleton={<Skeleton height="h-48" />}>
      <ul className="m-0 list-none p-0">
        {data?.items.map((one) => (
          <li key={one.version} className="flex flex-col gap-0.5 border-line py-3 not-last:border-b">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="font-medium break-words">
                {t('risk.version', { version: one.version })} · {one.name}
              </span>
              <span className="text-12 text-faint">
                {one.by} · <Time at={one.at} />
              </span>
            </div>
            <span className="text-13 break-words text-muted">{sentence(one)}</span>
          </li>
        ))}
      </ul>
      {pages.buttons(data?.next ?? null)}
    </Loading>
  );
}
