import { checkBankPayee } from '@causeway/contract/bank-payees.ts';
import type { Body } from '@causeway/contract/call.ts';
import { type ReactNode, useMemo, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { messageOf } from '../../../lib/report-error.ts';
import { useSettled } from '../../../lib/settled.ts';
import { byContract } from '../../../ui/by-contract.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Banner } from '../../../ui/states.tsx';
import { Checkbox } from '../../../ui/text-field.tsx';
import { type AccountValues, sentOf } from '../account-values.ts';
import { useAccountCheck } from '../api.ts';
import { AlikeAccounts } from './alike-accounts.tsx';

const typing_ms = 400;
const check = byContract(checkBankPayee.body);

type Account = Body<typeof checkBankPayee>;

interface Verdict {
  /** What the server knows of the account in the form: its bank, the name as it is sent, payees like it. */
  note: ReactNode;
  /** There are payees like it, and the reader has not said that the account is right. */
  mustConfirm: boolean;
}

/** Asks about an account as soon as it is whole. `id`: of the payee whose account is changed. */
export function useAccountVerdict(values: AccountValues, id?: string): Verdict {
  const t = useText();
  const typed = useMemo(() => {
    const checked = check({ ...sentOf(values), ...(id !== undefined && { id }) });
    return checked.ok ? JSON.stringify(checked.values) : '';
  }, [values, id]);
  const asked = useSettled(typed, typing_ms);
  const account = useMemo(() => (asked === '' ? null : (JSON.parse(asked) as Account)), [asked]);
  const { data, error } = useAccountCheck(account);
  const [confirmed, setConfirmed] = useState('');
  const isCurrent = asked !== '' && asked === typed;
  const known = isCurrent ? data : undefined;
  const alike = known?.alike ?? [];
  const isConfirmed = confirmed === asked;
  return {
    mustConfirm: alike.length > 0 && !isConfirmed,
    note: (
      <div aria-live="polite" className="flex flex-col gap-3 empty:hidden">
        {isCurrent && error?.refused && <Banner kind="negative">{messageOf(error)}</Banner>}
        {known?.knownAs && <Banner kind="pending">{t('payees.bank.knownAs', { label: known.knownAs })}</Banner>}
        {known?.bankName && (
          <p className="m-0 inline-flex items-center gap-1.5 text-13 text-positive">
            <Icon name="check" size={14} />
            {t('payees.bank.bankFound', { bank: known.bankName })}
          </p>
        )}
        {known?.folded && (
          <p className="m-0 text-13 text-muted">{t('payees.bank.folded', { text: known.folded.text })}</p>
        )}
        {known?.folded && known.folded.lost.length > 0 && (
          <Banner kind="pending">{t('payees.bank.foldedLost', { lost: known.folded.lost.join(' ') })}</Banner>
        )}
        <AlikeAccounts alike={alike}>
          <Checkbox checked={isConfirmed} onChange={(event) => setConfirmed(event.target.checked ? asked : '')}>
            {t('payees.bank.alikeConfirm')}
          </Checkbox>
        </AlikeAccounts>
      </div>
    ),
  };
}
