import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import type { Finding } from '../api.ts';

/** Where the row of a finding is shown; null where no page shows it. */
function hrefOf({ kind, id, fileId, transactionId }: Finding): string | null {
  if (transactionId !== null) return `/app/payments/${transactionId}`;
  if (fileId !== null) return `/app/banks/files/${fileId}`;
  return kind === 'moneyNotBooked' || kind === 'moneyNotPosted' ? `/app/banks/moneys/${id}` : null;
}

const rowClass = 'flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-3 text-text';

/** What does not agree, each leading to its row. */
export function FindingList({ findings, isCut }: { findings: readonly Finding[]; isCut: boolean }) {
  const t = useText();
  return (
    <Card flush title={t('ops.reconciliation.findings')}>
      <ul aria-label={t('ops.reconciliation.findings')} className="m-0 list-none p-0">
        {findings.map((finding) => (
          <li key={`${finding.kind}/${finding.id}`} className="border-line not-last:border-b">
            <Row finding={finding} />
          </li>
        ))}
      </ul>
      {isCut && <p className="m-0 border-t border-line px-5 py-3 text-13 text-faint">{t('ops.reconciliation.cut')}</p>}
    </Card>
  );
}

function Row({ finding }: { finding: Finding }) {
  const t = useText();
  const href = hrefOf(finding);
  const parts = (
    <>
      <span className="min-w-0 flex-1 basis-72">
        <span className="block font-medium">{t(`ops.reconciliation.finding.${finding.kind}`)}</span>
        <span className="block text-12 text-faint wrap-anywhere">
          {[finding.bank, finding.account, finding.company?.name, finding.id].filter(Boolean).join(' · ')}
        </span>
      </span>
      <Money amount={finding.difference} coin={finding.asset} signed />
    </>
  );
  if (href === null) return <div className={rowClass}>{parts}</div>;
  return (
    <PlainLink href={href} className={`${rowClass} no-underline -outline-offset-2 hover:bg-hover`}>
      {parts}
    </PlainLink>
  );
}
