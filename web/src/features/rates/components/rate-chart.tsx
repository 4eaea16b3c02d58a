import { type RateSpan, rateSpans } from '@causeway/contract/rates-rules.ts';
import { useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useLocaleTag, useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { DailyChart, DailyChartShape } from '../../../ui/chart.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { useRateHistory } from '../api.ts';
import { stepsOf } from '../points.ts';

/** The rate of a pair over a day or thirty. */
export function RateChart({ sell, buy }: { sell: string; buy: string }) {
  const t = useText();
  const [span, setSpan] = useState<RateSpan>('day');
  return (
    <Tabs
      label={t('rates.chart.spans')}
      tabs={rateSpans.map((key) => ({ key, label: t(`rates.chart.${key}`) }))}
      value={span}
      onChange={setSpan}
    >
      <Drawn sell={sell} buy={buy} span={span} />
    </Tabs>
  );
}

function Drawn({ sell, buy, span }: { sell: string; buy: string; span: RateSpan }) {
  const t = useText();
  const formats = useFormats();
  const tag = useLocaleTag();
  const history = useRateHistory(sell, buy, span);
  const { data } = history;
  if (data === undefined && history.error !== null) {
    return <ErrorState error={history.error} onRetry={() => void history.refetch()} />;
  }
  if (data === undefined) {
    return (
      <Loading loading skeleton={<DailyChartShape />}>
        {null}
      </Loading>
    );
  }
  if (data.points.length === 0) {
    return (
      <p className="m-0 flex min-h-24 items-center justify-center px-6 text-center text-13 text-faint">
        {t('rates.chart.empty')}
      </p>
    );
  }
  const marks = new Intl.NumberFormat(tag, { maximumSignificantDigits: 7 });
  return (
    <DailyChart
      close
      label={t(`rates.chart.label.${span}`, { sell, buy })}
      points={stepsOf(data)}
      unit={buy}
      format={(value) => amountLine(value, buy)}
      formatTick={(value) => marks.format(value)}
      formatDate={formats.dateTime}
      formatDay={span === 'day' ? formats.time : formats.day}
    />
  );
}
