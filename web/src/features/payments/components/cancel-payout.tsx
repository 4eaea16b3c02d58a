import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Money } from '../../../ui/money.tsx';
import { useCancelPayout } from '../api.ts';

/**
 * Takes a payment back until the bank is instructed; asks first, repeating its facts. Where the server says that it is too late, the
 * question stays with that answer, also once the payment that the page shows cannot be taken back any more.
 */
export function CancelPayout({ detail }: { detail: TransactionDetail }) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const cancel = useCancelPayout(() => {
    setAsking(false);
    toast('success', t('payments.cancelled'));
  });
  return (
    <>
      {detail.cancellable && <Button onClick={() => setAsking(true)}>{t('payments.cancel')}</Button>}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('payments.cancel.title')}
        description={t('payments.cancel.text')}
        facts={[
          { term: t('payments.cancel.amount'), value: <Money amount={detail.quantity} coin={detail.coin} /> },
          { term: t('payments.cancel.payee'), value: detail.payee.name ?? '–' },
          { term: t('payments.cancel.account'), value: detail.payee.account ?? '–' },
        ]}
        confirmText={t('payments.cancel')}
        cancelText={t('payments.cancel.keep')}
        negative
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate({ body: { id: detail.id } })}
      />
    </>
  );
}
