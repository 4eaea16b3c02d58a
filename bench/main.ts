import { measureBanks } from './banks.ts';
import { measureBatches } from './batches.ts';
import { type BitcoinSizes, measureBitcoin } from './bitcoin.ts';
import { bookQuestions, timeBooks } from './books.ts';
import { type CallSizes, measureCalls } from './calls.ts';
import { measureCards } from './cards.ts';
import type { Contest } from './contest.ts';
import { measureDeposits } from './deposits.ts';
import { contestTransfers } from './http.ts';
import { printBytes } from './page-bytes.ts';
import { questions, type Timing, timePages } from './pages.ts';
import { contestPostings, type PostingContest } from './posting.ts';
import { causewayParty, oneCallParty, type Party, pgledgerParty } from './posting-parties.ts';
import { measureQueue } from './queue.ts';
import { type Line, printTable } from './report.ts';
import { measureRisk } from './risk.ts';
import { type Stage, setStage } from './stage.ts';
import { timeStarts } from './start.ts';
import { contestWatched } from './watchers.ts';

/**
 * `npm run bench -- [posting|http|batches|cards|quotes|calls|deposits|bitcoin|banks|pages|queue|risk|bytes|start …] [--quick]`: what the product costs, beside baselines on the same
 * PostgreSQL in the same run. Goals and how to read the figures: docs/PERFORMANCE.md.
 */

const sections = [
  'posting',
  'http',
  'batches',
  'cards',
  'quotes',
  'calls',
  'deposits',
  'bitcoin',
  'banks',
  'pages',
  'queue',
  'risk',
  'bytes',
  'start',
] as const;
type Section = (typeof sections)[number];

const words = process.argv.slice(2);
const isQuick = words.includes('--quick');
const asked = sections.filter((section) => words.includes(section));
const wanted: readonly Section[] = asked.length > 0 ? asked : sections;
const rounds = 5;
const inFlight = isQuick ? [16] : [16, 64];
const milliseconds = isQuick ? 300 : 1500;
const riskSizes = {
  policies: isQuick ? 500 : 5000,
  entries: isQuick ? 500 : 5000,
  transactions: isQuick ? 100_000 : 1_000_000,
  replayed: isQuick ? 10_000 : 100_000,
  verdicts: isQuick ? 200 : 1000,
};
const callSizes: CallSizes = isQuick
  ? { rounds: 3, milliseconds: 1000, decisions: 800, bulkDecisions: 48, members: 300 }
  : { rounds: 5, milliseconds: 3000, decisions: 2500, bulkDecisions: 96, members: 500 };
const depositSizes = isQuick
  ? { blocks: [500], rounds: 1, followed: 2 }
  : { blocks: [500, 2000], rounds: 3, followed: 5 };
const bitcoinSizes: BitcoinSizes = isQuick
  ? { addresses: 1000, coins: 10_000, transactions: 500, rounds: 3 }
  : { addresses: 10_000, coins: 100_000, transactions: 2000, rounds: 5 };
const pageSizes = isQuick ? [10_000, 100_000] : [10_000, 1_000_000, 5_000_000];
const bookSizes = isQuick ? [10_000, 100_000] : [10_000, 1_000_000];

/** docs/PERFORMANCE.md. */
const rivalGoals = { 'random 1': 2, 'hot 1': 2, 'random 50': 3.5, 'hot 50': 6 };
const oneCallGoals: Record<number, { atLeast: number }> = { 1: { atLeast: 0.75 } };

/** docs/PERFORMANCE.md: the ratio at least, and the 99th percentile at most, by how many are in flight. */
const transferGoals: Record<string, Record<number, [ratio: number, p99: number | null]>> = {
  'transfer-out': { 16: [0.2, 40], 64: [0.35, 60] },
  'with review': { 16: [0.15, null], 64: [0.25, null] },
  'one company': { 64: [0.1, null] },
};

const lines: Line[] = [];
if (wanted.some((section) => section !== 'bytes' && section !== 'start')) {
  const stage = await setStage();
  try {
    await measureOn(stage);
  } finally {
    await stage.close();
  }
}
if (wanted.includes('bytes')) printBytes();
if (wanted.includes('start')) {
  const { coldSeconds, warmSeconds, idleMegabytes, databaseBackSeconds, serverBackSeconds } = await timeStarts();
  const unit = 's';
  lines.push({
    what: 'npm start, first time',
    goal: null,
    figure: coldSeconds,
    unit,
    detail: 'dependencies installed',
  });
  lines.push({ what: 'npm start, again', goal: { atMost: 5 }, figure: warmSeconds, unit, detail: '' });
  const what = 'server, worker and signer, idle';
  lines.push({ what, goal: { atMost: 400 }, figure: idleMegabytes, unit: 'MB', detail: 'resident' });
  const back = { unit, detail: 'to a console that is ready' };
  lines.push({ what: 'database after kill -9', goal: { atMost: 5 }, figure: databaseBackSeconds, ...back });
  lines.push({ what: 'server after kill -9', goal: { atMost: 10 }, figure: serverBackSeconds, ...back });
}
if (lines.length > 0) printTable(lines);

async function measureOn(stage: Stage): Promise<void> {
  const oneCall = await oneCallParty(stage);
  if (wanted.includes('posting')) {
    console.log('Posting in the database ...');
    const rival = await pgledgerParty(stage);
    if (rival === null) console.log('PGLEDGER_SQL is not set: without pgledger (docs/PERFORMANCE.md)');
    const parties = [oneCall, await causewayParty(stage), ...(rival === null ? [] : [rival])];
    for (const one of await contestPostings(stage, parties, { inFlight, milliseconds, rounds })) addPosting(one, rival);
  }
  if (wanted.includes('http')) await measureTransfers(stage, oneCall);
  if (wanted.includes('batches')) {
    console.log('The largest batch over HTTP ...');
    const sizes = isQuick ? { rows: 1000, rounds: 3, milliseconds } : { rows: 5000, rounds, milliseconds };
    lines.push(...(await measureBatches(stage, oneCall, sizes)));
  }
  if (wanted.includes('cards')) {
    console.log('Authorisations of cards over HTTP ...');
    const sizes = {
      companies: isQuick ? 20 : 200,
      earlier: isQuick ? 100 : 500,
      rounds: isQuick ? 3 : rounds,
      milliseconds,
    };
    lines.push(...(await measureCards(stage, oneCall, sizes)));
  }
  if (wanted.includes('quotes')) await measureQuotes(stage);
  if (wanted.includes('calls')) {
    console.log('Single calls over HTTP ...');
    lines.push(...(await measureCalls(stage, oneCall, { ...callSizes, before: process.env['BENCH_BEFORE'] })));
  }
  if (wanted.includes('deposits')) {
    console.log('Deposits in full blocks ...');
    lines.push(...(await measureDeposits(stage, depositSizes)));
  }
  if (wanted.includes('bitcoin')) {
    console.log('Bitcoin’s largest payment, and a wallet of many coins ...');
    lines.push(...(await measureBitcoin(stage, bitcoinSizes)));
  }
  if (wanted.includes('banks')) {
    console.log('A bank’s statement, and an order to a bank ...');
    const sizes = isQuick ? { entries: 2000, payments: 1000 } : { entries: 10_000, payments: 5000 };
    lines.push(...(await measureBanks(stage, sizes)));
  }
  if (wanted.includes('pages')) await measurePages(stage);
  if (wanted.includes('queue')) {
    console.log('The operator’s overview ...');
    lines.push(...(await measureQueue(stage, isQuick ? 100_000 : 1_000_000)));
  }
  if (wanted.includes('risk')) {
    console.log('Verdicts on transfers ...');
    lines.push(...(await measureRisk(stage, riskSizes)));
  }
}

function addPosting({ shape, inFlight: count, size, contest }: PostingContest, rival: Party | null): void {
  const what = `posting, ${size} a call, ${shape}, ${count} clients`;
  const detail = contest.standings.map((one) => `${one.name} ${Math.round(one.perSecond)}/s`).join(', ');
  const ownGoal = oneCallGoals[size] ?? null;
  const line = { what, unit: '× one-call', goal: ownGoal, figure: contest.ratio('causeway', 'one-call'), detail };
  lines.push(line);
  if (rival === null) return;
  const goal = { atLeast: rivalGoals[`${shape} ${size}` as keyof typeof rivalGoals] };
  lines.push({ ...line, unit: '× pgledger', goal, figure: contest.ratio('causeway', rival.name) });
}

async function measureTransfers(stage: Stage, oneCall: Party): Promise<void> {
  console.log('Transfer-out over HTTP ...');
  const senders = isQuick ? 1500 : 5000;
  const crowds = {
    'transfer-out': { companies: senders, people: 1, reviews: false },
    'with review': { companies: senders, people: 1, reviews: true },
    'one company': { companies: 1, people: senders, reviews: false },
  };
  const contests = await contestTransfers(stage, oneCall, {
    inFlight: isQuick ? [16] : [1, 16, 64],
    milliseconds,
    rounds,
    crowds,
    exchangers: { companies: senders, people: 1, reviews: false },
  });
  for (const [count, contest] of contests) {
    for (const name of Object.keys(crowds) as (keyof typeof crowds)[]) addTransfers(contest, name, count);
    addExchanges(contest, count);
  }
}

/** What quotes cost more while pages of an exchange are open, which renew their own. */
async function measureQuotes(stage: Stage): Promise<void> {
  console.log('Quotes beside open pages of an exchange ...');
  const [pages, count] = [200, 16];
  const sizes = isQuick ? { rounds: 3, milliseconds: 3000 } : { rounds, milliseconds: 10_000 };
  const watched = await contestWatched(stage, { pages, inFlight: count, ...sizes });
  const what = `quotes, ${count} in flight, ${pages} open pages`;
  const detail = watched.standings
    .map((one) => `${one.name} ${one.perSecond.toFixed(0)}/s p50 ${one.p50.toFixed(1)} p99 ${one.p99.toFixed(1)} ms`)
    .join(', ');
  const line = { unit: '× without', goal: null, detail };
  lines.push({ ...line, what, figure: watched.ratio('watched', 'quote') });
  lines.push({ ...line, what: `${what}, p99`, figure: watched.ratio('watched', 'quote', 'p99') });
}

/** An exchange writes two transactions and six entries where a transfer writes one and two. */
function addExchanges(contest: Contest, count: number): void {
  const say = (name: string) => {
    const { perSecond, p50, p99 } = contest.of(name);
    return `${name} ${Math.round(perSecond)}/s p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} ms`;
  };
  lines.push({
    what: `exchange, ${count} in flight`,
    unit: '× transfer-out',
    goal: count === 1 ? null : { atLeast: 0.8 },
    figure: contest.ratio('exchange', 'transfer-out'),
    detail: `${say('transfer-out')}, ${say('exchange')}`,
  });
  const quotes = contest.of('quote');
  lines.push({
    what: `quotes, ${count} in flight`,
    unit: '/s',
    goal: null,
    figure: quotes.perSecond,
    detail: say('quote'),
  });
}

function addTransfers(contest: Contest, name: string, count: number): void {
  const own = contest.of(name);
  const what = `${name === 'transfer-out' ? name : `transfer-out, ${name}`}, ${count} in flight`;
  const detail = [contest.of('one-call'), own]
    .map((one) => `${one.name} ${Math.round(one.perSecond)}/s p50 ${one.p50.toFixed(1)} p99 ${one.p99.toFixed(1)} ms`)
    .join(', ');
  const figure = contest.ratio(name, 'one-call');
  const [ratio, p99 = null] = transferGoals[name]?.[count] ?? [];
  const goal = ratio === undefined ? null : { atLeast: ratio };
  lines.push({ what, unit: '× one-call', goal, figure, detail });
  lines.push({
    what: `${what}, p99`,
    unit: 'ms',
    goal: p99 === null ? null : { atMost: p99 },
    figure: own.p99,
    detail: '',
  });
  for (const [process, figure] of Object.entries(own.processor)) {
    const beside = contest.of('one-call').processor[process];
    const behind = beside === undefined ? '' : `one-call ${Math.round(beside)}`;
    const of = `${what}, processor time of ${process}`;
    lines.push({ what: of, unit: 'µs', goal: null, figure, detail: behind });
  }
}

async function measurePages(stage: Stage): Promise<void> {
  console.log(`Pages at ${pageSizes.map((size) => size.toLocaleString('en')).join(', ')} rows ...`);
  const askings = isQuick ? 20 : 60;
  addPages(Object.keys(questions), 'rows', await timePages(stage, pageSizes, askings));
  addPages(Object.keys(bookQuestions), 'postings', await timeBooks(stage, bookSizes, askings));
}

function addPages(names: readonly string[], unit: string, timings: readonly Timing<string>[]): void {
  for (const name of names) {
    const times = timings.map(({ milliseconds: of }) => of[name]);
    const figure = (times.at(-1) ?? Number.NaN) / (times[0] ?? Number.NaN);
    const detail = timings
      .map(({ rows }, i) => `${rows.toLocaleString('en')} ${unit} ${times[i]?.toFixed(1)} ms`)
      .join(', ');
    lines.push({ what: `${name}, largest to smallest`, unit: '×', goal: { atMost: 1.3 }, figure, detail });
  }
}
