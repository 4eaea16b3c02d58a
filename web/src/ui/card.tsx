import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface Props {
  title?: ReactNode;
  /** At the right end of the title's line. */
  aside?: ReactNode;
  children: ReactNode;
  /** No padding inside: for tables and lists that reach the edge. */
  flush?: boolean;
}

/** A surface with a title: the one kind of box there is. */
export function Card({ title, aside, children, flush }: Props) {
  return (
    <section className="min-w-0 overflow-hidden rounded-10 border border-line bg-surface">
      {(title !== undefined || aside !== undefined) && (
        <div className="flex min-h-13 items-center justify-between gap-4 border-b border-line px-5">
          <h2 className="m-0 text-14 font-semibold">{title}</h2>
          {aside}
        </div>
      )}
      <div className={classNames(!flush && 'p-5')}>{children}</div>
    </section>
  );
}
