import { runDigest, transactionIdOf } from '../server/src/features/batches/runs/domain.ts';
import { transferDigest } from '../server/src/features/transfers/domain.ts';
import { newId } from '../server/src/platform/ids.ts';
import { Connection } from './http-client.ts';
import { measure, median, percentile } from './load.ts';
import { type Party, pickRandom } from './posting-parties.ts';
import { processorTimeOf } from './processor-time.ts';
import type { Line } from './report.ts';
import { type Server, startServer } from './server-process.ts';
import { closeAll, connections, type Stage } from './stage.ts';
import { issueCodes, type Sender, seedSenders } from './transfer-world.ts';

/**
 * The largest batch over HTTP, in turns with the one-call posting: its check, its submission, which judges, holds and queues every row in one transaction, and how
 * long it takes until all rows are transactions. Each has the machine for itself. Then another one, and what pages of another company take until its rows are transactions.
 */

export interface BatchSizes {
  rows: number;
  rounds: number;
  /** Of a turn of the one-call posting, and of the reads beside nothing. */
  milliseconds: number;
}

const inFlight = 16;
/** Payees of a batch; each is paid several times. */
const payees = 500;
const [coin, chainId, decimals] = ['USDT', 'ethereum', 6] as const;

interface Batch {
  id: string;
  sender: Sender;
  rows: { id: string; payeeId: string; address: string; amountMinor: bigint }[];
}

interface Round {
  /** Postings a second. */
  oneCall: number;
  /** Rows a second. */
  checked: number;
  submitted: number;
  /** From its submission until all of them are transactions. */
  entered: number;
  /** The same of a submission beside which pages are read, one after another. */
  submittedBeside: number;
  /** Milliseconds of each read: beside nothing, and beside the submission. */
  idle: number[];
  beside: number[];
  /** Microseconds a row, of the submission beside nothing; and from its answer until the rows are transactions. */
  database: number;
  node: number;
  enteringDatabase: number;
  enteringNode: number;
}

export async function measureBatches(stage: Stage, oneCall: Party, sizes: BatchSizes): Promise<Line[]> {
  const server = await startServer(stage);
  const clients = await connections(stage.urlFor(oneCall.role), inFlight);
  try {
    await stage.admin.query(
      `insert into causeway.rate (asset_id, usd, source, updated_at) values ('${coin}', 1, 'bench', now() + interval '1 hour')
       on conflict (asset_id) do update set updated_at = excluded.updated_at`,
    );
    const [reader] = await seedSenders(stage, { companies: 1, people: 1, reviews: false });
    if (!reader) throw new Error('a reader was seeded');
    const post = async (worker: number) => {
      const client = clients[worker];
      if (client) await oneCall.post(client, pickRandom);
      return 1;
    };
    const rounds: Round[] = [];
    // The first warms both; PostgreSQL plans for tables that it has looked at.
    for (let round = 0; round <= sizes.rounds; round += 1) {
      const [batch, other] = [await seedBatch(stage, sizes.rows), await seedBatch(stage, sizes.rows)];
      await stage.admin.query('vacuum analyze');
      const { perSecond } = await measure(post, { inFlight, milliseconds: sizes.milliseconds });
      const alone = await timeBatch(stage, server, batch);
      const pages = await timePages({ stage, server, reader, batch: other, milliseconds: sizes.milliseconds });
      if (round > 0) rounds.push({ ...alone, ...pages, oneCall: perSecond });
    }
    return linesOf(rounds, sizes);
  } finally {
    await closeAll(clients);
    await server.stop();
  }
}

/** A company of its own with a batch whose rows have been read. */
async function seedBatch(stage: Stage, count: number): Promise<Batch> {
  const { admin } = stage;
  const [sender] = await seedSenders(stage, { companies: 1, people: 1, reviews: false });
  if (!sender) throw new Error('a sender was seeded');
  const { companyId, userId, walletId } = sender;
  const { rows: saved } = await admin.query<{ id: string; address: string }>(
    `insert into causeway.crypto_payee (company_id, id, label, chain_id, coin, address, likeness, created_by, created_by_name)
     select $1::uuid, gen_random_uuid(), 'Payee ' || n, '${chainId}', '${coin}', a.address, left(a.address, 6) || right(a.address, 4), $2::uuid, 'Member'
     from generate_series(1, ${payees}) n, lateral (select '0x' || left(encode(sha256(($1::uuid::text || n)::bytea), 'hex'), 40) as address) a
     returning id, address`,
    [companyId, userId],
  );
  const rows = Array.from({ length: count }, (_, place) => {
    const { id: payeeId, address } = saved[place % saved.length] ?? { id: '', address: '' };
    return { id: newId(), payeeId, address, amountMinor: 2_000_000n + BigInt(place) };
  });
  const id = newId();
  await admin.query(
    `insert into causeway.payout_batch (company_id, id, name, source, created_by) values ($1, $2, 'Payroll', 'typed', $3)`,
    [companyId, id, userId],
  );
  await admin.query(
    `insert into causeway.payout_batch_row (company_id, batch_id, id, number, written, wallet_id, payee_id, amount)
     select $1, $2, r.id, r.number, '{}', $3, r.payee_id, r.amount
     from unnest($4::uuid[], $5::uuid[], $6::numeric[]) with ordinality as r (id, payee_id, amount, number)`,
    [
      companyId,
      id,
      walletId,
      rows.map((row) => row.id),
      rows.map((row) => row.payeeId),
      rows.map((row) => row.amountMinor),
    ],
  );
  return { id, sender, rows };
}

/** Its check, then its submission, beside nothing. */
async function timeBatch(
  stage: Stage,
  server: Server,
  batch: Batch,
): Promise<Omit<Round, 'oneCall' | 'submittedBeside' | 'idle' | 'beside'>> {
  const { rows, sender } = batch;
  const connection = await Connection.open(server.port);
  try {
    const checkedAt = performance.now();
    await succeed(connection, 'GET', `/web/crypto/batch/${batch.id}/check`, authorised(sender));
    const checked = rows.length / ((performance.now() - checkedAt) / 1000);
    const body = await requestOf(stage, server, batch);
    const processors = { database: processorTimeOf(stage.postgres.pid), node: processorTimeOf(server.pid) };
    const before = { database: processors.database(), node: processors.node() };
    const began = performance.now();
    const submitted = await submit(connection, batch, body);
    const each = (name: 'database' | 'node') => (processors[name]() - before[name]) / rows.length;
    const used = { database: each('database'), node: each('node') };
    await untilEntered(stage);
    const entered = rows.length / ((performance.now() - began) / 1000);
    const entering = { enteringDatabase: each('database') - used.database, enteringNode: each('node') - used.node };
    return { checked, submitted, entered, ...used, ...entering };
  } finally {
    connection.close();
  }
}

interface Paged {
  stage: Stage;
  server: Server;
  reader: Sender;
  batch: Batch;
  milliseconds: number;
}

/** Pages of another company: beside nothing, then beside the submission of a batch. */
async function timePages({
  stage,
  server,
  reader,
  batch,
  milliseconds,
}: Paged): Promise<Pick<Round, 'submittedBeside' | 'idle' | 'beside'>> {
  const connection = await Connection.open(server.port);
  const pages = await Connection.open(server.port);
  try {
    const idle = await readUntil(pages, reader, async () => {
      const until = performance.now() + milliseconds;
      while (performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));
    });
    const body = await requestOf(stage, server, batch);
    let submittedBeside = 0;
    const beside = await readUntil(pages, reader, async () => {
      submittedBeside = await submit(connection, batch, body);
      await untilEntered(stage);
    });
    return { submittedBeside, idle, beside };
  } finally {
    connection.close();
    pages.close();
  }
}

async function untilEntered({ admin }: Stage): Promise<void> {
  for (;;) {
    const { rows } = await admin.query('select from causeway.payout_batch_queue limit 1');
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** @returns rows a second */
async function submit(connection: Connection, { rows, sender }: Batch, body: string): Promise<number> {
  const began = performance.now();
  const headers = { ...authorised(sender), 'content-type': 'application/json', 'idempotency-key': newId() };
  await succeed(connection, 'POST', '/web/crypto/batch/run', headers, body);
  return rows.length / ((performance.now() - began) / 1000);
}

function authorised({ token }: Sender): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** The submission, with a code that is bound to it: its digest is computed as the server does. */
async function requestOf(
  { admin }: Stage,
  { appSecret }: Server,
  { id: batchId, sender, rows }: Batch,
): Promise<string> {
  const { companyId, walletId, userId } = sender;
  const runId = newId();
  const digest = runDigest({
    companyId,
    runId,
    batchId,
    fileHash: null,
    rows: rows.map(({ id: rowId, payeeId, address: payeeAddress, amountMinor }) => {
      const transactionId = transactionIdOf(runId, rowId);
      const content = {
        companyId,
        transferId: transactionId,
        walletId,
        payeeId,
        payeeAddress,
        chainId,
        coin,
        amountMinor,
      };
      return { rowId, transactionId, digest: transferDigest({ ...content, notes: '', attachmentIds: [] }) };
    }),
  });
  const [code] = await issueCodes(admin, appSecret, [{ companyId, userId, digest }]);
  const fees = [{ asset: coin, amount: `${rows.length}.${'0'.repeat(decimals)}` }];
  return JSON.stringify({ id: runId, batchId, version: 1, rows: rows.length, fees, codeMethod: 'email', code });
}

/** Reads pages of another company, one after another, for as long as something else takes. @returns milliseconds of each */
async function readUntil(connection: Connection, reader: Sender, work: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  const paths = ['/web/crypto/wallets', '/web/crypto/transaction?size=50'];
  while (!isOver) {
    const began = performance.now();
    await succeed(connection, 'GET', paths[times.length % paths.length] ?? '', authorised(reader));
    times.push(performance.now() - began);
  }
  await working;
  return times;
}

async function succeed(connection: Connection, ...request: Parameters<Connection['request']>): Promise<void> {
  const { status, body } = await connection.request(...request);
  if (status !== 200) throw new Error(`${request[0]} ${request[1]} returned ${status}: ${body.slice(0, 500)}`);
}

function linesOf(rounds: readonly Round[], { rows }: BatchSizes): Line[] {
  const of = (figure: (round: Round) => number) => median(rounds.map(figure));
  const count = rows.toLocaleString('en');
  const rates = (figure: (round: Round) => number) =>
    `one-call ${Math.round(of((one) => one.oneCall))}/s, rows ${Math.round(of(figure))}/s`;
  const times = (share: number) => {
    const all = (name: 'idle' | 'beside') =>
      percentile(
        rounds.flatMap((one) => one[name]),
        share,
      );
    return {
      figure: all('beside') / all('idle'),
      detail: `${all('idle').toFixed(1)} and ${all('beside').toFixed(1)} ms`,
    };
  };
  return [
    {
      what: `batch of ${count}, checked, held and queued in one submission`,
      unit: '× one-call',
      goal: { atLeast: 1 },
      figure: of((one) => one.submitted / one.oneCall),
      detail: rates((one) => one.submitted),
    },
    {
      what: 'the same beside pages of another company',
      unit: '× one-call',
      goal: null,
      figure: of((one) => one.submittedBeside / one.oneCall),
      detail: rates((one) => one.submittedBeside),
    },
    {
      what: `its processor time, database`,
      unit: 'µs a row',
      goal: null,
      figure: of((one) => one.database),
      detail: `Node ${of((one) => one.node).toFixed(0)}`,
    },
    {
      what: `until its rows are transactions, from the submission on`,
      unit: '× one-call',
      goal: null,
      figure: of((one) => one.entered / one.oneCall),
      detail: rates((one) => one.entered),
    },
    {
      what: `processor time of entering them, database`,
      unit: 'µs a row',
      goal: null,
      figure: of((one) => one.enteringDatabase),
      detail: `Node ${of((one) => one.enteringNode).toFixed(0)}`,
    },
    {
      what: `check of a batch of ${count}`,
      unit: '× one-call',
      goal: null,
      figure: of((one) => one.checked / one.oneCall),
      detail: `rows ${Math.round(of((one) => one.checked))}/s`,
    },
    { what: 'pages of another company meanwhile, p50', unit: '× idle', goal: null, ...times(0.5) },
    { what: 'pages of another company meanwhile, longest', unit: '× idle', goal: null, ...times(1) },
  ];
}
