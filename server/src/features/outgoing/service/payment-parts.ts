import type { Routing } from '../../approvals/index.ts';
import type { AuthorisationClaims } from '../domain.ts';
import { outgoingEvents } from '../events.ts';
import { insertPaymentParts } from '../store/payments.ts';
import type { Accepted, SubmissionParts, SubmittedPayment } from '../submission.ts';

/** What a payment that a rail carries has beside its transaction: attachments, the bank's order, the sealed authorisation. */
export const paymentParts: SubmissionParts<SubmittedPayment> = {
  write(tx, accepted) {
    return [
      insertPaymentParts(
        tx,
        accepted.map((one) => ({
          companyId: one.context.session.companyId,
          id: one.payment.id,
          coin: one.payment.bank?.bought?.asset ?? one.payment.coin,
          attachmentIds: one.payment.attachmentIds,
          bank: one.payment.bank,
          authorisation: one.context.seal(one.kind.seal, claimsOf(one)),
        })),
      ),
    ];
  },
  events({ payment: { id, bank }, stage }) {
    const payload = { transactionId: id };
    return [
      ...(bank ? [{ name: outgoingEvents.toBank, payload }] : []),
      ...(stage === 'approved' ? [{ name: outgoingEvents.approved, payload }] : []),
    ];
  },
};

function claimsOf({ context, payment, proved, routing, joined }: Accepted<SubmittedPayment>): AuthorisationClaims {
  const { session, clock } = context;
  return {
    version: joined ? 3 : 2,
    companyId: session.companyId,
    transferId: payment.id,
    digest: payment.digest,
    initiatorId: session.userId,
    proof: proved,
    ...(joined && { subject: joined }),
    review: sealedReview(routing),
    issuedAt: clock.now().toISOString(),
  };
}

function sealedReview(routing: Routing): AuthorisationClaims['review'] {
  if (routing.review === 'off') return 'off';
  const { taskId, ruleId, ruleVersion, nodes } = routing;
  return { taskId, ruleId, ruleVersion, nodes: nodes.map(({ needed, people, roles }) => ({ needed, people, roles })) };
}
