import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import type { Answer } from '../../testing/envelope.ts';
import { type Account, type TestIdentity, testIdentity } from '../../testing/identity.ts';

/** Nothing that a stranger sees tells whether an address has an account: status, body, count, order or time. */

let db: TestDatabase;
let app: TestIdentity;
let known: Account;
beforeAll(async () => {
  db = await testDatabase();
  const many = 1_000_000;
  app = await testIdentity(db, {
    // As long as in the product.
    passwordCost: undefined,
    limits: {
      loginCaptchaAccount: many,
      loginCaptchaAddress: many,
      loginAccount: many,
      loginAddress: many,
      codesRecipient: many,
      codesCaptcha: many,
    },
  });
  known = await app.signUp();
});
afterAll(async () => {
  await app.close();
  await db.close();
});

let serial = 0;
const nobody = () => `nobody${serial++}@example.com`;

/** An answer as a stranger sees it, without what differs between any two. */
function seen({ raw }: Answer) {
  const body = raw.json();
  const { date: _date, 'x-request-id': _id, ...headers } = raw.headers;
  // A ticket is a random token.
  const data = body.data?.ticket ? { ...body.data, ticket: body.data.ticket.length } : body.data;
  return { status: raw.statusCode, body: { ...body, data, requestId: '' }, headers };
}

async function login(email: string) {
  const password = await app.encrypt('Wrong-Horse1');
  return app.call({ path: '/web/user/login', body: { loginMethod: 'email', email, password } });
}

async function forget(email: string, code = '123456', ticket = 'x'.repeat(43)) {
  const newPassword = await app.encrypt('Another-Horse2');
  return app.call({ path: '/web/user/forget-password', body: { email, ticket, code, newPassword } });
}

const ask = async (scenario: 'register' | 'forget', email: string) =>
  scenario === 'register'
    ? app.call({ path: '/common/send-register-code', body: { email, captcha: await app.captcha() } })
    : app.call({ path: '/common/send-code', body: { scenario, email, captcha: await app.captcha() } });

async function register(email: string, code = '123456', ticket = 'x'.repeat(43)) {
  return app.call({
    path: '/web/user/register',
    body: {
      companyName: 'Pier',
      email,
      ticket,
      code,
      password: await app.encrypt('Another-Horse2'),
      invitationCode: 'CW-0000-0000-0000-0000',
      agreeTerms: true,
      agreePaymentTerms: true,
      agreePrivacy: true,
    },
  });
}

describe('the same answer', () => {
  test('at sign-in', async () => {
    expect(seen(await login(known.email))).toEqual(seen(await login(nobody())));
  });

  test('to asking for a code, and to asking again too soon', async () => {
    await app.elapse('delete from causeway.throttle');
    for (const scenario of ['register', 'forget'] as const) {
      const stranger = nobody();
      const answers = [];
      for (const email of [known.email, stranger]) {
        answers.push([seen(await ask(scenario, email)), seen(await ask(scenario, email))]);
      }
      expect(answers[0]?.[0]).toMatchObject({ status: 200 });
      expect(answers[0]?.[1]).toMatchObject({ status: 429 });
      expect(answers[0]).toEqual(answers[1]);
      await app.elapse('delete from causeway.throttle');
    }
  });

  test('to six wrong codes, when a new password is set and at sign-up', async () => {
    for (const [scenario, attempt] of [
      ['forget', forget],
      ['register', register],
    ] as const) {
      const stranger = nobody();
      const answers = [];
      for (const email of [known.email, stranger]) {
        await app.elapse('delete from causeway.throttle');
        const { ticket } = (await ask(scenario, email)).data;
        const tries = [];
        for (let i = 0; i < 6; i++) tries.push(seen(await attempt(email, `00000${i}`, ticket)));
        answers.push(tries);
      }
      expect(answers[0]?.map(({ body }) => body.key)).toEqual([
        ...Array(4).fill('codeWrong'),
        'codeRequestBurnt',
        'codeRequestBurnt',
      ]);
      expect(answers[0]).toEqual(answers[1]);
    }
  });
});

test('only its owner’s mail tells: a sign-up with a known address gets another mail, a forgotten unknown one none', async () => {
  await app.elapse('delete from causeway.throttle');
  await app.deliver();
  app.mails.length = 0;
  const stranger = nobody();
  await ask('register', known.email);
  await ask('forget', stranger);
  await app.deliver();
  expect(app.mails.map(({ to, subject }) => [to, subject])).toEqual([
    [known.email, 'You already have a Causeway account'],
  ]);
});

test('even the code itself does not open a known address to another company', async () => {
  const email = nobody();
  const { ticket } = (await ask('register', email)).data;
  await app.deliver();
  const code = app.lastCode(email);
  // The address becomes known between the mail and the sign-up.
  await app.elapse('insert into causeway.email_directory values ($1, gen_random_uuid(), gen_random_uuid())', [email]);
  const refused = await app.call({
    path: '/web/user/register',
    body: {
      companyName: 'Pier',
      email,
      ticket,
      code,
      password: await app.encrypt('Another-Horse2'),
      invitationCode: await app.invite(),
      agreeTerms: true,
      agreePaymentTerms: true,
      agreePrivacy: true,
    },
  });
  expect(refused.key).toBe('codeWrong');
});

/** Attempts of each kind in a measurement. Each has a password's hash: on a busy machine that takes longer than other tests may. */
const attempts = process.env['PROOF_ROUNDS'] === undefined ? 13 : 41;
const measuring = { timeout: 240_000 };

/** Interleaved, so that whatever else the machine does falls on both alike; the median is of no outlier's making. */
async function ratioOfMedians(
  attempt: (email: string) => Promise<unknown>,
  before: (email: string) => Promise<unknown> = async () => undefined,
): Promise<number> {
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let i = 0; i < attempts; i++) {
    const order = i % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
    for (const which of order) {
      const email = which === 'known' ? known.email : nobody();
      await before(email);
      const start = performance.now();
      await attempt(email);
      times[which].push(performance.now() - start);
    }
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[(attempts - 1) / 2] ?? 0;
  return median(times.known) / median(times.unknown);
}

/** A difference is there in every measurement; one by a machine that was busy meanwhile is not there three times. */
async function expectAlikeLong(measure: () => Promise<number>): Promise<void> {
  const ratios: number[] = [];
  const isAlike = (ratio: number) => ratio > 0.67 && ratio < 1.5;
  while (ratios.length < 3 && !ratios.some(isAlike)) ratios.push(await measure());
  expect(ratios).toSatisfy((all: number[]) => all.some(isAlike));
}

test.each([
  ['sign-in', login],
  ['a forgotten password', forget],
  ['sign-up', register],
] as const)('%s takes alike long', measuring, async (_name, attempt) => {
  // Without the comparison with a hash that nothing matches it is about 5.
  await expectAlikeLong(() => ratioOfMedians((email) => attempt(email)));
});

describe('where strangers have failed too often', () => {
  let guarded: TestIdentity;
  let owner: Account;
  beforeAll(async () => {
    const many = 1_000_000;
    const open = { loginCaptchaAccount: many, loginCaptchaAddress: many, loginAddress: many, codesCaptcha: many };
    const limits = { ...open, codesAddress: many, loginAccount: 0, codesRecipient: 0 };
    guarded = await testIdentity(db, { passwordCost: undefined, limits });
    owner = known;
  });
  afterAll(() => guarded.close());

  test('the right password takes as long as a password for an unknown address', measuring, async () => {
    const attempt = async (email: string) => {
      const password = await guarded.encrypt(owner.password);
      const answer = await guarded.call({ path: '/web/user/login', body: { loginMethod: 'email', email, password } });
      expect(answer.data.guarded).toBe(true);
    };
    await expectAlikeLong(() => ratioOfMedians(attempt));
  });

  test('asking for the link of a forgotten password takes alike long', measuring, async () => {
    let captcha = '';
    await expectAlikeLong(() =>
      ratioOfMedians(
        (email) => guarded.call({ path: '/common/send-code', body: { scenario: 'forget', email, captcha } }),
        async () => {
          await app.elapse("delete from causeway.throttle where bucket like 'code:soon:%'");
          captcha = await guarded.captcha();
        },
      ),
    );
  });
});
