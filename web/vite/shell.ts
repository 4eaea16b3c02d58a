import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { type Chunks, reachable } from './chunks.ts';
import type { Console } from './consoles.ts';
import { readRoutes } from './route-list.ts';

/** What the boot script needs to know: files of each route, and the text files of each route by language. */
type PreloadMap = Record<string, { files: string[]; texts: Record<string, string[]> }>;

const locales = ['en-us', 'zh-hk', 'zh-cn'];

/**
 * Turns index.html into a page that paints at once: puts the boot script (theme, language, preloads of the route's
 * chunks) inline, moves the stylesheet behind the prerendered shell, and lists the hashes of everything inline in
 * `inline-hashes.json`, from which the server builds its content security policy.
 */
export function shell(of: Pick<Console, 'app' | 'features'>): Plugin {
  let root = '';
  return {
    name: 'causeway:shell',
    configResolved(config) {
      root = config.root;
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, context) {
        const chunks = context.bundle as Chunks | undefined;
        const map = chunks === undefined ? {} : preloadMap(of, chunks);
        const boot = readFileSync(join(root, 'vite/boot.js'), 'utf8');
        const script = minified(boot.replace('__PRELOAD_MAP__', () => JSON.stringify(map)));
        const page = lateStylesheet(html.replace('<!--boot-->', () => `<script>${script}</script>`));
        return context.bundle === undefined ? page : page.replaceAll(/\n\s*/g, '\n');
      },
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') return;
        const source = String(page.source);
        const hashes = { script: hashesOf(source, 'script'), style: hashesOf(source, 'style') };
        this.emitFile({ type: 'asset', fileName: 'inline-hashes.json', source: JSON.stringify(hashes) });
      },
    },
  };
}

/** For each route of the features: the chunks beyond the entry's own that its first paint needs. */
function preloadMap(of: Pick<Console, 'app' | 'features'>, chunks: Chunks): PreloadMap {
  const entry = Object.values(chunks).find((chunk) => chunk.type === 'chunk' && chunk.isEntry);
  if (entry === undefined) throw new Error('the build has no entry chunk');
  const known = reachable(chunks, [entry.fileName]);
  const beyond = (modules: string[]) => reachable(chunks, filesOf(chunks, modules)).difference(known);
  const map: PreloadMap = {};
  for (const route of readRoutes(of)) {
    const texts = locales.map((locale) => {
      const modules = ['base', ...route.texts].map((group) => `\0virtual:texts/${group}/${locale}`);
      return [locale, [...beyond(modules)]] as [string, string[]];
    });
    map[route.path] = { files: [...beyond(route.modules)], texts: Object.fromEntries(texts) };
  }
  return map;
}

function filesOf(chunks: Chunks, modules: string[]): string[] {
  return Object.values(chunks)
    .filter((chunk) => chunk.type === 'chunk' && chunk.facadeModuleId != null && modules.includes(chunk.facadeModuleId))
    .map((chunk) => chunk.fileName);
}

/** A stylesheet in the head would hold back the shell's paint by a round trip; behind the shell it does not. */
function lateStylesheet(html: string): string {
  const link = /\s*<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/.exec(html);
  if (link === null) return html;
  const [tag, href] = link;
  return html
    .replace(tag, `<link rel="preload" as="style" crossorigin href="${href}">`)
    .replace('</body>', `<link rel="stylesheet" crossorigin href="${href}"></body>`);
}

function hashesOf(html: string, tag: 'script' | 'style'): string[] {
  const pattern = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g');
  return [...html.matchAll(pattern)].map(
    ([, content]) =>
      `sha256-${createHash('sha256')
        .update(content ?? '')
        .digest('base64')}`,
  );
}

/** The boot script is small and plain: dropping comments and indentation is all that minifying it would gain. */
function minified(script: string): string {
  return script
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//') && !line.startsWith('/*') && !line.startsWith('*'))
    .join('\n');
}
