import type { DecisionClaims } from '../../approvals/index.ts';
import type { ApprovedSubject, AuthorisationClaims, SealedReview } from '../domain.ts';

/**
 * Whether the sealed decisions on a subject carry a payment through all nodes that were sealed at its submission: every node
 * has as many approvals as it needs, by people whom it names or who held a role that it names; no one counts twice in
 * the review, not even through a deputy, and the initiator not at all.
 */
export function isPassed(
  claims: Pick<AuthorisationClaims, 'companyId' | 'initiatorId'>,
  subject: ApprovedSubject,
  review: SealedReview,
  decisions: readonly DecisionClaims[],
): boolean {
  const own = decisions.filter(
    (decision) =>
      decision.version === 1 &&
      decision.companyId === claims.companyId &&
      decision.taskId === review.taskId &&
      decision.subjectKind === subject.kind &&
      decision.subjectId === subject.id &&
      decision.digest === subject.digest &&
      decision.outcome === 'approved',
  );
  const counted = new Set<string>([claims.initiatorId]);
  return review.nodes.every((node, index) => {
    let approvals = 0;
    for (const decision of own.filter((candidate) => candidate.node === index)) {
      const persons = new Set([decision.approverId, decision.deputyFor ?? decision.approverId]);
      if ([...persons].some((person) => counted.has(person))) continue;
      const asked = decision.deputyFor ?? decision.approverId;
      if (!node.people.includes(asked) && !node.roles.includes(decision.roleId)) continue;
      for (const person of persons) counted.add(person);
      approvals += 1;
    }
    return node.needed >= 1 && approvals >= node.needed;
  });
}
