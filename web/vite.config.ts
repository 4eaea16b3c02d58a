import { basename, join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { calls } from './vite/calls.ts';
import { precompress } from './vite/precompress.ts';
import { readRoutes } from './vite/route-list.ts';
import { shell } from './vite/shell.ts';
import { texts } from './vite/texts.ts';

/** The server that `npm run dev` talks to; the same variable configures the server itself. */
const server = `http://127.0.0.1:${process.env['CAUSEWAY_PORT_HTTP'] ?? '8080'}`;
const proxied = ['/web', '/common', '/openapi.json', '/docs', '/todo'];

/**
 * Few files instead of many: over HTTP/1.1 a browser fetches six at a time, and a slow line pays a round trip for each.
 * What every page needs; what forms need, the sign-in page's among them; what lists need; what the console's first
 * paint needs; the plain rules of the other pages; the schemas that responses and forms are checked with. The rest is split by page.
 */
const groups = [
  {
    name: 'base',
    priority: 4,
    test: anyOf(
      'node_modules/(?:react|react-dom|scheduler|use-sync-external-store|@lingui)/',
      'node_modules/@tanstack/(?:react-router|router-core|history|store|react-store)/',
      'src/lib/(?:api-error|language|list-state|locale|report-error|routing|session|storage|toasts)\\.',
      'src/ui/(?:button|class-names|control-look|copy-button|deferred|failure-note|field|icon|logo|spinner|states|text-field|toast)\\.',
      'src/app/(?:page-title|root|router|routes|pages/error-view|pages/not-found)\\.',
      'contract/src/locale\\.',
    ),
  },
  {
    name: 'forms',
    priority: 3,
    test: anyOf(
      'src/ui/(?:code-digits|code-field|form|form-state|password-field|pointer|public-layout|send-code-button)\\.',
      'contract/src/identity-rules\\.',
    ),
  },
  {
    name: 'lists',
    priority: 1,
    test: anyOf(
      'src/ui/(?:column-chooser|data-rows|data-table|data-table-model|date-range-field|filter-bar|list-view|media|skeleton-cards)\\.',
    ),
  },
  {
    name: 'console',
    priority: 2,
    test: anyOf(
      'node_modules/@tanstack/(?:query-core|react-query)/',
      'contract/src/(?:(?:notices|transactions)-rules|page-sizes|money)\\.',
      'src/lib/(?:client|format|live|new-id|permission|queries|user)\\.',
      'src/ui/(?:address|amount-parts|card|deferred-menu|description-list|money|page|plain-link|stat|status-dot|time)\\.',
      'src/app/(?:console|header|menu-entries|navigation|user-menu)\\.',
    ),
  },
  {
    name: 'rules',
    priority: 1,
    test: anyOf('contract/src/(?:[a-z]+-rules|calling-codes|permission)\\.'),
  },
  {
    name: 'overlays',
    priority: 1,
    // What opens over a page: many small modules, which most panels, dialogs and menus share.
    minShareCount: 10,
    test: anyOf(
      'node_modules/@base-ui/',
      'node_modules/@floating-ui/',
      'src/ui/(?:dialog|drawer|side-panel|popup-container)\\.',
    ),
  },
  {
    name: 'contract',
    priority: 0,
    test: anyOf(
      'node_modules/zod/',
      'contract/src/(?:alerts|call|calls|errors|files|home|identity|identity-account|ids|live|notices|payees|rates|transfers|wallets|webauthn)\\.',
      'src/lib/check-answer\\.',
    ),
  },
];

const pages = new Set(
  readRoutes(join(import.meta.dirname, 'src')).flatMap(({ modules }) =>
    modules.map((module) => basename(module, '.tsx')),
  ),
);

/** What Vite lists of a chunk that is imported on demand: nothing where it is a route's page. */
function withoutPages(file: string, files: string[]): string[] {
  const name = /([^/]+)-.{8}\.js$/.exec(file)?.[1];
  return name !== undefined && pages.has(name) ? [] : files;
}

function anyOf(...patterns: string[]): RegExp {
  return new RegExp(patterns.join('|'));
}

export default defineConfig({
  plugins: [react(), tailwindcss(), texts(), calls(), shell(), precompress()],
  build: {
    target: 'es2022',
    manifest: true,
    assetsInlineLimit: 0,
    // The boot script of vite/shell.ts preloads what a route needs; Vite's own polyfill would be dead weight.
    // It knows what pages need when one moves on, too; Vite's list is for what opens inside of them.
    modulePreload: { polyfill: false, resolveDependencies: withoutPages },
    rolldownOptions: {
      output: { codeSplitting: { groups } },
      // A public face only names what its feature has: who imports one thing of it does not load the rest.
      treeshake: { moduleSideEffects: [{ test: /\/src\/features\/[^/]+\/index\.tsx?$/, sideEffects: false }] },
    },
  },
  // All sources at once: a part that is first met later would make the page reload under one's hands.
  optimizeDeps: { entries: ['index.html', 'src/**/*.tsx'] },
  server: {
    host: '127.0.0.1',
    strictPort: true,
    proxy: Object.fromEntries(proxied.map((path) => [path, { target: server, changeOrigin: false }])),
  },
});
