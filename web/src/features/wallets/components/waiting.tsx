import { lazy, Suspense } from 'react';
import { loadTexts } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';

const Waiting = lazy(async () => {
  const loading = loadTexts(['wallets-recharge']);
  const { WaitingRecharges } = await import('./waiting-recharges.tsx');
  await loading;
  return { default: WaitingRecharges };
});

/** Announced recharges on the pages of other features: those that wait, or only the late ones. Comes after the first paint. */
export function WaitingRecharges(props: { only?: 'late' }) {
  if (usePermission('wallet.view') !== true) return null;
  return (
    <Suspense fallback={null}>
      <Waiting {...props} />
    </Suspense>
  );
}
