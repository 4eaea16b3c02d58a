import { isWholeAddress } from '@causeway/contract/address-forms.ts';
import type { RiskHit } from '@causeway/contract/risk.ts';
import type { ReactNode } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { momentTexts } from '../words.ts';

/** One transaction that was stopped: how much, where to, whose, and why. */
export function HitRow({ hit, children }: { hit: RiskHit; children?: ReactNode }) {
  const t = useText();
  return (
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="inline-flex flex-wrap items-baseline gap-2">
          <Money amount={hit.quantity} coin={hit.coin ?? hit.currency ?? ''} />
          <span className="figures text-12 text-faint">
            {t('risk.hit.worth', { amount: amountLine(hit.valueUsd) })}
          </span>
        </span>
        <span className="text-12 text-faint">
          <Time at={hit.at} />
        </span>
      </div>
      <p className="m-0 text-13 break-words">{hit.sentence}</p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-muted">
        <Tag>{t(momentTexts[hit.moment])}</Tag>
        {isWholeAddress(hit.account) ? (
          <Address value={hit.account} short what={t('risk.entry.account')} />
        ) : (
          <span className="font-mono break-all">{hit.account}</span>
        )}
        {hit.initiator !== '' && <span>{t('risk.hit.by', { name: hit.initiator })}</span>}
        {hit.policyVersion !== null && <span>{t('risk.version', { version: hit.policyVersion })}</span>}
        {hit.transactionId === null ? (
          <span>{t('risk.hit.never')}</span>
        ) : (
          <PlainLink href={`/app/transaction/${hit.transactionId}`} className="text-accent">
            {t('risk.hit.transaction')}
          </PlainLink>
        )}
      </div>
      {children}
    </div>
  );
}
