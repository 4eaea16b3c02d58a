import { pageSizes } from '@causeway/contract/page-sizes.ts';
import { useFormats } from '../lib/format.ts';
import { useText } from '../lib/locale.tsx';
import { IconButton } from './button.tsx';

export interface PagerProps {
  /** Counted from 1. */
  page: number;
  size: number;
  total: number;
  /** False when there are more than `total`: "10,000+". */
  totalExact?: boolean;
  /** Rows on this page, which may be fewer than its size. */
  shown: number;
  hasNext: boolean;
  onPrevious: () => void;
  onNext: () => void;
  onSize: (size: number) => void;
}

/** The foot of a list: which rows of how many, how many at once, back and forth. */
export function Pager(props: PagerProps) {
  const { page, size, total, totalExact = true, shown, hasNext } = props;
  const t = useText();
  const formats = useFormats();
  const first = shown === 0 ? 0 : (page - 1) * size + 1;
  const totalText = `${formats.count(total)}${totalExact ? '' : '+'}`;
  return (
    <div className="figures flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line px-4 py-2 text-13 text-muted">
      <span role="status">
        {t('ui.pager.range', {
          first: formats.count(first),
          last: formats.count(first === 0 ? 0 : first + shown - 1),
          total: totalText,
        })}
      </span>
      <div className="flex items-center gap-3">
        <label className="flex items-center gap-2">
          {t('ui.pager.size')}
          <select
            value={size}
            onChange={(event) => props.onSize(Number(event.target.value))}
            className="h-7 rounded-6 border border-control bg-surface px-1 text-13 text-text"
          >
            {pageSizes.map((choice) => (
              <option key={choice} value={choice}>
                {choice}
              </option>
            ))}
          </select>
        </label>
        <span className="flex">
          <IconButton
            icon="chevronLeft"
            size="small"
            label={t('ui.pager.previous')}
            disabled={page <= 1}
            onClick={props.onPrevious}
          />
          <IconButton
            icon="chevronRight"
            size="small"
            label={t('ui.pager.next')}
            disabled={!hasNext}
            onClick={props.onNext}
          />
        </span>
      </div>
    </div>
  );
}
