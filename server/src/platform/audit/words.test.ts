import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { securityProof } from '@causeway/contract/identity-account.ts';
import { locales } from '@causeway/contract/locale.ts';
import { noticeGroups } from '@causeway/contract/notices-rules.ts';
import { codeRecipients } from '@causeway/contract/organisation-rules.ts';
import {
  businesses,
  listAccountTypes,
  listKinds,
  riskActions,
  riskDimensions,
  riskMethods,
  riskWindows,
} from '@causeway/contract/risk-rules.ts';
import { describe, expect, test } from 'vitest';
import { hasText } from '../text/texts.ts';
import { asAuditEvent, readDetail } from './words.ts';

const source = join(import.meta.dirname, '../..');

const sources = globSync('**/*.ts', { cwd: source, exclude: ['testing/**', 'proof/**'] })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }));
/** Names of events and jobs look like those of actions. */
const others = new Set(
  sources.flatMap(({ file, text }) =>
    [...text.matchAll(/events\.ts$/.test(file) ? /'([\w.]+)'/g : /\b(?:name:|const \w+ =) '([\w.]+)'/g)].map(
      ([, name]) => name,
    ),
  ),
);
const writers = sources.filter(({ text }) =>
  /platform\/audit\/record\.ts'|from '\.\.?\/(audit\/)?record\.ts'/.test(text),
);

/**
 * Every action that a source which writes into the audit log names as `feature.verb`, however it hands it on. Those that
 * are put together while the program runs are met in `proof/calls.test.ts`.
 */
function actionsNamed(): { name: string; file: string }[] {
  return writers.flatMap(({ file, text }) => {
    const feature = /^features\/(\w+)\//.exec(file)?.[1] ?? 'audit';
    return [...text.matchAll(/'([a-z]+\.[a-z][a-zA-Z]+)'/g)]
      .map(([, name = '']) => ({ name, file }))
      .filter(({ name }) => (name.startsWith(`${feature}.`) || name === 'wallets.freeze') && !others.has(name));
  });
}

function subjectKindsNamed(): { name: string; file: string }[] {
  return writers.flatMap(({ file, text }) =>
    [...text.matchAll(/\baudit\(tx, \{[^;]*?\bsubjectKind: ([^\n{}]*)/g)].flatMap(([, value = '']) =>
      [...value.replace(/=== '\w+'/g, '').matchAll(/'(\w+)'/g)].map(([, name = '']) => ({ name, file })),
    ),
  );
}

describe('every event of the audit log', () => {
  test.each(locales)('has a sentence in %s', (locale) => {
    const actions = actionsNamed();
    expect(new Set(actions.map(({ name }) => name)).size).toBeGreaterThan(40);
    expect(actions.filter(({ name }) => !hasText(locale, `audit.action.${name}`))).toEqual([]);
  });

  test.each(locales)('has a kind of subject with a name in %s', (locale) => {
    const kinds = subjectKindsNamed();
    expect(new Set(kinds.map(({ name }) => name)).size).toBeGreaterThan(12);
    expect(kinds.filter(({ name }) => !hasText(locale, `audit.subject.${name}`))).toEqual([]);
  });
});

describe('the detail of an event', () => {
  test('says what changed, side by side, and leaves out what stayed', () => {
    const before = { name: 'Ops', quotaUsd: '10', people: ['a', 'b'], nodes: [{ needed: 1 }], same: 1 };
    const after = { name: 'Ops', quotaUsd: null, people: ['a'], nodes: [{ needed: 2 }, { needed: 1 }], same: 1 };
    expect(readDetail({ before, after, reason: 'asked' })).toEqual({
      changes: [
        { path: ['quotaUsd'], before: '10', after: null },
        { path: ['people'], before: 'a, b', after: 'a' },
        { path: ['nodes', '0', 'needed'], before: '1', after: '2' },
        { path: ['nodes', '1', 'needed'], before: null, after: '1' },
      ],
      facts: [{ path: ['reason'], value: 'asked' }],
    });
  });

  test('of one field, of something new, of something gone', () => {
    expect(readDetail({ language: { before: 'en_US', after: 'zh_HK' } }).changes).toEqual([
      { path: ['language'], before: 'en_US', after: 'zh_HK' },
    ]);
    expect(readDetail({ after: { on: false } }).changes).toEqual([{ path: ['on'], before: null, after: 'false' }]);
    expect(readDetail({ before: 'x' }).changes).toEqual([{ path: [], before: 'x', after: null }]);
    expect(readDetail({ label: 'P', list: ['a', 'b'], none: null })).toEqual({
      changes: [],
      facts: [
        { path: ['label'], value: 'P' },
        { path: ['list'], value: 'a, b' },
      ],
    });
  });
});

describe('the words of the program in a detail', () => {
  const event = {
    id: '',
    companyId: '',
    time: '2026-01-05T10:00:00.000000Z',
    actorKind: 'system' as const,
    actorId: 'risk',
    action: 'risk.addPolicy',
    subjectKind: 'riskPolicy',
    subjectId: '',
    ip: null,
    requestId: null,
    seq: null,
    hash: null,
    previousHash: null,
    sealedAt: null,
  };
  const proofs = securityProof.def.options.flatMap((option) => option.def.shape.method.def.values);
  const words: Record<string, readonly string[]> = {
    business: businesses,
    codeRecipient: codeRecipients,
    dimension: riskDimensions,
    kind: [...listKinds, 'add', 'change', 'delete', 'order', 'switch'],
    method: [...riskMethods, ...proofs, 'passkey', 'laissezPasser'],
    payeeType: listAccountTypes,
    proof: proofs,
    result: riskActions,
    window: riskWindows,
  };

  test.each(locales)('are said in %s, and so are the names of their fields', (locale) => {
    expect(proofs).toContain('recovery');
    for (const [field, values] of Object.entries(words)) {
      for (const value of values) {
        const [fact] = asAuditEvent({ ...event, detail: { [field]: value } }, new Map(), locale).facts;
        expect(fact, `${field} ${value}`).toBeDefined();
        expect(fact?.label, field).not.toBe(field);
        expect(fact?.value, `${field} ${value}`).not.toBe(value);
      }
    }
    const content = { chains: ['c'], coins: ['c'], coin: 'c', currency: 'c', currencies: ['c'], countries: ['c'] };
    const limits = { single: '1.00', daily: '1.00', cumulative: '1.00' };
    const detail = {
      content: { ...content, from: '1', to: '2' },
      limits,
      left: 7,
      mail: Object.fromEntries(noticeGroups.map((group) => [group, true])),
      whitelistOnly: { before: true, after: false },
    };
    const { facts, changes } = asAuditEvent({ ...event, detail }, new Map(), locale);
    expect(facts).toHaveLength(12 + noticeGroups.length);
    expect(changes).toHaveLength(1);
    for (const { field, label } of [...facts, ...changes]) {
      const parts = label.split(' › ');
      for (const [index, name] of field.split('.').entries()) expect(parts[index], field).not.toBe(name);
    }
  });
});
