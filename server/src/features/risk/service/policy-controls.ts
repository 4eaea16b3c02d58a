import type { Body } from '@causeway/contract/call.ts';
import type { ControlKind } from '@causeway/contract/control-rules.ts';
import { defaultLocale } from '@causeway/contract/locale.ts';
import { sayAmountText } from '@causeway/contract/money.ts';
import type {
  addRiskPolicy,
  deleteRiskPolicy,
  editRiskPolicy,
  moveRiskPolicy,
  PolicyDefinition,
  RiskContent,
  RiskPolicy,
  setRiskPolicyStatus,
} from '@causeway/contract/risk.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { ControlOperation, ControlState, Shown } from '../../organisation/index.ts';
import { lockCompany } from '../store/judging.ts';
import { findPolicy, readOrder } from '../store/policies.ts';
import { isAtLeastAsTight, onlyStops } from '../tightening.ts';
import { type NamedOf, readNamed } from './named.ts';
import { addPolicy, definitionOf, deletePolicy, editPolicy, movePolicy, setPolicyStatus } from './policies.ts';

/**
 * Changes of risk policies as operations that may need a second person. What can only stop more takes effect at once; everything else
 * widens what can leave (docs/FOUR_EYES.md).
 */

type Change<T extends object> = Pick<ControlOperation<T>, 'kind' | 'input'> & {
  id: string;
  make: (...args: Parameters<ControlOperation<T>['make']>) => Promise<T>;
  widens(tx: Tx): Promise<boolean>;
};

function operation<T extends object>({ kind, input, id, make, widens }: Change<T>): ControlOperation<T> {
  return {
    kind,
    permission: 'policy.manage',
    input,
    lock: lockCompany,
    state: (tx) => policyState(tx, id),
    async make(tx, context) {
      const widening = await widens(tx);
      return { result: await make(tx, context), widensFor: widening ? [] : null };
    },
  };
}

/** Of any policy the whole order is the basis: what one stops depends on those before it. */
async function policyState(tx: Tx, id: string): Promise<ControlState> {
  const policy = await findPolicy(tx, id);
  const { version } = await readOrder(tx);
  if (!policy || policy.position === null) return { subject: null, subjectId: id, fields: {}, basis: { version } };
  const { definition, active, position } = policy;
  return {
    subject: definition.name,
    subjectId: id,
    fields: {
      ...fieldsOf(definition, await readNamed(tx, [definition.content], defaultLocale)),
      ...activeField(active),
      position: position.toString(),
    },
    basis: { version, policyVersion: policy.version },
  };
}

function activeField(active: boolean): Record<string, Shown> {
  return { active: { text: active ? 'control.value.on' : 'control.value.off' } };
}

function fieldsOf(
  { name, business, method, content, result, window }: PolicyDefinition,
  named: NamedOf,
): Record<string, Shown> {
  return {
    name,
    business: { text: `control.value.${business}` },
    dimension: { text: `control.value.${content.dimension}` },
    method: { text: `control.value.${method}` },
    content: sayContent(content, named),
    result: { text: `control.value.${result}` },
    window: { text: `control.value.${window}` },
  };
}

/** The names or the range; the upper end is not part of it. */
function sayContent(content: RiskContent, named: NamedOf): string {
  switch (content.dimension) {
    case 'chain':
      return content.chains.join(', ');
    case 'coin':
      return content.coins.join(', ');
    case 'fiat_currency':
      return content.currencies.join(', ');
    case 'payment_region':
      return content.countries.join(', ');
    case 'initiator':
    case 'department':
    case 'role':
      return named(content)
        .map(({ name }) => name)
        .join(', ');
    case 'crypto_quantity':
      return `${rangeOf(content)} ${content.coin}`;
    case 'fiat_amount':
      return `${rangeOf(content)} ${content.currency}`;
    case 'crypto_value':
      return `${rangeOf(content)} USD`;
    default:
      return rangeOf(content);
  }
}

function rangeOf({ from, to }: { from: string; to: string | null }): string {
  return `${sayAmountText(from)} – ${to === null ? '∞' : sayAmountText(to)}`;
}

export function addingPolicy(given: Body<typeof addRiskPolicy>): ControlOperation<RiskPolicy> {
  const body = { ...given, id: given.id ?? newId() };
  return operation({
    kind: 'addRiskPolicy',
    input: body,
    id: body.id,
    make: (tx, context) => addPolicy(tx, context, body),
    widens: async () => body.active !== false && !onlyStops(definitionOf(body)),
  });
}

export function editingPolicy(body: Body<typeof editRiskPolicy>): ControlOperation<RiskPolicy> {
  return operation({
    kind: 'editRiskPolicy',
    input: body,
    id: body.id,
    make: (tx, context) => editPolicy(tx, context, body),
    async widens(tx) {
      const before = await findPolicy(tx, body.id);
      if (!before?.active) return false;
      const stays = body.position === undefined || body.position === before.position;
      return !stays || !isAtLeastAsTight(before.definition, definitionOf(body));
    },
  });
}

export function deletingPolicy(body: Body<typeof deleteRiskPolicy>): ControlOperation<object> {
  return operation({
    kind: 'deleteRiskPolicy',
    input: body,
    id: body.id,
    async make(tx, context) {
      await deletePolicy(tx, context, body.id);
      return {};
    },
    widens: (tx) => isActive(tx, body.id),
  });
}

export function movingPolicy(body: Body<typeof moveRiskPolicy>): ControlOperation<RiskPolicy> {
  return operation({
    kind: 'moveRiskPolicy',
    input: body,
    id: body.id,
    make: (tx, context) => movePolicy(tx, context, body),
    async widens(tx) {
      const { policies } = await readOrder(tx);
      const at = Math.min(body.position, policies.length);
      const stays = policies.findIndex(({ id }) => id === body.id) + 1 === at;
      return !stays && (await isActive(tx, body.id));
    },
  });
}

export function settingPolicyStatus(body: Body<typeof setRiskPolicyStatus>): ControlOperation<RiskPolicy> {
  return operation({
    kind: 'setRiskPolicyStatus',
    input: body,
    id: body.id,
    make: (tx, context) => setPolicyStatus(tx, context, body),
    async widens(tx) {
      const before = await findPolicy(tx, body.id);
      if (!before || before.active === body.active) return false;
      return !body.active || !onlyStops(before.definition);
    },
  });
}

async function isActive(tx: Tx, id: string): Promise<boolean> {
  return (await findPolicy(tx, id))?.active === true;
}

export const policyControls: Partial<
  Record<ControlKind, (input: ControlOperation<object>['input']) => ControlOperation<object>>
> = {
  // What was proposed is what the contract had validated, as JSON.
  addRiskPolicy: (input) => addingPolicy(input as Parameters<typeof addingPolicy>[0]),
  editRiskPolicy: (input) => editingPolicy(input as Parameters<typeof editingPolicy>[0]),
  deleteRiskPolicy: (input) => deletingPolicy(input as Parameters<typeof deletingPolicy>[0]),
  moveRiskPolicy: (input) => movingPolicy(input as Parameters<typeof movingPolicy>[0]),
  setRiskPolicyStatus: (input) => settingPolicyStatus(input as Parameters<typeof settingPolicyStatus>[0]),
};
