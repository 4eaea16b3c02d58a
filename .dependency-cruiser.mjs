/** Who may know whom (docs/ARCHITECTURE.md, "Directions"). */
import { features } from './tools/features.mjs';

/** A feature may import the features to its left; on the server and in the web app alike. */
const leftward = ['server', 'web'].flatMap((workspace) =>
  features.map((feature, i) => ({
    name: `${workspace}-${feature}-imports-leftwards`,
    severity: 'error',
    from: { path: `^${workspace}/src/features/${feature}/`, pathNot: '\\.test\\.tsx?$' },
    to: { path: `^${workspace}/src/features/(${features.slice(i + 1).join('|') || '-'})/` },
  })),
);

const throughIndex = ['server', 'web'].flatMap((workspace) =>
  features.map((feature) => ({
    name: `${workspace}-${feature}-through-its-index`,
    severity: 'error',
    from: {
      path: `^${workspace}/src/`,
      pathNot: `^${workspace}/src/features/${feature}/|\\.test\\.tsx?$|^${workspace}/src/testing/`,
    },
    to: {
      path: `^${workspace}/src/features/${feature}/`,
      // The command line starts for one command, and does not load the operator's whole console.
      pathNot: `/(index\\.tsx?|operator/command-line\\.ts|routes[a-z-]*\\.tsx|locales/.*)$`,
    },
  })),
);

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^(virtual:|vite/)' } },
    {
      name: 'contract-knows-zod-alone',
      severity: 'error',
      from: { path: '^contract/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^contract/src/|^node_modules/zod/' },
    },
    {
      name: 'platform-knows-no-feature',
      severity: 'error',
      from: { path: '^server/src/platform/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/src/features/' },
    },
    {
      name: 'server-and-web-meet-in-contract',
      severity: 'error',
      // Tests of adapters speak to the sandbox's real servers.
      from: { path: '^server/', pathNot: '\\.test\\.ts$|^server/src/testing/' },
      to: { path: '^(web|sandbox)/' },
    },
    {
      name: 'web-and-server-meet-in-contract',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(server|sandbox)/' },
    },
    { name: 'sandbox-knows-no-server', severity: 'error', from: { path: '^sandbox/' }, to: { path: '^(server|web)/' } },
    {
      name: 'ui-and-lib-know-no-feature',
      severity: 'error',
      from: { path: '^web/src/(ui|lib)/' },
      to: { path: '^web/src/(features|app|operator|shell)/' },
    },
    {
      name: 'features-know-no-app',
      severity: 'error',
      from: { path: '^web/src/(features|shell)/' },
      to: { path: '^web/src/(app|operator)/' },
    },
    {
      name: 'shell-knows-no-feature',
      severity: 'error',
      from: { path: '^web/src/shell/' },
      to: { path: '^web/src/features/' },
    },
    {
      name: 'consoles-know-not-each-other',
      severity: 'error',
      from: { path: '^web/src/(app|operator)/' },
      to: { path: '^web/src/(app|operator)/', pathNot: '^web/src/$1/' },
    },
    {
      name: 'the-operator-borrows-five-features',
      severity: 'error',
      from: { path: '^web/src/(operator|features/operator[a-z-]*)/' },
      to: {
        path: '^web/src/features/',
        pathNot: '^web/src/features/(operator[a-z-]*|identity|audit|transactions|otc|trades)/',
      },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '\\.test\\.ts$|^server/src/testing/' },
      to: { path: '^server/src/testing/' },
    },
    {
      name: 'a-feature-does-not-import-its-own-index',
      severity: 'error',
      from: { path: '^(server|web)/src/features/([^/]+)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^$1/src/features/$2/index\\.tsx?$' },
    },
    ...leftward,
    ...throughIndex,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules/(?!zod)|\\.cache|\\.sandbox)/|\\.(po|css)$' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
};
