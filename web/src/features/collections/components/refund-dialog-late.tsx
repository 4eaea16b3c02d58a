import { lazy, Suspense } from 'react';
import { loadTexts } from '../../../lib/locale.tsx';
import type { Payment, Request } from '../api.ts';

const Late = lazy(async () => {
  const loading = loadTexts(['transfers-fee']);
  const { RefundForm } = await import('./refund-form.tsx');
  await loading;
  return { default: RefundForm };
});

/** The refund's form comes when it is opened: it brings payees, fees and codes with it. */
export function RefundDialog(props: { request: Request; payment: Payment; onClose: () => void }) {
  return (
    <Suspense>
      <Late {...props} />
    </Suspense>
  );
}
