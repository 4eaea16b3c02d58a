import type { ReviewChange, reviewContent, setReviewEnabled } from '@causeway/contract/approvals.ts';
import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type * as z from 'zod/mini';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { appliedNow, holdAffiliations } from '../../organisation/index.ts';
import { sha256Hex } from '../domain.ts';
import { insertLog, lockSettings, readSettings } from '../store/rules.ts';
import { namedInChange, planChange, readSurroundings, type Surroundings } from './draft-settings.ts';
import { openProposal } from './propose-change.ts';
import { applyRuleChange, detailOf, type RuleChangeContent, ruleChange } from './rule-changes.ts';
import { held, type ModeNow, modeOf } from './second-person.ts';
import type { ApprovalsPorts } from './subjects.ts';

/**
 * Changes of the approval settings. As soon as two people may manage rules, none of them changes any alone: a change becomes a
 * task that another must approve, and takes effect with that. Where no other can, it waits (docs/FOUR_EYES.md).
 */

type Changed = OutputInput<typeof setReviewEnabled>;

/**
 * Makes a change, or proposes it. `version` is that of the settings which the person saw.
 * @throws DomainError reviewChanged, approvalNobodyCan, approvalRulesHeld, and those of `planChange`
 */
export async function changeReview(
  tx: Tx,
  context: SignedInContext,
  { version, change }: { version: number; change: ReviewChange },
): Promise<Changed> {
  const settings = await lockSettings(tx);
  if (settings.version !== version) throw new DomainError('reviewChanged');
  if (change.kind === 'switch' && change.enabled === settings.enabled) return appliedNow;
  await holdAffiliations(tx, namedInChange(change));
  const surroundings = await readSurroundings(tx, settings, change);
  const mode = await modeOfChange(tx, context, change);
  if (mode !== null) {
    const effectiveAt = mode.kind === 'waits' ? mode.effectiveAt : null;
    const taskId = await propose(tx, context, change, { surroundings, mode });
    return { applied: false, taskId, effectiveAt: effectiveAt?.toISOString() ?? null };
  }
  const { userId: id, userName: name } = context.session;
  await applyRuleChange(tx, change, surroundings, { actor: actorOf(context), by: { id, name }, taskId: null });
  return appliedNow;
}

/**
 * Switches review on or off, or proposes it, with a code.
 * @throws RememberedError codeWrong, codeBurnt, transferCodeMismatch; DomainError mfaNotBound, approvalNobodyCan, approvalRulesHeld
 */
export async function switchReview(
  tx: Tx,
  context: SignedInContext & Pick<ApprovalsPorts, 'verifyCode'>,
  { enabled, codeMethod, code }: Body<typeof setReviewEnabled>,
): Promise<Changed> {
  const { session } = context;
  const { version } = await readSettings(tx);
  const digest = reviewDigest(session.companyId, { enabled }, version);
  await context.verifyCode(tx, { session, method: codeMethod, code, digest });
  return changeReview(tx, context, { version, change: { kind: 'switch', enabled } });
}

/** What the code of a switch is bound to: the company, the direction, and the settings as they were. */
export function reviewDigest(companyId: string, { enabled }: z.output<typeof reviewContent>, version: number): string {
  return sha256Hex(['causeway.review.1', companyId, enabled, version]);
}

/** How it must be proposed; null: it applies at once. @throws DomainError approvalNobodyCan, approvalRulesHeld */
async function modeOfChange(
  tx: Tx,
  { session, clock }: SignedInContext,
  change: ReviewChange,
): Promise<ModeNow | null> {
  // Switching review on only narrows, so it needs no second person.
  if (change.kind === 'switch' && change.enabled) return null;
  const mode = await modeOf(tx, { initiatorId: session.userId, permission: 'rule.manage', concerned: [] }, clock.now());
  if (mode.kind === 'held') throw held(mode.hold, mode.timeZone);
  // Two may manage rules, and the other may not approve.
  if (mode.kind === 'applies' && !mode.alone) throw new DomainError('approvalNobodyCan');
  return mode.kind === 'applies' ? null : mode;
}

async function propose(
  tx: Tx,
  context: SignedInContext,
  change: ReviewChange,
  { surroundings, mode }: { surroundings: Surroundings; mode: ModeNow },
): Promise<string> {
  const { session } = context;
  const { settings } = surroundings;
  const { shown, ruleName } = await planChange(tx, change, surroundings);
  const id = newId();
  const content: RuleChangeContent = { change, baseVersion: settings.version, shown, ruleName };
  await openProposal(tx, context, ruleChange, {
    id,
    digest: changeDigest(session.companyId, change, settings.version),
    content: { ...content },
    permission: 'rule.manage',
    concerned: [],
    mode,
    search: [ruleName],
  });
  const actor = { id: session.userId, name: session.userName };
  await insertLog(tx, { actor, action: 'changeProposed', detail: { shown, ruleName }, taskId: id });
  await audit(tx, {
    actor: actorOf(context),
    action: 'approvals.propose',
    subjectKind: 'task',
    subjectId: id,
    detail: { name: ruleName, kind: change.kind, ...detailOf(shown) },
  });
  return id;
}

function changeDigest(companyId: string, change: ReviewChange, baseVersion: number): string {
  return sha256Hex(['causeway.reviewChange.1', companyId, baseVersion, change]);
}
