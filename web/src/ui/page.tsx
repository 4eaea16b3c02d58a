import type { ReactNode } from 'react';

interface Props {
  /** One sentence or the figures of the page. The title itself is in the header. */
  intro?: ReactNode;
  /** Buttons at the right of the introduction. */
  actions?: ReactNode;
  children: ReactNode;
  /** Forms and details are easier to read when they are not as wide as a table. */
  narrow?: boolean;
}

/** The frame of a page's content: introduction and actions, then the content, 24 px apart; it begins where the header's title does. */
export function Page({ intro, actions, children, narrow }: Props) {
  return (
    <div className="mx-auto w-full max-w-320">
      <div className={`flex flex-col gap-6 ${narrow ? 'max-w-220' : ''}`}>
        {(intro !== undefined || actions !== undefined) && (
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <div className="min-w-0 text-muted">{intro}</div>
            {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
          </div>
        )}
        {children}
      </div>
    </div>
  );
}
