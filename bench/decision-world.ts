import { decisionDigest } from '../server/src/features/approvals/domain.ts';
import { newId } from '../server/src/platform/ids.ts';
import { transfer } from './http.ts';
import { Connection } from './http-client.ts';
import type { Server } from './server-process.ts';
import type { StageDatabase } from './stage.ts';
import { issueCodes, makeReady, type Ready, type Sender } from './transfer-world.ts';

/** A server of one checkout with its database. */
export interface Side {
  database: StageDatabase;
  server: Server;
}

/** A decision on tasks of one company that lacks nothing but being sent: its one-use code is issued. */
export interface Decision {
  sender: Sender;
  key: string;
  body: string;
}

interface Task {
  id: string;
  digest: string;
}

const submittersAtOnce = 16;

/** Opens `size` tasks for each sender's company, by transfers over HTTP, and issues its approver one code for all of them. */
export async function makeDecisions(side: Side, senders: readonly Sender[], size: number): Promise<Decision[]> {
  const transferIds = senders.map((): string[] => []);
  for (let i = 0; i < size; i++) {
    const submitted = await submitTransfers(side, senders);
    submitted.forEach((id, place) => void transferIds[place]?.push(id));
  }
  const tasks = await findTasks(side.database, transferIds.flat());
  const decisions = senders.map(({ companyId, approver }, place) => {
    const own = (transferIds[place] ?? []).map((id) => taskOf(tasks, id));
    const digest = decisionDigest(companyId, own, 'approved');
    return { companyId, userId: approver.userId, ids: own.map(({ id }) => id), digest };
  });
  const codes = await issueCodes(side.database.admin, side.server.appSecret, decisions);
  return senders.map((sender, place) => {
    const content = { ids: decisions[place]?.ids, outcome: 'approved', code: codes[place], codeMethod: 'email' };
    return { sender, key: newId(), body: JSON.stringify(content) };
  });
}

/** Submits one transfer of each sender; returns their ids in the same order. */
export async function submitTransfers({ database, server }: Side, senders: readonly Sender[]): Promise<string[]> {
  const ready = await makeReady(database, senders, server.appSecret);
  const waiting = [...ready];
  const submitter = async () => {
    const connection = await Connection.open(server.port);
    for (let next: Ready | undefined = waiting.pop(); next; next = waiting.pop()) await transfer(connection, next);
    connection.close();
  };
  await Promise.all(Array.from({ length: submittersAtOnce }, submitter));
  return ready.map(({ transferId }) => transferId);
}

/** The tasks that transfers opened, by the transfer's id. */
async function findTasks({ admin }: StageDatabase, transferIds: readonly string[]): Promise<Map<string, Task>> {
  const { rows } = await admin.query<Task & { subject_id: string }>(
    'select id, digest, subject_id from causeway.approval_task where subject_id = any ($1::uuid[])',
    [transferIds],
  );
  return new Map(rows.map(({ subject_id, ...task }) => [subject_id, task]));
}

function taskOf(tasks: ReadonlyMap<string, Task>, transferId: string): Task {
  const task = tasks.get(transferId);
  if (!task) throw new Error(`the transfer ${transferId} opened no task`);
  return task;
}
