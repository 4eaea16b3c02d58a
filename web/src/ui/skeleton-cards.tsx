import { Skeleton } from './states.tsx';

const most = 5;

/** Cards whose rows are loading; on a phone also the placeholder while the cards' code loads. */
export function SkeletonCards({ count = most }: { count?: number | undefined }) {
  return (
    <ul className="m-0 list-none p-0" aria-hidden="true">
      {Array.from({ length: Math.min(count, most) }, (_, index) => `skeleton-${index}`).map((key) => (
        <li key={key} className="flex flex-col gap-2 border-b border-line px-4 py-3 last:border-b-0">
          <span className="flex justify-between">
            <Skeleton width="w-32" />
            <Skeleton width="w-20" />
          </span>
          <Skeleton width="w-48" />
        </li>
      ))}
    </ul>
  );
}
