import type { Evidence, EvidenceOfParty } from '@causeway/contract/approvals.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { Banner } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { RiskExplanation } from '../../risk/index.ts';

type Shown = Pick<Evidence, 'party' | 'balance' | 'risk'>;

const banners = { problem: 'negative', warning: 'pending', notice: 'notice' } as const;

/** What should give an approver pause, or confidence: likeness, risk, the payee's history, the balance afterwards. */
export function TaskEvidence({ evidence, subjectId }: { evidence: Shown; subjectId: string }) {
  const t = useText();
  const { risk, party } = evidence;
  return (
    <section className="flex flex-col gap-3">
      <h3 className="m-0 text-14 font-semibold">{t('approvals.panel.evidence')}</h3>
      {party !== null && party.lookAlikes.length > 0 && <LookAlikes party={party} />}
      {party?.warnings.map((text) => (
        <Banner key={text} kind="pending">
          {text}
        </Banner>
      ))}
      {risk?.findings.map(({ severity, text }) => (
        <Banner key={text} kind={banners[severity]}>
          {text}
        </Banner>
      ))}
      <EvidenceFacts evidence={evidence} />
      {risk !== null && (
        <>
          <h3 className="m-0 mt-3 text-14 font-semibold">{t('approvals.panel.risk')}</h3>
          <RiskExplanation transactionId={subjectId} known={risk} folded />
        </>
      )}
    </section>
  );
}

/** Accounts that a hurried eye takes for this one. */
export function LookAlikes({ party }: { party: EvidenceOfParty }) {
  const t = useText();
  return (
    <Banner kind="negative">
      <strong className="block font-medium">{t('approvals.lookAlike', { count: party.lookAlikes.length })}</strong>
      <ul className="m-0 mt-1 list-none p-0">
        <li>
          <Address value={party.account} copyable={false} /> · {party.name}
        </li>
        {party.lookAlikes.map(({ account, name }) => (
          <li key={account}>
            <Address value={account} copyable={false} /> · {name === '' ? t('approvals.lookAlike.unnamed') : name}
          </li>
        ))}
      </ul>
    </Banner>
  );
}

function EvidenceFacts({ evidence: { party, balance } }: { evidence: Shown }) {
  const t = useText();
  const formats = useFormats();
  const first = party !== null && party.paymentCount === 0;
  return (
    <>
      {first && <Banner kind="pending">{t('approvals.payee.first')}</Banner>}
      <DescriptionList
        facts={[
          ...(party === null
            ? []
            : [
                { term: t('approvals.payee.transfers'), value: formats.count(party.paymentCount) },
                {
                  term: t('approvals.payee.last'),
                  value: party.lastPaymentAt === null ? t('approvals.never') : <Time at={party.lastPaymentAt} />,
                },
                {
                  term: t('approvals.payee.added'),
                  value:
                    party.addedAt === null ? (
                      '–'
                    ) : (
                      <>
                        <Time at={party.addedAt} dateOnly />
                        {party.addedBy !== null && ` · ${party.addedBy}`}
                      </>
                    ),
                },
              ]),
          ...(balance === null
            ? []
            : [
                {
                  term: t('approvals.balance.before'),
                  value: <Money amount={balance.before} coin={balance.coin} align="right" />,
                },
                {
                  term: t('approvals.balance.after'),
                  value: <Money amount={balance.after} coin={balance.coin} align="right" />,
                },
              ]),
        ]}
      />
    </>
  );
}
