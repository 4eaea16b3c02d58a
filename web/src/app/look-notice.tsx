import { logout } from 'virtual:calls/identity';
import { useEffect } from 'react';
import { send } from '../lib/client.ts';
import { useFormats } from '../lib/format.ts';
import { leave } from '../lib/leave.ts';
import { useText } from '../lib/locale.tsx';
import { onSessionEnd } from '../lib/session.ts';
import { useUser } from '../lib/user.ts';
import { Button } from '../ui/button.tsx';
import { Banner } from '../ui/states.tsx';

/** Where a look begins and ends; there is no sign-in at its origin. */
const lookPage = '/look';

/** While an operator looks at the company: what this is, until when, and the way out. The server refuses every change. */
export function LookNotice() {
  const t = useText();
  const formats = useFormats();
  const user = useUser();
  const look = user?.look ?? null;
  const isLook = look !== null;
  useEffect(() => (isLook ? onSessionEnd(() => location.replace(lookPage)) : undefined), [isLook]);
  if (user === undefined || look === null) return null;
  return (
    <div className="sticky top-15 z-10" role="status">
      <Banner
        kind="notice"
        flush
        action={
          <Button onClick={() => void leave((signal) => send(logout, {}, { signal }))}>{t('app.look.end')}</Button>
        }
      >
        {t('app.look', { company: user.companyName, until: formats.dateTime(look.until) })}
      </Banner>
    </div>
  );
}
