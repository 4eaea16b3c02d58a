import * as approvals from '@causeway/contract/approvals.ts';
import { adoptApproval } from '@causeway/contract/control.ts';
import * as organisation from '@causeway/contract/organisation.ts';
import * as payees from '@causeway/contract/payees.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { newToken, sha256 } from '../platform/crypto/secrets.ts';
import { newId } from '../platform/ids.ts';
import { decision } from './approval-requests.ts';
import { consent } from './consent.ts';
import type { Answer } from './envelope.ts';
import { type FourEyes, idOf, inRole, ownRole, ruleFor, seenVersion } from './four-eyes.ts';
import type { Member } from './main-app.ts';
import { present } from './present.ts';
import { succeed } from './succeed.ts';
import { newPayee, payee, transferRequest } from './valid-requests.ts';

/**
 * The rows of the second table of docs/FOUR_EYES.md, in a company of three administrators with review on: the attempt that must fail,
 * and one that succeeds so that the failure is not for another reason.
 */
export interface Decision {
  /** While the company is new. */
  prepare?(cell: FourEyes): Promise<void>;
  attempt(cell: FourEyes): Promise<Answer>;
  /** The same decision by a person who may. */
  lawful(cell: FourEyes): Promise<Answer>;
}

async function decide({ world, ids }: FourEyes, by: Member): Promise<Answer> {
  await compareList(world, by, present(ids['task']));
  return world.ask(approvals.decideApprovals, await decision(world, by, [present(ids['task'])]));
}

/** The list of what waits for a person is computed in SQL, the task's own answer in the domain: they must agree. */
async function compareList(world: FourEyes['world'], by: Member, id: string): Promise<void> {
  const { items } = (await succeed(world, approvals.listApprovals, { as: by, query: { view: 'pending' } })).data;
  const task = await world.ask(approvals.getApproval, { as: by, params: { id } });
  const isListed = items.some((item: { id: string }) => item.id === id);
  if (isListed !== (task.status === 200 && task.data.mayDecide)) {
    throw new Error(`the list ${isListed ? 'has' : 'lacks'} a task of which the judgement is ${task.raw.body}`);
  }
}

/** A pending transfer by a member who may pay. */
export async function submit(cell: FourEyes, initiator: Member): Promise<void> {
  const { world, tenant, ids } = cell;
  const payeeId = await payee(world, tenant);
  const content = { id: newId(), walletId: tenant.wallets.USDT, payeeId, amount: '5', attachmentIds: [], notes: '' };
  const { data } = await succeed(world, transferOut, await transferRequest(world, tenant, content, initiator));
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql<{
      id: string;
    }>`select id from approval_task where company_id = company_id() and subject_id = ${data.id}`.execute(tx),
  );
  ids['task'] = present(rows[0]).id;
}

const second = ({ others }: FourEyes) => present(others[0]);
const third = ({ others }: FourEyes) => present(others[1]);

/** A change by the administrator, with the consent of the second. */
async function changed(cell: FourEyes, call: Parameters<FourEyes['world']['ask']>[0], body: object): Promise<void> {
  const answer = await cell.world.ask(call, { as: cell.admin, body });
  if (answer.status !== 200) throw new Error(answer.raw.body);
  await consent(cell.world, second(cell), answer as Parameters<typeof consent>[2]);
}

const promoteFriend = async (cell: FourEyes, roleId: string) =>
  changed(cell, organisation.editMember, await inRole(cell, cell.friend, roleId));

/** A rule's change that waits for consent. */
async function proposeRule(cell: FourEyes, by: Member): Promise<void> {
  const { world, ids, rule } = cell;
  const body = { version: await seenVersion(world, by), id: rule, rule: ruleFor(systemRoleIds.administrator) };
  ids['task'] = present((await succeed(world, approvals.changeRule, { as: by, body })).data.taskId);
}

export const decisions: Record<string, Decision> = {
  'own-transfer': {
    // The administrator's own role approves: only being the initiator prevents it.
    async prepare(cell) {
      const { world, admin, rule } = cell;
      const body = { version: await seenVersion(world, admin), id: rule, rule: ruleFor(systemRoleIds.administrator) };
      await succeed(world, approvals.changeRule, { as: admin, body });
    },
    async attempt(cell) {
      await submit(cell, cell.admin);
      return decide(cell, cell.admin);
    },
    lawful: (cell) => decide(cell, second(cell)),
  },
  'own-proposal': {
    async attempt(cell) {
      await proposeRule(cell, cell.admin);
      return decide(cell, cell.admin);
    },
    lawful: (cell) => decide(cell, second(cell)),
  },
  'late-approver': {
    async attempt(cell) {
      await submit(cell, cell.admin);
      await promoteFriend(cell, systemRoleIds.approver);
      return decide(cell, cell.friend);
    },
    lawful: (cell) => decide(cell, cell.approver),
  },
  'late-quota': {
    async prepare(cell) {
      const { world, admin, rule } = cell;
      const role = await ownRole(cell, ['approval.decide'], { quotaUsd: '1' });
      const holder = await world.member(cell.tenant, role);
      Object.assign(cell.ids, { role: role.id, form: JSON.stringify(role.form) });
      holders.set(role.id, holder);
      const nodes = [
        {
          approvers: [
            { kind: 'role', id: role.id },
            { kind: 'role', id: systemRoleIds.approver },
          ],
          needed: 1,
        },
      ];
      const body = { version: await seenVersion(world, admin), id: rule, rule: ruleFor(role.id, { nodes }) };
      await succeed(world, approvals.changeRule, { as: admin, body });
    },
    async attempt(cell) {
      await submit(cell, cell.admin);
      const form = { ...JSON.parse(present(cell.ids['form'])), quotaUsd: '1000' } as object;
      await changed(cell, organisation.editRole, form);
      return decide(cell, present(holders.get(present(cell.ids['role']))));
    },
    lawful: (cell) => decide(cell, cell.approver),
  },
  'late-deputy': {
    async attempt(cell) {
      await promoteFriend(cell, (await ownRole(cell, ['approval.decide'])).id);
      await submit(cell, cell.admin);
      const leave = { id: idOf(cell.approver), onLeave: true, deputyId: idOf(cell.friend) };
      await changed(cell, organisation.setMemberLeave, leave);
      return decide(cell, cell.friend);
    },
    // Of what began before the leave, the person on leave decides themselves.
    lawful: (cell) => decide(cell, cell.approver),
  },
  'late-reset': {
    async prepare(cell) {
      holders.set(cell.tenant.id, await cell.world.member(cell.tenant, 'approver'));
    },
    async attempt(cell) {
      await submit(cell, cell.admin);
      await changed(cell, organisation.resetMemberPassword, { id: idOf(cell.approver) });
      const token = await cell.world.takeLink();
      return decide(cell, await activated(cell, cell.approver, token));
    },
    lawful: (cell) => decide(cell, present(holders.get(cell.tenant.id))),
  },
  'own-approver': {
    prepare: async ({ world, admin }) => {
      const body = { timeZone: 'Asia/Hong_Kong', codeRecipient: 'initiator', forbidOwnApprovers: true };
      await succeed(world, organisation.setCompanySettings, { as: admin, body });
    },
    async attempt(cell) {
      await promoteFriend(cell, systemRoleIds.approver);
      await submit(cell, cell.admin);
      return decide(cell, cell.friend);
    },
    lawful: (cell) => decide(cell, cell.approver),
  },
  'own-payee': {
    prepare: approveNewPayees,
    async attempt(cell) {
      await addPayee(cell, cell.admin);
      return decide(cell, cell.admin);
    },
    lawful: (cell) => decide(cell, second(cell)),
  },
  'late-payee-approver': {
    prepare: approveNewPayees,
    async attempt(cell) {
      await addPayee(cell, cell.admin);
      await promoteFriend(cell, systemRoleIds.approver);
      // It is not among what they see, so they get no code for it: the decision itself is refused as well.
      const ids = [present(cell.ids['task'])];
      await compareList(cell.world, cell.friend, present(ids[0]));
      const body = { ids, outcome: 'approved', codeMethod: 'email', code: '000000' };
      return cell.world.ask(approvals.decideApprovals, { as: cell.friend, body });
    },
    lawful: (cell) => decide(cell, cell.approver),
  },
  'gains-by-it': {
    async prepare(cell) {
      const role = await ownRole(cell, ['approval.decide', 'role.manage']);
      Object.assign(cell.ids, { role: role.id, form: JSON.stringify(role.form) });
      holders.set(role.id, await cell.world.member(cell.tenant, role));
    },
    async attempt(cell) {
      const form = { ...JSON.parse(present(cell.ids['form'])), quotaUsd: '5000' } as object;
      const { data } = await succeed(cell.world, organisation.editRole, { as: cell.admin, body: form });
      cell.ids['task'] = present(data.taskId);
      return decide(cell, present(holders.get(present(cell.ids['role']))));
    },
    lawful: (cell) => decide(cell, second(cell)),
  },
  'made-by-proposer': {
    async attempt(cell) {
      await promoteFriend(cell, systemRoleIds.administrator);
      await proposeRule(cell, cell.admin);
      return decide(cell, cell.friend);
    },
    lawful: (cell) => decide(cell, third(cell)),
  },
  'initiator-left': {
    async prepare(cell) {
      holders.set(cell.tenant.id, await cell.world.member(cell.tenant, 'approver'));
    },
    async attempt(cell) {
      await submit(cell, third(cell));
      const body = { id: idOf(third(cell)), enabled: false };
      await succeed(cell.world, organisation.setMemberStatus, { as: cell.admin, body });
      return decide(cell, cell.approver);
    },
    async lawful(cell) {
      await succeed(cell.world, adoptApproval, { as: cell.admin, body: { id: present(cell.ids['task']) } });
      return decide(cell, present(holders.get(cell.tenant.id)));
    },
  },
  adopter: {
    async prepare(cell) {
      const { world, admin, rule } = cell;
      const body = { version: await seenVersion(world, admin), id: rule, rule: ruleFor(systemRoleIds.administrator) };
      await succeed(world, approvals.changeRule, { as: admin, body });
    },
    async attempt(cell) {
      await submit(cell, third(cell));
      const body = { id: idOf(third(cell)), enabled: false };
      await succeed(cell.world, organisation.setMemberStatus, { as: second(cell), body });
      await succeed(cell.world, adoptApproval, { as: cell.admin, body: { id: present(cell.ids['task']) } });
      return decide(cell, cell.admin);
    },
    lawful: (cell) => decide(cell, second(cell)),
  },
};

async function approveNewPayees({ world, admin }: FourEyes): Promise<void> {
  const body = { timeZone: 'Asia/Hong_Kong', codeRecipient: 'initiator', approveNewPayees: true };
  await succeed(world, organisation.setCompanySettings, { as: admin, body });
}

async function addPayee({ world, ids }: FourEyes, as: Member): Promise<void> {
  const { data } = await succeed(world, payees.addCryptoPayee, { as, body: newPayee() });
  ids['task'] = present(data.approval).taskId;
}

/** Members whom a row prepares, by what it finds them with. */
const holders = new Map<string, Member>();

/** Signed in again after a reset: the link has been used, and there is a new session. */
async function activated({ world, tenant }: FourEyes, member: Member, token: string): Promise<Member> {
  if (token === '') throw new Error('a reset mails a link');
  const session = newId();
  const fresh = newToken();
  await world.db.app.withCompany(tenant.id, (tx) =>
    sql`insert into session (company_id, id, user_id, token_sha256, expires_at, ip, user_agent)
      values (company_id(), ${session}, ${idOf(member)}, ${sha256(fresh)}, now() + interval '1 day', '127.0.0.1', '')`.execute(
      tx,
    ),
  );
  return { ...member, session: { ...member.session, id: session }, token: fresh };
}
