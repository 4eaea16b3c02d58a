import { arc, pie } from 'd3-shape';

export interface Share {
  name: string;
  /** For the size of the slice; need not add up to one. */
  weight: number;
  /** As the reader sees it: "42.5 %". */
  percent: string;
  /** The exact figure: "12,500.00 USDT". */
  figure: string;
}

const fills = [
  ...['fill-share-1', 'fill-share-2', 'fill-share-3', 'fill-share-4'],
  ...['fill-share-5', 'fill-share-6', 'fill-share-7', 'fill-share-8'],
];
const grounds = [
  ...['bg-share-1', 'bg-share-2', 'bg-share-3', 'bg-share-4'],
  ...['bg-share-5', 'bg-share-6', 'bg-share-7', 'bg-share-8'],
];

/** The ring and its legend; beyond eight parts the colours repeat. */
export function DonutDrawing({ shares }: { shares: readonly Share[] }) {
  const slices = pie<Share>()
    .value((share) => share.weight)
    .sort(null)
    .padAngle(0.02)([...shares]);
  const ring = arc<(typeof slices)[number]>().innerRadius(50).outerRadius(72).cornerRadius(2);
  return (
    <div className="flex flex-wrap items-center gap-8">
      <svg aria-hidden="true" viewBox="-72 -72 144 144" width="144" height="144" className="shrink-0">
        {slices.map((slice, index) => (
          <path key={slice.data.name} d={ring(slice) ?? ''} className={fills[index % fills.length]} />
        ))}
      </svg>
      <ul className="m-0 flex min-w-52 flex-1 list-none flex-col gap-2 p-0 text-13">
        {shares.map((share, index) => (
          <li key={share.name} className="figures flex items-center gap-2.5">
            <span className={`size-2.5 shrink-0 rounded-full ${grounds[index % grounds.length]}`} />
            <span className="min-w-0 flex-1 truncate">{share.name}</span>
            <span className="text-muted">{share.figure}</span>
            <span className="w-16 text-right">{share.percent}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
