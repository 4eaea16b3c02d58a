import { useText } from '../../../lib/locale.tsx';
import { buttonClass } from '../../../ui/button.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import type { CompanyFile } from '../api.ts';
import { LookAction } from './look-action.tsx';

/** What can be done about a company, in the header of its file. */
export function FileActions({ company }: { company: CompanyFile }) {
  const t = useText();
  return (
    <>
      <LookAction companyId={company.id} name={company.name} />
      <PlainLink href={`/app/home?companyId=${company.id}`} className={buttonClass('secondary')}>
        {t('ops.companies.openItems')}
      </PlainLink>
      <PlainLink href={`/app/trades?companyId=${company.id}`} className={buttonClass('secondary')}>
        {t('ops.companies.openTrades')}
      </PlainLink>
    </>
  );
}
