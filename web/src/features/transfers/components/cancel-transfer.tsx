import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Address } from '../../../ui/address.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Money } from '../../../ui/money.tsx';
import { useCancelTransfer } from '../api.ts';

/**
 * Takes a transfer back while it can be; asks first, repeating its facts. Where the server says that it is too late, the question stays
 * with that answer, also once the transfer that the page shows can't be taken back any more.
 */
export function CancelTransfer({ detail }: { detail: TransactionDetail }) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const cancel = useCancelTransfer(() => {
    setAsking(false);
    toast('success', t('transfers.cancelled'));
  });
  return (
    <>
      {detail.cancellable && <Button onClick={() => setAsking(true)}>{t('transfers.cancel')}</Button>}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('transfers.cancel.title')}
        description={t('transfers.cancel.text')}
        facts={[
          { term: t('transfers.cancel.amount'), value: <Money amount={detail.quantity} coin={detail.coin} /> },
          { term: t('transfers.cancel.payee'), value: detail.payee.name ?? '–' },
          {
            term: t('transfers.cancel.to'),
            value: detail.payee.account === null ? '–' : <Address value={detail.payee.account} copyable={false} />,
          },
        ]}
        confirmText={t('transfers.cancel')}
        cancelText={t('transfers.cancel.keep')}
        negative
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate({ body: { id: detail.id } })}
      />
    </>
  );
}
