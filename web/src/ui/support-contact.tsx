import { useText } from '../lib/locale.tsx';
import { useSupport } from '../lib/support.ts';

/** Whom to contact at the provider, after a sentence that says so; nothing where the installation names no one. */
export function SupportContact({ reference }: { reference: string }) {
  const t = useText();
  const { email, phone } = useSupport() ?? {};
  if (!email && !phone) return null;
  return (
    <span className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
      {email && (
        <span>
          {t('ui.support.email')}{' '}
          <a className="font-medium text-accent" href={`mailto:${email}?subject=${encodeURIComponent(reference)}`}>
            {email}
          </a>
        </span>
      )}
      {phone && (
        <span>
          {t('ui.support.phone')}{' '}
          <a className="font-medium whitespace-nowrap text-accent" href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>
            {phone}
          </a>
        </span>
      )}
    </span>
  );
}
