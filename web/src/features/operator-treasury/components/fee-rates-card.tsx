import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { Card } from '../../../ui/card.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Stat } from '../../../ui/stat.tsx';
import { Banner } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Chain } from '../api.ts';
import { outputsPage } from '../api-outputs.ts';
import { explorerLink } from '../words.ts';

type Fees = NonNullable<Chain['feeRates']>;

/** What payments on a Bitcoin chain pay for a block, and what the treasury has there to pay with: the place of a gas tank. */
export function FeeRatesCard({ chain, fees }: { chain: Chain; fees: Fees }) {
  const t = useText();
  const { published, treasury } = fees;
  const rate = (perByte: string) => `${perByte} sat/vB`;
  return (
    <Card
      title={t('ops.feeRates.title', { chain: chain.name })}
      aside={
        <PlainLink
          href="/app/treasury/outputs"
          className="text-13 font-medium whitespace-nowrap text-accent no-underline hover:underline"
        >
          {t('ops.title.outputs')}
        </PlainLink>
      }
    >
      <div className="flex flex-col gap-6">
        <p className="m-0 text-13 text-faint">{t('ops.feeRates.noTank')}</p>
        {published === null && <Banner kind="pending">{t('ops.feeRates.none')}</Banner>}
        {published?.stale && <Banner kind="pending">{t('ops.feeRates.stale')}</Banner>}
        {published !== null && (
          <>
            <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2 xl:grid-cols-4">
              <Stat label={t('ops.feeRates.economy')} value={rate(published.economy)} />
              <Stat label={t('ops.feeRates.normal')} value={rate(published.normal)} />
              <Stat label={t('ops.feeRates.urgent')} value={rate(published.urgent)} />
              <Stat
                label={t('ops.feeRates.minimum')}
                value={rate(published.minimum)}
                detail={
                  published.floor !== null &&
                  published.ceiling !== null &&
                  t('ops.feeRates.bounds', { floor: published.floor, ceiling: published.ceiling })
                }
              />
            </div>
            <p className="m-0 text-13 text-faint">
              {t(`ops.feeRates.source.${published.source}`)} · {t('ops.feeRates.askedAt')}{' '}
              <Time at={published.askedAt} /> · {t('ops.feeRates.publishedAt')} <Time at={published.publishedAt} />
            </p>
          </>
        )}
        {treasury !== null && <Treasury chain={chain} treasury={treasury} />}
      </div>
    </Card>
  );
}

function Treasury({ chain, treasury }: { chain: Chain; treasury: NonNullable<Fees['treasury']> }) {
  const t = useText();
  const { coin, explorerUrl } = chain;
  const address = chain.treasury?.address;
  return (
    <div className="flex min-w-0 flex-col items-start gap-4 border-t border-line pt-5">
      <span className="text-13 text-faint">{t('ops.feeRates.treasury')}</span>
      {address !== undefined && (
        <Address
          value={address}
          what={t('ops.field.address')}
          explorerUrl={explorerLink(explorerUrl, 'address', address)}
        />
      )}
      <div className="grid w-full gap-x-6 gap-y-5 sm:grid-cols-2">
        <Stat label={t('ops.outputs.confirmed')} value={<Money amount={treasury.confirmed} coin={coin} />} />
        <Stat label={t('ops.outputs.waiting')} value={<Money amount={treasury.waiting} coin={coin} />} />
      </div>
      <PlainLink
        href={outputsPage({ chainId: chain.id, companyId: treasury.companyId })}
        className="text-13 text-accent"
      >
        {t('ops.outputs.ofTreasury')}
      </PlainLink>
    </div>
  );
}
