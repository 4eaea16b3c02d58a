import type { ReserveProof } from '@causeway/contract/statements.ts';
import { useMemo, useState } from 'react';
import { dayOf } from '../../../lib/days.ts';
import { useFormats } from '../../../lib/format.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { reportError } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { Address } from '../../../ui/address.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Money } from '../../../ui/money.tsx';
import { EmptyState, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { saveReserveProof } from '../api.ts';

const atMost = 8;

/** One night: the company's figures beside those of all, the download, and how to verify it. */
export function ReserveProofCard({ proof }: { proof: ReserveProof | undefined }) {
  const t = useText();
  const formats = useFormats();
  const [saving, setSaving] = useState(false);
  const columns = useMemo(() => columnsOf(t), [t]);
  if (proof === undefined) {
    return (
      <Card title={t('statements.reserves.link')}>
        <Skeleton height="h-40" />
      </Card>
    );
  }
  const save = async () => {
    setSaving(true);
    try {
      await saveReserveProof(proof.day);
      toast('success', t('statements.reserves.saved'));
    } catch (error) {
      reportError(error);
    } finally {
      setSaving(false);
    }
  };
  return (
    <Card
      title={t('statements.reserves.of', { day: formats.date(dayOf(proof.day)) })}
      aside={
        <Button icon="download" busy={saving} onClick={() => void save()}>
          {t('statements.reserves.download')}
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <DataTable
          label={t('statements.reserves.figures')}
          columns={columns}
          rows={proof.assets}
          rowId={({ asset }) => asset}
          empty={<EmptyState icon="wallet" title={t('statements.reserves.nothing')} />}
        />
        <DescriptionList
          columns
          facts={[
            { term: t('statements.reserves.signedAt'), value: <Time at={proof.signedAt} /> },
            { term: t('statements.reserves.companies'), value: formats.count(proof.companies) },
            {
              term: t('statements.reserves.root'),
              value: <Address value={proof.root} short what={t('statements.reserves.root')} />,
            },
            {
              term: t('statements.reserves.digest'),
              value: <Address value={proof.digest} short what={t('statements.reserves.digest')} />,
            },
          ]}
        />
        <VerifyHelp proof={proof} />
      </div>
    </Card>
  );
}

function VerifyHelp({ proof: { day, publicKey } }: { proof: ReserveProof }) {
  const t = useText();
  const command = `npm run solvency:verify -- proof-of-reserves-${day}.json --key=${publicKey}`;
  return (
    <section aria-label={t('statements.reserves.verify')} className="flex flex-col gap-2 text-13 text-muted">
      <h3 className="m-0 text-13 font-semibold text-text">{t('statements.reserves.verify')}</h3>
      <p className="m-0 max-w-180">{t('statements.reserves.verifyText')}</p>
      <div className="flex items-start gap-1 rounded-6 bg-sunken py-1.5 pr-1 pl-3">
        <code className="min-w-0 flex-1 py-1 text-12 break-all text-text">{command}</code>
        <CopyButton text={command} what={t('statements.reserves.command')} />
      </div>
      <p className="m-0 max-w-180">{t('statements.reserves.neighbours')}</p>
    </section>
  );
}

type Row = ReserveProof['assets'][number];

function isSome(amount: string): boolean {
  return /[1-9]/.test(amount);
}

function figure(amount: string, signed: boolean) {
  return isSome(amount) ? (
    <Money amount={amount} atMost={atMost} signed={signed} align="right" />
  ) : (
    <span className="figures text-faint">0</span>
  );
}

function columnsOf(t: Translate): Column<Row>[] {
  const amount = (id: string, header: string, of: (row: Row) => string, signed = false): Column<Row> => ({
    id,
    header,
    align: 'right',
    cell: (row) => figure(of(row), signed),
  });
  return [
    { id: 'asset', header: t('statements.reserves.asset'), card: 'title', cell: ({ asset }) => asset },
    {
      id: 'counted',
      header: t('statements.reserves.counted'),
      align: 'right',
      card: 'figure',
      cell: ({ asset, counted }) => <Money amount={counted} coin={asset} atMost={atMost} align="right" />,
    },
    amount('owed', t('statements.reserves.owed'), ({ owed }) => owed),
    amount('held', t('statements.reserves.held'), ({ held }) => held),
    amount('own', t('statements.reserves.own'), ({ own }) => own),
    amount('timing', t('statements.reserves.timing'), ({ timing }) => timing, true),
    {
      id: 'difference',
      header: t('statements.reserves.difference'),
      align: 'right',
      cell: ({ asset, difference, atBanks, heldAtBanks }) => (
        <span className="inline-flex flex-col items-end">
          {figure(difference, true)}
          {heldAtBanks === null && isSome(atBanks) && (
            <span className="text-12 text-faint">
              {t('statements.reserves.withoutBanks', { amount: amountLine(atBanks, asset) })}
            </span>
          )}
        </span>
      ),
    },
  ];
}
