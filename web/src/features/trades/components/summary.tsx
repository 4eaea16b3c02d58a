import type { Output } from '@causeway/contract/call.ts';
import type { listTrades } from '@causeway/contract/trades.ts';
import type { TradeState } from '@causeway/contract/trades-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Stat } from '../../../ui/stat.tsx';

type Summary = Output<typeof listTrades>['summary'];
type Sums = Summary['frozen'];

/** How many trades are in each state and what they come to; each leads to its trades. */
export function TradeSummary({ summary }: { summary: Summary | undefined }) {
  const t = useText();
  const lines = (sums: Sums | undefined) => sums?.map(({ asset, amount }) => amountLine(amount, asset)) ?? [];
  const frozen = lines(summary?.frozen);
  return (
    <div className="grid gap-4 grid-cols-2 lg:grid-cols-4">
      <StateCard state="created" count={summary?.created} sums={lines(summary?.quantities.created)} />
      <StateCard
        state="in_progress"
        count={summary?.inProgress}
        sums={frozen.length === 0 ? lines(summary?.quantities.inProgress) : frozen}
        {...(frozen.length > 0 && { of: t('trades.summary.frozen') })}
      />
      <StateCard state="success" count={summary?.success} sums={lines(summary?.quantities.success)} />
      <StateCard state="cancelled" count={summary?.cancelled} sums={lines(summary?.quantities.cancelled)} />
    </div>
  );
}

interface StateProps {
  state: TradeState;
  count: number | undefined;
  sums: readonly string[];
  /** What the sums are of, where they are not the trades' amounts. */
  of?: string;
}

function StateCard({ state, count, sums, of }: StateProps) {
  const t = useText();
  return (
    <Card>
      <Stat
        label={t(`trades.state.${state}`)}
        value={
          count === undefined ? null : (
            <PlainLink href={`/app/wallet/tradego?state=${state}`} className="hover:text-accent">
              {t('trades.summary.count', { count })}
            </PlainLink>
          )
        }
        detail={
          sums.length === 0 ? (
            <span aria-hidden="true">–</span>
          ) : (
            <span className="flex flex-col">
              {of !== undefined && <span>{of}</span>}
              {sums.map((line) => (
                <span key={line} className="figures">
                  {line}
                </span>
              ))}
            </span>
          )
        }
      />
    </Card>
  );
}
