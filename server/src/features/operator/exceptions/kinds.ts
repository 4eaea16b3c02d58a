import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { actSubjects, type ExceptionAct, unknownAnswers } from '@causeway/contract/operator-exceptions-rules.ts';
import { stages } from '@causeway/contract/transactions-rules.ts';
import * as z from 'zod/mini';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { translate } from '../../../platform/text/texts.ts';
import { inputOf, nonceOf } from '../../chains/index.ts';
import type { ReplacementClaims } from '../../rails/index.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { type Difference, type Kind, line } from '../console/kind.ts';
import type { ProposalRow } from '../console/store/proposals.ts';
import { readSituation } from './situations.ts';
import { findPayment, insertReplacement, type PaymentRow } from './store.ts';

/** What operators solve, as kinds of proposals that the worker carries out: what each rests on, and what it changes. */

export const matchInput = z.object({ transferId: z.uuid() });
export const answerInput = z.object({ answer: z.enum(unknownAnswers), hash: z.string() });

/** Facts of a payment on Bitcoin; no other has them. */
const networkFee = { feeMinor: z.optional(z.string()), vsize: z.optional(z.number()) };

const heldFacts = z.object({ stage: z.enum(stages), onHold: z.string(), coin: z.string() });
const paymentFacts = z.object({
  stage: z.enum(stages),
  attempt: z.nullable(z.number()),
  isOffered: z.boolean(),
  maxFeePerGas: z.nullable(z.string()),
  ...networkFee,
});
const unexplainedFacts = z.object({
  amount: z.nullable(z.string()),
  coin: z.nullable(z.string()),
  succeeded: z.boolean(),
});
const holdFacts = z.object({ chainNonce: z.number(), nextNonce: z.number(), acceptedNonce: z.nullable(z.number()) });
export const deficitFacts = z.object({
  owedMinor: z.string(),
  owed: z.string(),
  asset: z.string(),
  isFrozen: z.boolean(),
});

const emptyFacts = z.object({
  nonce: z.nullable(z.number()),
  inputs: z.optional(z.array(z.string())),
  /** The other payments of its transaction, where it makes several. */
  payments: z.optional(z.array(z.string())),
  fromAddress: z.string(),
  nativeCoin: z.string(),
  payee: z.string(),
  amount: z.string(),
  coin: z.string(),
});

type Changes = (locale: Locale, before: unknown, input: unknown) => Difference[];

/** The lines of each act. What is still to be given in the dialog is left out. */
export const changesOf: Readonly<Record<ExceptionAct, Changes>> = {
  'payment.resend': (locale, before) => {
    const { stage, isOffered } = paymentFacts.parse(before);
    const isFirst = stage === 'approved' || stage === 'signing';
    const offered = (what: 'never' | 'once' | 'again') => translate(locale, `operator.value.offered.${what}`);
    return [
      line(locale, 'stage', stageName(locale, stage), stageName(locale, isFirst ? 'broadcast' : stage)),
      line(locale, 'offered', offered(isOffered ? 'once' : 'never'), offered('again')),
    ];
  },
  'payment.speedUp': (locale, before) => {
    const { attempt, maxFeePerGas, feeMinor, vsize } = paymentFacts.parse(before);
    const now = attempt ?? 1;
    if (feeMinor !== undefined && vsize !== undefined) {
      const dearer = translate(locale, 'operator.value.atLeast', {
        fee: rate(BigInt(feeMinor) + BigInt(vsize), vsize),
      });
      return [
        line(locale, 'attemptsOfInputs', String(now), String(now + 1)),
        // As nodes want it of what takes another's place: a satoshi more for each virtual byte (BIP 125).
        line(locale, 'feeRate', rate(BigInt(feeMinor), vsize), dearer),
      ];
    }
    const fee = BigInt(maxFeePerGas ?? '0');
    return [
      line(locale, 'attempts', String(now), String(now + 1)),
      // As the worker raises it: an eighth more, or what the chain asks by now.
      line(
        locale,
        'maxFee',
        gwei(fee),
        translate(locale, 'operator.value.atLeast', { fee: gwei((fee * 1125n) / 1000n + 1n) }),
      ),
    ];
  },
  'payment.replaceEmpty': (locale, before) => {
    const { nonce, inputs, payments = [], fromAddress, nativeCoin, payee, amount, coin } = emptyFacts.parse(before);
    const pays = translate(locale, 'operator.value.pays', { amount: `${amount} ${coin}`, to: payee });
    const back = givenBack(locale, before, (stage) => translate(locale, 'operator.value.onceEmptyFinal', { stage }));
    if (nonce === null) {
      const [input = '', ...others] = inputs ?? [];
      return [
        {
          ...line(locale, 'transactionOfInput', pays, translate(locale, 'operator.value.returnsAll')),
          label: translate(locale, 'operator.field.transactionOfInput', { input, others: others.length }),
        },
        ...back,
        ...(payments.length === 0 ? [] : [line(locale, 'endsToo', null, payments.join('\n'))]),
        line(locale, 'networkFeeOfEmpty', null, translate(locale, 'operator.value.networkFeeOurs')),
      ];
    }
    const empty = translate(locale, 'operator.value.pays', { amount: `0 ${nativeCoin}`, to: fromAddress });
    return [
      {
        ...line(locale, 'transactionOfNonce', pays, empty),
        label: translate(locale, 'operator.field.transactionOfNonce', { nonce }),
      },
      ...back,
    ];
  },
  'payment.abandon': (locale, before) => givenBack(locale, before),
  'payment.release': (locale, before) => givenBack(locale, before),
  'unknown.answer': (locale, before, input) => {
    const given = answerInput.safeParse(input);
    if (!given.success) return [];
    const proof = line(locale, 'proof', null, given.data.hash);
    if (given.data.answer === 'notPaid') return [...givenBack(locale, before), proof];
    const { stage, onHold, coin } = heldFacts.parse(before);
    return [
      line(locale, 'stage', stageName(locale, stage), stageName(locale, 'completed')),
      line(locale, 'onHold', `${onHold} ${coin}`, `0 ${coin}`),
      proof,
    ];
  },
  'payment.match': (locale, _before, input) => {
    const given = matchInput.safeParse(input);
    const after = given.success
      ? translate(locale, 'operator.value.paymentOf', { transfer: given.data.transferId })
      : null;
    return after === null ? [] : [line(locale, 'explanation', translate(locale, 'operator.value.unexplained'), after)];
  },
  'payment.book': (locale, before) => {
    const { amount, coin, succeeded } = unexplainedFacts.parse(before);
    const taken = amount !== null && coin !== null && succeeded ? `−${amount} ${coin}` : null;
    return [
      line(
        locale,
        'explanation',
        translate(locale, 'operator.value.unexplained'),
        translate(locale, 'operator.value.booked'),
      ),
      ...(taken === null ? [] : [line(locale, 'available', null, taken)]),
    ];
  },
  'hold.release': (locale, before) => {
    const { chainNonce, nextNonce, acceptedNonce } = holdFacts.parse(before);
    const value = (what: 'held' | 'sends') => translate(locale, `operator.value.address.${what}`);
    return [
      line(locale, 'nonce', String(Math.max(nextNonce, acceptedNonce ?? 0)), String(chainNonce)),
      line(locale, 'paying', value('held'), value('sends')),
    ];
  },
  'deficit.writeOff': (locale, before) => {
    const { owed, asset, isFrozen } = deficitFacts.parse(before);
    const frozen = translate(locale, `operator.value.wallet.${isFrozen ? 'frozen' : 'open'}`);
    return [
      line(locale, 'deficit', `${owed} ${asset}`, `0 ${asset}`),
      line(locale, 'operatorFees', null, `−${owed} ${asset}`),
      line(locale, 'wallet', frozen, frozen),
    ];
  },
};

/** A payment that ends without success: its hold goes back to the company, with the posting that every failed payment has. */
function givenBack(locale: Locale, before: unknown, end: (stage: string) => string = (stage) => stage): Difference[] {
  const { stage, onHold, coin } = heldFacts.parse(before);
  return [
    line(locale, 'stage', stageName(locale, stage), end(stageName(locale, 'failed'))),
    line(locale, 'onHold', `${onHold} ${coin}`, `0 ${coin}`),
    line(locale, 'available', null, `+${onHold} ${coin}`),
  ];
}

function stageName(locale: Locale, stage: (typeof stages)[number]): string {
  return translate(locale, `transaction.stage.${stage}`);
}

/** Fees are read in gwei; the zeros at the end say nothing. */
function gwei(wei: bigint): string {
  return `${formatAmount(wei, 9).replace(/\.?0+$/, '')} gwei`;
}

/** Satoshis per virtual byte, to the tenth. */
function rate(feeMinor: bigint, vsize: number): string {
  return `${(Number(feeMinor) / vsize).toFixed(1)} sat/vB`;
}

/** What the worker changes by itself while an act waits to be confirmed, and the act does not rest on: attempts with higher fees. */
const passing: Partial<Record<ExceptionAct, readonly string[]>> = {
  'payment.replaceEmpty': ['attempt', 'isSigned', 'isOffered', 'hash', 'maxFeePerGas', 'feeMinor', 'vsize'],
};

/** Seals that two operators agreed on it: the signer believes nothing else. */
async function sealReplacement(tx: Tx, context: StaffContext, proposal: ProposalRow): Promise<void> {
  const payment = await findPayment(tx, proposal.subjectId);
  invariant(payment?.chainId, 'what is replaced is on a chain');
  const { companyId, chainId, id: transferId } = payment;
  const claims: ReplacementClaims = {
    version: 1,
    companyId,
    transferId,
    ...(payment.payments !== null && { payments: payment.payments }),
    chainId,
    resources: placesOf(chainId, payment),
    proposalId: proposal.id,
    proposedBy: proposal.proposedBy,
    confirmedBy: context.session.userId,
    issuedAt: context.clock.now().toISOString(),
  };
  const jws = context.seal('causeway-replacement', claims);
  await insertReplacement(tx, { proposalId: proposal.id, companyId, transferId, jws });
}

/** What every attempt of a payment uses, as the signer's journal names it. */
function placesOf(chainId: string, { nonce, fromAddress, inputs }: PaymentRow): string[] {
  if (inputs !== null) return inputs.map((input) => inputOf(chainId, input));
  invariant(fromAddress !== null && nonce !== null, 'what is replaced has inputs or a nonce');
  return [nonceOf(fromAddress, nonce)];
}

function kindOf(act: ExceptionAct): Kind {
  const subjectKind = actSubjects[act];
  return {
    subjectKind,
    async before(tx, subjectId) {
      const situation = await readSituation(tx, subjectKind, subjectId);
      // A subject that is gone is not what was proposed about.
      if (situation === null) return { isGone: true };
      const facts = Object.entries(situation.facts).filter(([name]) => !passing[act]?.includes(name));
      return { ...Object.fromEntries(facts), companyId: situation.companyId, why: situation.whyNot(act) };
    },
    titleOf: (locale, input) => {
      const given = answerInput.safeParse(input);
      return given.success ? { answer: translate(locale, `operator.value.answer.${given.data.answer}`) } : {};
    },
    changes: (locale, input, before) => changesOf[act](locale, before, input),
    ...(act === 'payment.replaceEmpty' ? { leave: sealReplacement } : {}),
    company({ before }) {
      const { companyId } = before;
      invariant(typeof companyId === 'string', 'a proposal was made about something that is there');
      return companyId;
    },
  };
}

export const exceptionKinds: Readonly<Record<ExceptionAct, Kind>> = {
  'payment.resend': kindOf('payment.resend'),
  'payment.speedUp': kindOf('payment.speedUp'),
  'payment.replaceEmpty': kindOf('payment.replaceEmpty'),
  'payment.abandon': kindOf('payment.abandon'),
  'payment.release': kindOf('payment.release'),
  'unknown.answer': kindOf('unknown.answer'),
  'payment.match': kindOf('payment.match'),
  'payment.book': kindOf('payment.book'),
  'hold.release': kindOf('hold.release'),
  'deficit.writeOff': kindOf('deficit.writeOff'),
};
