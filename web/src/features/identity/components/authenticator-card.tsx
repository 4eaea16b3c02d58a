import type { User } from '@causeway/contract/identity.ts';
import { lazy, Suspense, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { useUnbindMfa } from '../api.ts';
import { ProofDialog } from './proof-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';

const Binding = lazy(async () => ({ default: (await import('./authenticator-binding.tsx')).AuthenticatorBinding }));

/** Whether an authenticator is bound, the ways to bind, replace and unbind one, and its recovery codes. */
export function AuthenticatorCard({ user }: { user: User }) {
  const t = useText();
  const unbind = useUnbindMfa();
  const [binding, setBinding] = useState(false);
  /** What is to be done with the bound one, under a proof. */
  const [leaving, setLeaving] = useState<'unbind' | 'replace' | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const status = (
    <StatusDot tone={user.hasOtp ? 'positive' : 'neutral'}>
      {t(user.hasOtp ? 'identity.otp.bound' : 'identity.otp.notBound')}
    </StatusDot>
  );
  const open = binding && !user.hasOtp;
  return (
    <Card title={t('identity.otp.title')} aside={status}>
      <p className="mt-0 mb-5 max-w-160 text-13 text-muted last:mb-0">
        {t(user.hasOtp ? 'identity.otp.introBound' : 'identity.otp.intro')}
      </p>
      {user.hasOtp && (
        <>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setLeaving('replace')}>{t('identity.otp.replace')}</Button>
            <Button kind="quiet" onClick={() => setLeaving('unbind')}>
              {t('identity.otp.unbind')}
            </Button>
          </div>
          <RecoveryCodes user={user} onNew={setCodes} />
        </>
      )}
      {!user.hasOtp && !open && (
        <Button icon="shield" onClick={() => setBinding(true)}>
          {t('identity.otp.start')}
        </Button>
      )}
      {open && (
        <Suspense fallback={<Skeleton height="h-72" />}>
          <Binding
            user={user}
            onClose={() => setBinding(false)}
            onBound={(made) => {
              setBinding(false);
              setCodes(made);
            }}
          />
        </Suspense>
      )}
      <ProofDialog
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        title={t(leaving === 'replace' ? 'identity.otp.replaceTitle' : 'identity.otp.unbindTitle')}
        description={t(leaving === 'replace' ? 'identity.otp.replaceText' : 'identity.otp.unbindText')}
        user={user}
        content={{ action: 'unbindAuthenticator' }}
        submitText={t(leaving === 'replace' ? 'identity.otp.replaceSubmit' : 'identity.otp.unbind')}
        negative={leaving === 'unbind'}
        onProved={async (proof) => {
          await unbind.mutateAsync({ body: { proof } });
          toast('success', t('identity.otp.unbound'));
          setBinding(leaving === 'replace');
          setLeaving(null);
        }}
      />
      <RecoveryCodesDialog codes={codes} email={user.email} onKept={() => setCodes(null)} />
    </Card>
  );
}
