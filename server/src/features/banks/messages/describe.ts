import { minorUnitsOf } from '@causeway/contract/iso-4217.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { BalanceCheck, Finding } from './check.ts';
import type { BankMessage, Entry, Statement, Status } from './model.ts';
import type { BankFileError } from './problem.ts';
import { type BankFilePart, readBankFile } from './read.ts';
import { xmlLimits } from './xml.ts';

/** A description is held whole and is five times as long as the file: a larger file could use up the memory. */
const describedBytes = 50_000_000;

/** What was understood of a bank's file, with amounts in whole units ("12.50"); what the bank did not say is null. */
export interface BankFileDescription {
  messages: BankMessage[];
  statements: (Statement & { messageId: string; balances: unknown[]; entries: unknown[] })[];
  statuses: (Status & { messageId: string; of: 'message' | 'batch' | 'transaction' })[];
}

/**
 * Reads a whole file and describes it in one language. The description has all entries: it is for people, one file at a time.
 * @throws BankFileError
 */
export async function describeBankFile(bytes: AsyncIterable<Uint8Array>, locale: Locale): Promise<BankFileDescription> {
  const description: BankFileDescription = { messages: [], statements: [], statuses: [] };
  for await (const part of readBankFile(bytes, { ...xmlLimits, bytes: describedBytes }))
    addPart(description, part, locale);
  return description;
}

/** Why a file cannot be read, in one sentence. */
export function bankFileSentence({ problem, details }: BankFileError, locale: Locale): string {
  return translate(locale, `bank.file.${problem}`, details);
}

function addPart(description: BankFileDescription, part: BankFilePart, locale: Locale): void {
  const { messages, statements, statuses } = description;
  const messageId = messages.at(-1)?.id ?? '';
  const statement = statements.at(-1);
  switch (part.part) {
    case 'message':
      messages.push(part.message);
      break;
    case 'statement':
      statements.push({ messageId, ...part.statement, balances: [], entries: [] });
      break;
    case 'entry':
      statement?.entries.push(shown(part.entry satisfies Entry));
      break;
    case 'statementEnd':
      if (!statement) break;
      statement.balances = part.balances.map(shown);
      Object.assign(statement, {
        checks: part.checks.map(checkShown),
        findings: part.findings.map((finding) => findingSentence(finding, locale)),
      });
      break;
    case 'groupStatus':
      statuses.push({ messageId, of: 'message', ...part.status });
      break;
    case 'batchStatus':
      statuses.push({ messageId, of: 'batch', ...part.status });
      break;
    case 'transactionStatus':
      statuses.push({ messageId, of: 'transaction', ...(shown(part.status) as typeof part.status) });
      break;
  }
}

/** Amounts as text, an `amount` beside its `currency`: what is money inside becomes what people read. */
function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  const { currency, minor } = value as { currency?: string; minor?: bigint };
  if (typeof minor === 'bigint' && currency !== undefined) return { amount: inWhole(minor, currency), currency };
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
      const text = shown(inner);
      const isAmount = name === 'amount' && typeof text === 'object' && text !== null;
      return isAmount ? Object.entries(text) : [[name, text]];
    }),
  );
}

function inWhole(minor: bigint, currency: string): string {
  const decimals = minorUnitsOf(currency);
  invariant(decimals !== null, `${currency} was read as a currency`);
  return formatAmount(minor, decimals);
}

function checkShown({ currency, opening, credits, debits, closing, difference }: BalanceCheck) {
  const text = (minor: bigint) => inWhole(minor, currency);
  return {
    currency,
    opening: opening && { type: opening.type, amount: text(opening.minor) },
    credits: text(credits),
    debits: text(debits),
    closing: closing && { type: closing.type, amount: text(closing.minor) },
    difference: difference === null ? null : text(difference),
    agrees: difference === null ? null : difference === 0n,
  };
}

function findingSentence(finding: Finding, locale: Locale): string {
  const { finding: kind, ...blanks } = finding;
  const texts = Object.entries(blanks).map(([name, value]): [string, string | number] => [
    name,
    typeof value === 'bigint' && 'currency' in finding ? inWhole(value, finding.currency) : String(value),
  ]);
  return translate(locale, `bank.finding.${kind}`, Object.fromEntries(texts));
}
