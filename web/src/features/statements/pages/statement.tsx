import { isPeriod, type StatementFormat, statementFormats } from '@causeway/contract/statements-rules.ts';
import type { Wallet } from '@causeway/contract/wallets.ts';
import { isAtBank } from '@causeway/contract/wallets-rules.ts';
import { useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { ErrorState, NoPermission } from '../../../ui/states.tsx';
import { useWallets, walletName } from '../../wallets/index.ts';
import { type Days, useStatements, useWalletStatement } from '../api.ts';
import { CompanyStatement } from '../components/company-statement.tsx';
import { Downloads } from '../components/downloads.tsx';
import { PeriodChooser, type Unit } from '../components/period-chooser.tsx';
import { WalletStatement } from '../components/wallet-statement.tsx';

const names = ['wallet', 'from', 'to', 'unit', 'format'] as const;
const path = '/app/wallet/statement';
const isoDay = /^\d{4}-\d{2}-\d{2}$/;

/** What each wallet held at the beginning and at the end of a period, and what moved in between; the address keeps the choice. */
export function Page() {
  const isAllowed = usePermission('transaction.export');
  return <Frame>{isAllowed === false ? <NoPermission /> : <Statement />}</Frame>;
}

function Statement() {
  const t = useText();
  const list = useListState(names);
  const walletId = list.filters.wallet ?? '';
  const days = daysOf(list.filters);
  const wallets = useWallets();
  const whole = useStatements(days, walletId === '');
  const one = useWalletStatement(walletId, days, list.cursor, list.size);
  const query = walletId === '' ? whole : one;
  const period = query.data?.period;
  const shown = period ?? (days.from !== undefined && days.to !== undefined ? { from: days.from, to: days.to } : null);
  const choices = (wallets.data?.items ?? []).map((wallet) => ({ value: wallet.id, label: walletName(wallet) }));
  const movements =
    walletId === ''
      ? whole.data?.items.reduce((sum, wallet) => sum + wallet.movements, 0)
      : one.data?.statement.movements;
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="flex flex-wrap items-end gap-3">
          <div className="w-56">
            <SelectField
              label={t('statements.wallet')}
              options={[{ value: 'all', label: t('statements.all') }, ...choices]}
              value={walletId === '' ? 'all' : walletId}
              onChange={(wallet) => list.setFilters({ wallet: wallet === 'all' ? null : wallet })}
            />
          </div>
          {shown !== null && (
            <PeriodChooser
              period={shown}
              unit={unitIn(list.filters.unit)}
              onChange={({ from, to }, unit) => list.setFilters({ from, to, unit })}
            />
          )}
        </div>
        <Downloads
          query={{ ...days, ...(walletId !== '' && { walletId }) }}
          format={formatIn(list.filters.format)}
          onFormat={(format) => list.setFilters({ format })}
          movements={movements}
          atBanks={atBanks(wallets.data?.items.filter(({ id }) => walletId === '' || id === walletId))}
        />
      </div>
      {period !== undefined && (
        <p className="m-0 text-13 text-faint">
          {t(period.isFinal ? 'statements.about' : 'statements.aboutOpen', {
            timeZone: period.timeZone.replaceAll('_', ' '),
          })}{' '}
          <PlainLink href="/app/wallet/reserves" className="text-accent underline">
            {t('statements.reserves.link')}
          </PlainLink>
        </p>
      )}
      {walletId === '' ? (
        <CompanyStatement
          statements={whole.data}
          updating={whole.isPlaceholderData}
          error={whole.error}
          onRetry={() => void whole.refetch()}
          hrefOf={(id) => `${path}?${new URLSearchParams({ ...list.filters, wallet: id })}`}
        />
      ) : one.error !== null && one.data === undefined ? (
        <ErrorState error={one.error} onRetry={() => void one.refetch()} />
      ) : (
        <WalletStatement query={one} />
      )}
    </>
  );
}

/** Days that make a period; what else an address may say is left aside. */
function daysOf({ from, to }: { from?: string; to?: string }): Days {
  const known = [from, to].every((text) => text !== undefined && isoDay.test(text));
  return known && from !== undefined && to !== undefined && isPeriod({ from, to }) ? { from, to } : {};
}

function formatIn(text: string | undefined): StatementFormat {
  return statementFormats.find((format) => format === text) ?? 'pdf';
}

/** Which of these wallets are at banks: the others are left out of a camt.053. */
function atBanks(wallets: readonly Wallet[] | undefined): 'all' | 'some' | 'none' | undefined {
  if (wallets === undefined || wallets.length === 0) return undefined;
  const count = wallets.filter(isAtBank).length;
  return count === 0 ? 'none' : count === wallets.length ? 'all' : 'some';
}

function unitIn(text: string | undefined): Unit | null {
  return text === 'day' || text === 'month' || text === 'quarter' || text === 'dates' ? text : null;
}
