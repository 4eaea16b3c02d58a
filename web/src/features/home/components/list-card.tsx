import { PlainLink } from '../../../ui/plain-link.tsx';
import { Skeleton } from '../../../ui/states.tsx';

/** The way from the newest few to the whole list. */
export function AllLink({ to, label }: { to: string; label: string }) {
  return (
    <PlainLink href={to} className="text-13 font-medium whitespace-nowrap text-accent no-underline hover:underline">
      {label}
    </PlainLink>
  );
}

/** Placeholders of rows with two lines at either end. */
export function RowShapes() {
  return (
    <div>
      {['a', 'b', 'c', 'd'].map((key) => (
        <div key={key} className="flex justify-between gap-4 border-b border-line px-5 py-3 last:border-b-0">
          <div className="flex flex-col gap-2">
            <Skeleton width="w-40" />
            <Skeleton width="w-28" height="h-3" />
          </div>
          <div className="flex flex-col items-end gap-2">
            <Skeleton width="w-24" />
            <Skeleton width="w-16" height="h-3" />
          </div>
        </div>
      ))}
    </div>
  );
}
