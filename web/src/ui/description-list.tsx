import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A term and what it is. */
export interface Fact {
  term: string;
  value: ReactNode;
}

interface Props {
  facts: readonly Fact[];
  /** On a ground of its own: summaries and confirmations. */
  framed?: boolean;
  /** Terms above their values, in columns: for wide details. */
  columns?: boolean;
}

/** Facts as terms and values, aligned so that values can be read down. */
export function DescriptionList({ facts, framed, columns }: Props) {
  return (
    <dl
      className={classNames(
        'm-0',
        framed && 'rounded-10 border border-line bg-sunken px-4 py-1',
        columns && 'grid gap-x-8 gap-y-5 sm:grid-cols-2 lg:grid-cols-3',
      )}
    >
      {facts.map(({ term, value }) => (
        <div
          key={term}
          className={classNames(
            columns
              ? 'flex min-w-0 flex-col gap-1'
              : 'flex items-baseline justify-between gap-4 border-line sm:gap-6 py-2.5 not-last:border-b',
          )}
        >
          {/* A value breaks before its term does; a term makes room for a figure, which does not break. */}
          <dt className={classNames('text-13 text-faint', !columns && 'max-w-[45%] shrink')}>{term}</dt>
          <dd className={classNames('figures m-0 wrap-anywhere', columns ? 'min-w-0' : 'shrink-[1000] text-right')}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
