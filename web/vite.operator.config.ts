import { defineConfig } from 'vite';
import { consoleConfig } from './vite/config.ts';
import { consoles } from './vite/consoles.ts';

/** The operator's console: `vite --config vite.operator.config.ts`. The variable configures the server itself, too. */
export default defineConfig(
  consoleConfig(consoles.operator, {
    server: `http://127.0.0.1:${process.env['CAUSEWAY_PORT_OPERATOR'] ?? '8081'}`,
    proxied: ['/operator', '/common', '/openapi.json', '/docs'],
  }),
);
