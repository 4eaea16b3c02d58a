import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { missingTexts } from './page-texts.ts';

/** The sources of a web app: file → text. */
function webApp(files: Record<string, string>): string {
  const source = mkdtempSync(join(tmpdir(), 'page-texts-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(source, file)), { recursive: true });
    writeFileSync(join(source, file), text);
  }
  return source;
}

const catalogue = (...ids: string[]) => ids.map((id) => `msgid "${id}"\nmsgstr "some words"\n`).join('\n');

/** Two features: a page of `orders` borrows a table of `log` through its `index.ts`. */
const app = (texts: string, table = 'Table') =>
  webApp({
    'features/orders/routes.tsx': `const listRoute = consolePage({
  path: '/app/orders',
  title: 'app.orders',
  load: () => import('./pages/list.tsx'),
  ${texts},
});
const panel = panelPage(listRoute, { path: '$id', load: () => import('./pages/panel.tsx'), texts: ['orders-panel'] });
`,
    'features/orders/pages/list.tsx': `import { ${table} } from '../../log/index.ts';
export function Page() {
  return <${table} />;
}
`,
    'features/orders/pages/panel.tsx': `export function Page() {
  const t = useText();
  return t('orders.title') + t(\`orders.panel.\${state}\`);
}
`,
    'features/orders/locales/en-us.po': catalogue('orders.title'),
    'features/orders/locales/panel/en-us.po': catalogue('orders.panel.open', 'orders.panel.closed'),
    'features/log/index.ts': `export { Bare, Table } from './table.tsx';\n`,
    'features/log/table.tsx': `export function Bare() {
  return null;
}
export function Table() {
  return <Head />;
}
function Head() {
  return useText()('log.field');
}
`,
    'features/log/locales/en-us.po': catalogue('log.field'),
  });

test('a text that a borrowed part shows, and that the page does not load, is missing', () => {
  expect(missingTexts(app("texts: ['orders']"))).toEqual([
    {
      route: 'features/orders/routes.tsx /app/orders',
      group: 'log',
      id: 'log.field',
      module: 'features/log/table.tsx',
    },
  ]);
});

test.each([
  ['the route loads its group', app("texts: ['orders', 'log']")],
  ['the page does not use the part that shows it', app("texts: ['orders']", 'Bare')],
])('nothing is missing where %s', (_where, source) => {
  expect(missingTexts(source)).toEqual([]);
});

test('a panel has the texts of the page under it, and ids that are put together belong to a group too', () => {
  const missing = missingTexts(app("texts: ['log']"));
  expect(missing.map(({ route, id }) => [route, id])).toEqual([['features/orders/routes.tsx $id', 'orders.title']]);
  const source = app("texts: ['orders', 'log']");
  const file = 'features/orders/routes.tsx';
  writeFileSync(
    join(source, file),
    "consolePage({ path: '/app/panel', title: 'app.orders', load: () => import('./pages/panel.tsx'), texts: ['orders'] });\n",
  );
  expect(missingTexts(source).map(({ id }) => id)).toEqual(['orders.panel.open']);
});

test('a group that does not exist is refused', () => {
  expect(() => missingTexts(app("texts: ['orders', 'log', 'orders-people']"))).toThrow('no texts of orders-people');
});
