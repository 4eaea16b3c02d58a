import * as calls from '@causeway/contract/organisation.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import type { Answer } from '../../testing/envelope.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { memberForm } from '../../testing/organisation.ts';

/** Two administrators who take the role from each other at the same time: exactly one of them remains. */

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);
const minutesMs = 60_000;

let world: MainApp;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  expect(world.complaints).toEqual([]);
  await world.close();
  await world.db.close();
});

async function activeAdministrators(tenant: Tenant): Promise<string[]> {
  return world.db.app.withCompany(tenant.id, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      select id from member where company_id = company_id() and role_id = ${systemRoleIds.administrator}
        and disabled_at is null and deleted_at is null and activated_at is not null`.execute(tx);
    return rows.map(({ id }) => id);
  });
}

const ways = ['demote', 'disable', 'delete'] as const;

test(
  'exactly one wins, whether they demote, disable or delete each other',
  async () => {
    const tenant = await world.company();
    const form = await memberForm(world, tenant);
    const strike = (way: (typeof ways)[number], as: Member, { session: { userId: id }, email }: Member) => {
      if (way === 'delete') return world.ask(calls.deleteMember, { as, body: { id } });
      if (way === 'disable') return world.ask(calls.setMemberStatus, { as, body: { id, enabled: false } });
      return world.ask(calls.editMember, { as, body: { id, ...form, email } });
    };
    let standing = tenant.admin;
    const wins = { standing: 0, other: 0 };
    for (let round = 0; round < rounds; round++) {
      const other = await world.member(tenant, 'administrator');
      const [mine, theirs] = [ways[round % 3] ?? 'demote', ways[Math.floor(round / 3) % 3] ?? 'demote'];
      const begin: (() => Promise<Answer>)[] = [
        () => strike(mine, standing, other),
        () => strike(theirs, other, standing),
      ];
      if (round % 2 === 1) begin.reverse();
      const answers = await Promise.all(begin.map((start) => start()));
      if (round % 2 === 1) answers.reverse();
      const said = answers.map(({ raw }) => raw.body).join('\n');
      expect(
        answers.filter(({ status }) => status === 200),
        said,
      ).toHaveLength(1);
      const loser = answers.find(({ status }) => status !== 200);
      expect(['noPermission', 'sessionEnded'], said).toContain(loser?.key);
      const won = answers[0]?.status === 200;
      wins[won ? 'standing' : 'other'] += 1;
      standing = won ? standing : other;
      expect(await activeAdministrators(tenant)).toEqual([standing.session.userId]);
    }
    // A race that one side always wins proves nothing.
    if (rounds >= 20) expect(Math.min(wins.standing, wins.other)).toBeGreaterThan(0);
  },
  10 * minutesMs,
);
