import { lazy, type ReactNode, Suspense } from 'react';
import { useText } from '../lib/locale.tsx';
import type { AreaPoint } from './area-drawing.tsx';
import type { Share } from './donut-drawing.tsx';
import { Skeleton } from './states.tsx';

const AreaDrawing = lazy(async () => ({ default: (await import('./area-drawing.tsx')).AreaDrawing }));
const DonutDrawing = lazy(async () => ({ default: (await import('./donut-drawing.tsx')).DonutDrawing }));

interface AreaChartProps {
  /** What the figures are. */
  label: string;
  points: readonly AreaPoint[];
  /** The figure as the reader sees it, coin included. */
  format: (value: string) => string;
  /** The day as the reader sees it. */
  formatDate: (at: string) => string;
}

/** A figure over time. A screen reader gets the table. */
export function AreaChart({ label, points, format, formatDate }: AreaChartProps) {
  const t = useText();
  const rows = points.map(({ at, value }) => [formatDate(at), format(value)] as const);
  return (
    <Chart label={label} head={[t('ui.chart.date'), t('ui.chart.value')]} rows={rows} height="h-56">
      <AreaDrawing points={points} format={format} formatDate={formatDate} />
    </Chart>
  );
}

interface DonutChartProps {
  label: string;
  shares: readonly Share[];
}

/** What something is made of: the ring, and beside it each part in words and figures. */
export function DonutChart({ label, shares }: DonutChartProps) {
  const t = useText();
  const rows = shares.map(({ name, percent, figure }) => [name, `${figure} (${percent})`] as const);
  return (
    <Chart label={label} head={[t('ui.chart.name'), t('ui.chart.share')]} rows={rows} height="h-44">
      <DonutDrawing shares={shares} />
    </Chart>
  );
}

interface ChartProps {
  label: string;
  head: readonly [string, string];
  rows: readonly (readonly [string, string])[];
  height: string;
  children: ReactNode;
}

function Chart({ label, head, rows, height, children }: ChartProps) {
  return (
    <figure className="m-0 min-w-0">
      <div aria-hidden="true">
        <Suspense fallback={<Skeleton height={height} />}>{children}</Suspense>
      </div>
      <table className="sr-only">
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{head[0]}</th>
            <th scope="col">{head[1]}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
