import type { Output } from '@causeway/contract/call.ts';
import type { listTrades } from '@causeway/contract/trades.ts';
import type { TradeState } from '@causeway/contract/trades-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Stat } from '../../../ui/stat.tsx';

type Summary = Output<typeof listTrades>['summary'];
type Sided = Summary['quantities']['created'];

/** How many trades are in each state and what they come to, what the company pays and what it receives; each leads to its trades. */
export function TradeSummary({ summary }: { summary: Summary | undefined }) {
  const t = useText();
  const linesOf = (sums: Summary['frozen']) => sums.map(({ asset, amount }) => amountLine(amount, asset));
  const bySide = (sums: Sided = []): Group[] =>
    (['buyer', 'seller'] as const).map((side) => ({
      of: t(`trades.summary.${side}`),
      lines: linesOf(sums.filter((sum) => sum.side === side)),
    }));
  const { quantities, frozen = [] } = summary ?? {};
  const [paid, received] = bySide(quantities?.inProgress);
  const running = [frozen.length > 0 ? { of: t('trades.summary.frozen'), lines: linesOf(frozen) } : paid, received];
  return (
    <div className="grid gap-4 grid-cols-2 lg:grid-cols-4">
      <StateCard state="created" count={summary?.created} groups={bySide(quantities?.created)} />
      <StateCard
        state="in_progress"
        count={summary?.inProgress}
        groups={running.filter((group) => group !== undefined)}
      />
      <StateCard state="success" count={summary?.success} groups={bySide(quantities?.success)} />
      <StateCard state="cancelled" count={summary?.cancelled} groups={bySide(quantities?.cancelled)} />
    </div>
  );
}

/** Sums, and what they are of. */
interface Group {
  of: string;
  lines: readonly string[];
}

interface StateProps {
  state: TradeState;
  count: number | undefined;
  groups: readonly Group[];
}

function StateCard({ state, count, groups }: StateProps) {
  const t = useText();
  const some = groups.filter(({ lines }) => lines.length > 0);
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
          some.length === 0 ? (
            <span aria-hidden="true">–</span>
          ) : (
            <span className="flex flex-col gap-1">
              {some.map(({ of, lines }) => (
                <span key={of} className="flex flex-col">
                  <span>{of}</span>
                  {lines.map((line) => (
                    <span key={line} className="figures">
                      {line}
                    </span>
                  ))}
                </span>
              ))}
            </span>
          )
        }
      />
    </Card>
  );
}
