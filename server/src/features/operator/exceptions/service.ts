import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount, sayAmountText } from '@causeway/contract/money.ts';
import type * as calls from '@causeway/contract/operator-exceptions.ts';
import {
  actSubjects,
  type ExceptionAct,
  type ExceptionKind,
  type ExceptionSubject,
  exceptionKinds as kindsOfPage,
} from '@causeway/contract/operator-exceptions-rules.ts';
import type { QueueKind } from '@causeway/contract/operator-queue-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { propose as proposeKind, requireActing } from '../console/service/proposals.ts';
import { lockStaff } from '../console/store/accounts.ts';
import type { Wait } from '../domain.ts';
import type { Cause } from '../queue/cause.ts';
import { paymentSources } from '../queue/payment-sources.ts';
import { nextStepOf, titleOf, withNames } from '../queue/words.ts';
import { actsAbout, kindOfStuck } from './domain.ts';
import { answerInput, changesOf, exceptionKinds, matchInput } from './kinds.ts';
import { readSituation } from './situations.ts';
import { chainNames, companyNames, findCandidates, findWork, openProposals, walletsOfAccounts } from './store.ts';

/** What is open, what can be done about it, and what operators have proposed. */

const most = 200;

/** Where each cause of the queue is shown here, and what an act about it is about. */
const subjectsOf: Partial<Record<QueueKind, ExceptionSubject | null>> = {
  // Ended on the command line, and by a person's judgement in the queue.
  restoreOpen: null,
  depositReorganised: null,
  transferStuck: 'transaction',
  paymentUnexplained: 'payment',
  addressHeld: 'address',
  companyDeficit: 'wallet',
};

interface Found {
  kind: ExceptionKind;
  queueKind: QueueKind;
  subject: { kind: ExceptionSubject; id: string } | null;
  cause: Cause;
}

export async function list(
  tx: Tx,
  { locale }: StaffContext,
  { kind }: Query<typeof calls.listExceptions>,
): Promise<OutputInput<typeof calls.listExceptions>> {
  const found = await findOpen(tx);
  const wanted = kind === undefined ? found : found.filter((one) => one.kind === kind);
  const shown = wanted.slice(0, most);
  const names = await companyNames(
    tx,
    shown.flatMap(({ cause }) => cause.companyId ?? []),
  );
  const chains = await chainNames(tx);
  const proposals = Map.groupBy(
    await openProposals(
      tx,
      shown.flatMap(({ subject }) => subject?.id ?? []),
    ),
    ({ subjectId }) => subjectId,
  );
  return {
    counts: kindsOfPage.map((one) => ({ kind: one, open: found.filter((each) => each.kind === one).length })),
    items: shown.map((one) =>
      inWords(locale, one, { companies: names, chains }, proposals.get(one.subject?.id ?? '')?.length ?? 0),
    ),
    isCut: wanted.length > shown.length,
    work: await readWork(tx, locale),
  };
}

/** What the queue's sources find, under this page's headings, each heading's oldest first. */
async function findOpen(tx: Tx): Promise<Found[]> {
  const found: Found[] = [];
  for (const { kind: queueKind, find } of paymentSources) {
    const subject = subjectsOf[queueKind];
    if (subject === undefined) continue;
    for (const cause of await find(tx)) {
      const kind =
        queueKind === 'transferStuck'
          ? kindOfStuck(cause.facts['waitsFor'] as Wait['reason'])
          : (queueKind as ExceptionKind);
      found.push({ kind, queueKind, cause, subject: subject && { kind: subject, id: cause.subject } });
    }
  }
  const deficits = found.filter(({ subject }) => subject?.kind === 'wallet');
  const wallets = await walletsOfAccounts(
    tx,
    deficits.map(({ cause }) => cause.subject),
  );
  for (const { subject } of deficits) if (subject) subject.id = wallets.get(subject.id) ?? subject.id;
  const rank = ({ kind }: Found) => kindsOfPage.indexOf(kind);
  return found.sort((a, b) => rank(a) - rank(b) || a.cause.since.getTime() - b.cause.since.getTime());
}

function inWords(
  locale: Locale,
  { kind, queueKind, subject, cause }: Found,
  { companies, chains }: Record<'companies' | 'chains', ReadonlyMap<string, string>>,
  proposals: number,
): calls.Exception {
  const { companyId, facts, money, since } = cause;
  const company = companyId === null ? null : { id: companyId, name: companies.get(companyId) ?? '' };
  const amount = money && { quantity: formatAmount(money.minor, money.decimals), asset: money.asset };
  const chain = chains.get(facts['chain'] ?? '') ?? null;
  const said = {
    kind: queueKind,
    facts: withNames(facts, { chain }),
    amount: amount === null ? '' : sayAmountText(amount.quantity),
    asset: money?.asset ?? '',
    company: company?.name ?? '',
  };
  return {
    kind,
    subject,
    transactionId: subject?.kind === 'transaction' || kind === 'depositReorganised' ? cause.subject : null,
    title: titleOf(locale, said),
    nextStep: nextStepOf(locale, said),
    since: since.toISOString(),
    company,
    chain: chain ?? facts['chain'] ?? null,
    amount,
    hash: facts['hash'] ?? null,
    proposals,
  };
}

async function readWork(tx: Tx, locale: Locale): Promise<calls.ExceptionWork[]> {
  return (await findWork(tx)).map(({ id, kind, subjectName, input, state, at, by }) => ({
    proposalId: id,
    act: kind,
    title: translate(locale, `operator.proposal.${kind}`, {
      ...exceptionKinds[kind].titleOf(locale, input),
      name: subjectName ?? '',
    }),
    state,
    at: at.toISOString(),
    by,
  }));
}

/** @throws DomainError notFound */
export async function acts(
  tx: Tx,
  { locale }: StaffContext,
  { subject, id }: Query<typeof calls.getExceptionActs>,
): Promise<OutputInput<typeof calls.getExceptionActs>> {
  const situation = await readSituation(tx, subject, id);
  if (!situation) throw new DomainError('notFound');
  const open = new Map((await openProposals(tx, [id])).map((proposal) => [proposal.kind as string, proposal.id]));
  const candidates = subject === 'payment' ? await findCandidates(tx, id) : [];
  return {
    subject: { kind: subject, id },
    name: situation.name,
    acts: actsAbout(subject).map((act) => {
      const reason = situation.whyNot(act);
      const why = reason === null ? null : translate(locale, 'error.exceptionNotPossible', { reason });
      const changes = reason === null ? changesOf[act](locale, situation.facts, {}) : [];
      return { act, why, changes, proposalId: open.get(act) ?? null };
    }),
    candidates: candidates.map(({ id: transferId, at, payee, coin, decimals, quantityMinor }) => ({
      id: transferId,
      at: at.toISOString(),
      payee,
      quantity: formatAmount(quantityMinor, decimals),
      asset: coin,
    })),
  };
}

/** @throws DomainError notFound, validationFailed, exceptionNotPossible, paymentDiffers, proposalOpen */
export async function propose(
  tx: Tx,
  context: StaffContext,
  { act, subjectId, reason, ...given }: Body<typeof calls.proposeException>,
): Promise<{ proposalId: string }> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.exception');
  const situation = await readSituation(tx, actSubjects[act], subjectId);
  if (!situation) throw new DomainError('notFound');
  const why = situation.whyNot(act);
  if (why !== null) throw new DomainError('exceptionNotPossible', { reason: why });
  const input = await inputOf(tx, act, subjectId, given);
  const proposal = { kind: act, subjectId, subjectName: situation.name, input, reason };
  return { proposalId: await proposeKind(tx, context, proposal) };
}

type Given = Omit<Body<typeof calls.proposeException>, 'act' | 'subjectId' | 'reason'>;

/** What the act needs beside its subject. @throws DomainError validationFailed, paymentDiffers */
async function inputOf(tx: Tx, act: ExceptionAct, subjectId: string, given: Given): Promise<Record<string, unknown>> {
  if (act === 'payment.match') {
    const { transferId } = complete(matchInput.safeParse(given), 'transferId');
    const isOne = (await findCandidates(tx, subjectId)).some(({ id }) => id === transferId);
    if (!isOne) throw new DomainError('paymentDiffers');
    return { transferId };
  }
  if (act !== 'unknown.answer') return {};
  if (given.answer === undefined) throw new DomainError('validationFailed', {}, { answer: 'field.required' });
  const { answer, hash } = complete(answerInput.safeParse(given), 'hash');
  return { answer, hash: hash.toLowerCase() };
}

function complete<T>(parsed: { success: true; data: T } | { success: false }, field: string): T {
  if (!parsed.success) throw new DomainError('validationFailed', {}, { [field]: 'field.required' });
  invariant(parsed.data, 'what was parsed is there');
  return parsed.data;
}
