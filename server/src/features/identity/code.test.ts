import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import type { Session } from '../../platform/session.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type TestIdentity, testIdentity } from '../../testing/identity.ts';
import { issueCode, memberHolder } from './service/code.ts';
import { forgetWrongTries } from './store/codes.ts';

let db: TestDatabase;
let app: TestIdentity;
beforeAll(async () => {
  db = await testDatabase();
  app = await testIdentity(db);
});
afterAll(async () => {
  await app.close();
  await db.close();
});

const digestOf = (content: unknown) => createHash('sha256').update(JSON.stringify(content)).digest('hex');
const wrong = (code: string, by = 1) => ((Number(code) + by) % 1_000_000).toString().padStart(6, '0');

async function signedIn() {
  const account = await app.signUp();
  const token: string = (await app.signIn(account)).data.accessToken!;
  const session = await app.identity.authenticate(token, false);
  if (!session) throw new Error('not signed in');
  return { account, token, session };
}

const ask = (token: string, content: unknown) =>
  app.call({
    path: '/common/user/send-code',
    token,
    body: { scenario: 'transaction', subject: { kind: 'transfer', content } },
  });

async function codeFor({ account, token }: { account: { email: string }; token: string }, content: unknown) {
  const sent = await ask(token, content);
  expect(sent.errors).toEqual([]);
  await app.deliver();
  return app.lastCode(account.email);
}

/** What a transfer does with its code; the answer is `used` or the error's key. */
async function use(session: Session, code: string, content: unknown, fail = false): Promise<string> {
  try {
    return await db.app.withCompany(session.companyId, async (tx) => {
      await app.identity.verifyTransactionCode(tx, {
        session,
        method: 'email',
        code,
        digest: digestOf(content),
        subject: 'transfer',
      });
      if (fail) throw new DomainError('insufficientBalance');
      return 'used';
    });
  } catch (error) {
    if (error instanceof DomainError) return error.key;
    throw error;
  }
}

const transfer = (amount: string) => ({ id: '01', amount });

describe('a code for a transaction', () => {
  test('stands in a mail with the facts it confirms', async () => {
    const member = await signedIn();
    await codeFor(member, { amount: '12.50', payee: '<Wong>\r\nBcc: x@example.com' });
    const mail = app.mails.findLast(({ to }) => to === member.account.email);
    expect(mail?.text).toContain('amount: 12.50');
    expect(mail?.text).toContain('payee: <Wong> Bcc: x@example.com\n');
    expect(mail?.html).toContain('&lt;Wong&gt;');
  });

  test('serves its content, once, and gives the row of its proof', async () => {
    const member = await signedIn();
    const code = await codeFor(member, transfer('1'));
    expect(await use(member.session, code, transfer('2'))).toBe('transferCodeMismatch');
    expect(await use(member.session, code, transfer('1'))).toBe('used');
    expect(await use(member.session, code, transfer('1'))).toBe('codeWrong');
  });

  test('is as good as before when the transaction it was for is rolled back', async () => {
    const member = await signedIn();
    const code = await codeFor(member, transfer('1'));
    expect(await use(member.session, code, transfer('1'), true)).toBe('insufficientBalance');
    expect(await use(member.session, code, transfer('1'))).toBe('used');
  });

  test('is nobody else’s, not even within the company’s digest', async () => {
    const member = await signedIn();
    const other = await signedIn();
    const code = await codeFor(member, transfer('1'));
    expect(await use(other.session, code, transfer('1'))).toBe('codeWrong');
    expect(await use(member.session, code, transfer('1'))).toBe('used');
  });

  test('ends after ten minutes', async () => {
    const member = await signedIn();
    const code = await codeFor(member, transfer('1'));
    await app.elapse("update causeway.verification_code set expires_at = now() - interval '1 second'");
    expect(await use(member.session, code, transfer('1'))).toBe('codeWrong');
  });

  test('is replaced by another for the same content, after a minute', async () => {
    const member = await signedIn();
    const first = await codeFor(member, transfer('1'));
    const soon = await ask(member.token, transfer('1'));
    expect([soon.status, soon.key]).toEqual([429, 'codeTooSoon']);
    expect(soon.errors[0]).toMatch(/^A code was just sent\. Please wait (60|59|58|57) seconds/);
    const other = await codeFor(member, transfer('2'));
    await app.elapse("update causeway.verification_code set issued_at = issued_at - interval '61 seconds'");
    const second = await codeFor(member, transfer('1'));
    if (first !== second) expect(await use(member.session, first, transfer('1'))).toBe('codeWrong');
    expect(await use(member.session, second, transfer('1'))).toBe('used');
    expect(await use(member.session, other, transfer('2'))).toBe('used');
  });
});

describe('guessing', () => {
  test('one code used by 50 at the same time succeeds once', async () => {
    const member = await signedIn();
    const code = await codeFor(member, transfer('1'));
    const answers = await Promise.all(Array.from({ length: 50 }, () => use(member.session, code, transfer('1'))));
    expect(answers.filter((answer) => answer === 'used')).toHaveLength(1);
  });

  test('in 200 rounds of two at the same time there is one winner each', async () => {
    const { session } = await signedIn();
    const holder = memberHolder(session.userId, 'transaction');
    for (let round = 0; round < 200; round++) {
      const content = transfer(String(round));
      const code = await db.app.withCompany(session.companyId, (tx) =>
        issueCode(tx, app.identity, holder, digestOf(content)),
      );
      const answers = await Promise.all([use(session, code, content), use(session, code, content)]);
      expect(answers.sort()).toEqual(['codeWrong', 'used']);
      await db.app.withCompany(session.companyId, (tx) => forgetWrongTries(tx, holder));
    }
  });

  test('50 different guesses at the same time get five answers, and the right one comes too late', async () => {
    const member = await signedIn();
    const code = await codeFor(member, transfer('1'));
    const guesses = Array.from({ length: 50 }, (_, i) => use(member.session, wrong(code, i + 1), transfer('1')));
    const answers = await Promise.all(guesses);
    expect(answers.filter((answer) => answer === 'codeWrong')).toHaveLength(4);
    expect(answers.filter((answer) => answer === 'codeBurnt')).toHaveLength(46);
    expect(await use(member.session, code, transfer('1'))).toBe('codeBurnt');
  });

  test('asking for another code buys no more guesses', async () => {
    const member = await signedIn();
    const code = await codeFor(member, transfer('1'));
    for (let i = 1; i <= 3; i++) expect(await use(member.session, wrong(code, i), transfer('1'))).toBe('codeWrong');
    await app.elapse("update causeway.verification_code set issued_at = issued_at - interval '61 seconds'");
    const second = await codeFor(member, transfer('1'));
    expect(await use(member.session, wrong(second, 1), transfer('1'))).toBe('codeWrong');
    expect(await use(member.session, wrong(second, 2), transfer('1'))).toBe('codeBurnt');
    expect(await use(member.session, second, transfer('1'))).toBe('codeBurnt');
    const third = await ask(member.token, transfer('3'));
    expect([third.status, third.key]).toEqual([400, 'codeBurnt']);
    await app.elapse("update causeway.code_guard set window_ends_at = now() - interval '1 second'");
    const fourth = await codeFor(member, transfer('3'));
    expect(await use(member.session, fourth, transfer('3'))).toBe('used');
  });

  test('guesses over HTTP stay counted although each request fails', async () => {
    const account = await app.signUp();
    const password = await app.encrypt(account.password);
    const login = (body: Record<string, unknown>) =>
      app.call({ path: '/web/user/login', body: { loginMethod: 'email', ...body } });
    const { ticket } = (await login({ email: account.email, password })).data;
    await app.call({ path: '/common/send-code', body: { scenario: 'login', ticket } });
    await app.deliver();
    const code = app.lastCode(account.email);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => login({ ticket, code: wrong(code, i + 1) })),
    );
    expect(answers.filter(({ key }) => key === 'codeWrong')).toHaveLength(4);
    expect(answers.filter(({ key }) => key === 'codeRequestBurnt')).toHaveLength(16);
    expect((await login({ ticket, code })).key).toBe('codeRequestBurnt');
  });
});

test('whatever is asked for and guessed in whatever order, a code works at most once, and never after five misses', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('issue' as const), digest: fc.constantFrom('a', 'b') }),
    fc.record({ kind: fc.constant('right' as const), digest: fc.constantFrom('a', 'b') }),
    fc.record({ kind: fc.constant('wrong' as const), digest: fc.constantFrom('a', 'b') }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16 }), async (steps) => {
      const companyId = crypto.randomUUID();
      const holder = memberHolder(crypto.randomUUID(), 'transaction');
      const live = new Map<string, string>();
      let misses = 0;
      for (const { kind, digest } of steps) {
        const run = (work: Parameters<typeof db.app.withCompany<string>>[1]) =>
          db.app.withCompany(companyId, work).catch((error: DomainError) => `refused ${error.key}`);
        if (kind === 'issue') {
          const answer = await run((tx) => issueCode(tx, app.identity, holder, digest));
          const expected = misses >= 5 ? 'refused codeBurnt' : live.has(digest) ? 'refused codeTooSoon' : null;
          if (expected) expect(answer).toBe(expected);
          else live.set(digest, answer);
          continue;
        }
        const known = live.get(digest);
        const guess = kind === 'right' && known !== undefined ? known : unlike([...live.values()]);
        const session = { id: '', companyId, userId: holder.subject, userName: '', permissions: [] };
        const request = { session, method: 'email', code: guess, digest, subject: 'transfer' } as const;
        const answer = await run(async (tx) => (await app.identity.verifyTransactionCode(tx, request)).id);
        if (misses >= 5) expect(answer).toBe('refused codeBurnt');
        else if (guess === known) {
          expect(answer).not.toContain('refused');
          live.delete(digest);
          misses = 0;
        } else {
          misses++;
          expect(answer).toBe(misses === 5 ? 'refused codeBurnt' : 'refused codeWrong');
        }
      }
    }),
    { numRuns: 60 },
  );
});

function unlike(codes: string[]): string {
  return ['000000', '000001', '000002'].find((code) => !codes.includes(code)) ?? '';
}
