import type { Output } from '@causeway/contract/call.ts';
import type { getOverview } from '@causeway/contract/wallets.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { Money } from '../../../ui/money.tsx';
import { Stat } from '../../../ui/stat.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { isZero } from '../amounts.ts';

type Overview = Output<typeof getOverview>;

interface Props {
  overview: Overview | undefined;
  error: unknown;
  onRetry: () => void;
}

/** Total, available, in transfer, valued in US dollars (decisions, "Ledger": inbound is not in the total). */
export function OverviewFigures({ overview, error, onRetry }: Props) {
  const t = useText();
  const formats = useFormats();
  if (overview === undefined && error !== null) {
    return (
      <Card>
        <ErrorState error={error} onRetry={onRetry} />
      </Card>
    );
  }
  const value = (amount: string | null | undefined, hero = false) =>
    overview === undefined ? null : amount == null ? (
      t('wallets.unknown')
    ) : (
      <Money amount={amount} coin={overview.currency} size={hero ? 'hero' : 'large'} />
    );
  const inbound = overview?.inbound ?? null;
  return (
    <Card>
      <div className="flex flex-col gap-5">
        <Stat
          label={t('wallets.total')}
          value={value(overview?.total, true)}
          detail={
            overview?.pricesUpdatedAt == null
              ? t('wallets.total.detail')
              : `${t('wallets.total.detail')} · ${t('wallets.pricesAt', { time: formats.dateTime(overview.pricesUpdatedAt) })}`
          }
        />
        <div className="grid gap-5 border-t border-line pt-5 sm:grid-cols-2">
          <Stat label={t('wallets.available')} value={value(overview?.available)} />
          <Stat
            label={t('wallets.inTransfer')}
            value={value(overview?.outbound)}
            {...(inbound !== null &&
              !isZero(inbound) && {
                detail: t('wallets.arriving', { amount: amountLine(inbound, overview?.currency) }),
              })}
          />
          {overview?.escrow != null && !isZero(overview.escrow) && (
            <Stat label={t('wallets.escrow')} value={value(overview.escrow)} />
          )}
        </div>
      </div>
    </Card>
  );
}
