import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Locale, locales } from '@causeway/contract/locale.ts';
import { permissions, permissionTree } from '@causeway/contract/permission.ts';
import { stages, transactionStatuses, transactionTypes } from '@causeway/contract/transactions-rules.ts';
import PO from 'pofile';
import { expect, test } from 'vitest';

/** What the server and the console both name has one name: the tree of permissions, and transactions in lists, files and mails. */

const root = join(import.meta.dirname, '..');

function textsOf(part: 'server' | 'web', locale: Locale): (id: string) => string | undefined {
  const files = globSync(`${part}/src/**/locales/**/${locale}.po`, { cwd: root });
  const items = files.flatMap((file) => PO.parse(readFileSync(join(root, file), 'utf8')).items);
  const texts = new Map(items.map(({ msgid, msgstr }) => [msgid, msgstr[0]]));
  return (id) => texts.get(id);
}

/** Entries of the permission tree whose page is in the console's menu under another id; null: the entry covers several pages. */
const ownNames: Readonly<Record<string, string | null>> = {
  notices: 'app.title.notices',
  audit: 'app.title.audit',
  card: 'app.menu.creditCard',
  tasks: null,
};

test.each(locales)('a menu of the permission tree is called as in the console, in %s', (locale) => {
  const [server, web] = [textsOf('server', locale), textsOf('web', locale)];
  const menus = permissionTree.flatMap(({ menu, entries }) => [menu, ...entries.map((entry) => entry.menu)]);
  expect(menus.length).toBeGreaterThan(10);
  for (const menu of menus) {
    const inConsole = ownNames[menu] === undefined ? `app.menu.${menu}` : ownNames[menu];
    const name = server(`menu.${menu}`);
    expect(name, menu).toMatch(/\S/);
    if (inConsole !== null) expect(web(inConsole), menu).toBe(name);
  }
  const named = permissions.map((permission) => server(`permission.${permission}`));
  expect(
    named.every((name) => name),
    'every permission has a name',
  ).toBe(true);
  expect(new Set(named).size, 'and a name of its own').toBe(permissions.length);
  expect(web('ui.error.noPermission')).toBe(server('error.noPermission'));
});

test.each(locales)('types, statuses and stages of transactions are called alike, in %s', (locale) => {
  const [server, web] = [textsOf('server', locale), textsOf('web', locale)];
  const words = [
    ...transactionTypes.map((type) => `type.${type}`),
    ...transactionStatuses.map((status) => `status.${status}`),
    ...stages.map((stage) => `stage.${stage}`),
  ];
  for (const word of words) {
    const inConsole = web(`transactions.${word}`);
    if (inConsole !== undefined) expect(inConsole, word).toBe(server(`transaction.${word}`));
  }
  expect(words.filter((word) => web(`transactions.${word}`) === undefined)).toEqual([]);
});
