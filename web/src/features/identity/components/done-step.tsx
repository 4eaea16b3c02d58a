import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { buttonClass } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { PublicLayout } from '../../../ui/public-layout.tsx';

/** Long enough to read the sentence; the button is quicker. */
const redirectAfter_ms = 5000;

/** Something succeeded and sign-in is next: says so, offers the way, and takes it after a while. */
export function DoneStep({ title, children }: { title: string; children: ReactNode }) {
  const t = useText();
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ to: '/sign-in' }), redirectAfter_ms);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <PublicLayout title={title}>
      <div role="status" className="mb-6 flex items-start gap-2.5">
        <span className="mt-0.5 text-positive">
          <Icon name="check" />
        </span>
        <p className="m-0 min-w-0 break-words">{children}</p>
      </div>
      <Link to="/sign-in" className={`w-full ${buttonClass('primary', 'large')}`}>
        {t('identity.done.signIn')}
      </Link>
    </PublicLayout>
  );
}
