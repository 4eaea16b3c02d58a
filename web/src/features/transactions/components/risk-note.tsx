import type { DepositTerms } from '@causeway/contract/transactions.ts';
import { useText } from '../../../lib/locale.tsx';
import { Banner } from '../../../ui/states.tsx';
import { shortRate } from '../words.ts';

/** How far a deposit that no block has can be relied on, and whether it may take long. */
export function RiskNote({ terms: { replaceable, feeRate, isLow } }: { terms: DepositTerms }) {
  const t = useText();
  return (
    <Banner kind="pending">
      <p className="m-0">{t(replaceable ? 'transactions.panel.replaceable' : 'transactions.panel.unconfirmed')}</p>
      {isLow && feeRate !== null && (
        <p className="m-0 mt-1">{t('transactions.panel.lowFee', { rate: shortRate(feeRate) })}</p>
      )}
    </Banner>
  );
}
