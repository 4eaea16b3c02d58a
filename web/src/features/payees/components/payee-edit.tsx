import { editCryptoPayee } from '@causeway/contract/payees.ts';
import { useMemo } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { byContract } from '../../../ui/by-contract.ts';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { useEditPayee } from '../api.ts';
import { PayeeWords } from './payee-words.tsx';

interface Props {
  payee: { id: string; label: string; remark: string; coin: string; chainName: string; address: string };
  onClose: () => void;
}

/** Label and remark of a payee; the address is shown and stays, since another one is another payee. */
export function PayeeEdit({ payee, onClose }: Props) {
  const t = useText();
  const edit = useEditPayee();
  const { id } = payee;
  const check = useMemo(() => {
    const byCall = byContract(editCryptoPayee.body);
    return (words: { label: string; remark: string }) => byCall({ id, ...words });
  }, [id]);
  return (
    <PayeeWords
      title={t('payees.edit.title')}
      words={payee}
      check={check}
      onSave={(body) => edit.mutateAsync({ body })}
      onClose={onClose}
    >
      <DescriptionList
        framed
        facts={[
          { term: t('payees.coin'), value: `${payee.coin} · ${payee.chainName}` },
          { term: t('payees.address'), value: <Address value={payee.address} copyable={false} /> },
        ]}
      />
      <p className="m-0 text-13 text-faint">{t('payees.edit.address')}</p>
    </PayeeWords>
  );
}
