import type { TradeDetail } from '@causeway/contract/trades.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Money } from '../../../ui/money.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { ReleaseDialog } from './release-dialog.tsx';

type Milestone = TradeDetail['milestones'][number];

/** How the platform divides the amount; what was reached can be paid by itself. */
export function TradeMilestones({ trade }: { trade: TradeDetail }) {
  const t = useText();
  const mayPay = usePermission('transfer.create') === true && trade.can.release;
  const [paying, setPaying] = useState<string | null>(null);
  return (
    <Card title={t('trades.milestones')} flush>
      <ul className="m-0 list-none p-0">
        {trade.milestones.map((milestone) => (
          <li
            key={milestone.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line px-5 py-3 last:border-b-0"
          >
            <span className="flex min-w-0 flex-col">
              <span className="font-medium wrap-anywhere">{milestone.name}</span>
              <State milestone={milestone} isBuyer={trade.side === 'buyer'} />
            </span>
            <span className="flex items-center gap-4">
              <Money amount={milestone.amount} coin={trade.asset} atMost={8} align="right" />
              {mayPay && milestone.reached && !milestone.released && (
                <Button size="small" onClick={() => setPaying(milestone.id)}>
                  {t('trades.milestone.pay')}
                  <span className="sr-only"> {milestone.name}</span>
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {paying !== null && <ReleaseDialog trade={trade} milestoneId={paying} onClose={() => setPaying(null)} />}
    </Card>
  );
}

function State({ milestone: { reached, released, paid }, isBuyer }: { milestone: Milestone; isBuyer: boolean }) {
  const t = useText();
  if (paid) return <StatusDot tone="positive">{t('trades.milestone.paid')}</StatusDot>;
  if (released) return <StatusDot tone="progress">{t('trades.milestone.paying')}</StatusDot>;
  return reached ? (
    <StatusDot tone={isBuyer ? 'pending' : 'positive'}>{t('trades.milestone.reached')}</StatusDot>
  ) : (
    <StatusDot tone="neutral">{t('trades.milestone.open')}</StatusDot>
  );
}
