import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import PO from 'pofile';
import { collectUses } from './text-uses.ts';

/** A text that a page shows and that nothing loads with it. */
export interface Missing {
  /** Where the route is declared, and its address. */
  route: string;
  group: string;
  id: string;
  /** The module that uses the text, from the web app's `src`. */
  module: string;
}

interface Route {
  name: string;
  parent: string;
  place: string;
  page: string;
  groups: string[];
}

interface Module {
  /** Top-level declarations by name; of an `index.ts`, none. */
  declarations: Map<string, string>;
  /** Local name → where it comes from. `name: null` is the whole module. */
  imports: Map<string, { from: string; name: string | null }>;
  /** Exported name → where it comes from. */
  passedOn: Map<string, { from: string; name: string }>;
}

const importing = /^import\s+(?!type\b)([\s\S]*?)\s+from\s+'(\.[^']+)';/gm;
const passing = /^export\s+(?!type\b)\{([\s\S]*?)\}\s+from\s+'(\.[^']+)';/gm;
const declaring = /^(?:export )?(?:default )?(?:async )?(?:function\*?|const|let|class) +(\w+)/gm;
const importingLate = /import\('(\.[^']+)'\)/g;
const loadingTexts = /loadTexts\(\[([^\]]*)\]/g;
const declaringRoute =
  /(?:const (\w+) = )?(publicPage|consolePage|panelPage)\((?:(\w+), )?\{\s*path: '([^']+)',[\s\S]*?load: \(\) => import\('([^']+)'\)([\s\S]*?)\}\)/g;

const quoted = (list: string) => [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);

/**
 * Which texts the pages of the web app use, found by following what each page's module imports, declaration by declaration, against the
 * groups that its route and the routes around it load (`texts: […]`), or that the modules load themselves (`loadTexts([…])`).
 * A text of another group shows as its id, but only to a person who has not been on a page that loads it.
 * @param source the web app's `src`
 * @throws Error where a group is loaded that does not exist
 */
export function missingTexts(source: string): Missing[] {
  const groupOf = groupsOfTexts(source);
  const known = new Set(groupOf.values());
  const modules = new Map<string, Module>();
  const read = (file: string) => {
    const known = modules.get(file) ?? readModule(file);
    modules.set(file, known);
    return known;
  };
  return routesOf(source).flatMap(({ place, page, groups }) => {
    const parts = reachedFrom(page, read);
    const loadedLate = parts.flatMap(({ text }) =>
      [...text.matchAll(loadingTexts)].flatMap(([, list = '']) => quoted(list)),
    );
    const loaded = new Set(['fields', ...groups, ...loadedLate]);
    const unknown = [...loaded].filter((group) => group !== 'fields' && !known.has(group));
    if (unknown.length > 0) throw new Error(`${place}: there are no texts of ${unknown.join(', ')}`);
    return parts.flatMap(({ file, text }) => {
      const { ids, starts } = collectUses([text]);
      const begun = [...starts].flatMap((start) => {
        const continued = [...groupOf.keys()].filter((id) => id.startsWith(start));
        return continued.some((id) => loaded.has(groupOf.get(id) ?? '')) ? [] : continued.slice(0, 1);
      });
      return [...ids, ...begun].flatMap((id): Missing[] => {
        const group = groupOf.get(id);
        if (group === undefined || loaded.has(group)) return [];
        return [{ route: place, group, id, module: relative(source, file) }];
      });
    });
  });
}

/** Text id → its group, as `web/vite/texts.ts` forms them. Texts that every page has are of none. */
function groupsOfTexts(source: string): Map<string, string> {
  const groupOf = new Map<string, string>();
  for (const file of globSync('features/*/locales/**/en-us.po', { cwd: source })) {
    const [, feature = '', , part = ''] = file.split('/');
    const group = part.endsWith('.po') ? feature : `${feature}-${part}`;
    for (const { msgid } of PO.parse(readFileSync(join(source, file), 'utf8')).items) groupOf.set(msgid, group);
  }
  return groupOf;
}

function routesOf(source: string): Route[] {
  return globSync('**/routes*.tsx', { cwd: source }).flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8');
    const shared = quoted(/^const texts = \[([^\]]*)\]/m.exec(text)?.[1] ?? '');
    const routes = [...text.matchAll(declaringRoute)].map(
      ([, name = '', , parent = '', path = '', page = '', rest = '']): Route => ({
        name,
        parent,
        place: `${file} ${path}`,
        page: resolve(source, dirname(file), page),
        groups: /\btexts\b(?!:)/.test(rest) ? shared : quoted(/texts: \[([^\]]*)\]/.exec(rest)?.[1] ?? ''),
      }),
    );
    const around = ({ parent, groups }: Route): string[] => {
      const outer = routes.find(({ name }) => parent !== '' && name === parent);
      return outer ? [...groups, ...around(outer)] : groups;
    };
    return routes.map((route) => ({ ...route, groups: around(route) }));
  });
}

function namesIn(list: string): { name: string; as: string }[] {
  return list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith('type '))
    .map((one) => one.split(/\s+as\s+/))
    .map(([name = '', as = name]) => ({ name, as }));
}

function readModule(file: string): Module {
  const text = readFileSync(file, 'utf8');
  const at = (path: string) => resolve(dirname(file), path);
  const imports: Module['imports'] = new Map();
  for (const [, what = '', from = ''] of text.matchAll(importing)) {
    const list = /\{([\s\S]*)\}/.exec(what)?.[1];
    for (const { name, as } of namesIn(list ?? '')) imports.set(as, { from: at(from), name });
    const whole = /\* as (\w+)/.exec(what)?.[1];
    if (whole !== undefined) imports.set(whole, { from: at(from), name: null });
  }
  const passedOn: Module['passedOn'] = new Map();
  for (const [, list = '', from = ''] of text.matchAll(passing))
    for (const { name, as } of namesIn(list)) passedOn.set(as, { from: at(from), name });
  const begins = [...text.matchAll(declaring)];
  const declarations = new Map(
    begins.map(({ 1: name = '', index }, position) => [name, text.slice(index, begins[position + 1]?.index)]),
  );
  return { declarations, imports, passedOn };
}

/** The declarations that a page's module uses, its own and those of the modules that it imports or loads. */
function reachedFrom(page: string, read: (file: string) => Module): { file: string; text: string }[] {
  const reached = new Map<string, { file: string; text: string }>();
  const open: { file: string; name: string | null }[] = [{ file: page, name: 'Page' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { file, name } = next;
    if (!existsSync(file)) continue;
    const { declarations, imports, passedOn } = read(file);
    if (name === null) {
      for (const each of declarations.keys()) open.push({ file, name: each });
      continue;
    }
    const elsewhere = passedOn.get(name);
    if (elsewhere) open.push({ file: elsewhere.from, name: elsewhere.name });
    const text = declarations.get(name);
    const key = `${file} ${name}`;
    if (text === undefined || reached.has(key)) continue;
    reached.set(key, { file, text });
    for (const word of new Set(text.match(/\w+/g))) {
      if (word !== name && declarations.has(word)) open.push({ file, name: word });
      const imported = imports.get(word);
      if (imported) open.push({ file: imported.from, name: imported.name });
    }
    for (const [, from = ''] of text.matchAll(importingLate))
      open.push({ file: resolve(dirname(file), from), name: null });
  }
  return [...reached.values()];
}
