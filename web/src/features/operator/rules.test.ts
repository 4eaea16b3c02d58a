import { operatorNameMaxLength, operatorReasonMaxLength } from '@causeway/contract/operator-rules.ts';
import { expect, it } from 'vitest';
import type { Checked } from '../../ui/form-state.ts';
import {
  activateCheck,
  checkCode,
  checkInvite,
  checkProof,
  checkReason,
  type InviteValues,
  roleCheck,
} from './rules.ts';

const problems = (checked: Checked<unknown>) =>
  checked.ok ? {} : Object.fromEntries(checked.problems.map(({ path, message }) => [path.join('.'), message]));

const invitation: InviteValues = {
  name: ' Ada Chan ',
  email: ' ada@example.com ',
  role: 'support',
  language: 'zh_HK',
  reason: ' Joins on Monday ',
};

it('an invitation is sent without the white space around', () => {
  expect(checkInvite(invitation)).toEqual({
    ok: true,
    values: { ...invitation, name: 'Ada Chan', email: 'ada@example.com', reason: 'Joins on Monday' },
  });
});

it('an invitation asks for everything', () => {
  expect(problems(checkInvite({ name: ' ', email: '', role: '', language: 'en_US', reason: '' }))).toEqual({
    name: 'field.required',
    email: 'field.emailRequired',
    role: 'field.required',
    reason: 'field.required',
  });
  const long = { ...invitation, name: 'x'.repeat(operatorNameMaxLength + 1), email: 'ada' };
  expect(problems(checkInvite(long))).toEqual({ name: 'field.tooLong', email: 'field.email' });
});

it('a reason has words, and no more than are kept', () => {
  expect(problems(checkReason({ reason: ' \n ' }))).toEqual({ reason: 'field.required' });
  expect(checkReason({ reason: '字'.repeat(operatorReasonMaxLength) }).ok).toBe(true);
  expect(problems(checkReason({ reason: '字'.repeat(operatorReasonMaxLength + 1) }))).toEqual({
    reason: 'field.tooLong',
  });
});

it('another role is another one', () => {
  const check = roleCheck('support');
  expect(problems(check({ role: 'support', reason: 'as before' }))).toEqual({ role: 'ops.rule.sameRole' });
  expect(check({ role: 'viewer', reason: 'left the desk' }).ok).toBe(true);
});

it('an activation needs password, the same again, and a code', () => {
  const check = activateCheck(16);
  expect(problems(check({ password: 'weak', confirm: '', code: '12' }))).toEqual({
    password: 'identity.rule.passwordPoints',
    confirm: 'field.required',
    code: 'field.code',
  });
  expect(problems(check({ password: 'Abcdefg1', confirm: 'Abcdefg2', code: '123456' }))).toEqual({
    confirm: 'identity.rule.confirm',
  });
  expect(check({ password: 'Abcdefg1', confirm: 'Abcdefg1', code: '123456' }).ok).toBe(true);
});

it('a change of the own sign-in is proved by password and code', () => {
  expect(problems(checkProof({ currentPassword: '', code: '' }))).toEqual({
    currentPassword: 'field.passwordRequired',
    code: 'field.code',
  });
  expect(problems(checkCode({ code: '12345a' }))).toEqual({ code: 'field.code' });
});
