import { type PointerEvent, useState } from 'react';
import { axisTicks, closeTicks, namedDays } from './axis.ts';
import { classNames } from './class-names.ts';

export interface DayPoint {
  /** A day, or the beginning of another step of time, ISO 8601. */
  at: string;
  /** A plain decimal text; null where it is not known. */
  value: string | null;
}

interface Props {
  points: readonly DayPoint[];
  /** What the figures are in, at the head of the axis. */
  unit: string;
  format: (value: string) => string;
  /** A mark of the axis, short. */
  formatTick: (value: number) => string;
  formatDate: (at: string) => string;
  /** The same beneath the chart, short. */
  formatDay: (at: string) => string;
  /** The axis is close around the figures: for rates, of which only the differences count. */
  close?: boolean;
}

/** The drawing's own units; it stretches to the width there is. */
const width = 720;
const height = 200;
const mostNamed = 5;

/**
 * One value a day: a level step over the width of its day, and the figure under the pointer. Nothing is drawn between two days that was
 * not so, and nothing on a day whose value is not known. Pixels may be drawn from approximate numbers; what is written is the exact text.
 */
export function StepsDrawing({ points, unit, format, formatTick, formatDate, formatDay, close = false }: Props) {
  const [near, setNear] = useState<number | null>(null);
  const values = points.map(({ value }) => (value === null ? null : Number(value)));
  const ticks = (close ? closeTicks : axisTicks)(values.filter((value) => value !== null));
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const day = width / Math.max(points.length, 1);
  const y = (value: number) => (1 - (value - low) / (high - low)) * height;
  const point = near === null ? undefined : points[near];
  const named = namedDays(points.length, mostNamed);
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    setNear(Math.max(0, Math.min(points.length - 1, Math.floor(share * points.length))));
  };
  const middle = near === null ? 0 : ((near + 0.5) / points.length) * 100;
  return (
    <div className="flex flex-col gap-1 text-12 text-faint">
      <span>{unit}</span>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 pt-1">
        <div className="figures relative h-50 text-right">
          {/* As wide as the widest mark; each stands beside its line. */}
          {ticks.map((tick) => (
            <span key={tick} className="block h-0 overflow-hidden">
              {formatTick(tick)}
            </span>
          ))}
          {ticks.map((tick) => (
            <span
              key={tick}
              className="absolute right-0 -translate-y-1/2"
              style={{ top: `${(y(tick) / height) * 100}%` }}
            >
              {formatTick(tick)}
            </span>
          ))}
        </div>
        <div className="relative">
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            className="block h-50 w-full overflow-visible"
            onPointerMove={follow}
            onPointerLeave={() => setNear(null)}
          >
            {ticks.map((tick) => (
              <line
                key={tick}
                x1="0"
                x2={width}
                y1={y(tick)}
                y2={y(tick)}
                className={tick === 0 ? 'stroke-control' : 'stroke-line'}
                vectorEffect="non-scaling-stroke"
              />
            ))}
            <path d={groundOf(values, day, y, Math.max(low, 0))} className="fill-accent" fillOpacity="0.1" />
            <path
              d={stepsOf(values, day, y)}
              fill="none"
              className="stroke-accent"
              strokeWidth="1.75"
              vectorEffect="non-scaling-stroke"
            />
            {near !== null && (
              <rect x={near * day} y="0" width={day} height={height} className="fill-accent" fillOpacity="0.08" />
            )}
          </svg>
          {point && (
            <div
              className="figures pointer-events-none absolute -top-2 rounded-6 bg-raised px-2.5 py-1.5 whitespace-nowrap shadow-float"
              style={{ left: `${middle}%`, transform: `translateX(${-middle}%)` }}
            >
              <div className="font-medium text-text">{point.value === null ? '–' : format(point.value)}</div>
              <div>{formatDate(point.at)}</div>
            </div>
          )}
        </div>
        <div className="figures relative col-start-2 mt-2 h-4">
          {named.map((index, place) => (
            <span
              key={points[index]?.at}
              className={classNames(
                'absolute whitespace-nowrap',
                // A phone has room for the first, the middle one and the last.
                place % 2 === 1 && 'max-sm:hidden',
              )}
              style={labelPlace(index, points.length)}
            >
              {formatDay(points[index]?.at ?? '')}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

/** Beneath the middle of its day, as far as the edges let it. */
function labelPlace(index: number, count: number) {
  const share = count < 2 ? 0.5 : index / (count - 1);
  const middle = ((index + 0.5) / Math.max(count, 1)) * 100;
  return { left: `${middle}%`, transform: `translateX(-${share * 100}%)` };
}

type Y = (value: number) => number;

/** Level over each day, upright between two days. */
function stepsOf(values: readonly (number | null)[], day: number, y: Y): string {
  return values
    .map((value, index) => {
      if (value === null) return '';
      const goesOn = index > 0 && values[index - 1] !== null;
      return `${goesOn ? 'V' : `M${index * day} `}${y(value)}H${(index + 1) * day}`;
    })
    .join('');
}

function groundOf(values: readonly (number | null)[], day: number, y: Y, ground: number): string {
  return values
    .map((value, index) =>
      value === null ? '' : `M${index * day} ${y(ground)}V${y(value)}H${(index + 1) * day}V${y(ground)}Z`,
    )
    .join('');
}
