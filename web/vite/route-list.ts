import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Console, routeDirectories } from './consoles.ts';

/** A route as the build sees it: its address, the modules its first paint loads, its groups of texts. */
export interface RouteFiles {
  path: string;
  modules: string[];
  texts: string[];
}

const declaration =
  /(publicPage|consolePage)\(\{\s*path: '([^']+)',[\s\S]*?load: \(\) => import\('([^']+)'\)([\s\S]*?)\}\)/g;

/**
 * Reads a console's routes from its features' `routes.tsx` (and the app's own), and from `routes-….tsx` where a feature has several
 * parts: each is a call of `publicPage` or `consolePage` with a literal `path`, then `load`, then perhaps `texts`: literals too, or the file's
 * `const texts`.
 */
export function readRoutes(of: Pick<Console, 'app' | 'features'>): RouteFiles[] {
  const files = routeDirectories(of).flatMap((directory) => {
    const names = existsSync(directory)
      ? readdirSync(directory).filter((name) => /^routes(-[a-z]+)?\.tsx$/.test(name))
      : [];
    return names.sort().map((name) => ({ directory, name }));
  });
  const frame = join(dirname(import.meta.dirname), 'src', of.app, 'console.tsx');
  return files.flatMap(({ directory, name: file }) => {
    const source = readFileSync(join(directory, file), 'utf8');
    const shared = namesIn(/^const texts = \[([^\]]*)\]/m.exec(source)?.[1]);
    return [...source.matchAll(declaration)].map(([, kind, path = '', module = '', rest = '']) => ({
      path,
      modules: [join(directory, module), ...(kind === 'consolePage' ? [frame] : [])],
      texts: /\btexts\b(?!:)/.test(rest) ? shared : namesIn(/texts: \[([^\]]*)\]/.exec(rest)?.[1]),
    }));
  });
}

const namesIn = (list = ''): string[] => [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
