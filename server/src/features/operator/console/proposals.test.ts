import * as calls from '@causeway/contract/operator.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import {
  codeOf,
  type OperatorApp,
  operatorApp,
  operatorPassword,
  type TestOperator,
} from '../../../testing/operator-app.ts';
import { present } from '../../../testing/present.ts';

/** What one operator proposes and another confirms, and what is done at once: the whole process on a real PostgreSQL. */

let db: TestDatabase;
let world: OperatorApp;
/** Two who decide on each other's proposals. */
let [one, two]: TestOperator[] = [];
const proposer = () => present(one);
const decider = () => present(two);
const reason = 'Agreed by phone';
const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);

beforeAll(async () => {
  db = await testDatabase();
  world = await operatorApp(db);
  [one, two] = [await world.operator('administrator'), await world.operator('administrator')];
});
afterAll(async () => {
  await world.close();
  await db.close();
});

function invitation(more: object = {}) {
  const id = newId();
  return { id, name: 'Ada Wong', email: `${id}@example.com`, role: 'support', language: 'zh_HK', reason, ...more };
}

async function propose(body = invitation(), as = proposer()): Promise<string> {
  return (await world.ask(calls.proposeStaff, { as, body })).data.proposalId;
}

async function proposeRole(of: TestOperator, role: string, as = proposer()): Promise<string> {
  return present(
    (await world.ask(calls.proposeStaffRole, { as, params: { id: of.id }, body: { role, reason } })).data.proposalId,
  );
}

async function confirming(id: string, as = decider(), change: object = {}) {
  const { digest } = (await world.ask(calls.getProposal, { as, params: { id } })).data;
  return { as, params: { id }, body: { digest, code: world.code(as.secret), ...change } };
}

async function confirm(id: string, as = decider(), change: object = {}) {
  return world.ask(calls.confirmProposal, await confirming(id, as, change));
}

async function stateOf(id: string) {
  return (await world.ask(calls.getProposal, { as: proposer(), params: { id } })).data.state;
}

async function outdated(id: string): Promise<boolean> {
  return (await world.ask(calls.getProposal, { as: decider(), params: { id } })).data.outdated;
}

async function roleOf({ id }: Pick<TestOperator, 'id'>) {
  const { rows } = await db.console.pool.query('select role, state from operator_account where id = $1', [id]);
  return rows[0];
}

test('an invited colleague gets a link, sets password and authenticator, and signs in', async () => {
  const body = invitation();
  const id = await propose(body);
  expect(await roleOf(body)).toBeUndefined();
  const shown = (await world.ask(calls.getProposal, { as: decider(), params: { id } })).data;
  expect(shown).toMatchObject({
    title: 'Invite Ada Wong as Support',
    canDecide: true,
    canWithdraw: false,
    state: 'open',
  });
  expect(shown.changes.map(({ label, after }) => [label, after])).toEqual([
    ['Name', 'Ada Wong'],
    ['Email', body.email],
    ['Role', 'Support'],
    ['Language', 'Traditional Chinese'],
  ]);
  expect(shown.outdated).toBe(false);
  expect((await world.ask(calls.getOperator, { as: decider() })).data.openProposals).toBe(1);
  expect((await world.ask(calls.getOperator, { as: proposer() })).data.openProposals).toBe(0);
  await world.takeLetters();
  expect((await confirm(id)).status).toBe(200);
  expect(await stateOf(id)).toBe('confirmed');
  expect(await roleOf(body)).toEqual({ role: 'support', state: 'invited' });
  const [letter] = await world.takeLetters();
  expect(letter).toMatchObject({
    kind: 'invitation',
    to: { email: body.email, language: 'zh_HK' },
    by: proposer().name,
  });
  const token = present(letter?.url.split('#')[1]);
  const link = (await world.ask(calls.checkOperatorActivation, { body: { token } })).data;
  expect((await world.ask(calls.checkOperatorActivation, { body: { token } })).data.secret).toBe(link.secret);
  const { Secret } = await import('otpauth');
  const secret = Buffer.from(Secret.fromBase32(link.secret).bytes);
  const password = await world.encrypt('Fresh-Lantern7');
  const wrong = { token, password, code: '000000' };
  expect((await world.ask(calls.activateOperator, { body: wrong })).key).toBe('codeWrong');
  const right = { token, password, code: world.code(secret) };
  expect((await world.ask(calls.activateOperator, { body: right })).status).toBe(200);
  expect((await world.ask(calls.activateOperator, { body: right })).key).toBe('activationInvalid');
  const first = await world.ask(calls.operatorLogin, { body: { email: body.email, password } });
  const replay = { ticket: first.data.ticket, code: right.code };
  expect((await world.ask(calls.operatorLoginCode, { body: replay })).key).toBe('codeWrong');
  const second = { ticket: first.data.ticket, code: world.code(secret) };
  expect((await world.ask(calls.operatorLoginCode, { body: second })).status).toBe(200);
});

test('its proposer cannot confirm or reject a proposal, and others cannot withdraw it', async () => {
  const id = await propose();
  const own = await confirming(id, proposer());
  expect((await world.ask(calls.confirmProposal, own)).key).toBe('proposalOwn');
  const rejecting = { params: { id }, body: { reason } };
  expect((await world.ask(calls.rejectProposal, { as: proposer(), ...rejecting })).key).toBe('proposalOwn');
  const compliance = await world.operator('compliance');
  expect((await confirm(id, compliance)).key).toBe('noPermission');
  expect((await world.ask(calls.rejectProposal, { as: compliance, ...rejecting })).key).toBe('noPermission');
  expect((await world.ask(calls.withdrawProposal, { as: decider(), params: { id } })).key).toBe('noPermission');
  expect(await confirm(newId()).catch(() => null)).toBeNull();
  expect((await world.ask(calls.rejectProposal, { as: decider(), ...rejecting })).status).toBe(200);
  expect((await world.ask(calls.getProposal, { as: decider(), params: { id } })).data).toMatchObject({
    state: 'rejected',
    decisionReason: reason,
    decidedBy: { id: decider().id },
    canDecide: false,
  });
  expect((await world.ask(calls.rejectProposal, { as: decider(), ...rejecting })).key).toBe('proposalDecided');
  expect((await world.ask(calls.withdrawProposal, { as: proposer(), params: { id } })).key).toBe('proposalDecided');
});

test('operators cannot change their own account, nor decide on proposals about it', async () => {
  const params = { id: proposer().id };
  const body = { reason };
  for (const call of [calls.disableStaff, calls.proposeStaffReactivation, calls.proposeStaffReset]) {
    expect((await world.ask(call, { as: proposer(), params, body })).key).toBe('operatorSelf');
  }
  const role = { reason, role: 'viewer' };
  expect((await world.ask(calls.proposeStaffRole, { as: proposer(), params, body: role })).key).toBe('operatorSelf');
  const subject = await world.operator('administrator');
  const reset = await world.ask(calls.proposeStaffReset, { as: proposer(), params: { id: subject.id }, body });
  const id = reset.data.proposalId;
  expect((await confirm(id, subject)).key).toBe('operatorSelf');
  expect((await world.ask(calls.getProposal, { as: subject, params: { id } })).data.canDecide).toBe(false);
  const decidable = await world.ask(calls.listProposals, { as: subject, query: { mine: 'decide' } });
  expect(decidable.data.items.map((item) => item.id)).not.toContain(id);
  await world.ask(calls.withdrawProposal, { as: proposer(), params: { id } });
});

test('a confirmation wants a code that serves once, and the digest of what its reader saw', async () => {
  const [first, second] = [await propose(), await propose()];
  expect((await confirm(first, decider(), { code: '000000' })).key).toBe('codeWrong');
  const other = await world.ask(calls.getProposal, { as: decider(), params: { id: second } });
  expect((await confirm(first, decider(), { digest: other.data.digest })).key).toBe('proposalStale');
  expect(await stateOf(first)).toBe('open');
  const request = await confirming(first);
  expect((await world.ask(calls.confirmProposal, request)).status).toBe(200);
  expect((await confirm(second, decider(), { code: request.body.code })).key).toBe('codeWrong');
  expect(await stateOf(second)).toBe('open');
  expect((await confirm(second)).status).toBe(200);
});

test('one code for two confirmations at the same time confirms one', async () => {
  const ids = [await propose(), await propose()];
  const requests = [await confirming(present(ids[0])), await confirming(present(ids[1]))];
  const code = world.code(decider().secret);
  const answers = await Promise.all(
    requests.map((request) => world.ask(calls.confirmProposal, { ...request, body: { ...request.body, code } })),
  );
  expect(answers.map(({ key }) => key).sort()).toEqual(['codeWrong', null].sort());
});

test('more rights want a second person, fewer do not; what changed meanwhile is stale', async () => {
  const colleague = await world.operator('viewer');
  const id = await proposeRole(colleague, 'support');
  expect(await roleOf(colleague)).toMatchObject({ role: 'viewer' });
  const again = { as: decider(), params: { id: colleague.id }, body: { role: 'treasury', reason } };
  expect((await world.ask(calls.proposeStaffRole, again)).key).toBe('proposalOpen');
  expect((await confirm(id)).status).toBe(200);
  expect(await roleOf(colleague)).toMatchObject({ role: 'support' });
  // Neither of the two allows all that the other does.
  const across = await proposeRole(colleague, 'treasury');
  const less = { as: decider(), params: { id: colleague.id }, body: { role: 'viewer', reason } };
  expect((await world.ask(calls.proposeStaffRole, less)).data).toEqual({ proposalId: null });
  expect(await roleOf(colleague)).toMatchObject({ role: 'viewer' });
  expect((await world.ask(calls.proposeStaffRole, less)).key).toBe('nothingChanges');
  // Its page says so before anyone tries.
  expect(await outdated(across)).toBe(true);
  expect((await confirm(across)).key).toBe('proposalStale');
  expect(await stateOf(across)).toBe('stale');
  expect(await roleOf(colleague)).toMatchObject({ role: 'viewer' });
});

test('an email is taken once, whether its account is there or proposed', async () => {
  const body = invitation();
  const id = await propose(body);
  const same = invitation({ email: body.email.toUpperCase() });
  expect((await world.ask(calls.proposeStaff, { as: decider(), body: same })).key).toBe('proposalOpen');
  await confirm(id);
  expect((await world.ask(calls.proposeStaff, { as: decider(), body: same })).key).toBe('operatorExists');
  const sameId = invitation({ id: body.id });
  expect((await world.ask(calls.proposeStaff, { as: decider(), body: sameId })).key).toBe('idTaken');
});

test('a colleague who is disabled is out at once, with what they proposed, and comes back by two others', async () => {
  const colleague = await world.operator('administrator');
  const theirs = await propose(invitation(), colleague);
  const params = { id: colleague.id };
  expect((await world.ask(calls.disableStaff, { as: proposer(), params, body: { reason } })).status).toBe(200);
  expect((await world.ask(calls.getOperator, { as: colleague })).key).toBe('sessionEnded');
  expect(await stateOf(theirs)).toBe('withdrawn');
  const reset = await world.ask(calls.proposeStaffReset, { as: proposer(), params, body: { reason } });
  expect(reset.key).toBe('operatorDisabled');
  const back = await world.ask(calls.proposeStaffReactivation, { as: proposer(), params, body: { reason } });
  expect((await confirm(back.data.proposalId)).status).toBe(200);
  expect(await roleOf(colleague)).toEqual({ role: 'administrator', state: 'active' });
  const body = { email: colleague.email, password: await world.encrypt(operatorPassword) };
  expect((await world.ask(calls.operatorLogin, { body })).status).toBe(200);
  await world.ask(calls.disableStaff, { as: proposer(), params, body: { reason } });
});

test('a reset ends password, authenticator and sessions until the new link is used', async () => {
  const colleague = await world.operator('viewer');
  const params = { id: colleague.id };
  const reset = await world.ask(calls.proposeStaffReset, { as: proposer(), params, body: { reason } });
  await world.takeLetters();
  expect((await confirm(reset.data.proposalId)).status).toBe(200);
  expect((await world.ask(calls.getOperator, { as: colleague })).key).toBe('sessionEnded');
  const body = { email: colleague.email, password: await world.encrypt(operatorPassword) };
  expect((await world.ask(calls.operatorLogin, { body })).key).toBe('loginFailed');
  expect(await world.takeLetters()).toMatchObject([{ kind: 'reset', to: { email: colleague.email } }]);
  // Disabled and back: the reset still holds.
  await world.ask(calls.disableStaff, { as: proposer(), params, body: { reason } });
  const back = await world.ask(calls.proposeStaffReactivation, { as: proposer(), params, body: { reason } });
  await confirm(back.data.proposalId);
  expect(await roleOf(colleague)).toMatchObject({ state: 'invited' });
});

test('after seven days a proposal is expired, for its reader at once, and makes room for another', async () => {
  const colleague = await world.operator('viewer');
  const id = await proposeRole(colleague, 'support');
  const client = await superuser();
  await client.query("update causeway.operator_proposal set expires_at = now() - interval '1 second' where id = $1", [
    id,
  ]);
  await client.end();
  expect(await stateOf(id)).toBe('expired');
  const listed = await world.ask(calls.listProposals, { as: proposer(), query: { state: 'expired' } });
  expect(listed.data.items.map((item) => item.id)).toEqual([id]);
  expect((await confirm(id)).key).toBe('proposalExpired');
  expect((await world.ask(calls.withdrawProposal, { as: proposer(), params: { id } })).key).toBe('proposalExpired');
  expect((await confirm(await proposeRole(colleague, 'support'))).status).toBe(200);
  expect((await world.audited()).filter((action) => action === 'proposal.expire')).toHaveLength(1);
});

async function superuser() {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: db.superuserUrl });
  await client.connect();
  return client;
}

describe('at the same time', () => {
  const outcome = (answers: readonly { status: number }[]) => answers.filter(({ status }) => status === 200).length;

  test('of two confirmations one is done', { timeout: 600_000 }, async () => {
    const third = await world.operator('administrator');
    for (let round = 0; round < rounds; round += 1) {
      const body = invitation();
      const id = await propose(body);
      const requests = [await confirming(id), await confirming(id, third)];
      const answers = await Promise.all(requests.map((request) => world.ask(calls.confirmProposal, request)));
      expect(outcome(answers)).toBe(1);
      expect(answers.map(({ key }) => key)).toContain('proposalDecided');
      expect(await roleOf(body)).toMatchObject({ state: 'invited' });
    }
  });

  test('of a confirmation and a withdrawal one is done', { timeout: 600_000 }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const body = invitation();
      const id = await propose(body);
      const [confirmed, withdrawn] = await Promise.all([
        world.ask(calls.confirmProposal, await confirming(id)),
        world.ask(calls.withdrawProposal, { as: proposer(), params: { id } }),
      ]);
      expect(outcome([confirmed, withdrawn])).toBe(1);
      expect((await roleOf(body)) === undefined).toBe(withdrawn.status === 200);
    }
  });

  test('nothing is done by or for who is disabled meanwhile', { timeout: 600_000 }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const [theProposer, theDecider] = [await world.operator('administrator'), await world.operator('administrator')];
      const body = invitation();
      const id = await propose(body, theProposer);
      const request = await confirming(id, theDecider);
      const gone = round % 2 === 0 ? theProposer : theDecider;
      const [confirmed, disabled] = await Promise.all([
        world.ask(calls.confirmProposal, request),
        world.ask(calls.disableStaff, { as: proposer(), params: { id: gone.id }, body: { reason } }),
      ]);
      expect(disabled.status).toBe(200);
      // Either it was first, or nothing happened.
      expect((await roleOf(body)) !== undefined).toBe(confirmed.status === 200);
      expect(['confirmed', 'withdrawn', 'open', 'stale']).toContain(await stateOf(id));
      if (confirmed.status !== 200) expect(await stateOf(id)).not.toBe('confirmed');
    }
  });

  test('two administrators who disable each other leave one', { timeout: 600_000 }, async () => {
    const own = await operatorApp(db);
    for (let round = 0; round < rounds; round += 1) {
      await db.console.pool.query("update operator_account set state = 'disabled' where role = 'administrator'");
      const pair = [await own.operator('administrator'), await own.operator('administrator')];
      const answers = await Promise.all(
        pair.map((as, index) =>
          own.ask(calls.disableStaff, { as, params: { id: present(pair[1 - index]).id }, body: { reason } }),
        ),
      );
      expect(outcome(answers)).toBe(1);
      const { rows } = await db.console.pool.query(
        "select count(*) as n from operator_account where role = 'administrator' and state = 'active'",
      );
      expect(rows).toEqual([{ n: 1 }]);
    }
    expect(own.complaints).toEqual([]);
    await own.close();
  });
});

test('a code is that of its time', () => {
  expect(codeOf(Buffer.from('12345678901234567890'), new Date(59_000))).toBe('287082');
});

test('nothing went wrong on the way', () => {
  expect(world.complaints).toEqual([]);
});
