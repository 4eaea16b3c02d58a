import type { getBankPayee } from '@causeway/contract/bank-payees.ts';
import type { Output } from '@causeway/contract/call.ts';
import type { ReactNode } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Banner } from '../../../ui/states.tsx';

interface Props {
  alike: Output<typeof getBankPayee>['alike'];
  /** What the reader can do about it. */
  children?: ReactNode;
}

/** Payees whose name could be taken for this one, with their accounts. */
export function AlikeAccounts({ alike, children }: Props) {
  const t = useText();
  if (alike.length === 0) return null;
  return (
    <Banner kind="pending">
      <span className="block font-medium">{t('payees.bank.alike', { count: alike.length })}</span>
      <span className="block text-13 text-muted">{t('payees.bank.alikeText')}</span>
      {alike.map((other) => (
        <span key={other.payeeId} className="mt-1.5 block text-13 break-words">
          {other.label} · {other.name} · <span className="figures break-all">{other.account}</span>
        </span>
      ))}
      {children && <span className="mt-3 block">{children}</span>}
    </Banner>
  );
}
