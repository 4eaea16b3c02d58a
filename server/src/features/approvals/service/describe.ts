import { decisionContent, reviewContent } from '@causeway/contract/approvals.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import * as z from 'zod/mini';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { fieldMessages } from '../../../platform/http/call-input.ts';
import type { Session } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { CodeFact } from '../../identity/index.ts';
import { decisionDigest } from '../domain.ts';
import { findVisibleTask } from '../store/lists.ts';
import { readSettings } from '../store/rules.ts';
import type { TaskRow } from '../store/tasks.ts';
import { reviewDigest } from './change-rules.ts';
import { peopleOf } from './people.ts';
import { readerOf } from './reader.ts';
import { type ApprovalSubjects, type SubjectKind, subjectOf } from './subjects.ts';

type Described = Promise<{ digest: string; facts: CodeFact[] }>;

function parsed<T extends z.core.$ZodType>(schema: T, content: Record<string, unknown>): z.output<T> {
  const result = z.safeParse(schema, content);
  if (!result.success) throw new DomainError('validationFailed', {}, fieldMessages(result.error, content));
  return result.data;
}

/**
 * What a code for a decision is bound to, and the facts that its mail repeats: what is decided on, or how many tasks of what
 * value altogether. @throws DomainError validationFailed, notFound
 */
export const describeDecision =
  (subjects: ApprovalSubjects) =>
  async (tx: Tx, session: Session, content: Record<string, unknown>, locale: Locale): Described => {
    const { ids, outcome } = parsed(decisionContent, content);
    const reader = readerOf(session, await peopleOf(tx, [], session.userId));
    const tasks: TaskRow[] = [];
    for (const id of ids) {
      const task = await findVisibleTask(tx, id, reader);
      if (!task) throw new DomainError('notFound');
      tasks.push(task);
    }
    const fact = (name: string, value: string): CodeFact => ({
      label: translate(locale, `approvals.codeFact.${name}`),
      value,
    });
    const said = translate(locale, `approvals.end.${outcome}`);
    const decision = { ...fact('decision', said), headline: said };
    const [only, ...others] = tasks;
    const facts = only && others.length === 0 ? factsOf(subjectOf(subjects, only), only, locale) : summaryOf(tasks);
    return {
      digest: decisionDigest(session.companyId, tasks, outcome),
      facts: [decision, ...facts.map(({ name, value, ...limits }) => ({ ...fact(name, value), ...limits }))],
    };
  };

interface Fact extends Omit<CodeFact, 'label'> {
  name: string;
}

function factsOf(subject: SubjectKind, task: TaskRow, locale: Locale): Fact[] {
  const { amountMinor, decimals, coin } = task;
  const { party } = subject.brief(task, locale, task.timeZone);
  const amount = amountMinor === null ? '' : `${sayAmount(amountMinor, decimals ?? 0)} ${coin ?? ''}`;
  // What pays a party is called by its name.
  const needs = party === null || subject.partyPermission === undefined ? {} : { needs: subject.partyPermission };
  return [
    { name: 'application', value: subject.name(task, locale), headline: subject.name(task, locale), ...needs },
    ...(amountMinor === null ? [] : [{ name: 'amount', value: amount, headline: amount }]),
    ...(party === null ? [] : [{ name: 'account', value: party.account, ...needs }]),
    { name: 'initiator', value: task.initiatorName },
  ];
}

function summaryOf(tasks: readonly TaskRow[]): Fact[] {
  const cents = tasks.reduce((sum, { valueCents }) => sum + (valueCents ?? 0n), 0n);
  const total = `${sayAmount(cents, 2)} USD`;
  return [
    { name: 'count', value: tasks.length.toString() },
    { name: 'value', value: total, headline: total },
  ];
}

/** The same of switching review on or off. @throws DomainError validationFailed */
export async function describeReview(
  tx: Tx,
  session: Session,
  content: Record<string, unknown>,
  locale: Locale,
): Described {
  const { enabled } = parsed(reviewContent, content);
  const { version } = await readSettings(tx);
  const label = translate(locale, 'approvals.codeFact.review');
  const value = translate(locale, enabled ? 'approvals.codeFact.on' : 'approvals.codeFact.off');
  return {
    digest: reviewDigest(session.companyId, { enabled }, version),
    facts: [{ label, value, headline: `${label}: ${value}` }],
  };
}
