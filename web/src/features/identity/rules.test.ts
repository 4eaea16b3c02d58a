import { email as contractEmail } from '@causeway/contract/identity.ts';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  type ChangePasswordValues,
  changePasswordCheck,
  checkSignIn,
  codeRule,
  emailRule,
  forgetCheck,
  meetsAllPoints,
  newPasswordRule,
  type SignUpValues,
  signUpCheck,
  targetAfterSignIn,
} from './rules.ts';

const whole: SignUpValues = {
  invitationCode: 'CW-INVITE',
  companyName: '3M 香港',
  firstName: 'Ada',
  lastName: 'Wong',
  email: 'ada@example.com',
  ticket: 'ticket',
  code: '123456',
  password: 'Harbour 2026',
  confirm: 'Harbour 2026',
  agreeTerms: true,
  agreePaymentTerms: true,
  agreePrivacy: true,
};

/** The wrong fields of a form with the text id of each. */
function problems(result: ReturnType<ReturnType<typeof signUpCheck>>): Record<string, string> {
  if (result.ok) return {};
  return Object.fromEntries(result.problems.map(({ path, message }) => [String(path[0]), message]));
}

describe('the email rule', () => {
  const table = [
    'ada@example.com',
    'ada.wong+pay@mail.example.co.uk',
    "o'hara@example.hk",
    'ada@example',
    'ada@@example.com',
    '.ada@example.com',
    'ada..wong@example.com',
    'ada@-example.com',
    'ada example.com',
    'ada@example.com, eve@example.com',
    '劉@example.com',
    `${'a'.repeat(250)}@example.com`,
  ];

  it.each(table)('agrees with the contract about %s', (address) => {
    expect(emailRule(address) === null).toBe(z.safeParse(contractEmail, address).success);
  });

  it('does not mind white space around, and tells missing from wrong', () => {
    expect(emailRule('  ada@example.com ')).toBeNull();
    expect(emailRule('   ')).toBe('field.emailRequired');
    expect(emailRule('ada')).toBe('field.email');
  });
});

describe('the password rules', () => {
  it.each(['short1A', 'alllower1', 'ALLUPPER1', 'OnlyLetters'])('finds a missing point in %s', (password) => {
    expect(meetsAllPoints(password)).toBe(false);
    expect(newPasswordRule(16)(password)).toBe('identity.rule.passwordPoints');
  });

  it('takes a space or a symbol for the digit, and letters of any script', () => {
    expect(meetsAllPoints('Harbour light')).toBe(true);
    expect(meetsAllPoints('Гавань-Свет')).toBe(true);
  });

  it('counts the longest length in characters as a person does', () => {
    expect(newPasswordRule(16)('Aa1🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑')).toBeNull();
    expect(newPasswordRule(16)('Aa1🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑🔑')).toBe('field.tooLong');
    expect(newPasswordRule(128)(`Aa1${'x'.repeat(60)}`)).toBeNull();
  });

  it('leaves the points out at sign-in, where a toast tells them', () => {
    expect(checkSignIn({ email: 'ada@example.com', password: 'old' }).ok).toBe(true);
    expect(checkSignIn({ email: 'ada@example.com', password: '' }).ok).toBe(false);
  });
});

describe('the code rule', () => {
  it.each(['12345', '1234567', '12a456', '１２３４５６', ' 123456'])('refuses %s', (code) => {
    expect(codeRule(code)).toBe('field.code');
  });
});

describe('the sign-up form', () => {
  const check = signUpCheck(16);

  it('hands on what was typed when all is well', () => {
    expect(check(whole)).toEqual({ ok: true, values: whole });
  });

  it('says the specification’s sentence about each empty field', () => {
    const empty: SignUpValues = {
      ...whole,
      invitationCode: ' ',
      companyName: ' ',
      firstName: ' ',
      lastName: '',
      email: '',
      code: '',
      password: '',
      confirm: '',
      agreeTerms: false,
      agreePaymentTerms: false,
      agreePrivacy: false,
    };
    expect(problems(check(empty))).toEqual({
      invitationCode: 'field.invitationCode',
      companyName: 'field.required',
      firstName: 'field.required',
      email: 'field.emailRequired',
      code: 'field.code',
      password: 'field.passwordRequired',
      confirm: 'field.required',
      agreeTerms: 'field.agreement',
      agreePaymentTerms: 'field.agreement',
      agreePrivacy: 'field.agreement',
    });
  });

  it('finds a confirmation that differs by a space', () => {
    expect(problems(check({ ...whole, confirm: 'Harbour 2026 ' }))).toEqual({ confirm: 'identity.rule.confirm' });
  });
});

describe('a new password', () => {
  const values: ChangePasswordValues = {
    currentPassword: 'Harbour 2026',
    newPassword: 'Harbour 2026',
    confirm: 'Harbour 2026',
    code: '123456',
  };

  it('must differ from the current one', () => {
    const result = changePasswordCheck(16)(values);
    expect(result.ok ? [] : result.problems).toEqual([
      { path: ['newPassword'], message: 'identity.rule.passwordSame' },
    ]);
  });

  it('is all that a forgotten one needs besides the email and its code', () => {
    const chosen = { newPassword: 'Lighthouse 7', confirm: 'Lighthouse 7' };
    const reset = { email: 'ada@example.com', ticket: 'ticket', code: '123456', ...chosen };
    expect(forgetCheck(16)(reset).ok).toBe(true);
    expect(forgetCheck(11)(reset).ok).toBe(false);
  });

  it('wants the code of a request that this browser has made', () => {
    expect(problems(signUpCheck(16)({ ...whole, ticket: '' }))).toEqual({ code: 'identity.rule.codeAsked' });
  });
});

describe('the way after sign-in', () => {
  it.each([
    ['/app/transaction/1?size=50', '/app/transaction/1?size=50'],
    ['/app', '/app'],
    [undefined, '/app/home'],
    ['https://evil.example/app/', '/app/home'],
    ['//evil.example/app/', '/app/home'],
    ['/application', '/app/home'],
    ['/app\\@evil.example', '/app/@evil.example'],
    ['/app/..//evil.example', '/app/home'],
    ['/app/..\\..\\/evil.example', '/app/home'],
    ['/app/../sign-in?to=/app/home', '/app/home'],
    ['/app?x=1#y', '/app?x=1#y'],
    ['javascript:alert(1)', '/app/home'],
  ])('of %s is %s', (wanted, target) => {
    expect(targetAfterSignIn(wanted)).toBe(target);
  });
});
