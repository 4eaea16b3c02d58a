import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './vite/precompress.ts';
import { shell } from './vite/shell.ts';
import { texts } from './vite/texts.ts';

/** The server that `npm run dev` talks to; the same variable configures the server itself. */
const server = `http://127.0.0.1:${process.env['CAUSEWAY_PORT_HTTP'] ?? '8080'}`;
const proxied = ['/web', '/common', '/openapi.json', '/docs', '/todo'];

const everywhere =
  /node_modules\/(?:react|react-dom|scheduler|@tanstack\/(?:react-router|router-core|history|store|react-store)|@lingui|use-sync-external-store)\//;

export default defineConfig({
  plugins: [react(), tailwindcss(), texts(), shell(), precompress()],
  build: {
    target: 'es2022',
    manifest: true,
    assetsInlineLimit: 0,
    // The boot script of vite/shell.ts preloads what a route needs; Vite's own polyfill would be dead weight.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What every page needs compresses better as one file than as the six that splitting would make of it.
        codeSplitting: { groups: [{ name: 'base', test: everywhere }] },
      },
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
