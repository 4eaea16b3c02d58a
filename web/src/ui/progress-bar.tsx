import { Progress } from '@base-ui/react/progress';
import { useFormats } from '../lib/format.ts';
import { useText } from '../lib/locale.tsx';

interface Props {
  /** What is under way. */
  label: string;
  /** How much is done; null while the total is unknown. */
  done: number | null;
  total?: number;
  /** Shown beside the label instead of the counts. */
  figure?: string;
  /** More than the total, or all of it, where that is no good. */
  over?: boolean;
}

/** Long work with its counts, or the figure given. */
export function ProgressBar({ label, done, total = 100, figure, over = false }: Props) {
  const t = useText();
  const formats = useFormats();
  return (
    <Progress.Root value={done} max={total} className="flex flex-col gap-1.5">
      <div className="figures flex justify-between gap-4 text-13">
        <Progress.Label className="min-w-0 truncate text-muted">{label}</Progress.Label>
        {(done !== null || figure !== undefined) && (
          <span className="shrink-0">
            {figure ?? t('ui.progress.count', { done: formats.count(done ?? 0), total: formats.count(total) })}
          </span>
        )}
      </div>
      <Progress.Track className="h-1.5 overflow-hidden rounded-full bg-sunken">
        <Progress.Indicator
          className={
            done === null
              ? 'h-full w-1/3 animate-slide rounded-full bg-accent'
              : `h-full rounded-full transition-[width] ${over ? 'bg-negative' : 'bg-accent'}`
          }
        />
      </Progress.Track>
    </Progress.Root>
  );
}
