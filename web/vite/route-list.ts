import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A route as the build sees it: its address, the modules its first paint loads, its groups of texts. */
export interface RouteFiles {
  path: string;
  modules: string[];
  texts: string[];
}

const declaration =
  /(publicPage|consolePage)\(\{\s*path: '([^']+)',[\s\S]*?load: \(\) => import\('([^']+)'\)([\s\S]*?)\}\)/g;

/**
 * Reads the routes from the features' `routes.tsx` (and the app's own): each is a call of `publicPage` or `consolePage`
 * with a literal `path`, then `load`, then perhaps `texts`. `src` is the directory of the sources.
 */
export function readRoutes(src: string): RouteFiles[] {
  const root = join(src, 'features');
  const features = existsSync(root) ? readdirSync(root).map((name) => join(root, name)) : [];
  const directories = [...features, join(src, 'app')].filter((path) => existsSync(join(path, 'routes.tsx')));
  return directories.flatMap((directory) => {
    const source = readFileSync(join(directory, 'routes.tsx'), 'utf8');
    return [...source.matchAll(declaration)].map(([, kind, path = '', module = '', rest = '']) => ({
      path,
      modules: [join(directory, module), ...(kind === 'consolePage' ? [join(src, 'app/console.tsx')] : [])],
      texts: [...(/texts: \[([^\]]*)\]/.exec(rest)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(([, name = '']) => name),
    }));
  });
}
