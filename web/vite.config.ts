import { defineConfig } from 'vite';
import { consoleConfig } from './vite/config.ts';
import { consoles } from './vite/consoles.ts';

/** The companies' console. The variable configures the server itself, too. */
export default defineConfig(
  consoleConfig(consoles.company, {
    server: `http://127.0.0.1:${process.env['CAUSEWAY_PORT_HTTP'] ?? '8080'}`,
    proxied: ['/web', '/common', '/openapi.json', '/docs', '/todo', '/pay'],
  }),
);
