import { audit } from '../../platform/audit/record.ts';
import { type Database, databaseError, type Tx } from '../../platform/database/database.ts';
import { announce } from '../../platform/database/outbox.ts';
import { invariant } from '../../platform/domain-error.ts';
import type { JobDefinition } from '../../platform/jobs/jobs.ts';
import { type Sweep, sweepBatch } from '../../platform/jobs/sweeping.ts';
import type { ObjectStore } from './adapters/disk.ts';
import { deleteFile, keepFile, type UndecidedFile, undecidedFiles } from './store.ts';

/** `{ storageName }`: the row is gone, the bytes are to follow. */
const fileRemoved = 'files.removed';

/** Bytes go after the commit that removed their row, so that no row is ever without its bytes. */
export function filesJobs(objects: ObjectStore): JobDefinition[] {
  return [
    {
      name: 'files.removeObject',
      on: [fileRemoved],
      run: async (_, { storageName }) => {
        invariant(typeof storageName === 'string', 'the event names the object');
        await objects.remove(storageName);
      },
    },
  ];
}

/** Uploads that nothing has named within a day: a form that was given up, an attachment that was taken out again. */
export const filesSweep: Sweep = {
  name: 'files.unattached',
  async run(database) {
    const undecided = await database.withoutCompany((tx) => undecidedFiles(tx, sweepBatch));
    // One that cannot be removed keeps none of the others.
    const outcomes: PromiseSettledResult<void>[] = [];
    for (const file of undecided) outcomes.push(...(await Promise.allSettled([decide(database, file)])));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
    return undecided.length;
  },
};

/** What names a file keeps it by a foreign key: the database itself says whether it may go. */
async function decide(database: Database, { companyId, id }: UndecidedFile): Promise<void> {
  try {
    await database.withCompany(companyId, (tx) => remove(tx, id));
  } catch (error) {
    if (databaseError(error)?.state !== '23503') throw error;
    await database.withCompany(companyId, (tx) => keepFile(tx, id));
  }
}

async function remove(tx: Tx, id: string): Promise<void> {
  const storageName = await deleteFile(tx, id);
  if (storageName === null) return;
  await announce(tx, [{ name: fileRemoved, payload: { storageName } }]);
  const actor = { kind: 'system', id: 'files' } as const;
  await audit(tx, { actor, action: 'files.expire', subjectKind: 'file', subjectId: id });
}
