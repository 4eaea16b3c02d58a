import type { Survivor } from './survivor.ts';

const judging = 'server/src/features/risk/service/judging.ts';
const readAgain = 'An affiliation that was read before is read again, and the one that was given is used.';
const forTypes =
  'All that is asserted was read of each that is judged: settings have defaults, the other reads a row for each.';
const asserted = 'standing && ruleset && affiliation && timeZone !== undefined';

/** Of the judgements of risk. */
export const riskSurvivors: readonly Survivor[] = [
  {
    file: judging,
    original: 'subjects.filter(({ affiliation }) => affiliation === undefined)',
    replacement: 'subjects',
    reason: readAgain,
  },
  { file: judging, original: 'affiliation === undefined', replacement: 'true', reason: readAgain },
  {
    file: judging,
    original: "kind === 'coin'",
    replacement: 'true',
    reason:
      'Of a currency the windows of withdrawals are read, too: these are of coins, and in no currency is anything counted there.',
  },
  {
    file: judging,
    original: 'unread.length === 0',
    replacement: 'false',
    reason: 'One statement more, which reads the affiliations of none.',
  },
  {
    file: judging,
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'Where no affiliation is unread none is looked up.',
  },
  {
    file: judging,
    original: 'settings.get(subject.companyId)?.timeZone',
    replacement: 'settings.get(subject.companyId).timeZone',
    reason: 'Every company that is asked for has settings, its own or the defaults; the type check refuses it.',
  },
  ...[
    [asserted, 'true'],
    [asserted, 'standing && ruleset && affiliation || timeZone !== undefined'],
    ['standing && ruleset && affiliation', 'true'],
    ['standing && ruleset && affiliation', 'standing && ruleset || affiliation'],
    ['standing && ruleset', 'true'],
    ['standing && ruleset', 'standing || ruleset'],
    ['timeZone !== undefined', 'true'],
  ].map(([original = '', replacement = '']) => ({ file: judging, original, replacement, reason: forTypes })),
];
