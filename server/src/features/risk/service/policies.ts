import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import { defaultLocale } from '@causeway/contract/locale.ts';
import type {
  addRiskPolicy,
  editRiskPolicy,
  listIntercepts,
  listRiskPolicies,
  listRiskPolicyLogs,
  listRiskPolicyVersions,
  moveRiskPolicy,
  PolicyDefinition,
  RiskContent,
  RiskPolicy,
  setRiskPolicyStatus,
} from '@causeway/contract/risk.ts';
import { maxPolicies } from '@causeway/contract/risk-rules.ts';
import type { AuditAction } from '../../../platform/audit/events.ts';
import { audit } from '../../../platform/audit/record.ts';
import { databaseError, type Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { Input } from '../../../platform/http/call-input.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { holdAffiliations } from '../../organisation/index.ts';
import { riskEvents } from '../events.ts';
import { lockCompany } from '../store/judging.ts';
import { interceptList, type LogRow, logPolicyChange, type PolicyState, policyLogList } from '../store/log.ts';
import {
  findPolicy,
  insertPolicy,
  markPolicyDeleted,
  type Order,
  type PolicyRow,
  policyList,
  readOrder,
  saveOrder,
  updateActive,
  updateDefinition,
  versionList,
} from '../store/policies.ts';
import { checkContent, namedIn } from './content.ts';
import { asHit } from './hits.ts';
import { type NamedOf, readNamed, withNames } from './named.ts';

type Action = OutputInput<typeof listRiskPolicyLogs>['items'][number]['action'];
type Definition = Pick<PolicyDefinition, 'name' | 'business' | 'method' | 'content' | 'result' | 'window'>;

/** @throws DomainError cursorInvalid */
export async function listPolicies(
  tx: Tx,
  { locale }: SignedInContext,
  query: Query<typeof listRiskPolicies>,
): Promise<OutputInput<typeof listRiskPolicies>> {
  const page = await readPage(tx, policyList, query, undefined);
  const named = await readNamed(tx, page.items.map(contentOf), locale);
  return { ...page, items: page.items.map((row) => asPolicy(row, named)) };
}

/**
 * @throws DomainError amountTooLarge, amountTooManyDecimals, chainUnknown, coinNotOnChain, currencyUnknown, departmentNotFound,
 *   idTaken, memberNotFound, riskPolicyLimit, roleNotFound
 */
export async function addPolicy(
  tx: Tx,
  context: SignedInContext,
  body: Body<typeof addRiskPolicy>,
): Promise<RiskPolicy> {
  await holdAffiliations(tx, namedIn(body.content));
  await checkContent(tx, body.content);
  await lockCompany(tx);
  const order = await readOrder(tx);
  if (order.policies.length >= maxPolicies) throw new DomainError('riskPolicyLimit', { most: maxPolicies });
  const [id, active] = [body.id ?? newId(), body.active ?? true];
  try {
    await insertPolicy(tx, { id, definition: definitionOf(body), active, byName: context.session.userName });
  } catch (error) {
    if (databaseError(error)?.constraint === 'risk_policy_pkey') throw new DomainError('idTaken');
    throw error;
  }
  await saveOrder(tx, placed(order, { id, version: 1, active }, body.position));
  return record(tx, context, 'added', id, null);
}

/**
 * @throws DomainError amountTooLarge, amountTooManyDecimals, chainUnknown, coinNotOnChain, currencyUnknown, departmentNotFound,
 *   memberNotFound, riskPolicyChanged, riskPolicyNotFound, roleNotFound
 */
export async function editPolicy(
  tx: Tx,
  context: SignedInContext,
  body: Body<typeof editRiskPolicy>,
): Promise<RiskPolicy> {
  await lockCompany(tx);
  const before = await findLive(tx, body.id);
  await holdAffiliations(tx, namedIn(body.content));
  await checkContent(tx, body.content, before.definition.content);
  const { id, version } = body;
  const byName = context.session.userName;
  if (!(await updateDefinition(tx, { id, version, definition: definitionOf(body), byName }))) {
    throw new DomainError('riskPolicyChanged');
  }
  const order = await readOrder(tx);
  const changed = order.policies.map((each) => (each.id === id ? { ...each, version: version + 1 } : each));
  await saveOrder(tx, moved({ ...order, policies: changed }, id, body.position ?? before.position ?? undefined));
  return record(tx, context, 'edited', id, before);
}

/** @throws DomainError riskPolicyNotFound */
export async function deletePolicy(tx: Tx, context: SignedInContext, id: string): Promise<null> {
  await lockCompany(tx);
  const before = await findLive(tx, id);
  const order = await readOrder(tx);
  await markPolicyDeleted(tx, id, context.session.userName);
  await saveOrder(tx, { ...order, policies: order.policies.filter((each) => each.id !== id) });
  await recordChange(tx, context, 'deleted', id, stateOf(before), null);
  return null;
}

/** @throws DomainError riskPolicyNotFound */
export async function movePolicy(
  tx: Tx,
  context: SignedInContext,
  { id, position }: Body<typeof moveRiskPolicy>,
): Promise<RiskPolicy> {
  await lockCompany(tx);
  const before = await findLive(tx, id);
  const order = moved(await readOrder(tx), id, position);
  // Nothing moved, nothing to record: a policy dropped where it was taken from.
  if (order.policies.findIndex((each) => each.id === id) + 1 === before.position) return shown(tx, context, before);
  await saveOrder(tx, order);
  return record(tx, context, 'moved', id, before);
}

/** @throws DomainError riskPolicyNotFound */
export async function setPolicyStatus(
  tx: Tx,
  context: SignedInContext,
  { id, active }: Body<typeof setRiskPolicyStatus>,
): Promise<RiskPolicy> {
  await lockCompany(tx);
  const before = await findLive(tx, id);
  if (before.active === active) return shown(tx, context, before);
  await updateActive(tx, id, active, context.session.userName);
  const order = await readOrder(tx);
  const policies = order.policies.map((each) => (each.id === id ? { ...each, active } : each));
  await saveOrder(tx, { ...order, policies });
  return record(tx, context, active ? 'activated' : 'deactivated', id, before);
}

/** @throws DomainError cursorInvalid, riskPolicyNotFound */
export async function listPolicyLogs(
  tx: Tx,
  { locale }: SignedInContext,
  query: Query<typeof listRiskPolicyLogs>,
): Promise<OutputInput<typeof listRiskPolicyLogs>> {
  const { policyId } = query;
  if (policyId !== undefined && !(await findPolicy(tx, policyId))) throw new DomainError('riskPolicyNotFound');
  const page = await readPage(tx, policyLogList, query, undefined);
  const states = page.items.flatMap(statesOf).filter((state) => state !== null);
  const named = await readNamed(
    tx,
    states.map(({ content }) => content),
    locale,
  );
  return { ...page, items: page.items.map((row) => asLog(row, named)) };
}

/** @throws DomainError cursorInvalid, riskPolicyNotFound */
export async function listHits(
  tx: Tx,
  { locale }: Pick<SignedInContext, 'locale'>,
  { id, ...query }: Input<typeof listIntercepts>,
): Promise<OutputInput<typeof listIntercepts>> {
  if (!(await findPolicy(tx, id))) throw new DomainError('riskPolicyNotFound');
  const page = await readPage(tx, interceptList, query, { policyId: id });
  return { ...page, items: page.items.map((row) => asHit(row, locale)) };
}

/** @throws DomainError cursorInvalid, riskPolicyNotFound */
export async function listVersions(
  tx: Tx,
  { locale }: SignedInContext,
  { id, ...query }: Input<typeof listRiskPolicyVersions>,
): Promise<OutputInput<typeof listRiskPolicyVersions>> {
  const policy = await findPolicy(tx, id);
  if (!policy) throw new DomainError('riskPolicyNotFound');
  const page = await readPage(tx, versionList, query, { policyId: id }, policy.version);
  const named = await readNamed(tx, page.items.map(contentOf), locale);
  const items = page.items.map(({ version, definition, createdAt, createdByName }) => ({
    ...definition,
    named: named(definition.content),
    version,
    at: createdAt.toISOString(),
    by: createdByName,
  }));
  return { ...page, items };
}

/** The order with a policy put at a position from 1; absent or beyond the last: behind all. */
export function placed(order: Order, policy: Order['policies'][number], position: number | undefined): Order {
  const policies = [...order.policies];
  policies.splice(position === undefined ? policies.length : position - 1, 0, policy);
  return { ...order, policies };
}

/** The order with one of its policies taken to another position. */
function moved(order: Order, id: string, position: number | undefined): Order {
  const policy = order.policies.find((each) => each.id === id);
  invariant(policy, 'a policy that is not deleted stands in the order');
  return placed({ ...order, policies: order.policies.filter((each) => each.id !== id) }, policy, position);
}

export function definitionOf({ name, business, method, content, result, window }: Definition): PolicyDefinition {
  return { name, business, method, content, result, window };
}

async function findLive(tx: Tx, id: string): Promise<PolicyRow> {
  const row = await findPolicy(tx, id);
  if (!row || row.position === null) throw new DomainError('riskPolicyNotFound');
  return row;
}

/** Logs, audits and announces a change; returns the changed policy. */
async function record(
  tx: Tx,
  context: SignedInContext,
  action: Action,
  id: string,
  before: PolicyRow | null,
): Promise<RiskPolicy> {
  const after = await findLive(tx, id);
  await recordChange(tx, context, action, id, before && stateOf(before), stateOf(after));
  return shown(tx, context, after);
}

async function shown(tx: Tx, { locale }: SignedInContext, row: PolicyRow): Promise<RiskPolicy> {
  return asPolicy(row, await readNamed(tx, [contentOf(row)], locale));
}

function contentOf({ definition }: Pick<PolicyRow, 'definition'>): RiskContent {
  return definition.content;
}

const auditActions: Record<Action, AuditAction> = {
  added: 'risk.addPolicy',
  edited: 'risk.editPolicy',
  moved: 'risk.movePolicy',
  activated: 'risk.activatePolicy',
  deactivated: 'risk.deactivatePolicy',
  deleted: 'risk.deletePolicy',
};

async function recordChange(
  tx: Tx,
  context: SignedInContext,
  action: Action,
  id: string,
  before: PolicyState | null,
  after: PolicyState | null,
): Promise<void> {
  await logPolicyChange(tx, { subjectId: id, action, byName: context.session.userName, before, after });
  const named = await readNamed(
    tx,
    [before, after].flatMap((state) => (state ? [state.content] : [])),
    defaultLocale,
  );
  await audit(tx, {
    actor: actorOf(context),
    action: auditActions[action],
    subjectKind: 'riskPolicy',
    subjectId: id,
    detail: { before: before && withNames(before, named), after: after && withNames(after, named) },
  });
  await announce(tx, [
    { name: riskEvents.listChanged, payload: { entryId: id, kind: 'policy' } },
    live('control', null),
  ]);
}

function stateOf({ definition, position, active, version }: PolicyRow): PolicyState {
  return { ...definition, position: position ?? 0, active, version };
}

function asPolicy(row: PolicyRow, named: NamedOf): RiskPolicy {
  const { id, definition, position, active, version, interceptCount } = row;
  return {
    id,
    ...definition,
    named: named(definition.content),
    position: position ?? 0,
    active,
    version,
    interceptCount,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdByName,
    updatedAt: row.updatedAt.toISOString(),
    updatedBy: row.updatedByName,
  };
}

/** What a line of the log keeps of a policy, before and after. */
function statesOf({ before, after }: LogRow): [PolicyState | null, PolicyState | null] {
  return [before as PolicyState | null, after as PolicyState | null];
}

function asLog(row: LogRow, named: NamedOf): OutputInput<typeof listRiskPolicyLogs>['items'][number] {
  const [before, after] = statesOf(row);
  invariant(row.subjectId !== null, 'a change of a policy names it');
  return {
    id: row.id,
    at: row.at.toISOString(),
    by: row.actorName ?? '',
    action: row.action as Action,
    policyId: row.subjectId,
    policyName: (after ?? before)?.name ?? '',
    before: before && { ...before, named: named(before.content) },
    after: after && { ...after, named: named(after.content) },
  };
}
