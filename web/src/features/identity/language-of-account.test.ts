import { beforeEach, expect, it, vi } from 'vitest';

const sent: { call: unknown; body: unknown }[] = [];
const answers: Record<string, unknown> = {};
const applied: string[] = [];
let chosen: string | null = null;

vi.mock('../../lib/client.ts', () => ({
  send: async (call: { path: string }, { body }: { body?: unknown }) => {
    sent.push({ call: call.path, body });
    return answers[call.path];
  },
}));
vi.mock('../../lib/locale.tsx', () => ({
  applyLocale: async (locale: string) => void applied.push(locale),
  chosenLocale: () => chosen,
  keepAccountLocale: () => undefined,
}));
vi.mock('../../lib/session.ts', () => ({ startSession: () => undefined }));
vi.mock('../../lib/report-error.ts', () => ({ reportError: () => undefined }));
vi.mock('./password-cipher.ts', () => ({
  passwordKey: async () => null,
  withSealed: (values: string[], work: (sealed: string[]) => unknown) => work(values),
}));
vi.mock('./captcha.ts', () => ({ withCaptcha: (_: unknown, __: unknown, work: () => unknown) => work() }));

const paths = { check: '/web/user/activation/check', login: '/web/user/login', user: '/web/user' };

beforeEach(() => {
  sent.length = 0;
  applied.length = 0;
  chosen = null;
  answers[paths.check] = { purpose: 'activation', language: 'zh_HK' };
  answers[paths.login] = { accessToken: 'token', laissezPasser: null, ticket: null };
  answers[paths.user] = { language: 'zh_HK' };
});

const signIn = async () =>
  (await import('./public-calls.ts')).signIn(
    { email: 'mei@example.com', password: 'Kelp-Beacon-26' },
    'en-us',
    () => undefined,
  );

it('the page of an invitation is in the language of the invitation, and that is stored nowhere', async () => {
  const { checkLink } = await import('./public-calls.ts');
  expect((await checkLink('link')).language).toBe('zh_HK');
  expect(applied).toEqual(['zh-hk']);
  expect(sent.map(({ call }) => call)).toEqual([paths.check]);
});

it('a language that the reader chose in this browser stays', async () => {
  chosen = 'zh-cn';
  await (await import('./public-calls.ts')).checkLink('link');
  expect(applied).toEqual([]);
});

it('the first sign-in without a choice shows the account’s language and changes nothing', async () => {
  await signIn();
  await vi.waitFor(() => expect(applied).toEqual(['zh-hk']), { timeout: 20_000 });
  expect(sent.map(({ call }) => call)).toEqual([paths.login, paths.user]);
});

it('only a choice is sent', async () => {
  chosen = 'en-us';
  await signIn();
  expect(sent).toContainEqual({ call: '/web/user/language', body: { language: 'en_US' } });
  expect(applied).toEqual([]);
});
