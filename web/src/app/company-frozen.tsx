import { useFormats } from '../lib/format.ts';
import { useText } from '../lib/locale.tsx';
import { useUser } from '../lib/user.ts';
import { Banner } from '../ui/states.tsx';
import { SupportContact } from '../ui/support-contact.tsx';

/** While the operator has frozen the company: since when, why, what that stops, and what to quote when asking. */
export function CompanyFrozen() {
  const t = useText();
  const formats = useFormats();
  const frozen = useUser()?.companyFrozen;
  if (!frozen) return null;
  return (
    <div role="status">
      <Banner kind="negative" flush>
        {t('app.companyFrozen', { ...frozen, since: formats.dateTime(frozen.since) })}
        <SupportContact reference={frozen.reference} />
      </Banner>
    </div>
  );
}
