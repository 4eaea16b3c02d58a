import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSeal } from '../../../platform/crypto/seal.ts';
import { newId } from '../../../platform/ids.ts';
import { refusalOf } from '../../../testing/asked-signer.ts';
import { approvalOf, approvedTransfer, decided, fundedCompany, subjectOf } from '../../../testing/chain-transfers.ts';
import { type ChainWorld, type Company, chainWorld } from '../../../testing/chain-world.ts';
import { transferRequest } from '../../../testing/evm-requests.ts';
import type { DecisionClaims, SealedNode } from '../../approvals/index.ts';
import type { AuthorisationClaims, SealedReview } from '../domain.ts';
import { isPassed } from './review.ts';

const [ann, ben, cho, dee] = [newId(), newId(), newId(), newId()];
const [officers, clerks] = [newId(), newId()];

/** As a transfer that is approved alone. */
function passes(claims: AuthorisationClaims, review: SealedReview, decisions: readonly DecisionClaims[]): boolean {
  return isPassed(claims, { kind: 'transfer', id: claims.transferId, digest: claims.digest }, review, decisions);
}

function reviewOf(nodes: SealedNode[]): SealedReview {
  return { taskId: newId(), ruleId: newId(), ruleVersion: 1, nodes };
}

function claimsOf(review: SealedReview, initiatorId = newId()): AuthorisationClaims {
  const proof = { method: 'email', id: newId() };
  const common = { companyId: newId(), transferId: newId(), digest: 'd1', initiatorId, proof };
  return { version: 2, ...common, review, issuedAt: new Date().toISOString() };
}

function approval(
  claims: AuthorisationClaims,
  approverId: string,
  changed: Partial<DecisionClaims> = {},
): DecisionClaims {
  const { taskId } = claims.review as SealedReview;
  return approvalOf({ ...claims, taskId }, approverId, { roleId: clerks, ...changed });
}

describe('a chain is passed', () => {
  const two: SealedNode = { needed: 2, people: [ann, ben], roles: [officers] };
  const one: SealedNode = { needed: 1, people: [cho], roles: [] };

  test('by as many of the people and roles of each node as it needs, whatever the order of the rows', () => {
    const review = reviewOf([two, one]);
    const claims = claimsOf(review);
    const byRole = approval(claims, dee, { roleId: officers });
    const decisions = [approval(claims, cho, { node: 1 }), byRole, approval(claims, ann)];
    expect(passes(claims, review, decisions)).toBe(true);
    for (const missing of decisions) {
      expect(
        passes(
          claims,
          review,
          decisions.filter((each) => each !== missing),
        ),
      ).toBe(false);
    }
  });

  test('by a deputy in the place of the person on leave, once', () => {
    const review = reviewOf([two]);
    const claims = claimsOf(review);
    const deputy = approval(claims, dee, { deputyFor: ann });
    expect(passes(claims, review, [deputy, approval(claims, ben)])).toBe(true);
    // The deputy has used up the place of the person on leave, and may not act a second time.
    expect(passes(claims, review, [deputy, approval(claims, ann)])).toBe(false);
    expect(passes(claims, review, [deputy, approval(claims, dee, { deputyFor: ben })])).toBe(false);
  });

  test('not by its initiator, nor through them, nor by whom no node names', () => {
    const review = reviewOf([one]);
    expect(passes(claimsOf(review, cho), review, [approval(claimsOf(review, cho), cho)])).toBe(false);
    const claims = claimsOf(review, dee);
    expect(passes(claims, review, [approval(claims, dee, { deputyFor: cho })])).toBe(false);
    expect(passes(claims, review, [approval(claims, ann)])).toBe(false);
    expect(passes(claims, review, [approval(claims, cho)])).toBe(true);
  });

  test.each<[string, Partial<DecisionClaims>]>([
    ['another content', { digest: 'd2' }],
    ['what only a later version can say', { version: 2 as never }],
    ['another transfer', { subjectId: newId() }],
    ['another task', { taskId: newId() }],
    ['another company', { companyId: newId() }],
    ['another node', { node: 1 }],
    ['a rejection', { outcome: 'rejected' }],
    ['a change of rules', { subjectKind: 'rule_change' }],
  ])('not by a decision on %s', (_, changed) => {
    const review = reviewOf([one]);
    const claims = claimsOf(review);
    expect(passes(claims, review, [approval(claims, cho, changed)])).toBe(false);
  });

  test('not by one person in two nodes, and no node passes for nothing', () => {
    const review = reviewOf([one, one]);
    const claims = claimsOf(review);
    expect(passes(claims, review, [approval(claims, cho), approval(claims, cho, { node: 1 })])).toBe(false);
    const free = reviewOf([{ needed: 0, people: [], roles: [] }]);
    expect(passes(claimsOf(free), free, [])).toBe(false);
  });
});

describe('the signer, of a transfer that must be approved', () => {
  let world: ChainWorld;
  let company: Company;
  beforeAll(async () => {
    world = await chainWorld();
    company = await fundedCompany(world, '100');
  });
  afterAll(() => world.close());

  const payee = '0x00000000000000000000000000000000000A11cE';
  let nonce = 0;

  async function submitted(nodes: SealedNode[]) {
    const review = reviewOf(nodes);
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 2_000_000n, payee, review });
    const subject = await subjectOf(world, company, id);
    const claims: AuthorisationClaims = {
      ...claimsOf(review, subject.initiatorId),
      ...subject,
      companyId: company.id,
      transferId: id,
    };
    return { id, claims };
  }

  async function ask(transferId: string): Promise<string> {
    nonce += 1;
    return refusalOf(world.signer, transferRequest(company.id, transferId, nonce));
  }

  const node: SealedNode = { needed: 1, people: [ann], roles: [] };

  test('signs once every node is passed by sealed decisions, and not before', async () => {
    const { id, claims } = await submitted([node, { needed: 1, people: [], roles: [officers] }]);
    expect(await ask(id)).toBe('forged');
    await decided(world, company, approval(claims, ann));
    expect(await ask(id)).toBe('forged');
    await decided(world, company, approval(claims, dee, { node: 1, roleId: officers }));
    expect(await ask(id)).toBe('signed');
  });

  test('believes no decision whose seal is not the HTTP process’s', async () => {
    const { id, claims } = await submitted([node]);
    const { privateKey } = generateKeyPairSync('ed25519');
    await decided(world, company, approval(claims, ann), createSeal({ ...privateKey.export({ format: 'jwk' }) }));
    expect(await ask(id)).toBe('forged');
  });

  test('believes no decision that was sealed for another transfer', async () => {
    const [first, second] = [await submitted([node]), await submitted([node])];
    const foreign = { ...approval(first.claims, ann), taskId: (second.claims.review as SealedReview).taskId };
    await decided(world, company, foreign);
    expect(await ask(second.id)).toBe('forged');
  });
});
