import type { ErrorDetails } from '@causeway/contract/errors.ts';
import type { ExceptionAct, ExceptionReason } from '@causeway/contract/operator-exceptions-rules.ts';
import type { Address } from 'viem';
import { type AuditEntry, audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { isEvmGateway } from '../../chains/index.ts';
import {
  abandonSuperseded,
  hasten,
  newestAttempt,
  type Proof,
  proveOutcome,
  releaseUnsent,
  resolveAttempt,
  type SendingDependencies,
  sendAgain,
  wantEmpty,
} from '../../rails/index.ts';
import { writeOffDeficit } from '../../wallets/index.ts';
import type { ActHandler } from '../acts/jobs.ts';
import type { Act } from '../acts/store.ts';
import { decide, findJournaledTransfer } from '../payments-store.ts';
import { readAddressId } from './domain.ts';
import { answerInput, deficitFacts, matchInput } from './kinds.ts';
import { readSituation } from './situations.ts';
import { acceptBelow } from './store.ts';
import { tellOfAddress, tellOfPayment, tellOfWriteOff } from './telling.ts';

/**
 * How the worker does what two operators agreed on. What it rests on is looked at again, in the transaction that does it; the chain is
 * asked before, with none open. An act that came too late is refused for good.
 */

export type ExceptionHandlers = Readonly<Record<ExceptionAct, ActHandler<unknown>>>;

export function exceptionActHandlers(deps: SendingDependencies): ExceptionHandlers {
  return {
    'payment.resend': {
      async perform(tx, act) {
        if (!(await sendAgain(tx, act.subjectId))) throw notPossible('changed');
        await record(tx, act, { action: 'operator.sendAgain', subjectKind: 'transaction' });
        await tellOfPayment(tx, act, 'transferSentAgain');
        return {};
      },
    },
    'payment.speedUp': {
      async perform(tx, act) {
        const attempt = Number(act.before['attempt']);
        if (!(await hasten(tx, act.subjectId, attempt))) throw notPossible('changed');
        await record(tx, act, { action: 'operator.speedUp', subjectKind: 'transaction' });
        // The company was notified of the empty transaction in its place, which is what is sped up then.
        if (act.before['isEmptied'] !== true) await tellOfPayment(tx, act, 'transferSpedUp');
        return { attempt };
      },
    },
    'payment.replaceEmpty': {
      prepare: (act) => requireFree(deps, act),
      async perform(tx, act) {
        if (!(await wantEmpty(tx, deps, act.subjectId))) throw notPossible('changed');
        await record(tx, act, { action: 'operator.replaceEmpty', subjectKind: 'transaction' });
        const { nonce, inputs, payments } = act.before;
        // Where its transaction makes several, each of them has the notice.
        await tellOfPayment(tx, act, 'transferReplacedEmpty');
        for (const other of Array.isArray(payments) ? payments.map(String) : []) {
          await tellOfPayment(tx, { subjectId: other, proposalId: other }, 'transferReplacedEmpty');
        }
        return typeof nonce === 'number' ? { nonce } : { inputs };
      },
    },
    'payment.abandon': {
      // A reorganisation may have brought its nonce back: the chain has the word.
      prepare: (act) => requireSpent(deps, act),
      async perform(tx, act) {
        await abandon(tx, deps, act, {});
        return {};
      },
    },
    'payment.release': {
      async perform(tx, act) {
        const why = await releaseUnsent(tx, deps, act.subjectId);
        if (why !== null) throw notPossible(why);
        await record(tx, act, { action: 'operator.releaseTransfer', subjectKind: 'transaction' });
        return {};
      },
    },
    'unknown.answer': answering(deps),
    'payment.match': {
      async perform(tx, act) {
        await requirePossible(tx, act);
        const { transferId } = matchInput.parse(act.input);
        await decideOn(tx, act, 'match', transferId);
        return { transferId };
      },
    },
    'payment.book': {
      async perform(tx, act) {
        await requirePossible(tx, act);
        // A lost transfer keeps its id, so that it cannot be submitted and paid once more.
        await decideOn(tx, act, 'book', await findJournaledTransfer(tx, act.subjectId));
        return {};
      },
    },
    'hold.release': {
      prepare: (act) => requireCount(deps, act),
      async perform(tx, act) {
        const { chainId, address, nonce } = heldOf(act);
        if (!(await acceptBelow(tx, chainId, address, nonce))) throw notPossible('changed');
        const detail = { chain: chainId, address, nonce };
        await record(tx, act, { action: 'operator.acceptNonce', subjectKind: 'address', subjectId: address, detail });
        await tellOfAddress(tx, act, chainId);
        return { nonce };
      },
    },
    'deficit.writeOff': {
      async perform(tx, act) {
        const { owedMinor, owed, asset } = deficitFacts.parse(act.before);
        if (!(await writeOffDeficit(tx, act.subjectId, BigInt(owedMinor), act.proposalId)))
          throw notPossible('changed');
        const detail = { amount: `${owed} ${asset}` };
        await record(tx, act, { action: 'operator.writeOffDeficit', subjectKind: 'wallet', detail });
        await tellOfWriteOff(tx, act, { amount: owed, coin: asset });
        await announce(tx, [live('balance', act.subjectId)]);
        return { amount: owed, asset };
      },
    },
  };
}

/** The outcome of a payment, proved by a transaction on the chain. */
function answering(deps: SendingDependencies): ActHandler<Proof> {
  return {
    async prepare(act) {
      const { answer, hash } = answerInput.parse(act.input);
      const send = await newestAttempt(deps, act.companyId, act.subjectId);
      if (!send) throw notPossible('notSigned');
      const proof = await proveOutcome(deps, send, hash);
      if (!proof) throw notPossible('noProof');
      if (proof.outcome === 'unproved') throw new DomainError('proofDiffers', { problem: proof.problem });
      if (proof.outcome !== answer) {
        throw new DomainError('proofDiffers', { problem: answer === 'paid' ? 'otherPayment' : 'isPayment' });
      }
      // The ordinary look at the nonce notes that nothing of the payment can be mined.
      if (answer === 'notPaid') await requireSpent(deps, act);
      return proof;
    },
    async perform(tx, act, proof) {
      const { answer, hash } = answerInput.parse(act.input);
      if (proof.outcome === 'paid') {
        await requirePossible(tx, act);
        await proof.record(tx);
        await record(tx, act, {
          action: 'operator.answerUnknown',
          subjectKind: 'transaction',
          detail: { answer, hash },
        });
      } else {
        await abandon(tx, deps, act, { answer, hash });
      }
      return { answer, hash };
    },
  };
}

async function abandon(
  tx: Tx,
  deps: SendingDependencies,
  act: Act,
  detail: { answer?: string; hash?: string },
): Promise<void> {
  const { subjectId, reason, confirmedBy } = act;
  if (!(await abandonSuperseded(tx, deps, subjectId, { reason, by: confirmedBy }))) throw notPossible('notSuperseded');
  const action = detail.answer === undefined ? 'operator.abandonPayment' : 'operator.answerUnknown';
  await record(tx, act, { action, subjectKind: 'transaction', detail });
}

/** @throws DomainError exceptionNotPossible unless another transaction has, finally, used what the payment was to spend; NoAgreement */
async function requireSpent(deps: SendingDependencies, { companyId, subjectId }: Act): Promise<void> {
  const send = await newestAttempt(deps, companyId, subjectId);
  const spentBy = send && (await resolveAttempt(deps, send));
  if (spentBy !== 'superseded') throw notPossible(spentBy === 'ours' ? 'inBlock' : 'notSuperseded');
}

/** @throws DomainError exceptionNotPossible unless no block has used what the payment was to spend; NoAgreement */
async function requireFree(deps: SendingDependencies, { companyId, subjectId }: Act): Promise<void> {
  const send = await newestAttempt(deps, companyId, subjectId);
  if (!send) throw notPossible('notSigned');
  if (!deps.familyOf(send.chainId).replaceByEmpty) throw notPossible('noNonce');
  const spentBy = await resolveAttempt(deps, send);
  if (spentBy === 'ours') throw notPossible('inBlock');
  if (spentBy !== 'free') throw notPossible('superseded');
}

/** @throws DomainError exceptionNotPossible unless the chain still counts what was agreed on; NoAgreement */
async function requireCount(deps: SendingDependencies, act: Act): Promise<void> {
  const { chainId, address, nonce } = heldOf(act);
  const gateway = deps.gateways.get(chainId);
  if (!gateway || !isEvmGateway(gateway)) throw notPossible('noProof');
  const counted = await gateway.minedNonce(address as Address, await gateway.head());
  if (counted !== nonce) throw notPossible('changed');
}

function heldOf({ subjectId, before }: Act): { chainId: string; address: string; nonce: number } {
  const place = readAddressId(subjectId);
  if (!place) throw notPossible('ended');
  return { ...place, nonce: Number(before['chainNonce']) };
}

/** @throws DomainError exceptionNotPossible where the rule of its page says no by now */
async function requirePossible(tx: Tx, act: Act): Promise<void> {
  const subject = act.kind === 'unknown.answer' ? 'transaction' : 'payment';
  const situation = await readSituation(tx, subject, act.subjectId);
  const why = situation ? situation.whyNot(act.kind as ExceptionAct) : 'ended';
  if (why !== null) throw notPossible(why);
}

async function decideOn(tx: Tx, act: Act, decision: 'match' | 'book', transferId: string | null): Promise<void> {
  const { subjectId, reason, confirmedBy: by, before } = act;
  // A match is of a transfer, and has no reason of its own in the company's books.
  const made = { decision, transferId, reason: decision === 'book' ? reason : null, by };
  if (!(await decide(tx, subjectId, made))) throw new DomainError('paymentDecided');
  const action = decision === 'match' ? 'operator.matchPayment' : 'operator.bookPayment';
  const detail = { hash: String(before['hash']), transferId };
  await record(tx, act, { action, subjectKind: 'payment', detail });
}

function notPossible(reason: ExceptionReason): DomainError {
  return new DomainError('exceptionNotPossible', { reason } satisfies ErrorDetails);
}

/** Writes it to the company's log, with the reason that the operators gave. */
async function record(
  tx: Tx,
  { subjectId, reason, confirmedBy }: Act,
  entry: Pick<AuditEntry, 'action' | 'subjectKind'> & { subjectId?: string; detail?: Record<string, unknown> },
): Promise<void> {
  await audit(tx, {
    actor: { kind: 'operator', id: confirmedBy },
    subjectId,
    ...entry,
    detail: { ...entry.detail, reason },
  });
}
