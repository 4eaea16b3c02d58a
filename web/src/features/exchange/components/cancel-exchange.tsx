import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Money } from '../../../ui/money.tsx';
import { useCancelExchange } from '../api.ts';

/** Takes an exchange back while it waits for approval; asks first, repeating its facts. */
export function CancelExchange({ detail }: { detail: TransactionDetail }) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const cancel = useCancelExchange(() => {
    setAsking(false);
    toast('success', t('exchanges.cancelled'));
  });
  const bought = detail.exchange;
  return (
    <>
      {detail.cancellable && <Button onClick={() => setAsking(true)}>{t('exchanges.cancel')}</Button>}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('exchanges.cancel.title')}
        description={t('exchanges.cancel.text')}
        facts={[
          { term: t('exchanges.cancel.sold'), value: <Money amount={detail.quantity} coin={detail.coin} /> },
          {
            term: t('exchanges.cancel.bought'),
            value: bought === null ? '–' : <Money amount={bought.quantity} coin={bought.asset} />,
          },
        ]}
        confirmText={t('exchanges.cancel')}
        cancelText={t('exchanges.cancel.keep')}
        negative
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate({ body: { id: detail.id } })}
      />
    </>
  );
}
