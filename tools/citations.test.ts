import { expect, test } from 'vitest';
import { brokenCitations, headingsOf, indexOf } from './citations.ts';

const cited = {
  headings: headingsOf('# Decisions\n\n## Ledger\n\ntext\n\n### Amount rules\n'),
  pages: ['0001-one.md', '0046-known-browsers.md'],
  exists: (path: string) => path === 'docs/GLOSSARY.md' || path === 'README.md',
  endsFile: (path: string) => 'server/src/features/ledger/domain.ts'.endsWith(`/${path}`),
};
const inCode = (text: string) => brokenCitations({ file: 'server/src/x.ts', text }, cited);
const inDocument = (file: string, text: string) => brokenCitations({ file, text }, cited);

test('what exists can be cited', () => {
  expect(
    inCode('// (decisions, "Ledger" and "Amount rules"), docs/adr/0046, adr/0001-one.md, ADR 46, ADR 0001'),
  ).toEqual([]);
  expect(inDocument('docs/PAGE.md', '[words](GLOSSARY.md#a) [up](../README.md) [out](https://example.com/x)')).toEqual(
    [],
  );
  expect(inCode('// (PNG specification, section 5)')).toEqual([]);
});

test('a heading, a page, a link and a specification that do not exist are named', () => {
  expect(inCode('// (decisions, "Ledger", "Money")')).toEqual([
    'server/src/x.ts: docs/DECISIONS.md has no heading "Money"',
  ]);
  expect(inCode('// docs/adr/0011')).toEqual(['server/src/x.ts: docs/adr has no 0011']);
  expect(inCode('// docs/adr/0046-strangers.md')).toEqual(['server/src/x.ts: docs/adr has no 0046-strangers.md']);
  expect(inCode('// ADR 12')).toEqual(['server/src/x.ts: docs/adr has no ADR 12']);
  expect(inCode('// (specification, section 9)')).toHaveLength(1);
  expect(inDocument('docs/PAGE.md', '[gone](adr/0002-gone.md)')).toContain(
    'docs/PAGE.md: links to adr/0002-gone.md, which does not exist',
  );
  expect(inDocument('docs/PAGE.md', '`ledger/domain.ts` and `ledger/rules.ts`')).toEqual([
    'docs/PAGE.md: names ledger/rules.ts, which does not exist',
  ]);
});

test('a migration keeps its comments for ever', () => {
  expect(inDocument('server/migrations/0002_identity_base.sql', '-- (specification, section 9)')).toEqual([]);
});

test('the index has a line for each page, and each title its number', () => {
  const page = { file: 'docs/adr/0046-known-browsers.md', text: '# 46. Known browsers\n' };
  expect(indexOf([page])).toBe('- [46. Known browsers](0046-known-browsers.md)\n');
  expect(() => indexOf([{ ...page, text: '# Known browsers\n' }])).toThrow('# 46. ');
});
