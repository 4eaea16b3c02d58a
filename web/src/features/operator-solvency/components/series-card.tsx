import { useState } from 'react';
import { dayOf } from '../../../lib/days.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { DailyChart, DailyChartShape } from '../../../ui/chart.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { useSeries } from '../api.ts';

const measures = ['difference', 'owed', 'held'] as const;
type Measure = (typeof measures)[number];

/** One figure of one asset over the last 90 days. */
export function SeriesCard({ assets }: { assets: readonly string[] }) {
  const t = useText();
  const formats = useFormats();
  const [chosen, setAsset] = useState('');
  const [measure, setMeasure] = useState<Measure>('difference');
  const asset = assets.includes(chosen) ? chosen : (assets[0] ?? '');
  const series = useSeries(asset);
  const points = (series.data?.items ?? []).map((item) => ({ at: item.day, value: item[measure] }));
  return (
    <Card title={t('ops.solvency.series')}>
      <div className="flex flex-col gap-5">
        <div className="flex flex-wrap gap-3">
          <div className="w-36">
            <SelectField
              label={t('ops.solvency.asset')}
              options={assets.map((value) => ({ value, label: value }))}
              value={asset}
              onChange={setAsset}
            />
          </div>
          <div className="w-48">
            <SelectField
              label={t('ops.solvency.figure')}
              options={measures.map((value) => ({ value, label: t(`ops.solvency.${value}`) }))}
              value={measure}
              onChange={setMeasure}
            />
          </div>
        </div>
        {series.error !== null && series.data === undefined ? (
          <ErrorState error={series.error} onRetry={() => void series.refetch()} />
        ) : (
          <Loading loading={series.data === undefined} skeleton={<DailyChartShape />}>
            <DailyChart
              label={t('ops.solvency.seriesOf', { figure: t(`ops.solvency.${measure}`), asset })}
              points={points}
              unit={asset}
              format={(value) => amountLine(value, asset)}
              formatTick={formats.compact}
              formatDate={(at) => formats.date(dayOf(at))}
              formatDay={(at) => formats.day(dayOf(at))}
            />
          </Loading>
        )}
      </div>
    </Card>
  );
}
