import type { Locale } from '@causeway/contract/locale.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { type TextValues, translate } from '../../../platform/text/texts.ts';
import type { StaffContext } from './dependencies.ts';
import type { ProposalRow } from './store/proposals.ts';

/** A line of what a proposal changes, in the reader's language. */
export interface Difference {
  label: string;
  before: string | null;
  after: string | null;
}

/**
 * A kind of proposal, as data. What the operator's own role may do, it does itself (`apply`). What changes a company's rows or moves
 * money is done by the worker (`company`): the confirmation records an act, which `acts` carries out once (docs/adr/0069-…).
 */
export type Kind = Reading & (AtOnce | ByWorker);

interface Reading {
  subjectKind: string;
  /**
   * What is there now of all that the proposal rests on. It is stored when the proposal is made and read again when it is confirmed:
   * where the two differ, the proposal is stale. With `lock` the rows stay as they are until the transaction ends.
   */
  before(tx: Tx, subjectId: string, input: unknown, options: { lock: boolean }): Promise<Record<string, unknown>>;
  /** What its title names beside the subject. */
  titleOf(locale: Locale, input: unknown): TextValues;
  /** What its subject is called in a language, where that differs between languages; null where nothing says it. */
  subjectName?(locale: Locale, input: unknown): string | null;
  changes(locale: Locale, input: unknown, before: unknown): Difference[];
}

interface AtOnce {
  /** Does it, in the transaction that confirms it. */
  apply(tx: Tx, context: StaffContext, proposal: ProposalRow): Promise<void>;
}

interface ByWorker {
  /** What the worker needs beside the act and only this process can make, written in the transaction that confirms it. */
  leave?(tx: Tx, context: StaffContext, proposal: ProposalRow): Promise<void>;
  /** In whose books the worker does it; the nil company's where it concerns the installation. */
  company(proposal: ProposalRow): string;
}

/** A line of `changes`; its label is the text `operator.field.<field>`. */
export function line(locale: Locale, field: string, before: string | null, after: string | null): Difference {
  return { label: translate(locale, `operator.field.${field}`), before, after };
}
