import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRestoreMode } from '../../platform/database/restore-mode.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { loadTexts } from '../../platform/text/texts.ts';
import { chainFamilies } from '../../testing/chain-families.ts';
import { type ChainWorld, chainWorld } from '../../testing/chain-world.ts';
import { refusalText, runCommand } from './command-line.ts';

let world: ChainWorld;
beforeAll(async () => {
  loadTexts();
  world = await chainWorld();
});
afterAll(() => world.close());

const nil = '00000000-0000-0000-0000-000000000000';
const run = async (...args: string[]) => {
  const context = { database: world.db.operator, operator: 'jo', families: chainFamilies, gateways: [world.gateway] };
  return JSON.parse(await runCommand(context, [...args, '--json'], async () => context));
};

async function audited(): Promise<string[]> {
  const { rows } = await world.db.operator.withCompany(nil, (tx) =>
    sql<{ action: string }>`select action from audit_event
      where company_id = company_id() and subject_kind = 'installation' order by id`.execute(tx),
  );
  return rows.map(({ action }) => action);
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DomainError)) throw new Error(`not refused: ${String(error)}`);
  return refusalText(error);
}

test('nothing is released or sent again where restore mode does not hold', async () => {
  const refused = { key: 'restoreNotHeld' };
  await expect(run('restore', 'release', '--reason', 'why')).rejects.toMatchObject(refused);
  await expect(run('restore', 'resend', newId(), '--reason', 'why')).rejects.toMatchObject(refused);
  expect(await audited()).toEqual([]);
});

test('restore mode begins once, says what is missing, is released when nothing is, and all of it is audited', async () => {
  expect(await refusal(run('restore', 'release', '--reason', 'why'))).toMatch(/is not on/);
  expect(await run('restore', 'begin', '--reason', 'the backup of 03:00')).toMatchObject({
    sending: 'off',
    changed: true,
  });
  expect(await run('restore', 'begin', '--reason', 'again')).toMatchObject({ changed: false });
  expect(await world.db.worker.withoutCompany(findRestoreMode)).toMatchObject({
    begunBy: 'jo',
    reason: 'the backup of 03:00',
  });

  // A block that the watcher has not read, and a signer that has not compared.
  await world.chain.engine.mine(1);
  const said = await refusal(run('restore', 'release', '--reason', 'why'));
  expect(said).toContain("- the signer's journal and the database agree: the signer has not compared them");
  expect(said).toMatch(/- ethereum is read to its head: block \d+ of \d+/);
  expect(said).not.toContain('unexplained');
  expect(await world.db.worker.withoutCompany(findRestoreMode)).not.toBeNull();

  await world.compare();
  await world.follow();
  const [sending, ...conditions]: { condition: string; met: boolean | null; found: string }[] = await run(
    'restore',
    'status',
  );
  expect(sending).toMatchObject({ condition: 'sending is on', met: false });
  expect(conditions.filter(({ met }) => met === false)).toEqual([]);
  expect(await run('restore', 'release', '--reason', 'all is well')).toMatchObject({ sending: 'on' });
  expect(await world.db.worker.withoutCompany(findRestoreMode)).toBeNull();
  expect(await audited()).toEqual(['operator.beginRestore', 'operator.beginRestore', 'operator.releaseRestore']);
});

test('a signer that has been silent for a minute, or that found them to differ, holds up the release', async () => {
  await run('restore', 'begin', '--reason', 'test');
  await world.compare();
  await world.asSuperuser("update causeway.signer_state set checked_at = now() - interval '61 seconds'");
  expect(await refusal(run('restore', 'release', '--reason', 'why'))).toMatch(/seconds ago; is it running/);
  await world.asSuperuser(
    "update causeway.signer_state set checked_at = now(), agrees = false, finding = 'they differ'",
  );
  expect(await refusal(run('restore', 'release', '--reason', 'why'))).toContain('they differ');
  await world.compare();
  expect(await run('restore', 'release', '--reason', 'well again')).toMatchObject({ sending: 'on' });
});

test('rows of a batch that are held and no transactions yet hold up the release', async () => {
  await run('restore', 'begin', '--reason', 'test');
  await world.compare();
  // As a backup of that moment has them, without the run that they are of.
  const asReplica = (statement: string) =>
    world.asSuperuser(`set session_replication_role = replica; ${statement}; reset session_replication_role`);
  const company = newId();
  await asReplica(
    `insert into causeway.payout_batch_queue (company_id, run_id, part, content, seal) values ('${company}', '${newId()}', 0, '', '')`,
  );
  expect(await refusal(run('restore', 'release', '--reason', 'why'))).toContain(
    '- no rows of a batch are queued: those of 1 companies are; start main before the worker',
  );
  await asReplica(`delete from causeway.payout_batch_queue where company_id = '${company}'`);
  expect(await run('restore', 'release', '--reason', 'entered')).toMatchObject({ sending: 'on' });
});
