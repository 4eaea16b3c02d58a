import { type Contest, contest } from './contest.ts';
import { Connection } from './http-client.ts';
import { type Party, pickRandom } from './posting-parties.ts';
import { processorTimeOf } from './processor-time.ts';
import { type Server, startServer } from './server-process.ts';
import { closeAll, connections, type Stage } from './stage.ts';
import { makeReady, type Ready, type Sender, seedSenders } from './transfer-world.ts';

/** Transfer-out through the product's HTTP process with all checks on, beside the minimal posting. */
export async function contestTransfers(
  stage: Stage,
  oneCall: Party,
  options: { inFlight: readonly number[]; milliseconds: number; rounds: number; senders: number },
): Promise<Map<number, Contest>> {
  const server = await startServer(stage);
  try {
    const senders = await seedSenders(stage, options.senders);
    const results = new Map<number, Contest>();
    for (const inFlight of options.inFlight) {
      results.set(inFlight, await contestAt(stage, server, senders, oneCall, { ...options, inFlight }));
    }
    return results;
  } finally {
    await server.stop();
  }
}

async function contestAt(
  stage: Stage,
  server: Server,
  senders: readonly Sender[],
  oneCall: Party,
  { inFlight, milliseconds, rounds }: { inFlight: number; milliseconds: number; rounds: number },
): Promise<Contest> {
  const clients = await connections(stage.urlFor(oneCall.role), inFlight);
  const http = await Promise.all(Array.from({ length: inFlight }, () => Connection.open(server.port)));
  const database = processorTimeOf(stage.postgres.pid);
  let ready: Ready[] = [];
  const transfer = async (worker: number) => {
    const [connection, next] = [http[worker], ready.pop()];
    if (!connection || !next) throw new Error('more transfers than prepared; raise the number of senders');
    const headers = {
      authorization: `Bearer ${next.token}`,
      'idempotency-key': next.key,
      'content-type': 'application/json',
    };
    const answer = await connection.request('POST', '/web/crypto/transfer-out', headers, next.body);
    if (answer.status !== 200) throw new Error(`transfer-out answered ${answer.status}: ${answer.body}`);
    return 1;
  };
  try {
    return await contest(
      [
        {
          name: 'one-call',
          processors: { database },
          operation: async (worker) => {
            const client = clients[worker];
            if (client) await oneCall.post(client, pickRandom);
            return 1;
          },
        },
        {
          name: 'transfer-out',
          processors: { database, node: processorTimeOf(server.pid) },
          operation: transfer,
          prepare: async () => {
            ready = await makeReady(stage, senders, server.appSecret);
          },
        },
      ],
      { inFlight, milliseconds },
      rounds,
      // As autovacuum does: plans that were made for empty tables would be measured otherwise.
      async () => void (await stage.admin.query('vacuum analyze')),
    );
  } finally {
    for (const connection of http) connection.close();
    await closeAll(clients);
  }
}
