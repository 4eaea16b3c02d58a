import { lazy, Suspense } from 'react';
import { loadTexts } from '../../../lib/locale.tsx';
import { Skeleton } from '../../../ui/states.tsx';

const Own = lazy(async () => {
  const [{ OwnProposals }] = await Promise.all([import('./own-proposals.tsx'), loadTexts(['operator'])]);
  return { default: OwnProposals };
});

/** The proposals that concern the reader, below what Home is opened for: loaded after it. */
export function OpenProposals() {
  return (
    <Suspense fallback={<Skeleton height="h-40" />}>
      <Own />
    </Suspense>
  );
}
