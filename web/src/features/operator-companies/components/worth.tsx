import type { OperatorCompany } from '@causeway/contract/operator-companies.ts';
import { useText } from '../../../lib/locale.tsx';
import { Money } from '../../../ui/money.tsx';

/** What a company holds in US dollars; says where a price is missing. */
export function Worth({ of: { usd, usdIncomplete } }: { of: Pick<OperatorCompany, 'usd' | 'usdIncomplete'> }) {
  const t = useText();
  return (
    <span className="inline-flex flex-col items-end">
      <Money amount={usd} coin="USD" align="right" />
      {usdIncomplete && <span className="text-12 text-pending">{t('ops.companies.incomplete')}</span>}
    </span>
  );
}
