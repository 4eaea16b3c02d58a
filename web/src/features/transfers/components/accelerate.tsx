import type { DepositTerms, TransactionDetail } from '@causeway/contract/transactions.ts';
import type { AccelerationOption } from '@causeway/contract/transfers.ts';
import type { FeeLevel } from '@causeway/contract/transfers-rules.ts';
import { useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Money } from '../../../ui/money.tsx';
import { RadioField } from '../../../ui/radio-field.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { useWallets, walletName } from '../../wallets/index.ts';
import { useAcceleration, useAccelerationQuote } from '../acceleration-api.ts';
import { levelTexts } from '../fee-levels.ts';
import { rateLine } from '../network-fees.ts';

interface Props {
  detail: TransactionDetail;
  terms: DepositTerms;
}

/**
 * Asks how soon, with what it costs and what the deposit is worth after it. Where a block takes the deposit meanwhile, or another member
 * accelerates it, the question stays and says so.
 */
export function Accelerate({ detail, terms: { canAccelerate } }: Props) {
  const t = useText();
  const formats = useFormats();
  const [id, setId] = useState<string | null>(null);
  const [wanted, setWanted] = useState<FeeLevel>('urgent');
  const { data, error, refetch } = useAccelerationQuote(detail.id, id !== null && canAccelerate);
  const wallet = useWallets().data?.items.find((each) => each.id === data?.walletId);
  const acceleration = useAcceleration(() => {
    setId(null);
    toast('success', t('transfers.accelerated'));
  });
  const chosen = data?.items.find(({ level }) => level === wanted) ?? data?.items.at(-1);
  return (
    <>
      {canAccelerate && <Button onClick={() => setId(newId())}>{t('transfers.accelerate')}</Button>}
      <ConfirmDialog
        open={id !== null}
        onOpenChange={(open) => setId(open ? newId() : null)}
        title={t('transfers.accelerate.title')}
        description={t('transfers.accelerate.text')}
        confirmText={t('transfers.accelerate')}
        cancelText={t('transfers.speedUp.keep')}
        over={canAccelerate ? null : t('transfers.accelerate.over')}
        busy={acceleration.isPending}
        disabled={chosen === undefined}
        onConfirm={() =>
          id !== null &&
          chosen &&
          acceleration.mutate({ body: { id, depositId: detail.id, feeLevel: chosen.level, fee: chosen.fee } })
        }
        {...(data && chosen && { facts: factsOf(chosen, data.feeRate) })}
      >
        {data !== undefined && chosen !== undefined ? (
          <div className="mt-4">
            <RadioField
              label={t('transfers.accelerate.level')}
              name="level"
              value={chosen.level}
              onChange={setWanted}
              options={data.items.map(({ level, expectedSeconds }) => ({
                value: level,
                label: t(levelTexts[level]),
                detail: t('transfers.fee.within', { duration: formats.duration(expectedSeconds) }),
              }))}
            />
          </div>
        ) : error === null ? (
          <Skeleton height="h-40" />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )}
      </ConfirmDialog>
    </>
  );

  function factsOf({ fee, feeUsd, feeRate, worth, expectedSeconds }: AccelerationOption, parentRate: string) {
    const rate = (of: string) => t('transfers.fee.rate', { rate: rateLine(of) });
    const usd = feeUsd === null ? {} : { fiat: { amount: feeUsd, coin: 'USD' } };
    return [
      { term: t('transfers.accelerate.rate'), value: rate(parentRate) },
      { term: t('transfers.accelerate.newRate'), value: rate(feeRate) },
      {
        term: t('transfers.speedUp.expected'),
        value: t('transfers.fee.within', { duration: formats.duration(expectedSeconds) }),
      },
      {
        term: t('transfers.accelerate.fee'),
        value: <Money amount={fee} coin={detail.coin} align="right" {...usd} />,
      },
      ...(wallet ? [{ term: t('transfers.accelerate.wallet'), value: walletName(wallet) }] : []),
      {
        term: t('transfers.accelerate.worth'),
        value: <Money amount={worth} coin={detail.coin} align="right" />,
      },
    ];
  }
}
