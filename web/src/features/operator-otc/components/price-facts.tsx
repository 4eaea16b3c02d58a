import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { Banner } from '../../../ui/states.tsx';
import type { Price, Request } from '../api.ts';

/** What a rate comes to: for the company, for the desk, and for the position in both assets. */
export function PriceFacts({ price, request: { sell, buy } }: { price: Price; request: Request }) {
  const t = useText();
  const money = (amount: string, coin: string) => <Money amount={amount} coin={coin} align="right" />;
  return (
    <div className="flex flex-col gap-3 rounded-10 bg-sunken p-4">
      <DescriptionList
        facts={[
          { term: t('ops.desk.leaves'), value: money(price.total, sell.asset) },
          { term: t('ops.desk.fee'), value: money(price.fee, sell.asset) },
          { term: t('ops.desk.arrives'), value: money(price.bought, buy.asset) },
          {
            term: t('ops.desk.spread'),
            value: (
              <span className="figures flex flex-col items-end">
                <span>{t('ops.desk.basisPoints', { points: price.spreadBasisPoints })}</span>
                <span className="text-12 text-faint">
                  {`${amountLine(price.spread, buy.asset)} · ${amountLine(price.spreadUsd, 'USD')}`}
                </span>
              </span>
            ),
          },
          { term: t('ops.desk.worth'), value: money(price.usd, 'USD') },
          ...price.positions.map(({ asset, before, after, roomAfter }) => ({
            term: t('ops.desk.position', { asset }),
            value: (
              <span className="figures flex flex-col items-end">
                <span>{`${amountLine(before)} → ${amountLine(after, asset)}`}</span>
                <span className="text-12 text-faint">
                  {roomAfter === null
                    ? t('ops.desk.noLimit')
                    : t('ops.desk.roomAfter', { amount: amountLine(roomAfter, asset) })}
                </span>
              </span>
            ),
          })),
        ]}
      />
      {price.problem !== null && <Banner kind="negative">{price.problem}</Banner>}
    </div>
  );
}
