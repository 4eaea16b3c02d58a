import { listIntercepts, listRiskPolicyVersions } from 'virtual:calls/risk';
import { useParams } from '@tanstack/react-router';
import { useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { defineHistory, History } from '../../../ui/history.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { Time } from '../../../ui/time.tsx';
import { usePolicyVersions } from '../api.ts';
import { HitRow } from '../components/hit-row.tsx';
import { PolicyLog } from '../components/policy-log.tsx';
import { useSentence } from '../components/use-sentence.ts';
import { policyPath } from '../words.ts';

const viewNames = ['view'] as const;
const views = ['intercepts', 'versions', 'log'] as const;
type View = (typeof views)[number];

const intercepts = defineHistory({
  call: listIntercepts,
  rowId: ({ id }) => id,
  empty: { icon: 'shield', title: 'risk.intercepts.empty', text: 'risk.intercepts.emptyText' },
});
const versionHistory = defineHistory({ call: listRiskPolicyVersions, rowId: ({ version }) => String(version) });

/** One policy beside the list: what it says, what it stopped, its versions and its log. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const sentence = useSentence();
  const state = useListState(viewNames);
  const view = views.find((one) => one === state.filters.view) ?? 'intercepts';
  const versions = usePolicyVersions(id);
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
  return (
    <History history={intercepts} params={{ id }}>
      {(hit) => <HitRow hit={hit} />}
    </History>
  );
}

function Versions({ id }: { id: string }) {
  const t = useText();
  const sentence = useSentence();
  return (
    <History history={versionHistory} params={{ id }}>
      {(one) => (
        <div className="flex flex-col gap-0.5">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-medium break-words">
              {t('risk.version', { version: one.version })} · {one.name}
            </span>
            <span className="text-12 text-faint">
              {one.by} · <Time at={one.at} />
            </span>
          </div>
          <span className="text-13 break-words text-muted">{sentence(one)}</span>
        </div>
      )}
    </History>
  );
}
