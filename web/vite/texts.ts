import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import PO from 'pofile';
import type { Plugin } from 'vite';
import type { Console } from './consoles.ts';

/**
 * The virtual module `virtual:texts`: for each group of texts (the `base` of ui, lib, shell and app; `fields`, what forms say of what was typed; one group a feature) and
 * each language a lazily loaded catalogue, compiled from the PO files beside the code. A message that is empty,
 * doubled or not valid ICU syntax fails the build with its file and id.
 */
export function texts(of: Pick<Console, 'app' | 'features'>): Plugin {
  let source = '';
  return {
    name: 'causeway:texts',
    configResolved(config) {
      source = join(config.root, 'src');
    },
    configureServer(server) {
      const reload = (path: string) => {
        if (!path.endsWith('.po')) return;
        server.moduleGraph.invalidateAll();
        server.ws.send({ type: 'full-reload' });
      };
      server.watcher.on('change', reload);
      server.watcher.on('add', reload);
    },
    resolveId(id) {
      return id.startsWith('virtual:texts') ? `\0${id}` : null;
    },
    load(id) {
      if (!id.startsWith('\0virtual:texts')) return null;
      const [, group, locale] = id.split('/');
      const groups = textGroups(source, of);
      if (group === undefined || locale === undefined) return catalogueIndex(groups);
      const files = (groups.get(group) ?? []).map((directory) => join(directory, `${locale}.po`));
      for (const file of files) this.addWatchFile(file);
      const messages = JSON.stringify(compileCatalogue(files));
      return `export const messages = JSON.parse(${JSON.stringify(messages)});`;
    },
  };
}

const locales = ['en-us', 'zh-hk', 'zh-cn'];

/** Finds the locale directories: group name → directories whose catalogues are merged. */
function textGroups(source: string, { app, features }: Pick<Console, 'app' | 'features'>): Map<string, string[]> {
  const groups = new Map([
    ['base', [join(source, 'ui/locales'), join(source, 'shell/locales'), join(source, app, 'locales')]],
    ['fields', [join(source, 'ui/fields/locales')]],
  ]);
  for (const name of features) {
    const directory = join(source, 'features', name, 'locales');
    if (!existsSync(directory)) continue;
    groups.set(name, [directory]);
    for (const part of partsOf(directory)) groups.set(`${name}-${part}`, [join(directory, part)]);
  }
  return groups;
}

/** A feature whose pages are opened apart may keep their texts apart: `locales/cancel/` of transfers is `transfers-cancel`. */
function partsOf(directory: string): string[] {
  const entries = readdirSync(directory, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function catalogueIndex(groups: Map<string, string[]>): string {
  const lines = [...groups.keys()].map((group) => {
    const loaders = locales.map((locale) => `'${locale}': () => import('virtual:texts/${group}/${locale}')`);
    return `'${group}': { ${loaders.join(', ')} }`;
  });
  return `export const catalogues = {\n${lines.join(',\n')}\n};`;
}

function compileCatalogue(files: string[]): Record<string, unknown> {
  const messages: Record<string, unknown> = {};
  for (const file of files) {
    for (const item of PO.parse(readFileSync(file, 'utf8')).items) {
      const text = item.msgstr.join('');
      if (text === '') throw new Error(`${file}: "${item.msgid}" has no text`);
      if (item.msgid in messages) throw new Error(`${file}: "${item.msgid}" is there twice`);
      try {
        messages[item.msgid] = compileMessageOrThrow(text);
      } catch (cause) {
        throw new Error(`${file}: "${item.msgid}" is not a valid ICU message`, { cause });
      }
    }
  }
  return messages;
}
