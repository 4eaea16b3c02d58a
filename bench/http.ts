import { type Contest, type Contestant, contest } from './contest.ts';
import { addBoughtWallets, type Exchanger, keepPricesYoung, makeExchangesReady, quoteBody } from './exchange-world.ts';
import { Connection } from './http-client.ts';
import { type Party, pickRandom } from './posting-parties.ts';
import { processorTimeOf } from './processor-time.ts';
import { type Server, startServer } from './server-process.ts';
import { closeAll, connections, type Stage } from './stage.ts';
import { type Crowd, makeReady, type Ready, type Sender, seedSenders } from './transfer-world.ts';
import { watchersOf } from './watchers.ts';

/** Who sends in the contest, by the name under which their rate is shown. */
export type Crowds = Readonly<Record<string, Crowd>>;

/**
 * Transfer-out through the product's HTTP process with all checks on, by several crowds, beside the minimal posting; exchanges at quotes, and
 * quotes, by a crowd of their own; and quotes while pages of an exchange are open.
 */
export async function contestTransfers(
  stage: Stage,
  oneCall: Party,
  options: {
    inFlight: readonly number[];
    milliseconds: number;
    rounds: number;
    crowds: Crowds;
    exchangers: Crowd;
    watching: { pages: number; inFlight: number; milliseconds: number };
  },
): Promise<{ submissions: Map<number, Contest>; watched: Contest }> {
  const server = await startServer(stage);
  try {
    const senders: [string, Sender[]][] = [];
    for (const [name, crowd] of Object.entries(options.crowds)) senders.push([name, await seedSenders(stage, crowd)]);
    const exchangers = await addBoughtWallets(stage, await seedSenders(stage, options.exchangers));
    const results = new Map<number, Contest>();
    for (const inFlight of options.inFlight) {
      results.set(inFlight, await contestAt(stage, server, { senders, exchangers }, oneCall, { ...options, inFlight }));
    }
    const { watching, rounds } = options;
    return { submissions: results, watched: await contestWatched(stage, server, exchangers, { ...watching, rounds }) };
  } finally {
    await server.stop();
  }
}

async function contestAt(
  stage: Stage,
  server: Server,
  {
    senders,
    exchangers,
  }: { senders: readonly (readonly [string, readonly Sender[]])[]; exchangers: readonly Exchanger[] },
  oneCall: Party,
  { inFlight, milliseconds, rounds }: { inFlight: number; milliseconds: number; rounds: number },
): Promise<Contest> {
  const clients = await connections(stage.urlFor(oneCall.role), inFlight);
  const http = await Promise.all(Array.from({ length: inFlight }, () => Connection.open(server.port)));
  const database = processorTimeOf(stage.postgres.pid);
  const transferring = ([name, own]: readonly [string, readonly Sender[]]): Contestant => {
    let ready: Ready[] = [];
    return {
      name,
      processors: { database, node: processorTimeOf(server.pid) },
      operation: (worker) => transfer(http[worker], ready.pop()),
      prepare: async () => {
        ready = await makeReady(stage, own, server.appSecret);
      },
    };
  };
  const processors = { database, node: processorTimeOf(server.pid) };
  let accepted: Ready[] = [];
  const exchanging: Contestant = {
    name: 'exchange',
    processors,
    operation: (worker) => submit(http[worker], accepted.pop(), '/web/crypto/exchange'),
    prepare: async () => {
      accepted = await makeExchangesReady(stage, exchangers, server.appSecret);
    },
  };
  let asked = 0;
  const quoting: Contestant = {
    name: 'quote',
    processors,
    operation: (worker) => {
      asked += 1;
      return askQuote(http[worker], exchangers[asked % exchangers.length]);
    },
    prepare: () => keepPricesYoung(stage),
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
        ...senders.map(transferring),
        exchanging,
        quoting,
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

/** Quotes while so many pages of an exchange are open, and while none is. */
async function contestWatched(
  stage: Stage,
  server: Server,
  exchangers: readonly Exchanger[],
  { pages, inFlight, milliseconds, rounds }: { pages: number; inFlight: number; milliseconds: number; rounds: number },
): Promise<Contest> {
  const watchers = watchersOf(server.port, exchangers.slice(0, pages));
  const asking = exchangers.slice(pages);
  const http = await Promise.all(Array.from({ length: inFlight }, () => Connection.open(server.port)));
  let asked = 0;
  const operation = (worker: number) => {
    asked += 1;
    return askQuote(http[worker], asking[asked % asking.length]);
  };
  const prepare = async (isWatched: boolean) => {
    await keepPricesYoung(stage);
    if (isWatched) await watchers.start();
    else watchers.stop();
  };
  try {
    return await contest(
      [
        { name: 'quote', operation, prepare: () => prepare(false) },
        { name: 'watched', operation, prepare: () => prepare(true) },
      ],
      { inFlight, milliseconds },
      rounds,
    );
  } finally {
    watchers.stop();
    for (const connection of http) connection.close();
  }
}

/** Submits one transfer. @throws Error unless it is accepted */
export function transfer(connection: Connection | undefined, next: Ready | undefined): Promise<number> {
  return submit(connection, next, '/web/crypto/transfer-out');
}

async function submit(connection: Connection | undefined, next: Ready | undefined, path: string): Promise<number> {
  if (!connection || !next) throw new Error('more submissions than prepared; raise the number of senders');
  const headers = {
    authorization: `Bearer ${next.token}`,
    'idempotency-key': next.key,
    'content-type': 'application/json',
  };
  const answer = await connection.request('POST', path, headers, next.body);
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.body}`);
  return 1;
}

async function askQuote(connection: Connection | undefined, exchanger: Exchanger | undefined): Promise<number> {
  if (!connection || !exchanger) throw new Error('a quote is asked for by an exchanger');
  const headers = { authorization: `Bearer ${exchanger.token}`, 'content-type': 'application/json' };
  const answer = await connection.request('POST', '/web/crypto/exchange/quote', headers, quoteBody(exchanger));
  if (answer.status !== 200) throw new Error(`a quote answered ${answer.status}: ${answer.body}`);
  return 1;
}
