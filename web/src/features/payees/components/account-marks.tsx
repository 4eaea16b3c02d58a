import type { BankPayee } from '@causeway/contract/bank-payees.ts';
import { useText } from '../../../lib/locale.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';

/** What of an account asks for a look: changed lately, an address that banks refuse. */
export function AccountMarks({ payee }: { payee: Pick<BankPayee, 'changedUntil' | 'addressLacks'> }) {
  const t = useText();
  return (
    <>
      {payee.changedUntil !== null && <StatusDot tone="pending">{t('payees.bank.changed')}</StatusDot>}
      {payee.addressLacks.length > 0 && <StatusDot tone="pending">{t('payees.bank.mark.address')}</StatusDot>}
    </>
  );
}
