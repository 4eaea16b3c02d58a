import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { useUser } from '../../../lib/user.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Money } from '../../../ui/money.tsx';
import { type Request, useWithdraw } from '../api.ts';

/** Takes a request of one's own back; asks first, repeating its facts. */
export function Withdrawing({ request: { id, requester, sell, buy, fixed, amount } }: { request: Request }) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const withdraw = useWithdraw();
  if (useUser()?.id !== requester.id) return null;
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('otc.withdraw')}</Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('otc.withdraw.title')}
        description={t('otc.withdraw.text')}
        facts={[
          { term: t('otc.field.pair'), value: `${sell.asset} → ${buy.asset}` },
          {
            term: t('otc.field.amount'),
            value: <Money amount={amount} coin={(fixed === 'sell' ? sell : buy).asset} />,
          },
        ]}
        confirmText={t('otc.withdraw')}
        cancelText={t('otc.withdraw.keep')}
        negative
        busy={withdraw.isPending}
        onConfirm={() =>
          withdraw.mutate(
            { params: { id } },
            {
              onSuccess: () => {
                setAsking(false);
                toast('success', t('otc.withdrawn'));
              },
            },
          )
        }
      />
    </>
  );
}
