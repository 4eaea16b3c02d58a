import type { ApprovalTaskDetail, Evidence } from '@causeway/contract/approvals.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { Banner } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { RiskExplanation } from '../../risk/index.ts';

const banners = { problem: 'negative', warning: 'pending', notice: 'notice' } as const;

/** What should give an approver pause, or confidence: likeness, risk, the payee's history, what will be left. */
export function TaskEvidence({ task: { evidence, subjectId } }: { task: ApprovalTaskDetail }) {
  const t = useText();
  if (evidence === null) return null;
  const { risk } = evidence;
  return (
    <section className="flex flex-col gap-3">
      <h3 className="m-0 text-14 font-semibold">{t('approvals.panel.evidence')}</h3>
      {evidence.payee !== null && evidence.payee.lookAlikes.length > 0 && <LookAlikes payee={evidence.payee} />}
      <CodeWarning code={evidence.payee?.code ?? 'none'} />
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

const codeTexts = { token: 'approvals.payee.token', contract: 'approvals.payee.contract' } as const;

function CodeWarning({ code }: { code: NonNullable<Evidence['payee']>['code'] }) {
  const t = useText();
  if (code === 'none' || code === 'unknown') return null;
  return <Banner kind="pending">{t(codeTexts[code])}</Banner>;
}

function LookAlikes({ payee }: { payee: NonNullable<Evidence['payee']> }) {
  const t = useText();
  return (
    <Banner kind="negative">
      <strong className="block font-medium">{t('approvals.lookAlike', { count: payee.lookAlikes.length })}</strong>
      <ul className="m-0 mt-1 list-none p-0">
        <li>
          <Address value={payee.account} copyable={false} /> · {payee.name}
        </li>
        {payee.lookAlikes.map(({ account, name }) => (
          <li key={account}>
            <Address value={account} copyable={false} /> · {name === '' ? t('approvals.lookAlike.unnamed') : name}
          </li>
        ))}
      </ul>
    </Banner>
  );
}

function EvidenceFacts({ evidence: { payee, balance } }: { evidence: Evidence }) {
  const t = useText();
  const formats = useFormats();
  const first = payee !== null && payee.transferCount === 0;
  return (
    <>
      {first && <Banner kind="pending">{t('approvals.payee.first')}</Banner>}
      <DescriptionList
        facts={[
          ...(payee === null
            ? []
            : [
                { term: t('approvals.payee.transfers'), value: formats.count(payee.transferCount) },
                {
                  term: t('approvals.payee.last'),
                  value: payee.lastTransferAt === null ? t('approvals.never') : <Time at={payee.lastTransferAt} />,
                },
                {
                  term: t('approvals.payee.added'),
                  value:
                    payee.addedAt === null ? (
                      '–'
                    ) : (
                      <>
                        <Time at={payee.addedAt} dateOnly />
                        {payee.addedBy !== null && ` · ${payee.addedBy}`}
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
