import * as calls from '@causeway/contract/operator.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { solveCaptcha } from '../../../testing/identity.ts';
import {
  codeOf,
  type OperatorApp,
  type OperatorRequest,
  operatorApp,
  operatorPassword,
  type TestOperator,
} from '../../../testing/operator-app.ts';
import { softPasskey } from '../../../testing/passkey.ts';

/** How operators sign in, and what protects it: the whole process on a real PostgreSQL, as the role of the console. */

let db: TestDatabase;
let world: OperatorApp;
beforeAll(async () => {
  db = await testDatabase();
  world = await operatorApp(db);
});
afterAll(async () => {
  await world.close();
  await db.close();
});

let networks = 0;
/** A network of its own, whose failures are no other test's. */
function network(): string {
  networks += 1;
  return `10.99.${networks}.1`;
}

async function firstStep(email: string, password: string, more: OperatorRequest & { captcha?: string } = {}) {
  const { captcha, ...request } = more;
  const body = { email, password: await world.encrypt(password), ...(captcha === undefined ? {} : { captcha }) };
  return world.ask(calls.operatorLogin, { ip: network(), ...request, body });
}

async function solved(email: string): Promise<string> {
  return solveCaptcha((await world.ask(calls.operatorCaptcha, { body: { email } })).data);
}

async function ticketOf(operator: TestOperator): Promise<string> {
  return (await firstStep(operator.email, operatorPassword)).data.ticket;
}

async function signIn(operator: TestOperator, headers: Record<string, string> = {}): Promise<{ token: string }> {
  const body = { ticket: await ticketOf(operator), code: world.code(operator.secret) };
  const answer = await world.ask(calls.operatorLoginCode, { headers, body });
  return { token: answer.data.accessToken };
}

async function proof(operator: TestOperator) {
  return { currentPassword: await world.encrypt(operatorPassword), code: world.code(operator.secret) };
}

test('password and a code of the authenticator open a session, and the password alone never does', async () => {
  const operator = await world.operator('support');
  const { data } = await firstStep(operator.email.toUpperCase(), operatorPassword);
  expect(data).toEqual({ ticket: expect.any(String), factors: ['authenticator'] });
  expect((await world.ask(calls.getOperator, { as: { token: data.ticket } })).key).toBe('sessionEnded');
  const as = await signIn(operator);
  const me = (await world.ask(calls.getOperator, { as })).data;
  expect(me).toMatchObject({ id: operator.id, role: 'support', state: 'active', openProposals: 0 });
  expect(me.lastSignInAt).not.toBeNull();
});

test('an unknown email, a wrong password, a disabled and an invited account get the same answer', async () => {
  const active = await world.operator('viewer');
  const disabled = await world.operator('viewer', 'disabled');
  const invited = await world.operator('viewer', 'invited');
  const answers = await Promise.all([
    firstStep('nobody@example.com', operatorPassword),
    firstStep(active.email, 'Wrong-Horse-1'),
    firstStep(disabled.email, operatorPassword),
    firstStep(invited.email, operatorPassword),
  ]);
  const said = answers.map(({ raw }) => JSON.stringify({ ...JSON.parse(raw.body), requestId: '' }));
  expect(new Set(said).size).toBe(1);
  expect(answers.map(({ status, key }) => [status, key])).toEqual(Array(4).fill([answers[0]?.status, 'loginFailed']));
});

test('a code serves once, also when two connections send it at the same time', async () => {
  const operator = await world.operator('viewer');
  const tickets = [await ticketOf(operator), await ticketOf(operator)];
  const code = world.code(operator.secret);
  const answers = await Promise.all(
    tickets.map((ticket) => world.ask(calls.operatorLoginCode, { body: { ticket, code } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const later = await world.ask(calls.operatorLoginCode, { body: { ticket: await ticketOf(operator), code } });
  expect(later.key).toBe('codeWrong');
});

test('a ticket serves once, and five wrong codes use it up', async () => {
  const operator = await world.operator('viewer');
  const ticket = await ticketOf(operator);
  const body = { ticket, code: world.code(operator.secret) };
  expect((await world.ask(calls.operatorLoginCode, { body })).status).toBe(200);
  const again = { ticket, code: world.code(operator.secret) };
  expect((await world.ask(calls.operatorLoginCode, { body: again })).key).toBe('signInExpired');
  const other = await ticketOf(operator);
  for (let tries = 0; tries < 5; tries += 1) {
    const wrong = await world.ask(calls.operatorLoginCode, { body: { ticket: other, code: '000000' } });
    expect(wrong.key).toBe('codeWrong');
  }
  const right = { ticket: other, code: world.code(operator.secret) };
  expect((await world.ask(calls.operatorLoginCode, { body: right })).key).toBe('codeRequestBurnt');
});

test('the captcha comes with failures; after ten of them nobody learns whether a password is right, and its owner still gets in', async () => {
  const operator = await world.operator('viewer');
  const { email } = operator;
  for (let failures = 0; failures < 3; failures += 1) {
    expect((await firstStep(email, 'Wrong-Horse-1')).key).toBe('loginFailed');
  }
  expect((await firstStep(email, 'Wrong-Horse-1')).key).toBe('captchaRequired');
  const captcha = await solved(email);
  expect((await firstStep(email, 'Wrong-Horse-1', { captcha })).key).toBe('loginFailed');
  expect((await firstStep(email, 'Wrong-Horse-1', { captcha })).key).toBe('captchaFailed');
  for (let failures = 4; failures < 10; failures += 1) {
    expect((await firstStep(email, 'Wrong-Horse-1', { captcha: await solved(email) })).key).toBe('loginFailed');
  }
  const wrong = await firstStep(email, 'Wrong-Horse-1', { captcha: await solved(email) });
  const right = await firstStep(email, operatorPassword, { captcha: await solved(email) });
  expect(wrong.data.factors).toEqual(right.data.factors);
  expect(wrong.data.ticket).toHaveLength(right.data.ticket.length);
  const code = world.code(operator.secret);
  expect((await world.ask(calls.operatorLoginCode, { body: { ticket: wrong.data.ticket, code } })).key).toBe(
    'codeWrong',
  );
  expect((await world.ask(calls.operatorLoginCode, { body: { ticket: right.data.ticket, code } })).status).toBe(200);
});

test('a session ends after its idle minutes, after twelve hours, and with its account', async () => {
  const operator = await world.operator('viewer');
  const as = await signIn(operator);
  const holds = async () => (await world.ask(calls.getOperator, { as })).status === 200;
  const shift = (set: string) =>
    db.console.pool.query(`update operator_session set ${set} where operator_id = $1`, [operator.id]);
  await shift("last_seen_at = now() - interval '16 minutes'");
  expect(await holds()).toBe(true);
  expect((await world.ask(calls.reportOperatorActivity, { as })).status).toBe(200);
  const { rows } = await db.console.pool.query<{ fresh: boolean }>(
    "select bool_or(last_seen_at > now() - interval '1 minute') as fresh from operator_session where operator_id = $1",
    [operator.id],
  );
  expect(rows).toEqual([{ fresh: true }]);
  await shift("last_seen_at = now() - interval '18 minutes'");
  expect(await holds()).toBe(false);
  await shift("last_seen_at = now(), expires_at = now() - interval '1 second'");
  expect(await holds()).toBe(false);
  await shift("expires_at = now() + interval '1 hour'");
  expect(await holds()).toBe(true);
  await db.console.pool.query("update operator_account set state = 'disabled' where id = $1", [operator.id]);
  expect(await holds()).toBe(false);
});

test('sessions are listed and ended by their owner alone', async () => {
  const [operator, other] = [await world.operator('viewer'), await world.operator('administrator')];
  const as = await signIn(operator, { 'user-agent': 'Firefox/140' });
  const sessions = (await world.ask(calls.listOperatorSessions, { as })).data;
  expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  expect(sessions[0]).toMatchObject({ browser: 'Firefox', factor: 'authenticator' });
  const params = { id: sessions[1]?.id ?? '' };
  expect((await world.ask(calls.endOperatorSession, { as: other, params })).key).toBe('notFound');
  expect((await world.ask(calls.endOperatorSession, { as, params })).status).toBe(200);
  expect((await world.ask(calls.getOperator, { as: operator })).key).toBe('sessionEnded');
  expect((await world.ask(calls.operatorLogout, { as })).status).toBe(200);
  expect((await world.ask(calls.getOperator, { as })).key).toBe('sessionEnded');
});

test('another password wants the present one and a code, ends every other session, and tells its owner', async () => {
  const operator = await world.operator('viewer');
  const as = await signIn(operator);
  await world.takeLetters();
  const newPassword = await world.encrypt('Another-Horse2');
  const wrong = {
    newPassword,
    currentPassword: await world.encrypt('Wrong-Horse-1'),
    code: world.code(operator.secret),
  };
  expect((await world.ask(calls.changeOperatorPassword, { as, body: wrong })).key).toBe('passwordWrong');
  const same = { newPassword: await world.encrypt(operatorPassword), ...(await proof(operator)) };
  expect((await world.ask(calls.changeOperatorPassword, { as, body: same })).key).toBe('passwordSame');
  const personal = { newPassword: await world.encrypt('Grace-Grace-1'), ...(await proof(operator)) };
  expect((await world.ask(calls.changeOperatorPassword, { as, body: personal })).key).toBe('passwordPersonal');
  expect(await world.takeLetters()).toEqual([]);
  const body = { newPassword, ...(await proof(operator)) };
  expect((await world.ask(calls.changeOperatorPassword, { as, body })).status).toBe(200);
  expect((await world.ask(calls.getOperator, { as })).status).toBe(200);
  expect((await world.ask(calls.getOperator, { as: operator })).key).toBe('sessionEnded');
  expect(await world.takeLetters()).toMatchObject([{ what: 'passwordChanged', to: { email: operator.email } }]);
  expect((await firstStep(operator.email, operatorPassword)).key).toBe('loginFailed');
  expect((await firstStep(operator.email, 'Another-Horse2')).status).toBe(200);
});

test('five wrong codes of a signed-in operator are the last for a while', async () => {
  const operator = await world.operator('viewer');
  const currentPassword = await world.encrypt(operatorPassword);
  for (let tries = 0; tries < 5; tries += 1) {
    const body = { currentPassword, code: '000000' };
    expect((await world.ask(calls.startOperatorPasskey, { as: operator, body })).key).toBe('codeWrong');
  }
  const body = await proof(operator);
  expect((await world.ask(calls.startOperatorPasskey, { as: operator, body })).key).toBe('codeBurnt');
});

test('a passkey is the second step after the password, counts up, and its owner hears of each change', async () => {
  const operator = await world.operator('treasury');
  const as = await signIn(operator);
  await world.takeLetters();
  const passkey = softPasskey();
  const options = (await world.ask(calls.startOperatorPasskey, { as, body: await proof(operator) })).data;
  const added = await world.ask(calls.addOperatorPasskey, {
    as,
    body: { name: 'Key', response: passkey.create(options) },
  });
  expect(added.data).toMatchObject({ name: 'Key', suspected: false });
  expect((await world.ask(calls.getOperator, { as: operator })).key).toBe('sessionEnded');
  const login = async () => {
    const { data } = await firstStep(operator.email, operatorPassword);
    expect(data.factors).toEqual(['authenticator', 'passkey']);
    const request = (await world.ask(calls.operatorLoginPasskeyOptions, { body: { ticket: data.ticket } })).data;
    return { ticket: data.ticket, request };
  };
  const { ticket, request } = await login();
  passkey.counter += 1;
  const response = passkey.get(request);
  expect((await world.ask(calls.operatorLoginPasskey, { body: { ticket, response } })).status).toBe(200);
  expect((await world.ask(calls.operatorLoginPasskey, { body: { ticket, response } })).key).toBe('signInExpired');
  const copy = await login();
  passkey.counter -= 1;
  const copied = { ticket: copy.ticket, response: passkey.get(copy.request) };
  expect((await world.ask(calls.operatorLoginPasskey, { body: copied })).key).toBe('passkeySuspected');
  expect((await world.ask(calls.listOperatorPasskeys, { as })).data[0]).toMatchObject({ suspected: true });
  const params = { id: added.data.id };
  expect((await world.ask(calls.removeOperatorPasskey, { as, params, body: await proof(operator) })).status).toBe(200);
  expect((await world.ask(calls.listOperatorPasskeys, { as })).data).toEqual([]);
  const letters = await world.takeLetters();
  expect(letters.map((letter) => 'what' in letter && letter.what)).toEqual([
    'passkeyAdded',
    'passkeySuspected',
    'passkeyRemoved',
  ]);
});

test('a sign-in from another browser is told, the first of all and a known one are not', async () => {
  const operator = await world.operator('viewer');
  await world.takeLetters();
  const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  await signIn(operator, firefox);
  await signIn(operator, firefox);
  expect(await world.takeLetters()).toEqual([]);
  await signIn(operator, { 'user-agent': 'Mozilla/5.0 (Macintosh) Version/26.0 Safari/605.1.15' });
  expect(await world.takeLetters()).toMatchObject([{ what: 'newDevice' }]);
});

test('a code of the time before the last used one serves no more', async () => {
  const operator = await world.operator('viewer');
  const early = codeOf(operator.secret, new Date(Date.now()));
  await signIn(operator);
  const body = { ticket: await ticketOf(operator), code: early };
  expect((await world.ask(calls.operatorLoginCode, { body })).key).toBe('codeWrong');
});

test('nothing went wrong on the way', () => {
  expect(world.complaints).toEqual([]);
});
