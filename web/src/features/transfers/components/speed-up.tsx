import type { ChosenFee, TransactionDetail } from '@causeway/contract/transactions.ts';
import type { SpeedUpOffer } from '@causeway/contract/transfers.ts';
import { useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Money } from '../../../ui/money.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { rateLine } from '../network-fees.ts';
import { useSpeedUp, useSpeedUpOffer } from '../speed-up-api.ts';

interface Props {
  detail: TransactionDetail;
  networkFee: ChosenFee;
}

/**
 * Asks with the old fee and the new one before the extra is held. Where a block takes the transfer meanwhile, the question stays and says
 * so.
 */
export function SpeedUp({ detail, networkFee }: Props) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const offer = useSpeedUpOffer(detail.id, asking && networkFee.canSpeedUp);
  const speedUp = useSpeedUp(() => {
    setAsking(false);
    toast('success', t('transfers.spedUp'));
  });
  const { data } = offer;
  return (
    <>
      {networkFee.canSpeedUp && <Button onClick={() => setAsking(true)}>{t('transfers.speedUp')}</Button>}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('transfers.speedUp.title')}
        description={
          networkFee.joinedWith === 0
            ? t('transfers.speedUp.text')
            : t('transfers.speedUp.textJoined', { count: networkFee.joinedWith })
        }
        confirmText={t('transfers.speedUp')}
        cancelText={t('transfers.speedUp.keep')}
        over={networkFee.canSpeedUp ? null : t('transfers.speedUp.over')}
        busy={speedUp.isPending}
        disabled={data === undefined}
        onConfirm={() => data && speedUp.mutate({ body: { id: detail.id, fee: data.newFee } })}
        {...(data && { facts: factsOf(data) })}
      >
        {data === undefined &&
          (offer.error === null ? (
            <Skeleton height="h-40" />
          ) : (
            <ErrorState error={offer.error} onRetry={() => void offer.refetch()} />
          ))}
      </ConfirmDialog>
    </>
  );

  function factsOf({ fee, feeRate, newFee, newFeeRate, extra, extraUsd, expectedSeconds }: SpeedUpOffer) {
    return [
      { term: t('transfers.speedUp.fee'), value: <Fee amount={fee} coin={detail.coin} rate={feeRate} /> },
      { term: t('transfers.speedUp.newFee'), value: <Fee amount={newFee} coin={detail.coin} rate={newFeeRate} /> },
      {
        term: t('transfers.speedUp.extra'),
        value: (
          <Money
            amount={extra}
            coin={detail.coin}
            align="right"
            {...(extraUsd !== null && { fiat: { amount: extraUsd, coin: 'USD' } })}
          />
        ),
      },
      { term: t('transfers.speedUp.expected'), value: <Within seconds={expectedSeconds} /> },
    ];
  }
}

function Fee({ amount, coin, rate }: { amount: string; coin: string; rate: string }) {
  const t = useText();
  return (
    <span className="flex flex-col items-end">
      <Money amount={amount} coin={coin} align="right" />
      <span className="figures text-12 text-muted">{t('transfers.fee.rate', { rate: rateLine(rate) })}</span>
    </span>
  );
}

function Within({ seconds }: { seconds: number }) {
  const t = useText();
  const formats = useFormats();
  return t('transfers.fee.within', { duration: formats.duration(seconds) });
}
