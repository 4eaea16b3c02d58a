import { Skeleton } from '../../../ui/states.tsx';

/** Placeholders of rows that have a name, a sentence and something to tick. */
export function RowShapes({ rows }: { rows: number }) {
  return (
    <div>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div
          key={row}
          className="flex items-start justify-between gap-4 border-b border-line px-5 py-4 last:border-b-0"
        >
          <div className="flex min-w-0 flex-1 flex-col gap-2">
            <Skeleton width="w-32" />
            <Skeleton width="w-72 max-w-full" height="h-3" />
          </div>
          <Skeleton width="w-4" />
        </div>
      ))}
    </div>
  );
}
