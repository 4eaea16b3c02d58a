import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import type { Console } from './consoles.ts';
import { lightQuery } from './light-query.ts';

const prefix = 'virtual:calls/';
const whole = 'virtual:contract';
const contract = join(import.meta.dirname, '../../contract/src');

/** The fields of a call in its light form; the web app's type for it is `LightCall` of `src/lib/light-call.ts`. */
const lightParts = ['name', 'method', 'path', 'access', 'movesMoney', 'answer', 'upload'];

/**
 * The virtual modules `virtual:calls/<feature>`: the calls of `contract/src/<feature>.ts` as plain data without their
 * schemas, so that a page can send them before the schemas are there (docs/adr/0009). And `virtual:contract`: every call that this
 * console may send, with its schemas.
 */
export function calls({ calls: all }: Pick<Console, 'calls'>): Plugin {
  return {
    name: 'causeway:calls',
    configureServer(server) {
      server.watcher.add(contract);
      server.watcher.on('change', (path) => {
        if (!path.startsWith(contract)) return;
        server.moduleGraph.invalidateAll();
        server.ws.send({ type: 'full-reload' });
      });
    },
    resolveId(id) {
      return id.startsWith(prefix) || id === whole ? `\0${id}` : null;
    },
    async load(id) {
      if (id === `\0${whole}`)
        return `export { ${all.name} as calls } from ${JSON.stringify(join(contract, all.file))};`;
      if (!id.startsWith(`\0${prefix}`)) return null;
      const file = join(contract, `${id.slice(prefix.length + 1)}.ts`);
      // Node keeps what it has imported: a file that was changed while the dev server runs needs another address.
      const module: object = await import(`${pathToFileURL(file).href}?changed=${statSync(file).mtimeMs}`);
      return Object.entries(module)
        .filter(([, value]) => isCall(value))
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(lightened(value))};`)
        .join('\n');
    },
  };
}

function isCall(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
}

function lightened(call: object): object {
  const query = 'query' in call ? lightQuery(call.query) : null;
  return {
    ...Object.fromEntries(Object.entries(call).filter(([part]) => lightParts.includes(part))),
    ...(query && { query }),
  };
}
