import type { User } from '@causeway/contract/identity.ts';
import { lazy, Suspense, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';

const Binding = lazy(async () => ({ default: (await import('./authenticator-binding.tsx')).AuthenticatorBinding }));

/** Whether an authenticator is bound, and the way to bind one. */
export function AuthenticatorCard({ user }: { user: User }) {
  const t = useText();
  const [binding, setBinding] = useState(false);
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
      {!user.hasOtp && !open && (
        <Button icon="shield" onClick={() => setBinding(true)}>
          {t('identity.otp.start')}
        </Button>
      )}
      {open && (
        <Suspense fallback={<Skeleton height="h-72" />}>
          <Binding user={user} onClose={() => setBinding(false)} />
        </Suspense>
      )}
    </Card>
  );
}
