import * as z from 'zod/mini';
import { call } from './call.ts';
import { id, instant, text } from './ids.ts';
import { operatorReason } from './operator.ts';
import { exceptionActs, exceptionKinds, exceptionSubjects, unknownAnswers } from './operator-exceptions-rules.ts';
import { actStates } from './operator-rules.ts';

/** What operators solve in their console: what is open, what can be done about it, and what is being done. Part of the feature operator. */

export * from './operator-exceptions-rules.ts';

const subject = z.object({ kind: z.enum(exceptionSubjects), id: z.string() });
const subjectId = text(128).check(z.minLength(1, 'field.required'));

export const exception = z.object({
  kind: z.enum(exceptionKinds),
  /** What can be acted on here; null for what is dealt with elsewhere. */
  subject: z.nullable(subject),
  /** The transaction that it is about, if it is about one. */
  transactionId: z.nullable(id),
  /** What is the matter, as a sentence in the reader's language. */
  title: z.string(),
  /** What to do next, as a sentence in the reader's language. */
  nextStep: z.string(),
  since: instant,
  /** Null where it is the installation's own. */
  company: z.nullable(z.object({ id, name: z.string() })),
  chain: z.nullable(z.string()),
  /** In whole units, a plain decimal. */
  amount: z.nullable(z.object({ quantity: z.string(), asset: z.string() })),
  hash: z.nullable(z.string()),
  /** Open proposals about it. */
  proposals: z.number(),
});
export type Exception = z.output<typeof exception>;

export const exceptionWork = z.object({
  proposalId: id,
  act: z.enum(exceptionActs),
  /** What is done, as a sentence. */
  title: z.string(),
  /** `open`: waits for a second operator; then what the worker made of it. */
  state: z.enum(['open', ...actStates]),
  at: instant,
  by: z.string(),
});
export type ExceptionWork = z.output<typeof exceptionWork>;

export const listExceptions = call({
  name: 'listExceptions',
  method: 'GET',
  path: '/operator/exception',
  summary:
    'What is open of each kind, the oldest first, and what operators have proposed about it or the worker carries out.',
  access: 'operator.view',
  query: z.strictObject({ kind: z.optional(z.enum(exceptionKinds)) }),
  output: z.object({
    /** How many are open of each kind, whichever was asked for. */
    counts: z.array(z.object({ kind: z.enum(exceptionKinds), open: z.number() })),
    items: z.array(exception),
    /** Whether more are open than are listed. */
    isCut: z.boolean(),
    /** Open proposals, and those of the last day that the worker carries out or has ended. */
    work: z.array(exceptionWork),
  }),
  errors: [],
});

const difference = z.object({ label: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) });

export const exceptionChoice = z.object({
  act: z.enum(exceptionActs),
  /** Why it is not possible now, as a sentence in the reader's language; null where it is. */
  why: z.nullable(z.string()),
  /** What it would change, as far as that does not depend on what is still to be given. */
  changes: z.array(difference),
  /** The open proposal of this act, if there is one. */
  proposalId: z.nullable(id),
});
export type ExceptionChoice = z.output<typeof exceptionChoice>;

export const getExceptionActs = call({
  name: 'getExceptionActs',
  method: 'GET',
  path: '/operator/exception/act',
  summary:
    'What can be done about one payment, address or wallet now, what it would change, and why the rest is not possible.',
  access: 'operator.view',
  query: z.strictObject({ subject: z.enum(exceptionSubjects), id: subjectId }),
  output: z.object({
    subject,
    name: z.string(),
    acts: z.array(exceptionChoice),
    /** Transfers of the company that an unexplained payment may be the payment of: same chain, payee, coin and amount. */
    candidates: z.array(z.object({ id, at: instant, payee: z.string(), quantity: z.string(), asset: z.string() })),
  }),
  errors: ['notFound'],
});

export const proposeException = call({
  name: 'proposeException',
  method: 'POST',
  path: '/operator/exception',
  summary: 'Proposes an act. Another operator has to confirm it; the worker carries it out.',
  access: 'operator.exception',
  body: z.strictObject({
    act: z.enum(exceptionActs),
    subjectId,
    reason: operatorReason,
    /** Of `payment.match`: the transfer that it is the payment of. */
    transferId: z.optional(id),
    /** Of `unknown.answer`. */
    answer: z.optional(z.enum(unknownAnswers)),
    /** Of `unknown.answer`: the transaction that proves it. */
    hash: z.optional(z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/, 'field.invalid'))),
  }),
  output: z.object({ proposalId: id }),
  errors: ['notFound', 'proposalOpen', 'exceptionNotPossible', 'paymentDiffers'],
});
