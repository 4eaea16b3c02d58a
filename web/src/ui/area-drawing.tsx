import { area, curveMonotoneX, line } from 'd3-shape';
import { type PointerEvent, useId, useState } from 'react';

export interface AreaPoint {
  /** An instant or a day, ISO 8601. */
  at: string;
  /** A plain decimal text. */
  value: string;
}

interface Props {
  points: readonly AreaPoint[];
  format: (value: string) => string;
  formatDate: (at: string) => string;
}

/** The drawing's own units; it stretches to the width there is. */
const width = 720;
const height = 200;
const top = 12;

/**
 * The line, the ground beneath it, and the figure under the pointer. Pixels may be drawn from approximate numbers; what is
 * written is always the exact text.
 */
export function AreaDrawing({ points, format, formatDate }: Props) {
  const gradient = useId();
  const [near, setNear] = useState<number | null>(null);
  const values = points.map((point) => Number(point.value));
  const { low, high } = boundsOf(values);
  const x = (index: number) => (points.length < 2 ? width / 2 : (index / (points.length - 1)) * width);
  const y = (value: number) => top + (1 - (value - low) / (high - low)) * (height - top);
  const place = values.map((value, index): [number, number] => [x(index), y(value)]);
  const stroke = line().curve(curveMonotoneX)(place) ?? '';
  const ground = area().curve(curveMonotoneX).y0(height)(place) ?? '';
  const point = near === null ? undefined : points[near];
  const spot = near === null ? undefined : place[near];
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    setNear(Math.max(0, Math.min(points.length - 1, Math.round(share * (points.length - 1)))));
  };
  return (
    <div className="relative">
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="block h-50 w-full overflow-visible"
        onPointerMove={follow}
        onPointerLeave={() => setNear(null)}
      >
        <defs>
          <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" className="[stop-color:var(--color-accent)]" stopOpacity="0.18" />
            <stop offset="1" className="[stop-color:var(--color-accent)]" stopOpacity="0" />
          </linearGradient>
        </defs>
        {[0, 0.5, 1].map((share) => (
          <line
            key={share}
            x1="0"
            x2={width}
            y1={top + share * (height - top)}
            y2={top + share * (height - top)}
            className="stroke-line"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        <path d={ground} fill={`url(#${gradient})`} />
        <path d={stroke} fill="none" className="stroke-accent" strokeWidth="1.75" vectorEffect="non-scaling-stroke" />
        {spot && (
          <line
            x1={spot[0]}
            x2={spot[0]}
            y1="0"
            y2={height}
            className="stroke-control"
            strokeDasharray="3 3"
            vectorEffect="non-scaling-stroke"
          />
        )}
      </svg>
      {point && spot && (
        <div
          className="figures pointer-events-none absolute -top-2 rounded-6 bg-raised px-2.5 py-1.5 text-12 whitespace-nowrap shadow-float"
          style={{ left: `${(spot[0] / width) * 100}%`, transform: `translateX(${-(spot[0] / width) * 100}%)` }}
        >
          <div className="font-medium">{format(point.value)}</div>
          <div className="text-faint">{formatDate(point.at)}</div>
        </div>
      )}
      <div className="figures mt-2 flex justify-between text-12 text-faint">
        <span>{points[0] && formatDate(points[0].at)}</span>
        <span>{points.at(-1) && formatDate(points.at(-1)?.at ?? '')}</span>
      </div>
    </div>
  );
}

/** The lowest and highest figure with a little air; a flat line runs through the middle. */
function boundsOf(values: readonly number[]): { low: number; high: number } {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const air = high === low ? Math.max(Math.abs(high) * 0.1, 1) : (high - low) * 0.08;
  return { low: low >= 0 ? Math.max(0, low - air) : low - air, high: high + air };
}
