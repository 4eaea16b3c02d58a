import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The two consoles that are built of `web/src`: that of the companies and that of the operator. They share `ui`, `lib`, `shell` and
 * what features say in their `index.ts`; neither build contains a module of the other (`vite/apart.ts`).
 */
export interface Console {
  /** The title of the page, and with it the product's name on screen. */
  title: string;
  /** The module that starts it, from the root of the web app. */
  entry: string;
  /** The folder of `src/` with its router, its shell's parts and their texts. */
  app: string;
  /** Where `vite build` puts it. */
  outDir: string;
  /** Its own files that are served as they are. */
  publicDir: string;
  /** Of the contract: the file whose `calls` it may send, and what they are called there. */
  calls: { file: string; name: string };
  /** The features whose routes and texts it has. */
  features: readonly string[];
  /** Modules that its build must not contain. */
  foreign: RegExp;
}

const src = join(import.meta.dirname, '../src');
const all = readdirSync(join(src, 'features'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** The operator's, and of one part of its console each. */
const isOperators = (name: string) => /^operator(-|$)/.test(name);

/** What the operator's pages borrow: forms of sign-in, the audit log, how a transaction is explained, the conversation of a request to the desk, the timeline of a trade. */
const borrowed = ['identity', 'audit', 'transactions', 'otc', 'trades'];

export const consoles = {
  company: {
    title: 'Causeway',
    entry: '/src/main.tsx',
    app: 'app',
    outDir: 'dist',
    publicDir: 'public',
    calls: { file: 'calls.ts', name: 'calls' },
    features: all.filter((name) => !isOperators(name)),
    foreign: /\/src\/(?:operator|features\/operator[a-z-]*)\/|virtual:calls\/operator|\/contract\/src\/operator/,
  },
  operator: {
    title: 'Causeway Operator',
    entry: '/src/operator/main.tsx',
    app: 'operator',
    outDir: 'dist-operator',
    publicDir: 'public-operator',
    calls: { file: 'operator-calls.ts', name: 'operatorCalls' },
    features: [...all.filter(isOperators), ...borrowed],
    foreign: new RegExp(
      [
        `/src/features/(?!operator[a-z-]*/|${borrowed.map((name) => `${name}/`).join('|')})`,
        '/src/(?:app/|main\\.)',
        '/src/lib/user\\.',
        'virtual:calls/(?!operator)',
        '/contract/src/calls\\.',
      ].join('|'),
    ),
  },
} as const satisfies Record<string, Console>;

/** The directories whose `routes.tsx` a console has. */
export function routeDirectories({ app, features }: Pick<Console, 'app' | 'features'>): string[] {
  // Of what is borrowed the pages are declared by the borrower.
  const own = app === 'operator' ? features.filter((name) => !borrowed.includes(name)) : features;
  return [...own.map((name) => join(src, 'features', name)), join(src, app)];
}
