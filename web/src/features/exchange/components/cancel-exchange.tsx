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
    toast('success', t('exchange.cancelled'));
  });
  const bought = detail.exchange;
  return (
    <>
      {detail.cancellable && <Button onClick={() => setAsking(true)}>{t('exchange.cancel')}</Button>}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('exchange.cancel.title')}
        description={t('exchange.cancel.text')}
        facts={[
          { term: t('exchange.cancel.sold'), value: <Money amount={detail.quantity} coin={detail.coin} /> },
          {
            term: t('exchange.cancel.bought'),
            value: bought === null ? '–' : <Money amount={bought.quantity} coin={bought.asset} />,
          },
        ]}
        confirmText={t('exchange.cancel')}
        cancelText={t('exchange.cancel.keep')}
        negative
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate({ body: { id: detail.id } })}
      />
    </>
  );
}
