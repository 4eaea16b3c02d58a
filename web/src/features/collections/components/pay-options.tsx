import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { Card } from '../../../ui/card.tsx';
import { Money } from '../../../ui/money.tsx';
import { rateText } from '../../../ui/rate-text.ts';
import type { Request } from '../api.ts';
import { methodName, toPay } from '../words.ts';

/** Where the payer can pay now and what lacks in each coin; then every address that stays watched. */
export function PayOptions({ request }: { request: Request }) {
  const t = useText();
  const { addresses, asset } = request;
  const options = toPay(request);
  if (addresses.length === 0 && options.length === 0) return null;
  return (
    <Card title={t(options.length > 0 ? 'collections.options' : 'collections.addresses')}>
      <div className="flex flex-col gap-5">
        {options.length > 0 && (
          <ul className="m-0 flex list-none flex-col gap-4 p-0">
            {options.map((option) => (
              <li
                key={`${option.coin}.${option.chainId}`}
                className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1"
              >
                <span className="font-medium">{methodName(option)}</span>
                <span className="ml-auto flex flex-col items-end text-right">
                  {option.amount === null ? (
                    <span className="text-muted">{t('collections.anyAmount')}</span>
                  ) : (
                    <Money amount={option.amount} coin={option.coin} align="right" />
                  )}
                  {option.rate !== null && asset !== null && (
                    <span className="figures text-12 text-faint">
                      {t('collections.rateIs', { coin: option.coin, rate: rateText(option.rate), currency: asset })}
                    </span>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
        <div>
          {options.length > 0 && <h3 className="m-0 mb-1 text-13 font-semibold">{t('collections.addresses')}</h3>}
          <p className="m-0 mb-3 text-13 text-muted">{t('collections.addresses.text')}</p>
          <ul className="m-0 flex list-none flex-col gap-3 p-0">
            {addresses.map(({ chainId, chainName, address, isAccepted }) => (
              <li key={chainId} className="flex min-w-0 flex-col gap-0.5">
                <span className="text-13 text-faint">
                  {chainName}
                  {!isAccepted && ` · ${t('collections.addresses.notAccepted')}`}
                </span>
                <Address value={address} what={t('collections.address')} />
              </li>
            ))}
          </ul>
        </div>
      </div>
    </Card>
  );
}
