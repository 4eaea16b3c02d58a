import { expect, test } from 'vitest';
import { calls } from './calls.ts';
import { codePermissions, codeSubjects } from './identity.ts';

/** Calls that take a mailed code of scenario `transaction` say of which subject; the others take codes of scenarios of their own. */
const ownScenario = ['register', 'login', 'forgetPassword', 'changePassword', 'bindMfa'];

const fieldsOf = (call: (typeof calls)[number]): string[] => {
  const body: unknown = call.body;
  const shape = (body as { def?: { shape?: Record<string, unknown> } } | undefined)?.def?.shape ?? {};
  return Object.keys(shape);
};

test('every call that takes a code says what it confirms', () => {
  const taking = calls.filter((call) => fieldsOf(call).some((field) => field === 'code' || field === 'proof'));
  expect(taking.length).toBeGreaterThan(8);
  const silent = taking.filter((call) => call.confirms === undefined).map(({ name }) => name);
  expect(silent.sort()).toEqual([...ownScenario].sort());
});

test('a code is mailed to those alone who may make the call that it is for', () => {
  for (const subject of codeSubjects) {
    const confirmed = calls.filter((call) => call.confirms === subject);
    expect(confirmed.length, subject).toBeGreaterThan(0);
    for (const { access, name } of confirmed) expect(access, name).toBe(codePermissions[subject]);
  }
});
