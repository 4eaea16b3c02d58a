import type { Survivor } from './survivor.ts';
import { bankSurvivors } from './survivors-banks.ts';
import { databaseSurvivors } from './survivors-database.ts';
import { paymentSurvivors } from './survivors-payments.ts';
import { riskSurvivors } from './survivors-risk.ts';
import { signingSurvivors } from './survivors-signing.ts';

const domain = 'server/src/features/risk/domain.ts';
const ledgerDomain = 'server/src/features/ledger/domain.ts';
const approvalsDomain = 'server/src/features/approvals/domain.ts';
const decide = 'server/src/features/approvals/service/decide.ts';
const openTask = 'server/src/features/approvals/service/open-task.ts';
const secondPerson = 'server/src/features/approvals/service/second-person.ts';
const firstMatch = 'server/src/features/risk/first-match.ts';
const sameGroup = 'Rules of one question are then asked in several groups instead of one: slower, same first match.';
const cache = 'Only a cache: the place is looked up again, with the same result.';
const redundantEdge = 'An edge too many cuts a stretch in two; both parts get the same place.';

export const survivors: readonly Survivor[] = [
  ...paymentSurvivors,
  ...bankSurvivors,
  ...databaseSurvivors,
  ...riskSurvivors,
  ...signingSurvivors,
  {
    file: 'contract/src/money.ts',
    original: 'match?.[2]',
    replacement: 'match[2]',
    reason: 'The line before returns when there is no match.',
  },
  {
    file: 'contract/src/money.ts',
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'What the text as a whole matched is not taken out, only its parts.',
  },
  {
    file: 'contract/src/money.ts',
    original: '/^-?0*$/',
    replacement: '/^-0*$/',
    reason: 'A zero without a sign has none to take off.',
  },
  {
    file: 'contract/src/money.ts',
    original: 'whole + fraction',
    replacement: 'whole - fraction',
    reason:
      'The difference is a text of zeros for zeros, and for amounts without a sign, which have none to take off. The type check refuses it.',
  },
  {
    file: 'server/src/features/transfers/domain.ts',
    original: 'most > 0n',
    replacement: 'most >= 0n',
    reason: 'At 0 both branches are 0.',
  },
  {
    file: domain,
    original: 'roleId === null',
    replacement: 'false',
    reason: 'No list of roles holds null; the test is for the type.',
  },
  {
    file: domain,
    original: 'paidWith && coinWindows',
    replacement: 'paidWith || coinWindows',
    reason: 'The invariant before it holds that there are both or none; the test of both is for the type.',
  },
  {
    file: domain,
    original: 'coinSums?.[window]',
    replacement: 'coinSums[window]',
    reason: 'What names a coin has sums of coins: it is in one, or paid with one.',
  },
  {
    file: domain,
    original: 'coinSums === null',
    replacement: 'false',
    reason: 'A policy of this kind is about withdrawals alone, which are of coins; the test is for the type.',
  },
  { file: domain, original: '!names.has(question.key)', replacement: 'true', reason: sameGroup },
  { file: domain, original: 'names.set(question.key, rules);', replacement: ';', reason: sameGroup },
  { file: domain, original: '!figures.has(question.key)', replacement: 'true', reason: sameGroup },
  { file: domain, original: 'figures.set(question.key, rules);', replacement: ';', reason: sameGroup },
  {
    file: domain,
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'A text is no span: it has no edges, so no figure lies in it. The type check refuses it.',
  },
  {
    file: domain,
    original: `invariant(parsed.ok, \`a saved policy's figure can be read: \${text}\`);`,
    replacement: ';',
    reason: 'An invariant: the figure was parsed when the policy was saved.',
  },
  { file: firstMatch, original: 'known !== undefined', replacement: 'false', reason: cache },
  { file: firstMatch, original: 'this.#known.set(key, place);', replacement: ';', reason: cache },
  {
    file: firstMatch,
    original: 'spans.flatMap(({ from, to }) => [from, to]).filter((edge) => edge !== null)',
    replacement: 'spans.flatMap(({ from, to }) => [from, to])',
    reason: redundantEdge,
  },
  { file: firstMatch, original: 'edge !== null', replacement: 'true', reason: redundantEdge },
  { file: firstMatch, original: 'a < b', replacement: 'a <= b', reason: 'Edges come from a set: no two are equal.' },
  {
    file: firstMatch,
    original: 'free[at] ?? at',
    replacement: 'free[at] && at',
    reason: 'Shortens no way any more: slower, same end.',
  },
  {
    file: firstMatch,
    original: 'from === null',
    replacement: 'false',
    reason: 'A missing lower end then counts as 0, and figures are never below 0.',
  },
  {
    file: firstMatch,
    original: 'edge !== undefined',
    replacement: 'true',
    reason: 'The middle of a range is in the range; the test is for the type.',
  },
  {
    file: 'server/src/platform/crypto/seal.ts',
    original: "typeof kid === 'string'",
    replacement: 'true',
    reason: 'A name that is undefined is left out of JSON, too; no other is made.',
  },
  {
    file: 'server/src/platform/crypto/seal.ts',
    original: "typeof value === 'object'",
    replacement: 'true',
    reason: 'Text and numbers have neither `alg` nor `typ`, and are refused for that.',
  },
  {
    file: ledgerDomain,
    original: 'sum + leg.amountMinor',
    replacement: 'sum - leg.amountMinor',
    reason: 'The negative of a sum is zero where the sum is.',
  },
  {
    file: ledgerDomain,
    original: 'one.accountId < other.accountId',
    replacement: 'one.accountId <= other.accountId',
    reason: 'No two of the legs that were added up have one account.',
  },
  {
    file: approvalsDomain,
    original: 'person.deputyId !== null',
    replacement: 'true',
    reason: 'No person has the id null; the test is for the type.',
  },
  {
    file: approvalsDomain,
    original: 'actor === person',
    replacement: 'false',
    reason: 'Whichever way it goes on, the person decides themselves.',
  },
  {
    file: approvalsDomain,
    original: 'actors.slice(0, total)',
    replacement: 'actors',
    reason: 'Only how many are looked at: where that many can act, any of them will do.',
  },
  { file: approvalsDomain, original: 'a < b', replacement: 'a <= b', reason: 'No two tasks of a request have one id.' },
  {
    file: approvalsDomain,
    original: 'index > progress.node',
    replacement: 'index >= progress.node',
    reason: 'Who could act at the present node was answered above.',
  },
  {
    file: approvalsDomain,
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'A seat without an id is no one’s.',
  },
  {
    file: approvalsDomain,
    original: '(sum, {needed}) => sum + needed',
    replacement: '() => undefined',
    reason: 'Then all who can act are looked at, as where there are fewer.',
  },
  {
    file: decide,
    original: "invariant(after, 'a task does not vanish');",
    replacement: ';',
    reason: 'An invariant: the row is locked, and tasks are never deleted.',
  },
  {
    file: decide,
    original: '{people}',
    replacement: '{}',
    reason: 'They are then read again, in the same transaction.',
  },
  {
    file: openTask,
    original: 'people.get(initiator.id)?.departmentName',
    replacement: 'people.get(initiator.id).departmentName',
    reason: 'The people of a route include who submits; the test is for the type.',
  },
  {
    file: secondPerson,
    original: 'until?.toISOString',
    replacement: 'until.toISOString',
    reason: 'A hold has an end as long as it holds anyone; the test is for the type.',
  },
];
