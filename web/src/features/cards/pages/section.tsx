import { useParams } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense } from 'react';
import { Loading, Skeleton } from '../../../ui/states.tsx';

const pages: Record<string, ComponentType> = {
  '': lazy(async () => ({ default: (await import('./cards.tsx')).Page })),
  payments: lazy(async () => ({ default: (await import('./payments.tsx')).Page })),
  rules: lazy(async () => ({ default: (await import('./rules.tsx')).Page })),
  issue: lazy(async () => ({ default: (await import('./issue.tsx')).Page })),
};
const CardPage = lazy(async () => ({ default: (await import('./card.tsx')).CardPage }));
const ReceiptPage = lazy(async () => ({ default: (await import('./receipt.tsx')).ReceiptPage }));
const NumberPage = lazy(async () => ({ default: (await import('./number.tsx')).NumberPage }));

/** The page that the rest of the address names: a list, or a card by its id and its number. */
export function Page() {
  const { _splat = '' } = useParams({ strict: false }) as { _splat?: string };
  const [first = '', second] = _splat.split('/');
  const Listed = second === undefined ? pages[first] : undefined;
  return (
    <Suspense
      fallback={
        <Loading loading skeleton={<Skeleton height="h-96" />}>
          {null}
        </Loading>
      }
    >
      {Listed ? <Listed /> : <One first={first} second={second} />}
    </Suspense>
  );
}

function One({ first, second = '' }: { first: string; second: string | undefined }) {
  if (first === 'receipt') return <ReceiptPage id={second} />;
  return second === 'number' ? <NumberPage id={first} /> : <CardPage id={first} />;
}
