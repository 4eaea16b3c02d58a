import type { ReactNode } from 'react';
import { Skeleton } from './states.tsx';

interface Props {
  label: string;
  /** The figure; null while it loads. */
  value: ReactNode | null;
  /** What it is made of, or what changed. */
  detail?: ReactNode;
}

/** One figure with its name. */
export function Stat({ label, value, detail }: Props) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <span className="text-13 text-faint">{label}</span>
      <span className="figures text-20 font-semibold">
        {value === null ? <Skeleton width="w-32" height="h-7" /> : value}
      </span>
      {detail !== undefined && <span className="text-12 text-faint">{detail}</span>}
    </div>
  );
}
