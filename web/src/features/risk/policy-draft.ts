import { editRiskPolicy, type PolicyDefinition, type RiskContent } from '@causeway/contract/risk.ts';
import type { Business, RiskAction, RiskDimension, RiskMethod, RiskWindow } from '@causeway/contract/risk-rules.ts';
import { dimensionsOf } from '@causeway/contract/risk-rules.ts';
import { byContract } from '../../ui/by-contract.ts';
import type { Checked } from '../../ui/form-state.ts';
import { hasWindow } from './words.ts';

/** What the form of a policy holds: every dimension's fields, so that a change of mind loses nothing. */
export interface PolicyDraft {
  name: string;
  business: Business;
  dimension: RiskDimension;
  method: RiskMethod;
  result: RiskAction;
  window: RiskWindow;
  chains: readonly string[];
  coins: readonly string[];
  coin: string;
  currencies: readonly string[];
  currency: string;
  countries: readonly string[];
  members: readonly string[];
  departments: readonly string[];
  roles: readonly string[];
  from: string;
  to: string;
  /** See `place.ts`: no part of the policy itself. */
  place: string;
}

const newDraft: PolicyDraft = {
  name: '',
  business: 'crypto_withdrawal',
  dimension: 'crypto_value',
  method: 'forbid',
  result: 'deny',
  window: 'day',
  chains: [],
  coins: [],
  coin: '',
  currencies: [],
  currency: '',
  countries: [],
  members: [],
  departments: [],
  roles: [],
  from: '',
  to: '',
  place: '',
};

/** The form's values for a policy that is there, or for a new one. */
export function draftOf(policy: PolicyDefinition | null): PolicyDraft {
  if (policy === null) return newDraft;
  const { name, business, method, result, window, content } = policy;
  const draft: PolicyDraft = { ...newDraft, name, business, method, result, window, dimension: content.dimension };
  switch (content.dimension) {
    case 'chain':
      return { ...draft, chains: content.chains };
    case 'coin':
      return { ...draft, coins: content.coins };
    case 'fiat_currency':
      return { ...draft, currencies: content.currencies };
    case 'payment_region':
      return { ...draft, countries: content.countries };
    case 'initiator':
      return { ...draft, members: content.members };
    case 'department':
      return { ...draft, departments: content.departments };
    case 'role':
      return { ...draft, roles: content.roles };
    case 'crypto_quantity':
      return { ...draft, coin: content.coin, from: content.from, to: content.to ?? '' };
    case 'fiat_amount':
      return { ...draft, currency: content.currency, from: content.from, to: content.to ?? '' };
    case 'crypto_value':
    case 'crypto_frequency':
    case 'fiat_frequency':
      return { ...draft, from: content.from, to: content.to ?? '' };
  }
}

/** The draft with another business: a dimension that does not fit it gives way to the first that does. */
export function withBusiness(draft: PolicyDraft, business: Business): PolicyDraft {
  const fitting = dimensionsOf[business];
  const [first] = fitting;
  const dimension = fitting.includes(draft.dimension) ? draft.dimension : (first ?? draft.dimension);
  return { ...draft, business, dimension };
}

const byEdit = byContract(editRiskPolicy.body);
/** Ids and versions are the page's matter: any will do to check what was typed. */
const anyId = '00000000-0000-7000-8000-000000000000';

/** The rules of a policy; problems inside its content are reported at their field. */
export function checkDraft(draft: PolicyDraft): Checked<PolicyDefinition> {
  const checked = byEdit({ id: anyId, version: 1, ...definitionOf(draft) });
  if (checked.ok) {
    const { id: _, version: __, ...definition } = checked.values;
    return { ok: true, values: definition };
  }
  const problems = checked.problems.map(({ path, message }) => ({
    path: path[0] === 'content' && path.length > 1 ? path.slice(1) : path,
    message: message === 'field.invalid' ? 'field.required' : message,
  }));
  return { ok: false, problems };
}

/** Whether the draft says what it is about, so that a sentence can say what it would do. */
export function hasContent(draft: PolicyDraft): boolean {
  const content = contentOf(draft);
  const [first = ''] = Object.entries(content).flatMap(([name, value]) =>
    Array.isArray(value) ? [value.join()] : name === 'from' ? [value] : [],
  );
  const unit = 'coin' in content ? content.coin : 'currency' in content ? content.currency : 'none';
  return first !== '' && unit !== '';
}

/** `content.coin` of the server is the field `coin` of the form. */
export function fieldsOfContent(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, text]) => [name.replace(/^content\./, ''), text]));
}

export function definitionOf(draft: PolicyDraft): PolicyDefinition {
  const { name, business, method, window, dimension } = draft;
  const result = method === 'forbid' ? 'deny' : draft.result;
  return {
    name,
    business,
    method,
    result,
    window: hasWindow(dimension) ? window : 'day',
    content: contentOf(draft),
  };
}

function contentOf(draft: PolicyDraft): RiskContent {
  const { dimension, from, to } = draft;
  const range = { from, to: to === '' ? null : to };
  switch (dimension) {
    case 'chain':
      return { dimension, chains: [...draft.chains] };
    case 'coin':
      return { dimension, coins: [...draft.coins] };
    case 'fiat_currency':
      return { dimension, currencies: [...draft.currencies] };
    case 'payment_region':
      return { dimension, countries: [...draft.countries] };
    case 'initiator':
      return { dimension, members: [...draft.members] };
    case 'department':
      return { dimension, departments: [...draft.departments] };
    case 'role':
      return { dimension, roles: [...draft.roles] };
    case 'crypto_quantity':
      return { dimension, coin: draft.coin, ...range };
    case 'fiat_amount':
      return { dimension, currency: draft.currency, ...range };
    case 'crypto_value':
    case 'crypto_frequency':
    case 'fiat_frequency':
      return { dimension, ...range };
  }
}
