import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { RiskContent, replayRiskPolicies } from '@causeway/contract/risk.ts';
import { maxReplayListed, replayDays } from '@causeway/contract/risk-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { findChains } from '../../chains/index.ts';
import { type Affiliation, findAllAffiliations, findCalled } from '../../organisation/index.ts';
import { compile, type Facts, type Policy } from '../domain.ts';
import { Replay } from '../replay.ts';
import { findFlows, type PastFlow } from '../store/flows.ts';
import { findDefinitions, type Order, readOrder } from '../store/policies.ts';
import { checkContent } from './content.ts';
import { usdOf } from './figures.ts';
import { definitionOf, placed } from './policies.ts';
import { namesNeeded, policySaw, type Wording } from './sentences.ts';

type Draft = NonNullable<Body<typeof replayRiskPolicies>['policy']>;
type Result = OutputInput<typeof replayRiskPolicies>;

const dayMs = 86_400_000;
/** Windows that were open when the replay begins: the longest is a month. */
const warmUpDays = 31;
/** Other requests get their turn between two batches. */
const batchRows = 5000;

/**
 * Judges the last 90 days again, by the policies with a draft among them (or the current ones), and returns what they would have
 * stopped. White and black list are left out: the question is about policies.
 * @throws DomainError amountTooLarge, amountTooManyDecimals, chainUnknown, coinNotOnChain, currencyUnknown, departmentNotFound,
 *   memberNotFound, riskPolicyNotFound, roleNotFound
 */
export async function replay(
  tx: Tx,
  { clock, locale }: SignedInContext,
  { policy: draft }: Body<typeof replayRiskPolicies>,
): Promise<Result> {
  const now = clock.now();
  if (draft) await checkContent(tx, draft.content, draft.id === undefined ? null : await contentNow(tx, draft.id));
  const draftId = draft ? (draft.id ?? newId()) : null;
  const policies = draft && draftId !== null ? await withDraft(tx, draft, draftId) : await inForce(tx);
  const byId = new Map(policies.map((policy) => [policy.id, policy]));
  const chains = new Map((await findChains(tx)).map(({ id, name }) => [id, name]));

  const from = new Date(now.getTime() - replayDays * dayMs);
  const result: Result = {
    from: from.toISOString(),
    to: now.toISOString(),
    judged: 0,
    byCurrentPlace: 0,
    stopped: 0,
    stoppedByDraft: 0,
    items: [],
  };
  const past = new Replay(compile(policies));
  const places = new CurrentPlaces(policies);
  const stops: Stop[] = [];
  const open: PastFlow[] = [];
  for await (const flow of flowsFrom(tx, new Date(from.getTime() - warmUpDays * dayMs))) {
    giveBackUntil(past, open, flow.atMicros);
    if (flow.forgottenAtMicros !== null) insert(open, flow);
    if (flow.atMicros < from.getTime() * 1000) {
      past.count(flow);
      continue;
    }
    result.judged += 1;
    if (await places.fill(tx, flow)) result.byCurrentPlace += 1;
    const { judgement, facts } = past.judge(flow);
    if (judgement.allowed) continue;
    result.stopped += 1;
    const policy = byId.get(judgement.subjectId ?? '');
    invariant(policy, 'what stops in a replay is one of its policies');
    const byDraft = policy.id === draftId;
    if (byDraft) result.stoppedByDraft += 1;
    if (stops.length < maxReplayListed) {
      stops.push({ flow, facts, policy, policyId: byDraft ? (draft?.id ?? null) : policy.id, byDraft });
    }
  }
  const ids = stops.flatMap(({ facts }) => namesNeeded(facts));
  const wording = { locale, chains, called: await findCalled(tx, ids, locale) };
  return { ...result, items: stops.map((stop) => asItem(stop, wording)) };
}

/** What would have been stopped, as it is listed. */
interface Stop {
  flow: PastFlow;
  facts: Facts;
  policy: Policy;
  policyId: string | null;
  byDraft: boolean;
}

/** Departments and roles of initiators where they were not yet kept with a transaction: as they are now. */
class CurrentPlaces {
  readonly #asking: ReadonlySet<string>;
  #now: ReadonlyMap<string, Affiliation> | null = null;

  constructor(policies: readonly Policy[]) {
    const asking = policies.filter(({ definition: { content } }) => ['department', 'role'].includes(content.dimension));
    this.#asking = new Set(asking.map(({ definition }) => definition.business));
  }

  /** Fills in what a policy of its business asks for and was not kept; true when it did. */
  async fill(tx: Tx, flow: PastFlow): Promise<boolean> {
    const { business, initiatorId } = flow.subject;
    if (flow.affiliation || !this.#asking.has(business)) return false;
    this.#now ??= await findAllAffiliations(tx);
    flow.affiliation = this.#now.get(initiatorId) ?? null;
    return true;
  }
}

async function contentNow(tx: Tx, id: string): Promise<RiskContent | null> {
  return (await findDefinitions(tx, [id])).get(id)?.content ?? null;
}

async function* flowsFrom(tx: Tx, from: Date): AsyncGenerator<PastFlow> {
  let after: { atMicros: number; id: string } | null = null;
  for (;;) {
    const batch: PastFlow[] = await findFlows(tx, from, after, batchRows);
    yield* batch;
    const last = batch.at(-1);
    if (batch.length < batchRows || !last) return;
    after = { atMicros: last.atMicros, id: last.subject.id };
  }
}

/** Keeps those whose count was given back in the order in which it was, the last first. */
function insert(open: PastFlow[], flow: PastFlow): void {
  const at = flow.forgottenAtMicros ?? 0;
  let [low, high] = [0, open.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((open[middle]?.forgottenAtMicros ?? 0) > at) low = middle + 1;
    else high = middle;
  }
  open.splice(low, 0, flow);
}

function giveBackUntil(past: Replay, open: PastFlow[], atMicros: number): void {
  for (let next = open.at(-1); next && (next.forgottenAtMicros ?? 0) <= atMicros; next = open.at(-1)) {
    past.giveBack(next);
    open.pop();
  }
}

async function inForce(tx: Tx): Promise<Policy[]> {
  return policiesOf(tx, await readOrder(tx), null);
}

/** The order with the draft in its place: a new one, or instead of the one it would replace; a draft is always switched on. */
async function withDraft(tx: Tx, draft: Draft, draftId: string): Promise<Policy[]> {
  const order = await readOrder(tx);
  const index = order.policies.findIndex(({ id }) => id === draftId);
  if (draft.id !== undefined && index < 0) throw new DomainError('riskPolicyNotFound');
  const others = { ...order, policies: order.policies.filter(({ id }) => id !== draftId) };
  const position = draft.position ?? (index < 0 ? undefined : index + 1);
  const wanted = placed(others, { id: draftId, version: 0, active: true }, position);
  return policiesOf(tx, wanted, { id: draftId, draft });
}

async function policiesOf(tx: Tx, order: Order, given: { id: string; draft: Draft } | null): Promise<Policy[]> {
  const definitions = await findDefinitions(
    tx,
    order.policies.filter(({ active }) => active).map(({ id }) => id),
  );
  if (given) definitions.set(given.id, definitionOf(given.draft));
  return order.policies.flatMap(({ id, version, active }, i) => {
    const definition = definitions.get(id);
    return active && definition ? [{ id, version, position: i + 1, definition }] : [];
  });
}

function asItem({ flow, policy, facts, policyId, byDraft }: Stop, wording: Wording): Result['items'][number] {
  const { subject, atMicros } = flow;
  return {
    policyId,
    byDraft,
    transactionId: subject.id,
    at: new Date(Math.floor(atMicros / 1000)).toISOString(),
    business: subject.business,
    chain: subject.chainId,
    coin: subject.coin,
    currency: subject.currency,
    quantity: formatAmount(subject.quantityMinor, subject.decimals),
    valueUsd: usdOf(subject.valueUsdCents),
    account: subject.account,
    policyName: policy.definition.name,
    sentence: policySaw(wording, policy, facts),
  };
}
