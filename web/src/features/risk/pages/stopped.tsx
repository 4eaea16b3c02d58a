import { isWholeAddress } from '@causeway/contract/address-forms.ts';
import type { Explanation } from '@causeway/contract/risk.ts';
import { useParams } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Address } from '../../../ui/address.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { useExplanation } from '../api.ts';
import { RiskExplanation } from '../components/risk-explanation.tsx';
import { policyPath } from '../words.ts';

/** Why a transfer was stopped, also one that was refused at its submission and so is no transaction. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const { data } = useExplanation(id);
  return (
    <SidePanel title={t('risk.stopped.title')} backTo={policyPath}>
      <div className="flex flex-col gap-5">
        {data && <Facts explanation={data} />}
        <RiskExplanation transactionId={id} />
      </div>
    </SidePanel>
  );
}

function Facts({ explanation: { transactionId, subject } }: { explanation: Explanation }) {
  const t = useText();
  const maySeeTransactions = usePermission('transaction.view');
  const { quantity, coin, currency, valueUsd, account, initiator, submitted } = subject;
  return (
    <div className="flex flex-col gap-3">
      <DescriptionList
        facts={[
          {
            term: t('risk.stopped.amount'),
            value: <Money amount={quantity} coin={coin ?? currency ?? ''} align="right" />,
          },
          { term: t('risk.stopped.value'), value: <Money amount={valueUsd} coin="USD" align="right" /> },
          {
            term: t('risk.entry.account'),
            value: isWholeAddress(account) ? (
              <Address value={account} />
            ) : (
              <span className="font-mono break-all">{account}</span>
            ),
          },
          { term: t('risk.stopped.initiator'), value: initiator === '' ? '–' : initiator },
        ]}
      />
      {!submitted && <p className="m-0 text-13 text-muted">{t('risk.hit.never')}</p>}
      {submitted && maySeeTransactions === true && (
        <PlainLink href={`/app/transaction/${transactionId}`} className="text-13 text-accent">
          {t('risk.hit.transaction')}
        </PlainLink>
      )}
    </div>
  );
}
