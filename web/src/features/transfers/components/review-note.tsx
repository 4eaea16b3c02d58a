import type { ForeseenReview } from '@causeway/contract/transfers.ts';
import { useText } from '../../../lib/locale.tsx';
import { Banner } from '../../../ui/states.tsx';

const refusals = {
  noRule: 'transfers.review.noRule',
  nobodyCan: 'transfers.review.nobodyCan',
  rateStale: 'transfers.review.rateStale',
} as const;

interface Props {
  review: ForeseenReview | null;
  coin: string;
}

/** Before anything is sent: that it will wait for people, and for whom; or that it would be refused for want of them. */
export function ReviewNote({ review, coin }: Props) {
  const t = useText();
  if (review === null || review.outcome === 'off') return null;
  const rule = review.rule ?? '';
  return (
    <div className="mt-4">
      {review.outcome === 'required' ? (
        <Banner kind="pending">
          <p className="m-0 font-medium">{t('transfers.review.title')}</p>
          <Steps steps={review.steps} />
          <p className="m-0 mt-1 text-muted">{t('transfers.review.rule', { rule })}</p>
        </Banner>
      ) : (
        <Banner kind="negative">{t(refusals[review.outcome], { rule, coin })}</Banner>
      )}
    </div>
  );
}

function Steps({ steps }: Pick<ForeseenReview, 'steps'>) {
  const t = useText();
  const [only, ...more] = steps;
  if (more.length === 0)
    return <p className="m-0 mt-1">{t('transfers.review.one', { names: only?.waitingFor ?? '' })}</p>;
  return (
    <ol className="m-0 mt-1 list-decimal pl-5">
      {steps.map(({ waitingFor }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name than their place
        <li key={index}>{waitingFor}</li>
      ))}
    </ol>
  );
}
