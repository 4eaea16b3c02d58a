import { lazy, type ReactNode, Suspense } from 'react';
import { useText } from '../lib/locale.tsx';
import type { Share } from './donut-drawing.tsx';
import type { DayPoint } from './steps-drawing.tsx';

const StepsDrawing = lazy(async () => ({ default: (await import('./steps-drawing.tsx')).StepsDrawing }));
const DonutDrawing = lazy(async () => ({ default: (await import('./donut-drawing.tsx')).DonutDrawing }));

interface DailyChartProps {
  /** What the figures are. */
  label: string;
  points: readonly DayPoint[];
  /** What the figures are in. */
  unit: string;
  /** The figure as the reader sees it, coin included. */
  format: (value: string) => string;
  /** A mark of the axis, without the unit. */
  formatTick: (value: number) => string;
  /** The day as the reader sees it. */
  formatDate: (at: string) => string;
  /** The same beneath the chart, short. */
  formatDay: (at: string) => string;
  /** The axis is close around the figures instead of beginning at zero. */
  close?: boolean;
}

/** One figure a day, or another step of time. A screen reader gets the table. */
export function DailyChart({ label, points, unit, format, formatTick, formatDate, formatDay, close }: DailyChartProps) {
  const t = useText();
  const rows = points.map(({ at, value }) => [formatDate(at), value === null ? '–' : format(value)] as const);
  return (
    <Chart label={label} head={[t('ui.chart.date'), t('ui.chart.value')]} rows={rows} fallback={<DailyChartShape />}>
      <StepsDrawing
        points={points}
        unit={unit}
        format={format}
        formatTick={formatTick}
        formatDate={formatDate}
        formatDay={formatDay}
        {...(close !== undefined && { close })}
      />
    </Chart>
  );
}

/** The place of a daily chart while it loads: its lines, as high as it will be. */
export function DailyChartShape() {
  return (
    <div aria-hidden="true" className="flex animate-breathe flex-col gap-1">
      <span className="h-4" />
      <div className="grid h-50 pt-1">
        {['a', 'b', 'c', 'd'].map((key) => (
          <span key={key} className="border-t border-line" />
        ))}
      </div>
      <span className="mt-2 h-4 border-t border-line" />
    </div>
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
    <Chart
      label={label}
      head={[t('ui.chart.name'), t('ui.chart.share')]}
      rows={rows}
      fallback={<div className="h-44" />}
    >
      <DonutDrawing shares={shares} />
    </Chart>
  );
}

interface ChartProps {
  label: string;
  head: readonly [string, string];
  rows: readonly (readonly [string, string])[];
  fallback: ReactNode;
  children: ReactNode;
}

function Chart({ label, head, rows, fallback, children }: ChartProps) {
  return (
    <figure className="m-0 min-w-0">
      <div aria-hidden="true">
        <Suspense fallback={fallback}>{children}</Suspense>
      </div>
      {/* Around it: a table itself does not shrink. */}
      <div className="sr-only">
        <table>
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
      </div>
    </figure>
  );
}
