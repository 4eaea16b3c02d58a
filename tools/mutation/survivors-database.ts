import type { Survivor } from './survivor.ts';

const database = 'server/src/platform/database/database.ts';
const connection = 'server/src/platform/database/connection.ts';
const idempotency = 'server/src/platform/database/idempotency.ts';
const prepared =
  'Whether and under which name a statement is prepared changes how long it takes, and not what it does.';

/** Of transactions, of statements on a connection, and of requests that are done once. */
export const databaseSurvivors: readonly Survivor[] = [
  {
    file: idempotency,
    original: "invariant(outcome, 'each request has an outcome');",
    replacement: ';',
    reason: 'An invariant, for the type: an earlier answer was found for each that was not decided.',
  },
  {
    file: idempotency,
    original: 'sent[place - 1]?.sha256',
    replacement: 'sent[place - 1].sha256',
    reason: 'The database numbers what was sent; the test is for the type.',
  },
  {
    file: idempotency,
    original: 'kept.length === 0',
    replacement: 'false',
    reason: 'An insert of no rows: a statement more, which does nothing.',
  },
  {
    file: database,
    original: 'true',
    replacement: 'false',
    reason: 'keepAlive and pipelining change how soon an answer is there, and not the answer.',
  },
  {
    file: database,
    original: 'locks.length === 0',
    replacement: 'false',
    reason: 'Takes no lock for an empty list: a statement more, which does nothing.',
  },
  {
    file: database,
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'A value among the statements is awaited and changes nothing.',
  },
  {
    file: database,
    original: 'isLost',
    replacement: 'true',
    reason: 'Only how long it waits before it runs again.',
  },
  {
    file: database,
    original: 'isLost',
    replacement: 'false',
    reason: 'Only how long it waits before it runs again.',
  },
  {
    file: database,
    original: 'attempt * lostPauseMs',
    replacement: 'attempt / lostPauseMs',
    reason: 'Only how long it waits before it runs again.',
  },
  {
    file: database,
    original: 'statement.catch(() => undefined);',
    replacement: ';',
    reason:
      'Keeps Node from ending the process for a rejection that the commit reports; vitest fails the run for it, no test does.',
  },
  {
    file: database,
    original: 'code === readOnlyState',
    replacement: 'true',
    reason: 'A connection is then closed after every error, and another opened.',
  },
  {
    file: database,
    original: '{return error instanceof Error ? error : new Error(String(error));}',
    replacement: '{}',
    reason: 'The pool looks itself whether a connection has ended.',
  },
  ...[
    ['sql.startsWith(planMark)', 'false'],
    ['sql.startsWith(planMark)', 'true'],
    ['sql.startsWith(planMark)', 'sql.endsWith(planMark)'],
    ['known !== undefined', 'false'],
    ['known !== undefined', 'true'],
    ['known !== undefined', 'known === undefined'],
    ['!prepared.has(name) && prepared.size >= maxPrepared', 'true'],
    ['!prepared.has(name) && prepared.size >= maxPrepared', 'false'],
    ['!prepared.has(name) && prepared.size >= maxPrepared', '!prepared.has(name) || prepared.size >= maxPrepared'],
    ['!prepared.has(name)', 'prepared.has(name)'],
    ['prepared.size >= maxPrepared', 'true'],
    ['prepared.size >= maxPrepared', 'prepared.size > maxPrepared'],
    ['prepared.size >= maxPrepared', 'prepared.size < maxPrepared'],
    ['preparedOn.set(client, prepared);', ';'],
    ['prepared.add(name);', ';'],
    ["createHash('sha256').update(sql).digest('hex').slice(0, 32)", "createHash('sha256').update(sql).digest('hex')"],
    ['namesByText.size < maxNames', 'true'],
    ['namesByText.size < maxNames', 'false'],
    ['namesByText.size < maxNames', 'namesByText.size <= maxNames'],
    ['namesByText.size < maxNames', 'namesByText.size >= maxNames'],
    ['namesByText.set(sql, name);', ';'],
    ['name === undefined', 'true'],
    [`{name: role === undefined ? name : \`\${role} \${name}\`}`, '{}'],
    [
      '{if (sql.startsWith(planMark)) return undefined; const name = nameOf(sql); const prepared = preparedOn.get(client) ?? new Set<string>(); preparedOn.set(client, prepared); if (!prepared.has(name) && prepared.size >= maxPrepared) return undefined; prepared.add(name); return name;}',
      '{}',
    ],
    [
      "{const known = namesByText.get(sql); if (known !== undefined) return known; const name = createHash('sha256').update(sql).digest('hex').slice(0, 32); if (namesByText.size < maxNames) namesByText.set(sql, name); return name;}",
      '{}',
    ],
    ['role === undefined', 'true'],
    ['role === undefined', 'false'],
    ['role === undefined', 'role !== undefined'],
  ].map(([original = '', replacement = '']) => ({ file: connection, original, replacement, reason: prepared })),
  ...[
    ['a < b', 'a <= b'],
    ['a > b', 'true'],
    ['a > b', 'false'],
    ['a > b', 'a >= b'],
    ['a > b', 'a <= b'],
  ].map(([original = '', replacement = '']) => ({
    file: database,
    original,
    replacement,
    reason: 'Sorting asks only whether one comes before the other; equal locks are one lock.',
  })),
];
