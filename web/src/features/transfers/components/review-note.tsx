import type { ForeseenReview } from '@causeway/contract/transfers.ts';
import type { ForeseenStop } from '@causeway/contract/transfers-rules.ts';
import type { ReactNode } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { Banner } from '../../../ui/states.tsx';

const refusals = {
  noRule: 'transfers.review.noRule',
  nobodyCan: 'transfers.review.nobodyCan',
  rateStale: 'transfers.review.rateStale',
} as const;

/** What its initiator can do about a stop; a rule of every transfer says it itself. */
const remedies: Record<Exclude<ForeseenStop, 'rule'>, string> = {
  blacklisted: 'transfers.stop.blacklisted',
  notWhitelisted: 'transfers.stop.notWhitelisted',
  whitelistSingle: 'transfers.stop.whitelistLimit',
  whitelistDaily: 'transfers.stop.whitelistDaily',
  whitelistCumulative: 'transfers.stop.whitelistLimit',
  policy: 'transfers.stop.policy',
};

interface Props {
  review: ForeseenReview | null;
  coin: string;
  /** Looks again: a limit of the day, a rule or a price may have changed meanwhile. */
  onAgain?: () => void;
}

/** Before anything is sent: what would stop it; or that it will wait for people, and for whom. */
export function ReviewNote({ review, coin, onAgain }: Props) {
  const t = useText();
  if (review === null) return null;
  const { stop, outcome } = review;
  const rule = review.rule ?? '';
  if (stop !== null) {
    return (
      <Stopped onAgain={onAgain}>
        <p className="m-0 mt-1">{stop.sentence}</p>
        {stop.by !== 'rule' && <Remedy by={stop.by} />}
      </Stopped>
    );
  }
  if (outcome === 'off') return null;
  if (outcome !== 'required') {
    return (
      <Stopped onAgain={onAgain}>
        <p className="m-0 mt-1">{t(refusals[outcome], { rule, coin })}</p>
      </Stopped>
    );
  }
  return (
    <Banner kind="pending">
      <p className="m-0 font-medium">{t('transfers.review.title')}</p>
      <Steps steps={review.steps} />
      <p className="m-0 mt-1 text-muted">{t('transfers.review.rule', { rule })}</p>
    </Banner>
  );
}

function Remedy({ by }: { by: keyof typeof remedies }) {
  const t = useText();
  const managesIt = usePermission(by === 'policy' ? 'policy.manage' : 'list.manage');
  if (!managesIt) return <p className="m-0 mt-1 text-muted">{t(remedies[by])}</p>;
  return (
    <p className="m-0 mt-1 text-muted">
      {t('transfers.stop.yours')} {/* In a tab of its own: what was typed here stays. */}
      <a href="/app/risk-setting" target="_blank" rel="noopener" className="font-medium text-accent">
        {t('transfers.stop.settings')}
      </a>
    </p>
  );
}

function Stopped({ onAgain, children }: { onAgain: Props['onAgain']; children: ReactNode }) {
  const t = useText();
  return (
    <Banner
      kind="negative"
      {...(onAgain && {
        action: (
          <Button size="small" onClick={onAgain}>
            {t('transfers.stop.again')}
          </Button>
        ),
      })}
    >
      <p className="m-0 font-medium">{t('transfers.stop.title')}</p>
      {children}
    </Banner>
  );
}

/** What the server said of the submission, for as long as the form still holds what was submitted. */
export function RefusalNote({ sentence, reported }: { sentence: string; reported: boolean }) {
  const t = useText();
  return (
    <Banner kind="negative">
      <p className="m-0 font-medium">{t('transfers.refused.title')}</p>
      <p className="m-0 mt-1">{sentence}</p>
      <p className="m-0 mt-1 text-muted">{t(reported ? 'transfers.refused.reported' : 'transfers.refused.kept')}</p>
    </Banner>
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
