import type { ApprovalContent } from '@causeway/contract/approvals.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Banner } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { LookAlikes } from './task-evidence.tsx';

type Account = Extract<ApprovalContent, { shape: 'account' }>;

/** What should give pause before an account may be paid, or confidence: likeness, what is there, earlier dealings with it. */
export function AccountEvidence({ content: { party, nature, dealtWith } }: { content: Account }) {
  const t = useText();
  const formats = useFormats();
  return (
    <section className="flex flex-col gap-3">
      <h3 className="m-0 text-14 font-semibold">{t('approvals.panel.evidence')}</h3>
      {party.lookAlikes.length > 0 && <LookAlikes party={party} />}
      {party.warnings.map((text) => (
        <Banner key={text} kind="pending">
          {text}
        </Banner>
      ))}
      <DescriptionList
        facts={[
          { term: t('approvals.party.nature'), value: nature },
          {
            term: t('approvals.party.dealtWith'),
            value: t(dealtWith ? 'approvals.party.dealtWithYes' : 'approvals.party.dealtWithNo'),
          },
          { term: t('approvals.payee.transfers'), value: formats.count(party.paymentCount) },
          {
            term: t('approvals.payee.last'),
            value: party.lastPaymentAt === null ? t('approvals.never') : <Time at={party.lastPaymentAt} />,
          },
        ]}
      />
    </section>
  );
}
