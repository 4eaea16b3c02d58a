import { waysTo } from '@causeway/contract/bank-rules.ts';
import {
  type BatchField,
  type BatchProblem,
  type BatchProblemKey,
  batchFields,
  maxCellLength,
  type Written,
} from '@causeway/contract/batches-rules.ts';
import { isCurrency } from '@causeway/contract/currencies.ts';
import { text } from '@causeway/contract/ids.ts';
import { withoutInvisible } from '@causeway/contract/names.ts';
import { isCreditorReference, isPurposeNeeded } from '@causeway/contract/payments-rules.ts';
import { categoryMaxLength, invoiceNumberMaxLength } from '@causeway/contract/transactions-rules.ts';
import { notesMaxLength } from '@causeway/contract/transfers-rules.ts';
import * as z from 'zod/mini';
import { nameLikeness } from '../../payees/index.ts';
import { bearersFor, printedOf } from '../../payments/index.ts';
import { readAmount } from './amount.ts';
import type { DirectoryWallet } from './directory.ts';
import { type DirectoryIndex, findSaved, type SavedPayee, walletsFor } from './find-payee.ts';
import { newPayeeOf } from './new-payee.ts';
import { chargesOf, feeLevelOf, purposeOf } from './words.ts';

/** What a row means beside whom it pays and how much: those of its terms that were given. */
export interface RowTerms {
  notes?: string;
  invoiceNumber?: string;
  category?: string;
  feeLevel?: string;
  charges?: string;
  purpose?: string;
  remittance?: string;
}

/** What a written row means. What is null is not known, and a problem says why. */
export interface RowMeaning {
  walletId: string | null;
  payeeId: string | null;
  /** The version of the payee's bank account; null on a chain. */
  versionId: string | null;
  /** Minor units of the wallet's asset. */
  amountMinor: bigint | null;
  terms: RowTerms;
  problems: BatchProblem[];
}

/**
 * Reads one row: pure. Only what does not change with time is looked at: whom it pays, out of which wallet, how much, and whether its words
 * can be sent. Balances, limits, risk and approvals are asked when the batch is checked. `amongCommas`: other rows have amounts with a decimal
 * comma.
 */
export function readRow(index: DirectoryIndex, written: Written, amongCommas = false): RowMeaning {
  const problems = formProblems(written);
  const add = (column: BatchField, key: BatchProblemKey, blanks: Record<string, string | number> = {}) =>
    problems.push({ column, key, severity: key === 'nameDiffers' ? 'warning' : 'error', blanks });
  const meaning: RowMeaning = {
    walletId: null,
    payeeId: null,
    versionId: null,
    amountMinor: null,
    terms: {},
    problems,
  };
  if (problems.length > 0) return meaning;

  const wallets = walletsFor(index, written);
  const saved = 'key' in wallets ? wallets : findSaved(index, written, wallets);
  let payee: SavedPayee | null = null;
  let wallet: DirectoryWallet | null = null;
  if (saved === null) {
    const found = newPayeeOf(index, written, wallets as DirectoryWallet[]);
    if ('lacks' in found) add('account', 'payeeDetailsLacking', { fields: found.lacks.join(' ') });
    else add('account', 'payeeNotSaved', { value: written.account ?? '' });
  } else if ('key' in saved) add(saved.column, saved.key, saved.blanks);
  else ({ payee, wallet } = saved);

  const counted = wallet ?? soleAsset(wallets);
  if (written.amount === undefined) add('amount', 'required');
  else {
    const amount = readAmount(written.amount, counted, amongCommas);
    if ('minor' in amount) meaning.amountMinor = wallet === null ? null : amount.minor;
    else add('amount', amount.problem, amount.blanks);
  }
  readTerms(index, written, { payee, wallet }, meaning.terms, add);
  if (payee !== null && wallet !== null) {
    meaning.walletId = wallet.id;
    meaning.payeeId = payee.id;
    if (payee.kind === 'bank') {
      meaning.versionId = payee.versionId;
      const likeness = written.name === undefined ? null : nameLikeness(written.name);
      if (likeness !== null && likeness !== nameLikeness(payee.name)) {
        add('name', 'nameDiffers', { value: written.name ?? '', name: payee.name });
      }
    }
  }
  return meaning;
}

type Add = (column: BatchField, key: BatchProblemKey, blanks?: Record<string, string | number>) => void;

const lengths: Partial<Record<BatchField, number>> = {
  invoiceNumber: invoiceNumberMaxLength,
  category: categoryMaxLength,
  notes: notesMaxLength,
};
const anyText = text(maxCellLength + 1);

/** What no field may have, whatever it means. */
function formProblems(written: Written): BatchProblem[] {
  return batchFields.flatMap((column): BatchProblem[] => {
    const value = written[column];
    if (value === undefined) return [];
    const error = (key: BatchProblemKey, blanks: Record<string, string | number> = {}) => [
      { column, key, severity: 'error' as const, blanks },
    ];
    const most = lengths[column] ?? maxCellLength;
    if (value.length > most) return error('tooLong', { most });
    if (!z.safeParse(anyText, value).success || value.includes('\ufffd')) return error('forbiddenCharacters');
    const line = value.replaceAll('\n', ' ');
    return withoutInvisible(line) === line ? [] : error('invisibleCharacters');
  });
}

/** The asset of wallets that have one in common; null where they do not. */
function soleAsset(wallets: DirectoryWallet[] | { key: unknown }): { asset: string; decimals: number } | null {
  if (!Array.isArray(wallets)) return null;
  const [first] = wallets;
  return first && wallets.every(({ asset, decimals }) => asset === first.asset && decimals === first.decimals)
    ? first
    : null;
}

function readTerms(
  { families }: DirectoryIndex,
  written: Written,
  { payee, wallet }: { payee: SavedPayee | null; wallet: DirectoryWallet | null },
  terms: RowTerms,
  add: Add,
): void {
  const { invoiceNumber, category, notes, remittance } = written;
  if (invoiceNumber !== undefined) terms.invoiceNumber = invoiceNumber;
  if (category !== undefined) terms.category = category;
  if (notes !== undefined) terms.notes = notes;
  if (payee?.kind === 'bank' && wallet?.bank) readBankTerms(written, payee, wallet.bank.isByApi, terms, add);
  // On a chain the payee reads nothing: what was meant for it stays the company's own note.
  else if (remittance !== undefined && notes === undefined) terms.notes = remittance;
  const level = feeLevelOf(written.feeLevel ?? 'normal');
  if (level === null) add('feeLevel', 'feeLevelUnknown', { value: written.feeLevel ?? '' });
  else if (wallet?.chain && families.get(wallet.chain.family)?.choosesFee) terms.feeLevel = level;
}

function readBankTerms(
  { charges, purpose, remittance }: Written,
  payee: Extract<SavedPayee, { kind: 'bank' }>,
  isByApi: boolean,
  terms: RowTerms,
  add: Add,
): void {
  const { country, currency, holder } = payee;
  const way = isCurrency(currency) ? waysTo(country, currency, holder).find(({ id }) => id === payee.way) : undefined;
  if (charges !== undefined) {
    const bearer = chargesOf(charges);
    if (bearer === null) add('charges', 'chargesUnknown', { value: charges });
    else if (way && !bearersFor(way, { isByApi }).includes(bearer))
      add('charges', 'chargesNotOffered', { value: charges });
    else terms.charges = bearer;
  }
  if (purpose !== undefined) {
    const code = purposeOf(purpose);
    if (code === null) add('purpose', 'purposeUnknown', { value: purpose });
    else terms.purpose = code;
  } else if (isPurposeNeeded(country) && !way?.fields.some(({ name }) => name === 'purpose')) {
    add('purpose', 'purposeNeeded', { country });
  }
  if (remittance === undefined) return;
  terms.remittance = remittance;
  if (!way || isCreditorReference(remittance)) return;
  const printed = printedOf(way, remittance);
  if (printed.lost.length > 0) add('remittance', 'remittanceCharacters', { characters: printed.lost.join(' ') });
  const length = [...printed.text].length;
  if (length > way.remittance) add('remittance', 'remittanceTooLong', { most: way.remittance, length });
}
