import { lazy, Suspense, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { rateText } from '../../../ui/rate-text.ts';
import { Banner } from '../../../ui/states.tsx';
import type { Request } from '../api.ts';
import { useLeft } from './use-left.ts';

const AcceptDialog = lazy(async () => ({ default: (await import('./accept-dialog.tsx')).AcceptDialog }));
const CounterDialog = lazy(async () => ({ default: (await import('./counter-dialog.tsx')).CounterDialog }));

interface Props {
  request: Request;
  /** When it was read, in milliseconds since 1970: the rest of the quote's time is counted from then on. */
  readAt: number;
  canAct: boolean;
}

/** The desk's quote with how long it holds, and what the company can do with it. */
export function Offer({ request, readAt, canAct }: Props) {
  const t = useText();
  const [open, setOpen] = useState<'accept' | 'counter' | null>(null);
  const { quote, sell, buy, offer } = request;
  const left = useLeft(readAt + (quote?.remainingMs ?? 0));
  if (quote === null) return null;
  const close = () => setOpen(null);
  return (
    <section aria-label={t('otc.offer')} className="flex flex-col gap-4 rounded-10 bg-sunken p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="m-0 text-14 font-semibold">{t('otc.offer')}</h3>
        <span className="figures text-13 text-muted">{left === null ? t('otc.offer.over') : left}</span>
      </div>
      <DescriptionList
        facts={[
          {
            term: t('otc.field.rate'),
            value: (
              <span className="figures" title={quote.rate}>
                {t('otc.rateOf', { from: sell.asset, rate: rateText(quote.rate), to: buy.asset })}
              </span>
            ),
          },
          { term: t('otc.offer.leaves'), value: amountLine(quote.total, sell.asset) },
          { term: t('otc.offer.fee'), value: amountLine(quote.fee, sell.asset) },
          { term: t('otc.offer.arrives'), value: amountLine(quote.bought, buy.asset) },
        ]}
      />
      {left === null && <Banner kind="pending">{t('otc.offer.overText')}</Banner>}
      {offer?.problem != null && <Banner kind="pending">{offer.problem.sentence}</Banner>}
      {canAct && (
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={() => setOpen('counter')}>{t('otc.counter')}</Button>
          <Button
            kind="primary"
            disabled={left === null || offer === null || offer.problem !== null}
            onClick={() => setOpen('accept')}
          >
            {t('otc.accept')}
          </Button>
        </div>
      )}
      <Suspense>
        {open === 'accept' && offer !== null && (
          <AcceptDialog key={offer.id} request={request} offer={offer} left={left} onClose={close} />
        )}
        {open === 'counter' && <CounterDialog request={request} onClose={close} />}
      </Suspense>
    </section>
  );
}
