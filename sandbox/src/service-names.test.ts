import { readFileSync } from 'node:fs';
import PO from 'pofile';
import { expect, test } from 'vitest';
import { serviceNames } from './service-names.ts';

test.each(['en-us', 'zh-hk', 'zh-cn'])('the desk has a text for each service in %s', (locale) => {
  const { items } = PO.parse(readFileSync(new URL(`../locales/${locale}.po`, import.meta.url), 'utf8'));
  const texts = new Set(items.flatMap(({ msgid, msgstr }) => (msgstr.join('') === '' ? [] : [msgid])));
  expect(serviceNames.filter((name) => !texts.has(`services.${name}`))).toEqual([]);
});
