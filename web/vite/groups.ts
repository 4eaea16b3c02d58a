/** How the modules of both consoles are put together into files. */

/**
 * Few files instead of many: over HTTP/1.1 a browser fetches six at a time, and a slow line pays a round trip for each.
 * What every page needs; what forms need, the sign-in page's among them; what lists need; what the console's first
 * paint needs; the plain rules of the other pages; the schemas that responses and forms are checked with. The rest is split by page.
 */
export const groups = [
  {
    name: 'base',
    priority: 4,
    test: anyOf(
      'node_modules/(?:react|react-dom|scheduler|use-sync-external-store|@lingui)/',
      'node_modules/@tanstack/(?:react-router|router-core|history|store|react-store)/',
      'src/lib/(?:api-error|language|list-state|locale|product|report-error|routing|session|storage|toasts)\\.',
      'src/ui/(?:button|class-names|control-look|copy-button|deferred|failure-note|field|icon|logo|spinner|states|text-field|toast)\\.',
      'src/(?:app|operator|shell)/(?:page-title|root|router|routes|pages/error-view|pages/not-found)\\.',
      'contract/src/locale\\.',
    ),
  },
  {
    name: 'forms',
    priority: 3,
    test: anyOf(
      'src/ui/(?:code-digits|code-field|form|form-state|password-field|pointer|public-layout|send-code-button)\\.',
      'contract/src/(?:identity-rules|person-names)\\.',
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
      'contract/src/(?:(?:notices|transactions)-rules|currencies|page-sizes|money)\\.',
      'src/lib/(?:client|format|live|new-id|permission|queries|user)\\.',
      'src/ui/(?:address|amount-parts|card|deferred-menu|description-list|money|page|plain-link|stat|status-dot|time)\\.',
      'src/(?:app|operator|shell)/(?:console|frame|header|header-search|menu|menu-entries|navigation|notice-bell|user-menu)\\.',
    ),
  },
  {
    name: 'accounts',
    priority: 2,
    // The rules of bank accounts: the form of a payee alone needs them.
    test: anyOf('contract/src/(?:bank-rules|bank-fields|clearing-systems|iban)\\.'),
  },
  {
    name: 'card-rules',
    priority: 2,
    // The groups of merchants: the pages of cards alone need them.
    test: anyOf('contract/src/cards-rules\\.'),
  },
  {
    name: 'price-rules',
    priority: 2,
    // The operator's pages of prices alone need them.
    test: anyOf('contract/src/operator-prices-rules\\.'),
  },
  {
    name: 'rules',
    priority: 1,
    // The operator's pages of banks alone need those of banks.
    test: anyOf('contract/src/(?!operator-banks-)(?:[a-z-]+-rules|calling-codes|permission)\\.'),
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
      'contract/src/(?:alerts|call|calls|errors|files|home|identity|identity-account|operator(?:-[a-z]+)?|ids|live|notices|payees|rates|transfers|wallets|webauthn)\\.',
      'src/lib/check-answer\\.',
    ),
  },
];

function anyOf(...patterns: string[]): RegExp {
  return new RegExp(patterns.join('|'));
}
