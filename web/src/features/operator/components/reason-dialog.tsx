import { lazy, Suspense } from 'react';
import type { ReasonDialogProps } from './reason-form.tsx';

// Most visits open none.
const ReasonForm = lazy(async () => ({ default: (await import('./reason-form.tsx')).ReasonForm }));

/** Asks before a step for the reason that every act of an operator has; its form is fetched when it is first opened. */
export function ReasonDialog(props: ReasonDialogProps) {
  return (
    <Suspense>
      <ReasonForm {...props} />
    </Suspense>
  );
}
