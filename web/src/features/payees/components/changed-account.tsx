import type { BankPayeeVersion } from '@causeway/contract/bank-payees.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Banner } from '../../../ui/states.tsx';

/** That an account was changed lately, the old one beside the new. */
export function ChangedAccount({
  until,
  now,
  before,
}: {
  until: string;
  now: BankPayeeVersion;
  before: BankPayeeVersion | undefined;
}) {
  const t = useText();
  const formats = useFormats();
  return (
    <Banner kind="pending">
      {t('payees.bank.changedUntil', { date: formats.date(until) })}
      <span className="block text-muted">{t('payees.bank.changedConfirm')}</span>
      {before && (
        <span className="mt-2 grid gap-2 sm:grid-cols-2">
          <AccountSide term={t('payees.bank.before')} version={before} />
          <AccountSide term={t('payees.bank.now')} version={now} />
        </span>
      )}
    </Banner>
  );
}

/** An account in a few lines, beside another one. */
export function AccountSide({ term, version }: { term: string; version: BankPayeeVersion }) {
  return (
    <span className="block min-w-0">
      <span className="block text-12 text-muted">{term}</span>
      <span className="block break-words">{version.name}</span>
      <span className="figures block font-medium break-all">{version.account}</span>
      <span className="block text-12 text-muted">
        {version.bankName ?? version.country} · {version.currency}
      </span>
    </span>
  );
}
