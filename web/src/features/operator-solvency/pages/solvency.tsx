import { lazy, Suspense } from 'react';
import { useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { useSolvency } from '../api.ts';
import { DayField } from '../components/day-field.tsx';
import { FiguresTable } from '../components/figures-table.tsx';
import { NightNote } from '../components/night-note.tsx';
import { ProofLimits } from '../components/proof-limits.tsx';
import { ReportCard } from '../components/report-card.tsx';

const SeriesCard = lazy(async () => ({ default: (await import('../components/series-card.tsx')).SeriesCard }));

const names = ['day'] as const;
const isoDay = /^\d{4}-\d{2}-\d{2}$/;

/** What companies were owed and what was held at the end of a day (UTC); the address keeps the day. */
export function Page() {
  const t = useText();
  const list = useListState(names);
  const named = list.filters.day;
  const asked = named !== undefined && isoDay.test(named) ? named : undefined;
  const query = useSolvency(asked);
  const solvency = query.data;
  const report = solvency?.report ?? null;
  const assets = solvency?.assets.map(({ asset }) => asset) ?? [];
  return (
    <Frame intro={t('ops.solvency.intro')}>
      {solvency !== undefined && (
        <>
          <DayField
            day={asked ?? solvency.day}
            last={solvency.lastDay}
            onChange={(day) => list.setFilters({ day: day === solvency.lastDay ? null : day })}
          />
          <NightNote solvency={solvency} />
        </>
      )}
      <FiguresTable
        solvency={solvency}
        updating={query.isPlaceholderData}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
      {solvency !== undefined && report !== null && <ReportCard solvency={solvency} report={report} />}
      {solvency !== undefined && solvency.firstReport !== null && assets.length > 0 && (
        <Suspense>
          <SeriesCard assets={assets} />
        </Suspense>
      )}
      <ProofLimits />
    </Frame>
  );
}
