import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Secret, TOTP } from 'otpauth';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { batching, outcomeOf } from '../../platform/batching.ts';
import { deriveKey, seal, unseal } from '../../platform/crypto/secrets.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type TestIdentity, testIdentity } from '../../testing/identity.ts';
import type { ProofHolder, ProofRequest } from './index.ts';
import { codeMac, issueCode, memberHolder } from './service/code.ts';
import { insertCode } from './store/codes.ts';

/** Proofs for several members in one transaction of the database. */

const [appSecret, previousSecret] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')];
let db: TestDatabase;
let app: TestIdentity;
let owner: pg.Client;
/** The clock of authenticators. */
const now = Date.now();
beforeAll(async () => {
  db = await testDatabase();
  app = await testIdentity(db, {
    appSecret,
    previousAppSecrets: [previousSecret],
    clock: { now: () => new Date(now) },
  });
  owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
  // Members and companies of these tests have no rows of their own.
  await owner.query('set session_replication_role = replica; set search_path = causeway');
});
afterAll(async () => {
  await owner.end();
  await app.close();
  await db.close();
});

const keyOf = (error: unknown) => {
  if (!(error instanceof DomainError)) throw error;
  return [error.key, error.details];
};

/** Judges all of these in one transaction, in order; what is not to be used is refused by a later rule. */
function proveTogether(
  requests: readonly (ProofRequest & { isUsed?: boolean })[],
  among = requests.map(({ companyId }) => companyId),
) {
  return db.app.withCompanies(among, async (tx) => {
    const proofs = await app.identity.openProofs(tx, requests);
    const outcomes = requests.map((request) =>
      outcomeOf(() => {
        const { proof, use } = proofs.prove(request);
        if (request.isUsed === false) throw new DomainError('insufficientBalance');
        use();
        return proof;
      }),
    );
    tx.leave(proofs.write(tx));
    return outcomes;
  });
}

/** The same, each in a transaction of its own. */
async function proveAlone({ companyId, userId, isUsed, ...request }: ProofRequest & { isUsed?: boolean }) {
  try {
    const answer = await db.app.withCompany(companyId, async (tx) => {
      const session = { id: '', companyId, userId, userName: '', permissions: [] };
      const proof = await app.identity.verifyTransactionCode(tx, { session, ...request });
      if (isUsed === false) throw new DomainError('insufficientBalance');
      return proof;
    });
    return { answer };
  } catch (refused) {
    return { refused };
  }
}

const mailed = (companyId: string, userId: string): ProofHolder => ({
  companyId,
  userId,
  method: 'email',
  subject: 'transfer',
});
const byApp = (companyId: string, userId: string): ProofHolder => ({
  companyId,
  userId,
  method: 'otp_auth',
  subject: 'transfer',
});

async function bindAuthenticator(companyId: string, userId: string, secret: Buffer, isPrevious = false) {
  const key = deriveKey(isPrevious ? previousSecret : appSecret, 'totp');
  await owner.query(
    "insert into credential (company_id, user_id, password_hash, totp_secret) values ($1, $2, '', $3)",
    [companyId, userId, seal(key, secret, userId)],
  );
}

/** Writes a mailed code as one that was just issued. */
async function mail(
  companyId: string,
  userId: string,
  { id = newId(), code, digest }: { id?: string; code: string; digest: string },
) {
  const holder = memberHolder(userId, 'transaction');
  await db.app.withCompany(companyId, (tx) =>
    insertCode(tx, holder, { id, mac: codeMac(app.identity, holder, code, digest), digest }),
  );
  return id;
}

const totpCode = (secret: Buffer, steps = 0) =>
  TOTP.generate({
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
    digits: 6,
    period: 30,
    timestamp: now + steps * 30_000,
  });

async function triesOf(userId: string, scenario = 'transaction'): Promise<number | undefined> {
  const { rows } = await owner.query('select wrong_tries from code_guard where subject = $1 and scenario = $2', [
    userId,
    scenario,
  ]);
  return rows[0]?.wrong_tries;
}

const code = fc.constantFrom('111111', '222222');
const member = fc.record({
  codes: fc.record({ a: code, b: code, expired: code, replaced: code }),
  guard: fc.option(fc.record({ tries: fc.integer({ min: 0, max: 5 }), isOver: fc.boolean() })),
  authenticator: fc.constantFrom('none', 'bound', 'sealed before'),
  id: fc.noShrink(fc.uuid({ version: 4 })),
  secret: fc.noShrink(fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => Buffer.from(bytes))),
});
type Member = typeof member extends fc.Arbitrary<infer T> ? T : never;

/** A mailed code, or how many steps the authenticator's code is from now. */
const attempt = fc.record({
  by: fc.integer({ min: 0, max: 2 }),
  isUsed: fc.boolean(),
  digest: fc.constantFrom('a', 'b', 'expired', 'replaced'),
  proof: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('111111', '222222', '333333') },
    { weight: 1, arbitrary: fc.constantFrom(-9, -1, 0, 1) },
  ),
});
type Attempt = typeof attempt extends fc.Arbitrary<infer T> ? T : never;

/** Writes the members' codes, guards and authenticators in two new companies, of which the first has two. */
async function makeWorld(members: readonly Member[], attempts: readonly Attempt[]) {
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
  const placed = members.map((each, place) => ({ ...each, companyId: place < 2 ? first : second }));
  for (const { companyId, id, secret, codes, guard, authenticator } of placed) {
    for (const [digest, code] of Object.entries(codes)) await mail(companyId, id, { code, digest });
    if (guard) {
      await owner.query(
        `insert into code_guard
        select $1, $2, unnest(array['transaction', 'otp_auth']), $3, now() + make_interval(mins => $4)`,
        [companyId, id, guard.tries, guard.isOver ? -1 : 10],
      );
    }
    if (authenticator !== 'none') await bindAuthenticator(companyId, id, secret, authenticator === 'sealed before');
  }
  await owner.query(
    `update verification_code set replaced_at = case digest when 'replaced' then now() end,
      expires_at = case digest when 'expired' then now() - interval '1 second' else expires_at end
    where company_id = any ($1)`,
    [[first, second]],
  );
  const requests = attempts.flatMap(({ by, proof, ...rest }) => {
    const { companyId, id, secret } = placed[by] ?? placed[0]!;
    if (typeof proof === 'string') return [{ ...mailed(companyId, id), ...rest, code: proof }];
    return [{ ...byApp(companyId, id), ...rest, code: totpCode(secret, proof) }];
  });
  return { companies: [first, second], requests };
}

async function storedOf(companies: readonly string[]) {
  const { rows: guards } = await owner.query<{ subject: string; scenario: string; tries: number; began: boolean }>(
    `select subject, scenario, wrong_tries as tries, window_ends_at > now() + interval '20 minutes' as began from code_guard
    where company_id = any ($1) and wrong_tries > 0 and window_ends_at > now() order by subject, scenario`,
    [companies],
  );
  const { rows: codes } = await owner.query(
    `select subject, scenario, method, digest, used_at is not null as used, replaced_at is not null as replaced
    from verification_code where company_id = any ($1) order by subject, method, digest, used`,
    [companies],
  );
  const { rows } = await owner.query<{ id: string; sealed: Buffer; step: number }>(
    `select user_id as id, totp_secret as sealed, totp_last_step as step from credential
    where company_id = any ($1) order by user_id`,
    [companies],
  );
  const authenticators = rows.map(({ id, sealed, step }) => ({
    id,
    step,
    isSealedByNewest: isSealedByNewest(sealed, id),
  }));
  return { guards, codes, authenticators };
}

function isSealedByNewest(sealed: Buffer, id: string): boolean {
  try {
    unseal(deriveKey(appSecret, 'totp'), sealed, id);
    return true;
  } catch {
    return false;
  }
}

/** What the rules say, without a database: outcomes, wrong tries left by `id scenario`, who used an authenticator. */
function expectedOf(members: readonly Member[], attempts: readonly Attempt[]) {
  const tries = new Map<string, number>();
  const live = new Map(
    members.map(({ id, codes: { a, b } }) => [
      id,
      new Map([
        ['a', a],
        ['b', b],
      ]),
    ]),
  );
  const steps = new Map<string, number>();
  for (const { id, guard } of members) {
    for (const scenario of ['transaction', 'otp_auth']) {
      tries.set(`${id} ${scenario}`, guard && !guard.isOver ? guard.tries : 0);
    }
  }
  const outcomes = attempts.map(({ by, proof, digest, isUsed }) => {
    const { id, authenticator } = members[by]!;
    const isMailed = typeof proof === 'string';
    const guard = `${id} ${isMailed ? 'transaction' : 'otp_auth'}`;
    const counted = tries.get(guard) ?? 0;
    if (counted >= 5) return 'codeBurnt';
    if (!isMailed && authenticator === 'none') return 'mfaNotBound';
    const codes = live.get(id)!;
    if (isMailed ? codes.get(digest) === proof : proof > (steps.get(id) ?? -2)) {
      if (!isUsed) return 'insufficientBalance';
      if (isMailed) codes.delete(digest);
      else steps.set(id, proof);
      tries.set(guard, 0);
      return isMailed ? 'email' : 'otp_auth';
    }
    tries.set(guard, counted + 1);
    if (counted === 4) return 'codeBurnt';
    return isMailed && [...codes.values()].some((one) => one === proof) ? 'transferCodeMismatch' : 'codeWrong';
  });
  return { outcomes, tries: Object.fromEntries([...tries].filter(([, counted]) => counted > 0)), steps };
}

test('tries decided in one batch end as the rules say and as in a transaction each: outcomes, and what is stored', async () => {
  const members = fc.tuple(member, member, member);
  const attempts = fc.array(attempt, { minLength: 1, maxLength: 14 });
  const shown = (outcome: Awaited<ReturnType<typeof proveAlone>>) =>
    'refused' in outcome ? keyOf(outcome.refused) : [outcome.answer.method];
  await fc.assert(
    fc.asyncProperty(members, attempts, async (people, tried) => {
      const batch = await makeWorld(people, tried);
      const single = await makeWorld(people, tried);
      const together = (await proveTogether(batch.requests)).map(shown);
      const alone: typeof together = [];
      for (const request of single.requests) alone.push(shown(await proveAlone(request)));
      expect(together).toEqual(alone);
      const stored = await storedOf(batch.companies);
      expect(stored).toEqual(await storedOf(single.companies));
      const expected = expectedOf(people, tried);
      expect(together.map(([outcome]) => outcome)).toEqual(expected.outcomes);
      const triesLeft = stored.guards.map(({ subject, scenario, tries }) => [`${subject} ${scenario}`, tries]);
      expect(Object.fromEntries(triesLeft)).toEqual(expected.tries);
      for (const { id, isSealedByNewest } of stored.authenticators) {
        const isBound = people.some((each) => each.id === id && each.authenticator === 'bound');
        expect(isSealedByNewest).toBe(isBound || expected.steps.has(id));
      }
    }),
    { numRuns: 80 },
  );
}, 120_000);

test('of a thousand parallel guesses in batches four are compared, the fifth burns the codes, and the right one comes too late', async () => {
  const [companyId, userId] = [crypto.randomUUID(), crypto.randomUUID()];
  await mail(companyId, userId, { code: '111111', digest: 'a' });
  const guess = batching<ProofRequest, unknown>({
    connections: 2,
    maxSize: 32,
    run: (guesses) => proveTogether(guesses),
    failsForAll: () => true,
  });
  const request = { ...mailed(companyId, userId), digest: 'a' };
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, i) =>
      guess({ ...request, code: i < 200 ? String(200_000 + i) : '111111' }).then(
        () => 'used',
        (error) => keyOf(error)[0],
      ),
    ),
  );
  expect(answers.filter((answer) => answer === 'codeWrong')).toHaveLength(4);
  expect(answers.filter((answer) => answer === 'codeBurnt')).toHaveLength(996);
  expect(await triesOf(userId)).toBe(5);
});

test('a batch and a transaction of one company, racing for one code, have one winner', async () => {
  const [companyId, userId] = [crypto.randomUUID(), crypto.randomUUID()];
  for (let round = 0; round < 60; round++) {
    const code = await db.app.withCompany(companyId, (tx) =>
      issueCode(tx, app.identity, memberHolder(userId, 'transaction'), String(round)),
    );
    const request = { ...mailed(companyId, userId), code, digest: String(round) };
    const [[batch], alone] = await Promise.all([proveTogether([request]), proveAlone(request)]);
    const refused = [batch, alone].flatMap((outcome) =>
      outcome && 'refused' in outcome ? [keyOf(outcome.refused)[0]] : [],
    );
    expect(refused).toEqual(['codeWrong']);
    await owner.query('update code_guard set wrong_tries = 0 where subject = $1', [userId]);
  }
});

test('a member of a company that the batch was not begun for cannot be proved', async () => {
  const [mine, other, userId] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  await mail(other, userId, { code: '111111', digest: 'a' });
  const request = { ...mailed(other, userId), code: '111111', digest: 'a' };
  await expect(proveTogether([request], [mine])).rejects.toMatchObject({ code: '42501' });
  const alone = db.app.withCompany(mine, (tx) => app.identity.openProofs(tx, [request]));
  await expect(alone).rejects.toMatchObject({ code: '42501' });
  expect(await proveTogether([request])).toMatchObject([{ answer: { method: 'email' } }]);
});

test('a code that ended after it was read fails the batch', async () => {
  const [companyId, userId] = [crypto.randomUUID(), crypto.randomUUID()];
  const id = await mail(companyId, userId, { code: '111111', digest: 'a' });
  const request = { ...mailed(companyId, userId), code: '111111', digest: 'a' };
  const attempt = db.app.withCompanies([companyId], async (tx) => {
    const proofs = await app.identity.openProofs(tx, [request]);
    proofs.prove(request).use();
    // Nothing in the product changes a code without its guard.
    await owner.query('update verification_code set replaced_at = now() where id = $1', [id]);
    tx.leave(proofs.write(tx));
  });
  await expect(attempt).rejects.toThrow('of 1 codes to be used up, 0 were live');
});

test('an authenticator proves no transfer where codes go to an administrator, and nothing is counted', async () => {
  const [companyId, userId, administrator] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const secret = randomBytes(20);
  await bindAuthenticator(companyId, userId, secret);
  await bindAuthenticator(companyId, administrator, secret);
  await owner.query(
    "insert into company_setting (company_id, time_zone, code_recipient) values ($1, 'Asia/Hong_Kong', 'administrator')",
    [companyId],
  );
  await owner.query(
    `insert into member (company_id, id, identifier, email, language, role_id, activated_at)
    values ($1, $2, 'administrator', 'a@example.com', 'en_US', '00000000-0000-7000-8000-000000000001', now())`,
    [companyId, administrator],
  );
  const asked = (id: string, subject: ProofHolder['subject'] = 'transfer') => ({
    ...byApp(companyId, id),
    subject,
    code: totpCode(secret),
    digest: 'a',
  });
  const outcomes = await proveTogether([asked(userId), asked(userId, 'security'), asked(administrator)]);
  expect(outcomes.map((outcome) => ('refused' in outcome ? keyOf(outcome.refused)[0] : 'used'))).toEqual([
    'codeForAdministrator',
    'used',
    // A sole administrator confirms their own.
    'used',
  ]);
  expect(await triesOf(userId, 'otp_auth')).toBe(0);
});

test('what decides is locked and read in one round trip', async () => {
  const holders = [crypto.randomUUID(), crypto.randomUUID()].flatMap((id) => [mailed(id, id), byApp(id, id)]);
  const events: string[] = [];
  await db.app.withCompanies(
    holders.map(({ companyId }) => companyId),
    async (tx) => {
      const executor = tx.getExecutor();
      const execute = executor.executeQuery.bind(executor);
      executor.executeQuery = (query) => {
        events.push('issued');
        return execute<never>(query).finally(() => events.push('answered'));
      };
      await app.identity.openProofs(tx, holders);
    },
  );
  expect(events).toEqual([...Array(4).fill('issued'), ...Array(4).fill('answered')]);
});
