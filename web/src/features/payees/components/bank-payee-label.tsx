import { labelBankPayee } from '@causeway/contract/bank-payees.ts';
import { useMemo } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { byContract } from '../../../ui/by-contract.ts';
import { useLabelBankPayee } from '../api.ts';
import { PayeeWords } from './payee-words.tsx';

interface Props {
  payee: { id: string; label: string; remark: string };
  onClose: () => void;
}

/** Label and remark of a payee with a bank account; the account is changed on a page of its own. */
export function BankPayeeLabel({ payee, onClose }: Props) {
  const t = useText();
  const save = useLabelBankPayee();
  const { id } = payee;
  const check = useMemo(() => {
    const byCall = byContract(labelBankPayee.body);
    return (words: { label: string; remark: string }) => byCall({ id, ...words });
  }, [id]);
  return (
    <PayeeWords
      title={t('payees.bank.relabelTitle')}
      words={payee}
      check={check}
      onSave={(body) => save.mutateAsync({ body })}
      onClose={onClose}
    />
  );
}
