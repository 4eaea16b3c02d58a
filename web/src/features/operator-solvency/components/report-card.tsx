import type { Solvency } from '@causeway/contract/operator-solvency.ts';
import { useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { reportError } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { Address } from '../../../ui/address.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Time } from '../../../ui/time.tsx';
import { useChainName } from '../../operator/index.ts';
import { saveReport } from '../api.ts';
import { LedgerCheck } from './ledger-check.tsx';

type Report = NonNullable<Solvency['report']>;

/** The signed report: what it is of, how to download and verify it, and whether the ledger still says the same. */
export function ReportCard({ solvency, report }: { solvency: Solvency; report: Report }) {
  const t = useText();
  const formats = useFormats();
  const nameOf = useChainName();
  const [saving, setSaving] = useState(false);
  const { day } = solvency;
  const save = async () => {
    setSaving(true);
    try {
      await saveReport(day);
      toast('success', t('ops.solvency.saved'));
    } catch (error) {
      reportError(error);
    } finally {
      setSaving(false);
    }
  };
  const hash = (value: string, what: string) => <Address value={value} what={what} short />;
  return (
    <Card
      title={t('ops.solvency.report')}
      aside={
        <Button icon="download" busy={saving} disabled={report.signedAt === null} onClick={() => void save()}>
          {t('ops.solvency.download')}
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <DescriptionList
          columns
          facts={[
            {
              term: t('ops.solvency.signedAt'),
              value: report.signedAt === null ? t('ops.solvency.unsigned') : <Time at={report.signedAt} />,
            },
            { term: t('ops.solvency.companies'), value: formats.count(solvency.companies) },
            { term: t('ops.solvency.root'), value: hash(report.root, t('ops.solvency.root')) },
            { term: t('ops.solvency.digest'), value: hash(report.digest, t('ops.solvency.digest')) },
            ...report.chains.map(({ chain, block, source }) => ({
              term: nameOf(chain),
              value:
                block === null ? (
                  t('ops.solvency.source.none')
                ) : (
                  <span className="flex flex-col">
                    <span>{t('ops.solvency.block', { height: formats.count(block.height) })}</span>
                    <span className="text-12 text-faint">{t(`ops.solvency.source.${source}`)}</span>
                    {hash(block.hash, t('ops.solvency.blockHash'))}
                  </span>
                ),
            })),
          ]}
        />
        <LedgerCheck key={day} day={day} />
        <VerifyHelp day={day} publicKey={report.publicKey} />
      </div>
    </Card>
  );
}

function VerifyHelp({ day, publicKey }: { day: string; publicKey: string | null }) {
  const t = useText();
  const command = `npm run solvency:verify -- solvency-${day}.json --key=${publicKey ?? '…'}`;
  return (
    <section aria-label={t('ops.solvency.verify')} className="flex flex-col gap-2 text-13 text-muted">
      <h3 className="m-0 text-13 font-semibold text-text">{t('ops.solvency.verify')}</h3>
      <p className="m-0 max-w-180">{t('ops.solvency.verifyText')}</p>
      <div className="flex items-start gap-1 rounded-6 bg-sunken py-1.5 pr-1 pl-3">
        <code className="min-w-0 flex-1 py-1 text-12 break-all text-text">{command}</code>
        <CopyButton text={command} what={t('ops.solvency.command')} />
      </div>
    </section>
  );
}
