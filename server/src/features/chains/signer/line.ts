import { ConfigError } from '../../../platform/config/config.ts';
import type { Intent, JournalFamilies, JournalFamily } from './family.ts';

/** The fields of a journal entry: a line of the file, and a row of the table `signer_journal`. */
export type LineFields = Readonly<Record<string, unknown>>;

/** An entry that names no family is EVM's: it was the only one when the journal began. */
export function familyOf(fields: LineFields): string {
  return typeof fields['family'] === 'string' ? fields['family'] : 'evm';
}

/** @throws ConfigError when this process does not know the family */
function familyNamed(families: JournalFamilies, name: string): JournalFamily {
  const family = families.get(name);
  if (!family)
    throw new ConfigError(`the journal has entries of the family ${name}, which this program does not serve`);
  return family;
}

/** Names and order are part of the hash, and never change within a version. */
export function writeLine(families: JournalFamilies, intent: Intent): LineFields {
  const family = familyNamed(families, intent.family);
  const { companyId, transferId, paymentId, kind, chainId, toAddress, coin } = intent;
  const ids = { companyId, transferId, paymentId, kind, chainId };
  const pays = { toAddress, coin, amountMinor: intent.amountMinor.toString() };
  const plan = family.planOf(intent);
  if (family.flatFields === null) return { ...ids, family: family.name, ...pays, plan: sorted(plan) };
  const fields: LineFields = { ...pays, ...plan };
  return { ...ids, ...Object.fromEntries(family.flatFields.map((name) => [name, fields[name]])) };
}

/** @throws ConfigError when this process does not know the family */
export function readLine(families: JournalFamilies, fields: LineFields): Intent {
  return readAs(familyNamed(families, familyOf(fields)), fields);
}

/** Reads an entry that is known to be of a family. */
export function readAs<I extends Intent>(family: JournalFamily<I>, fields: LineFields): I {
  const text = fields as Record<string, string>;
  const payment: Intent = {
    family: family.name,
    companyId: text['companyId'] ?? '',
    transferId: text['transferId'] ?? '',
    paymentId: text['paymentId'] ?? '',
    kind: text['kind'] ?? '',
    chainId: text['chainId'] ?? '',
    toAddress: text['toAddress'] ?? '',
    coin: text['coin'] ?? '',
    amountMinor: BigInt(text['amountMinor'] ?? ''),
  };
  return family.withPlan(payment, family.flatFields === null ? (fields['plan'] as LineFields) : fields);
}

/** Keys in one order at every depth: a `jsonb` column does not keep the order in which they were written. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
