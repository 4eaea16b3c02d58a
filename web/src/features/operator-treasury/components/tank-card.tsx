import { lazy, Suspense, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Money } from '../../../ui/money.tsx';
import { Stat } from '../../../ui/stat.tsx';
import { Banner } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Chain, Tank } from '../api.ts';
import { explorerLink, inShort } from '../words.ts';
import { TankThresholds } from './tank-thresholds.tsx';

const QrCode = lazy(async () => ({ default: (await import('../../../ui/qr-code.tsx')).QrCode }));

/** An advance costs millionths of a coin; more decimals say nothing. */
const decimals = 8;

/** Beyond ten years the forecast is no figure any more; beyond so many payments their number is none. */
const longDays = 3650;
const manyPayments = 100_000;

/** The gas tank of one chain: what it holds, how long that lasts, where it is filled. */
export function TankCard({ chain, tank }: { chain: Chain; tank: Tank }) {
  const t = useText();
  const { coin, name } = chain;
  const figure = (amount: string) => <Money amount={amount} coin={coin} atMost={decimals} />;
  return (
    <Card
      title={t('ops.tank.title', { chain: name })}
      aside={
        tank.balance !== null && (
          <StatusDot tone={tank.stopped ? 'negative' : tank.low ? 'pending' : 'positive'}>
            {t(tank.stopped ? 'ops.tank.stopped' : tank.low ? 'ops.tank.low' : 'ops.tank.enough')}
          </StatusDot>
        )
      }
    >
      <div className="flex flex-col gap-6">
        {tank.stopped ? (
          <Banner kind="negative">{t('ops.tank.stoppedText', { coin, payments: tank.threshold.stopPayments })}</Banner>
        ) : (
          tank.low && <Banner kind="pending">{t('ops.tank.lowText', { coin })}</Banner>
        )}
        <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2 xl:grid-cols-4">
          <Stat
            label={t('ops.tank.balance')}
            value={
              tank.balance === null ? (
                t('ops.notReported')
              ) : (
                <Money
                  amount={tank.balance}
                  coin={coin}
                  atMost={decimals}
                  fiat={tank.usd === null ? undefined : { amount: tank.usd, coin: 'USD' }}
                />
              )
            }
            detail={tank.balanceAt !== null && <Time at={tank.balanceAt} />}
          />
          <Stat
            label={t('ops.tank.daysLeft')}
            value={
              tank.daysLeft === null
                ? '–'
                : t(tank.daysLeft >= longDays ? 'ops.tank.long' : 'ops.tank.days', {
                    days: Math.min(tank.daysLeft, longDays),
                  })
            }
            detail={
              tank.daysLeft === null
                ? t('ops.tank.noRate')
                : t('ops.tank.rate', { amount: inShort(tank.perDay, decimals), coin })
            }
          />
          <Stat
            label={t('ops.tank.spent7')}
            value={figure(tank.spent7)}
            detail={t('ops.tank.advances', { count: tank.advances7 })}
          />
          <Stat label={t('ops.tank.spent30')} value={figure(tank.spent30)} />
        </div>
        {tank.paymentsLeft !== null && tank.paymentsLeft < manyPayments && (
          <p className="m-0 text-13 text-faint">{t('ops.tank.paymentsLeft', { count: tank.paymentsLeft })}</p>
        )}
        <TankThresholds chain={chain} tank={tank} />
        <TopUp chain={chain} tank={tank} />
      </div>
    </Card>
  );
}

function TopUp({ chain: { coin, name, explorerUrl }, tank }: { chain: Chain; tank: Tank }) {
  const t = useText();
  const [isShown, setShown] = useState(false);
  return (
    <div className="grid gap-6 border-t border-line pt-5 md:grid-cols-2">
      <div className="flex min-w-0 flex-col items-start gap-3">
        <span className="text-13 text-faint">{t('ops.tank.fill', { coin, chain: name })}</span>
        <Address
          value={tank.address}
          what={t('ops.field.address')}
          explorerUrl={explorerLink(explorerUrl, 'address', tank.address)}
        />
        {isShown ? (
          <Suspense>
            <QrCode text={tank.address} />
          </Suspense>
        ) : (
          <Button onClick={() => setShown(true)}>{t('ops.tank.showQr')}</Button>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-2">
        <span className="text-13 text-faint">{t('ops.tank.topUps')}</span>
        {tank.topUps.length === 0 ? (
          <p className="m-0 text-13 text-faint">{t('ops.tank.noTopUps')}</p>
        ) : (
          <ul aria-label={t('ops.tank.topUps')} className="m-0 list-none p-0">
            {tank.topUps.map(({ at, quantity }) => (
              <li key={at} className="flex flex-wrap justify-between gap-x-4 border-line py-1.5 not-last:border-b">
                <Time at={at} />
                <Money amount={quantity} coin={coin} signed atMost={decimals} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
