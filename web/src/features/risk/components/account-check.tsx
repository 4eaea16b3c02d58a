import { isWholeAddress } from '@causeway/contract/address-forms.ts';
import type { ListAccountType } from '@causeway/contract/risk-rules.ts';
import { accountMaxLength, accountMinLength } from '@causeway/contract/risk-rules.ts';
import { type ReactNode, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { messageOf } from '../../../lib/report-error.ts';
import { Icon } from '../../../ui/icon.tsx';
import { useAddressCheck } from '../api.ts';
import { bankAccountOf, isBankAccount } from '../entry-values.ts';

interface TypedAccount {
  hint: ReactNode;
  /** Why the account is refused; undefined while it is not known to be wrong. */
  problem: string | undefined;
  /** The field was left: have the address checked. */
  ask: () => void;
}

/** The errors that are about the address itself; anything else only means that it could not be checked. */
const addressErrors = ['addressInvalid', 'addressChecksum', 'addressNetwork', 'validationFailed'];

/** What can be said of an account before it is sent: the form of a bank account at once, an address once it is whole. */
export function useTypedAccount(type: ListAccountType, typed: string): TypedAccount {
  const t = useText();
  const bank = bankAccountOf(typed);
  const address = typed.trim();
  const [asked, setAsked] = useState('');
  const whole = isWholeAddress(address);
  const current = type === 'crypto_address' && address !== '' && (whole || asked === address);
  const check = useAddressCheck(current ? address : '');
  const ask = () => setAsked(address);
  if (type === 'bank_no') {
    return {
      hint: isBankAccount(bank) ? (
        <Good>{t('risk.account.bankGood', { account: bank })}</Good>
      ) : (
        t('risk.account.bankHint', { least: accountMinLength, most: accountMaxLength })
      ),
      problem: undefined,
      ask,
    };
  }
  const { data, error } = check;
  if (current && data !== undefined) {
    const known = data.knownAs;
    return {
      hint: (
        <Good>{known === null ? t('risk.account.addressGood') : t('risk.account.addressKnown', { label: known })}</Good>
      ),
      problem: undefined,
      ask,
    };
  }
  const refused = current && error !== null && addressErrors.includes(error.key);
  return {
    hint: t('risk.account.addressHint'),
    problem: refused ? (error.fields['address'] ?? messageOf(error)) : undefined,
    ask,
  };
}

function Good({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-positive">
      <Icon name="check" size={14} />
      {children}
    </span>
  );
}
