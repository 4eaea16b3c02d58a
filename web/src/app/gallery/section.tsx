import type { ReactNode } from 'react';

/** One part of the interface with its states. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-4 border-t border-line pt-6">
      <h2 className="m-0 font-mono text-13 font-medium text-faint">{title}</h2>
      {children}
    </section>
  );
}

/** States side by side. */
export function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-start gap-4">{children}</div>;
}

/** States in columns of equal width. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2 lg:grid-cols-3">{children}</div>;
}
