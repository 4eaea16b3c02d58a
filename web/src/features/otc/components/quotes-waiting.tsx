import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Time } from '../../../ui/time.tsx';
import { useQuoted } from '../api.ts';

/** Quotes of the desk that wait for the company; nothing where there are none. */
export function QuotesWaiting() {
  const t = useText();
  const waiting = (useQuoted().data?.items ?? []).filter(({ quote }) => quote !== null && quote.remainingMs > 0);
  if (waiting.length === 0) return null;
  return (
    <Card title={t('otc.waiting')}>
      <ul className="m-0 flex list-none flex-col gap-3 p-0">
        {waiting.map(({ id, sell, buy, fixed, amount, quote }) => (
          <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
            <PlainLink href={`/app/otc/${id}`} className="text-accent">
              {`${amountLine(amount, (fixed === 'sell' ? sell : buy).asset)} · ${sell.asset} → ${buy.asset}`}
            </PlainLink>
            {quote !== null && (
              <span className="text-13 text-muted">
                {t('otc.step.validUntil')} <Time at={quote.validUntil} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
