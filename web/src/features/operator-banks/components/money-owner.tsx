import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner } from '../../../ui/states.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import type { MoneyDetail, Target } from '../api.ts';
import { CreditDialog } from './credit-dialog.tsx';
import { ReturnList } from './return-list.tsx';

/** Whose money in suspense may be, why, and the proposal to credit it. */
export function MoneyOwner({ detail }: { detail: MoneyDetail }) {
  const t = useText();
  const [asked, setAsked] = useState<{ target: Target | null } | null>(null);
  const may = usePermission('operator.exception');
  const { suggestions, proposalId, money } = detail;
  const canPropose = may === true && proposalId === null && money.unmatched !== 'undetailed';
  return (
    <Card
      title={t('ops.bankMoney.owner')}
      aside={canPropose && <Button onClick={() => setAsked({ target: null })}>{t('ops.bankMoney.other')}</Button>}
    >
      <div className="flex flex-col gap-4">
        {proposalId !== null && (
          <Banner kind="pending">
            {t('ops.bankMoney.proposed')}{' '}
            <PlainLink href={`/app/confirmations/${proposalId}`} className="font-medium text-accent">
              {t('ops.bankMoney.openProposal')}
            </PlainLink>
          </Banner>
        )}
        {suggestions.length === 0 ? (
          <p className="m-0 text-13 text-faint">
            {t(money.unmatched === 'undetailed' ? 'ops.bankMoney.batch' : 'ops.bankMoney.noSuggestions')}
          </p>
        ) : (
          <ul aria-label={t('ops.bankMoney.suggestions')} className="m-0 list-none rounded-10 border border-line p-0">
            {suggestions.map((suggestion) => (
              <li
                key={`${suggestion.companyId}/${suggestion.why}/${suggestion.value}`}
                className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line px-4 py-3 not-last:border-b"
              >
                <div className="min-w-0 flex-1 basis-60">
                  <p className="m-0 inline-flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
                    <PlainLink href={`/app/companies/${suggestion.companyId}`} className="text-accent">
                      {suggestion.companyName === '' ? suggestion.companyId : suggestion.companyName}
                    </PlainLink>
                    {suggestion.target?.frozen && <Tag tone="negative">{t('ops.bankMoney.frozen')}</Tag>}
                  </p>
                  <p className="m-0 text-13 text-faint wrap-anywhere">
                    {t(`ops.bankMoney.why.${suggestion.why}`, { value: suggestion.value })}
                  </p>
                </div>
                {suggestion.target === null ? (
                  <span className="text-13 text-faint">{t('ops.bankMoney.noWallet')}</span>
                ) : (
                  canPropose && (
                    <Button onClick={() => setAsked({ target: suggestion.target })}>{t('ops.bankMoney.credit')}</Button>
                  )
                )}
              </li>
            ))}
          </ul>
        )}
        <ReturnList detail={detail} canPropose={may === true && proposalId === null} />
      </div>
      {asked !== null && <CreditDialog detail={detail} target={asked.target} onClose={() => setAsked(null)} />}
    </Card>
  );
}
