import type { getBankPayee } from '@causeway/contract/bank-payees.ts';
import type { Output } from '@causeway/contract/call.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Copied } from '../../../ui/copied.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { PanelSection } from '../../../ui/side-panel.tsx';
import { Banner } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useAccountFacts } from './account-facts.tsx';
import { AlikeAccounts } from './alike-accounts.tsx';
import { ChangedAccount } from './changed-account.tsx';
import { PayeeApproval } from './payee-approval.tsx';
import { PayeeStatusWord } from './payee-status.tsx';

type Payee = Output<typeof getBankPayee>;

/** What is known of a payee with a bank account; after a change, the old account beside the new one. */
export function BankPayeeFacts({ payee }: { payee: Payee }) {
  const t = useText();
  const factsOf = useAccountFacts();
  const mayManage = usePermission('payee.manage');
  const { account, earlier } = payee;
  return (
    <div className="flex flex-col gap-5">
      {payee.status === 'unusable' && <Banner kind="negative">{t('payees.bank.unusableText')}</Banner>}
      <PayeeApproval payee={payee} rejectedText="payees.bank.rejectedText" />
      {payee.changedUntil !== null && <ChangedAccount until={payee.changedUntil} now={account} before={earlier[0]} />}
      {payee.addressLacks.length > 0 && (
        <Banner kind="pending">
          {t('payees.bank.addressLacks')}
          {mayManage && (
            <PlainLink href={`/app/payee/bank/change/${payee.id}`} className="block text-13 text-accent">
              {t('payees.bank.addressAdd')}
            </PlainLink>
          )}
        </Banner>
      )}
      {account.verification?.answer === 'none' && <Banner kind="negative">{t('payees.bank.verification.none')}</Banner>}
      <AlikeAccounts alike={payee.alike} />
      <DescriptionList
        facts={[
          { term: t('payees.label'), value: payee.label },
          { term: t('payees.status'), value: <PayeeStatusWord status={payee.status} /> },
          ...factsOf(account),
          {
            term: t('payees.bank.number'),
            value: <Copied text={payee.number} what={t('payees.bank.number')} />,
          },
          { term: t('payees.remark'), value: payee.remark === '' ? t('payees.none') : payee.remark },
          { term: t('payees.createdBy'), value: payee.createdBy },
          { term: t('payees.createdAt'), value: <Time at={payee.createdAt} /> },
        ]}
      />
      {earlier.length > 0 && (
        <PanelSection title={t('payees.bank.earlier')}>
          {earlier.map((version) => (
            <div key={version.id} className="rounded-10 border border-line px-4 py-3">
              <p className="m-0 mb-1 text-13 text-faint">
                <Time at={version.createdAt} /> · {t('payees.bank.savedBy', { name: version.createdBy })}
              </p>
              <DescriptionList facts={factsOf(version)} />
            </div>
          ))}
        </PanelSection>
      )}
    </div>
  );
}
