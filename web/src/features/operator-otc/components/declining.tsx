import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Money } from '../../../ui/money.tsx';
import { ReasonDialog } from '../../operator/index.ts';
import { type Request, useDecline } from '../api.ts';

/** Declines a request, with a reason that the company reads. */
export function Declining({ request }: { request: Request }) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const decline = useDecline();
  const { id, version, company, sell, buy, fixed, amount } = request;
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('ops.desk.decline')}</Button>
      {asking && (
        <ReasonDialog
          title={t('ops.desk.declineTitle')}
          text={t('ops.desk.declineText')}
          submitText={t('ops.desk.decline')}
          negative
          facts={[
            { term: t('ops.desk.company'), value: company.name },
            {
              term: t('otc.field.amount'),
              value: <Money amount={amount} coin={(fixed === 'sell' ? sell : buy).asset} />,
            },
          ]}
          onSubmit={async ({ reason }) => {
            await decline.mutateAsync({ params: { id }, body: { version, text: reason } });
            toast('success', t('ops.desk.declined'));
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
