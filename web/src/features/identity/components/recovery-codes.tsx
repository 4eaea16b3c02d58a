import type { User } from '@causeway/contract/identity.ts';
import { recoveryCodeCount, recoveryCodesFew } from '@causeway/contract/identity-rules.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useRecoveryCodes, useRenewRecoveryCodes } from '../api.ts';
import { ProofDialog } from './proof-dialog.tsx';

interface Props {
  user: User;
  /** New ones were made; they are shown this once. */
  onNew: (codes: readonly string[]) => void;
}

/** How many recovery codes are left, and the way to new ones. */
export function RecoveryCodes({ user, onNew }: Props) {
  const t = useText();
  const count = useRecoveryCodes();
  const renew = useRenewRecoveryCodes();
  const [asking, setAsking] = useState(false);
  if (count.data === undefined && count.error !== null) {
    return <ErrorState error={count.error} onRetry={() => void count.refetch()} />;
  }
  const left = count.data?.left ?? recoveryCodeCount;
  return (
    <section className="mt-6 border-t border-line pt-5">
      <h3 className="mt-0 mb-1 text-14 font-semibold">{t('identity.recovery.title')}</h3>
      <p className="mt-0 mb-4 max-w-160 text-13 text-muted">{t('identity.recovery.intro')}</p>
      <Loading loading={count.data === undefined} skeleton={<Skeleton width="w-40" height="h-9" />}>
        {left <= recoveryCodesFew && (
          <div className="mb-4">
            <Banner kind="pending">{t('identity.recovery.few', { left })}</Banner>
          </div>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <span className="figures">{t('identity.recovery.left', { left, total: count.data?.total ?? left })}</span>
          <Button onClick={() => setAsking(true)}>{t('identity.recovery.renew')}</Button>
        </div>
      </Loading>
      <ProofDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t('identity.recovery.renewTitle')}
        description={t('identity.recovery.renewText')}
        user={user}
        content={{ action: 'renewRecoveryCodes' }}
        submitText={t('identity.recovery.renew')}
        onProved={async (proof) => {
          const { codes } = await renew.mutateAsync({ body: { proof } });
          setAsking(false);
          onNew(codes);
        }}
      />
    </section>
  );
}
