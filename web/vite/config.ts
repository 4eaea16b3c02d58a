import { basename } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { UserConfig } from 'vite';
import { apart } from './apart.ts';
import { calls } from './calls.ts';
import type { Console } from './consoles.ts';
import { groups } from './groups.ts';
import { page } from './page.ts';
import { precompress } from './precompress.ts';
import { readRoutes } from './route-list.ts';
import { shell } from './shell.ts';
import { texts } from './texts.ts';

interface DevServer {
  /** The server that the pages of `vite` talk to. */
  server: string;
  /** The beginnings of its addresses. */
  proxied: readonly string[];
}

/** How Vite builds and serves a console. */
export function consoleConfig(of: Console, { server, proxied }: DevServer): UserConfig {
  const pages = new Set(readRoutes(of).flatMap(({ modules }) => modules.map((module) => basename(module, '.tsx'))));
  /** What Vite lists of a chunk that is imported on demand: nothing where it is a route's page. */
  const withoutPages = (file: string, files: string[]): string[] => {
    const name = /([^/]+)-.{7}\.js$/.exec(file)?.[1];
    return name !== undefined && pages.has(name) ? [] : files;
  };
  return {
    plugins: [react(), tailwindcss(), page(of), texts(of), calls(of), shell(of), apart(of), precompress()],
    publicDir: of.publicDir,
    build: {
      outDir: of.outDir,
      target: 'es2022',
      manifest: true,
      assetsInlineLimit: 0,
      // The boot script of vite/shell.ts preloads what a route needs; Vite's own polyfill would be dead weight.
      // It knows what pages need when one moves on, too; Vite's list is for what opens inside of them.
      modulePreload: { polyfill: false, resolveDependencies: withoutPages },
      rolldownOptions: {
        // A chunk names what it may load: of a hash, which does not compress, as few letters as tell versions apart.
        output: { codeSplitting: { groups }, chunkFileNames: 'assets/[name]-[hash:7].js' },
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
  };
}
