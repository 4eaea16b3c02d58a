import type { BankRegistryField } from '@causeway/contract/operator-banks-rules.ts';
import type pg from 'pg';
import type { BankConfig } from '../../platform/config/banks.ts';
import { newId } from '../../platform/ids.ts';

/** One field of the registry of banks that another file has changed; null where the bank or currency was not there, or is no more. */
export interface RegistryChange {
  bank: string;
  currency: string | null;
  field: BankRegistryField;
  before: string | null;
  after: string | null;
}

/**
 * Keeps that the file is another one than before, and writes what it changed to the operator's audit log. In the transaction that writes
 * the banks, so that no change is without its record.
 */
export async function recordRegistry(
  client: pg.Client,
  banks: readonly BankConfig[],
  digest: string,
  nilCompany: string,
): Promise<void> {
  const { rows } = await client.query<{ digest: string; content: BankConfig[] }>(
    `select encode(digest, 'hex') as digest, content from causeway.bank_registry_change order by at desc, id desc limit 1`,
  );
  const [last] = rows;
  if (last?.digest === digest) return;
  const changes = last ? changesBetween(last.content, banks) : [];
  const id = newId();
  await client.query(
    `insert into causeway.bank_registry_change (id, digest, content, changes) values ($1, decode($2, 'hex'), $3::jsonb, $4::jsonb)`,
    [id, digest, JSON.stringify(banks), JSON.stringify(changes)],
  );
  await client.query(`select set_config('causeway.company_id', $1, true)`, [nilCompany]);
  await client.query(
    `insert into causeway.audit_event (company_id, id, actor_kind, actor_id, action, subject_kind, subject_id, detail)
     values ($1, $2, 'system', 'migrate', 'operator.changeBankRegistry', 'installation', 'installation', $3::jsonb)`,
    [nilCompany, newId(), JSON.stringify({ sha256: digest, changes: inOneLine(changes) })],
  );
}

/** What differs between two contents of the registry, bank by bank: pure. */
function changesBetween(before: readonly BankConfig[], after: readonly BankConfig[]): RegistryChange[] {
  const ids = [...new Set([...before, ...after].map(({ id }) => id))];
  return ids.flatMap((id) => {
    const [was, is] = [before, after].map((banks) => banks.find((bank) => bank.id === id));
    if (!was || !is)
      return [{ bank: id, currency: null, field: 'bank', before: was?.name ?? null, after: is?.name ?? null }];
    return [...bankChanges(was, is), ...currencyChanges(was, is)];
  });
}

function bankChanges(was: BankConfig, is: BankConfig): RegistryChange[] {
  const fields = [
    ...(['name', 'nameZhHk', 'nameZhCn', 'country', 'bic', 'clearingSystem', 'clearingCode', 'timeZone'] as const),
    ...(['calendars', 'address', 'enabled', 'accounts'] as const),
  ];
  return fields.flatMap((field) => difference({ bank: is.id, currency: null, field }, was[field], is[field]));
}

function currencyChanges(was: BankConfig, is: BankConfig): RegistryChange[] {
  const names = [...new Set([...was.currencies, ...is.currencies].map(({ currency }) => currency))];
  return names.flatMap((currency) => {
    const [old, now] = [was, is].map(({ currencies }) => currencies.find((each) => each.currency === currency));
    const place = { bank: is.id, currency };
    if (!old || !now) {
      const account = (one: typeof old) => one?.collectingAccount ?? null;
      return [{ ...place, field: 'currency', before: account(old), after: account(now) }];
    }
    const fields = ['cutOff', 'days', 'fee', 'minimum', 'collectingAccount', 'enabled'] as const;
    return fields.flatMap((field) => difference({ ...place, field }, old[field], now[field]));
  });
}

function difference(
  place: Pick<RegistryChange, 'bank' | 'currency' | 'field'>,
  was: unknown,
  is: unknown,
): RegistryChange[] {
  const [before, after] = [said(was), said(is)];
  return before === after ? [] : [{ ...place, before, after }];
}

/** A value of the file as a person reads it. */
function said(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'object') return String(value);
  // The database keeps the fields of an object in an order of its own.
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, each]) => `${name} ${String(each)}`)
    .join(', ');
}

/** For the log, whose lines are read by people and by programs: the names of the file's own fields. */
function inOneLine(changes: readonly RegistryChange[]): string {
  return changes
    .map(({ bank, currency, field, before, after }) => {
      const place = [bank, currency, field].filter((part) => part !== null).join(' ');
      return `${place}: ${before ?? '–'} → ${after ?? '–'}`;
    })
    .join('; ');
}
