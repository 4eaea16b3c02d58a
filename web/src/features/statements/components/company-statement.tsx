import type { Output } from '@causeway/contract/call.ts';
import type { listStatements, WalletStatement } from '@causeway/contract/statements.ts';
import { useMemo } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Money } from '../../../ui/money.tsx';
import { Stat } from '../../../ui/stat.tsx';
import { EmptyState } from '../../../ui/states.tsx';

type Statements = Output<typeof listStatements>;

interface Props {
  statements: Statements | undefined;
  updating: boolean;
  error: Error | null;
  onRetry: () => void;
  hrefOf: (walletId: string) => string;
}

const atMost = 8;

/** Every wallet of the company with its opening and closing balance; each leads to its movements. */
export function CompanyStatement({ statements, updating, error, onRetry, hrefOf }: Props) {
  const t = useText();
  const currency = statements?.currency ?? 'USD';
  const isFinal = statements?.period.isFinal ?? true;
  const columns = useMemo(() => columnsOf(t, currency, isFinal), [t, currency, isFinal]);
  const total = (value: string | null | undefined) =>
    value === undefined ? null : value === null ? (
      <span className="text-16 font-normal text-faint">{t('statements.noPrice')}</span>
    ) : (
      <Money amount={value} coin={currency} size="large" />
    );
  return (
    <>
      {(error === null || statements !== undefined) && (
        <Card>
          <div className="grid gap-5 sm:grid-cols-2">
            <Stat label={t('statements.openingValue')} value={total(statements?.openingValue)} />
            <Stat
              label={t(isFinal ? 'statements.closingValue' : 'statements.valueSoFar')}
              value={total(statements?.closingValue)}
            />
          </div>
        </Card>
      )}
      <DataTable
        label={t('statements.wallets')}
        columns={columns}
        rows={statements?.items}
        rowId={(row) => row.walletId}
        rowHref={(row) => hrefOf(row.walletId)}
        updating={updating}
        error={error}
        onRetry={onRetry}
        skeletonRows={4}
        empty={<EmptyState icon="wallet" title={t('statements.noWallets')} text={t('statements.noWalletsText')} />}
      />
    </>
  );
}

function columnsOf(t: Translate, currency: string, isFinal: boolean): Column<WalletStatement>[] {
  const amount = (id: string, header: string, of: (row: WalletStatement) => string): Column<WalletStatement> => ({
    id,
    header,
    align: 'right',
    cell: (row) =>
      /[1-9]/.test(of(row)) ? (
        <Money amount={of(row)} atMost={atMost} align="right" />
      ) : (
        <span className="text-faint">–</span>
      ),
  });
  return [
    {
      id: 'wallet',
      header: t('statements.wallet'),
      card: 'title',
      cell: (row) => (
        <span className="inline-flex flex-col">
          <span className="font-medium">{row.asset}</span>
          <span className="text-12 font-normal text-faint">{row.placeName}</span>
        </span>
      ),
    },
    amount('opening', t('statements.opening'), (row) => row.opening),
    amount('in', t('statements.moneyIn'), (row) => row.moneyIn),
    amount('out', t('statements.moneyOut'), (row) => row.moneyOut),
    amount('fees', t('statements.fees'), (row) => row.fees),
    {
      id: 'closing',
      header: t(isFinal ? 'statements.closing' : 'statements.closingSoFar'),
      align: 'right',
      card: 'figure',
      cell: (row) => (
        <Money
          amount={row.closing}
          coin={row.asset}
          atMost={atMost}
          align="right"
          fiat={row.closingValue === null ? undefined : { amount: row.closingValue, coin: currency }}
        />
      ),
    },
  ];
}
