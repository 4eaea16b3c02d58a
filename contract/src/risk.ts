import * as z from 'zod/mini';
import { call } from './call.ts';
import { effect, effectOnly } from './effect.ts';
import { chainId, id, instant, page, pageQuery, text } from './ids.ts';
import { policyDefinition, policyFields, policyRules } from './risk-content.ts';
import { judged } from './risk-judged.ts';
import {
  businesses,
  policyActions,
  policyNameMaxLength,
  riskDimensions,
  riskMoments,
  riskOutcomes,
  riskReasons,
  riskSteps,
} from './risk-rules.ts';

export {
  compareAmounts,
  type PolicyDefinition,
  policyDefinition,
  type RiskContent,
  riskContent,
  usd,
} from './risk-content.ts';
export * from './risk-rules.ts';

/** From 1; the first policy that matches decides. Beyond the last it is the last. */
const position = z.int('field.position').check(z.minimum(1, 'field.position'), z.maximum(1_000_000, 'field.position'));

const version = z.int('field.invalid').check(z.minimum(1), z.maximum(2_147_483_647));

/** What the members, departments and roles of a policy are called, in the reader's language; `gone`: deleted since. */
const named = { named: z.array(z.object({ id, name: z.string(), gone: z.boolean() })) };
export type NamedInPolicy = { id: string; name: string; gone: boolean };

export const riskPolicy = z.extend(policyDefinition, {
  ...named,
  id,
  position: z.number(),
  active: z.boolean(),
  /** Raised by each edit; an edit names the one it was made from. */
  version: z.number(),
  interceptCount: z.number(),
  createdAt: instant,
  createdBy: z.string(),
  updatedAt: instant,
  updatedBy: z.string(),
});
export type RiskPolicy = z.output<typeof riskPolicy>;

/** What was judged and stopped, kept whole: a transfer refused at its submission leaves no other trace. */
export const riskHit = z.object({
  id,
  at: instant,
  moment: z.enum(riskMoments),
  reason: z.enum(riskReasons),
  /** Why, in the reader's language. */
  sentence: z.string(),
  /** Null when it was refused at its submission, and so never became a transaction. */
  transactionId: z.nullable(id),
  ...judged,
  /** Of the policy; null for a list entry. */
  policyVersion: z.nullable(z.number()),
});
export type RiskHit = z.output<typeof riskHit>;

export const listRiskPolicies = call({
  name: 'listRiskPolicies',
  method: 'GET',
  path: '/web/trx/risk-policy',
  summary: 'Risk policies in the order in which they are asked.',
  access: 'policy.view',
  query: z.strictObject({
    ...pageQuery,
    business: z.optional(z.enum(businesses)),
    dimension: z.optional(z.enum(riskDimensions)),
    active: z.optional(z.enum(['true', 'false'])),
    keyword: z.optional(text(policyNameMaxLength)),
  }),
  output: page(riskPolicy),
  errors: ['cursorInvalid'],
});

export const addRiskPolicy = call({
  name: 'addRiskPolicy',
  method: 'POST',
  path: '/web/trx/risk-policy',
  summary: 'Adds a risk policy, at a position or behind all others; the client may choose its id.',
  access: 'policy.manage',
  body: z
    .strictObject({
      id: z.optional(id),
      ...policyFields,
      position: z.optional(position),
      active: z.optional(z.boolean()),
    })
    .check(...policyRules),
  output: z.extend(riskPolicy, effect),
  errors: [
    'approvalRulesHeld',
    'amountTooLarge',
    'amountTooManyDecimals',
    'chainUnknown',
    'coinNotOnChain',
    'currencyUnknown',
    'departmentNotFound',
    'memberNotFound',
    'roleNotFound',
    'idTaken',
    'riskPolicyLimit',
  ],
});

export const editRiskPolicy = call({
  name: 'editRiskPolicy',
  method: 'PUT',
  path: '/web/trx/risk-policy',
  summary: 'Changes a risk policy; earlier versions are kept, and explain what they judged.',
  access: 'policy.manage',
  /** Without a position it keeps its place. */
  body: z.strictObject({ id, version, ...policyFields, position: z.optional(position) }).check(...policyRules),
  output: z.extend(riskPolicy, effect),
  errors: [
    'approvalRulesHeld',
    'amountTooLarge',
    'amountTooManyDecimals',
    'chainUnknown',
    'coinNotOnChain',
    'currencyUnknown',
    'departmentNotFound',
    'memberNotFound',
    'roleNotFound',
    'riskPolicyChanged',
    'riskPolicyNotFound',
  ],
});

export const deleteRiskPolicy = call({
  name: 'deleteRiskPolicy',
  method: 'DELETE',
  path: '/web/trx/risk-policy',
  summary: 'Takes a risk policy out of the order; what it stopped keeps naming it.',
  access: 'policy.manage',
  body: z.strictObject({ id }),
  output: effectOnly,
  errors: ['approvalRulesHeld', 'riskPolicyNotFound'],
});

export const moveRiskPolicy = call({
  name: 'moveRiskPolicy',
  method: 'PUT',
  path: '/web/trx/risk-policy/order',
  summary: 'Moves a risk policy to a position, from 1; the others close up.',
  access: 'policy.manage',
  body: z.strictObject({ id, position }),
  output: z.extend(riskPolicy, effect),
  errors: ['approvalRulesHeld', 'riskPolicyNotFound'],
});

export const setRiskPolicyStatus = call({
  name: 'setRiskPolicyStatus',
  method: 'PUT',
  path: '/web/trx/risk-policy/status',
  summary: 'Switches a risk policy on or off.',
  access: 'policy.manage',
  body: z.strictObject({ id, active: z.boolean() }),
  output: z.extend(riskPolicy, effect),
  errors: ['approvalRulesHeld', 'riskPolicyNotFound'],
});

/** A policy as it stood before or after a change. */
const policyState = z.extend(policyDefinition, {
  ...named,
  position: z.number(),
  active: z.boolean(),
  version: z.number(),
});

export const listRiskPolicyLogs = call({
  name: 'listRiskPolicyLogs',
  method: 'GET',
  path: '/web/trx/risk-policy/logs',
  summary: 'Every change of the risk policies, newest first: who, when, and what it was before and after.',
  access: 'policy.view',
  query: z.strictObject({ ...pageQuery, policyId: z.optional(id) }),
  output: page(
    z.object({
      id,
      at: instant,
      by: z.string(),
      action: z.enum(policyActions),
      policyId: id,
      policyName: z.string(),
      before: z.nullable(policyState),
      after: z.nullable(policyState),
    }),
  ),
  errors: ['cursorInvalid', 'riskPolicyNotFound'],
});

export const listIntercepts = call({
  name: 'listIntercepts',
  method: 'GET',
  path: '/web/trx/risk-policy/{id}/intercepts',
  summary: 'What a risk policy stopped, newest first.',
  access: 'policy.view',
  params: z.object({ id }),
  query: z.strictObject(pageQuery),
  output: page(riskHit),
  errors: ['cursorInvalid', 'riskPolicyNotFound'],
});

export const listRiskPolicyVersions = call({
  name: 'listRiskPolicyVersions',
  method: 'GET',
  path: '/web/trx/risk-policy/{id}/versions',
  summary: 'Every version of a risk policy, newest first, deleted policies included.',
  access: 'policy.view',
  params: z.object({ id }),
  query: z.strictObject(pageQuery),
  output: page(z.extend(policyDefinition, { ...named, version: z.number(), at: instant, by: z.string() })),
  errors: ['cursorInvalid', 'riskPolicyNotFound'],
});

export const replayRiskPolicies = call({
  name: 'replayRiskPolicies',
  method: 'POST',
  path: '/web/trx/risk-policy/replay',
  summary:
    'Judges the transactions of the last 90 days by the policies as they would be, and says which would be stopped.',
  access: 'policy.manage',
  body: z.strictObject({
    /** The draft; null replays the current order. */
    policy: z.nullable(
      z
        .strictObject({
          /** The policy that it would replace; absent for a new one. */
          id: z.optional(id),
          ...policyFields,
          /** Its place in the order; absent: its current place, or behind all others. */
          position: z.optional(position),
        })
        .check(...policyRules),
    ),
  }),
  output: z.object({
    from: instant,
    to: instant,
    /** How many transactions were judged, how many the policies would stop, and how many the draft itself. */
    judged: z.number(),
    /**
     * Of those judged, how many are from before departments and roles were kept with a transaction; their initiators' current ones were
     * used. 0 where no policy asks about departments or roles.
     */
    byCurrentPlace: z.number(),
    stopped: z.number(),
    stoppedByDraft: z.number(),
    /** The first 200 of those stopped, in the order of time. */
    items: z.array(
      z.object({
        transactionId: id,
        at: instant,
        business: z.enum(businesses),
        chain: z.nullable(chainId),
        coin: z.nullable(z.string()),
        currency: z.nullable(z.string()),
        quantity: z.string(),
        valueUsd: z.string(),
        account: z.string(),
        /** Null: the draft of a new policy. */
        policyId: z.nullable(id),
        policyName: z.string(),
        byDraft: z.boolean(),
        /** What the policy would have seen, in the reader's language. */
        sentence: z.string(),
      }),
    ),
  }),
  errors: [
    'amountTooLarge',
    'amountTooManyDecimals',
    'chainUnknown',
    'coinNotOnChain',
    'currencyUnknown',
    'departmentNotFound',
    'memberNotFound',
    'roleNotFound',
    'riskPolicyNotFound',
  ],
});

/** One thing that was asked about a transaction, in the order of asking. */
export const riskCheck = z.object({
  step: z.enum(riskSteps),
  outcome: z.enum(riskOutcomes),
  /** The entry or policy; null when the step found none. */
  subjectId: z.nullable(id),
  name: z.string(),
  /** Of a policy, as they were when it was asked. */
  position: z.nullable(z.number()),
  version: z.nullable(z.number()),
  /** What it saw, e.g. "6,200.00 USDT this week with this transfer", in the reader's language. */
  saw: z.string(),
  /** Why that matched or not. */
  why: z.string(),
});
export type RiskCheck = z.output<typeof riskCheck>;

export const explanation = z.object({
  transactionId: id,
  /** What was judged. */
  subject: z.object({
    ...judged,
    /** False when it was refused at its submission, and so never became a transaction. */
    submitted: z.boolean(),
  }),
  /** One for each time it was judged, newest first. */
  judgements: z.array(
    z.object({
      id,
      at: instant,
      moment: z.enum(riskMoments),
      allowed: z.boolean(),
      reason: z.nullable(z.enum(riskReasons)),
      sentence: z.string(),
      /** The policies as they were then, by this number. */
      rulesetVersion: z.number(),
      checks: z.array(riskCheck),
    }),
  ),
});
export type Explanation = z.output<typeof explanation>;

export const explainRisk = call({
  name: 'explainRisk',
  method: 'GET',
  path: '/web/trx/risk-explanation/{id}',
  summary: 'Why a transaction was let pass or stopped: every list and policy asked, what it saw, why it matched.',
  access: 'policy.view',
  params: z.object({ id }),
  output: explanation,
  errors: ['notFound'],
});
