/**
 * Rules for package-lock.json. `npm ci` compares the file with every package's optional dependencies, also those of other platforms,
 * and refuses a file that lacks one. npm leaves an entry out when the registry in use does not carry the package.
 */

export interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  optionalDependencies?: Record<string, string>;
}

export interface Lockfile {
  packages: Record<string, LockedPackage>;
}

/** Binaries that the mirror used in development lacks; their entries were written without a checksum. */
const withoutChecksum = /^@foundry-rs\/anvil-(darwin|linux|win32)-(amd64|arm64)$/;

/** Says what would stop `npm ci` on some platform, or tie it to one registry. */
export function problemsOf(lockfile: Lockfile): string[] {
  const problems = missingFrom(lockfile).map(
    ({ parent, name, version }) => `package-lock.json has no entry for ${name} ${version}, optional for ${parent}`,
  );
  for (const [path, entry] of Object.entries(lockfile.packages)) {
    if (entry.resolved?.includes(':')) problems.push(`package-lock.json names a registry for ${path}`);
    if (!path.includes('node_modules/') || entry.link || entry.inBundle || entry.integrity) continue;
    const name = nameOf(path);
    if (!withoutChecksum.test(name)) problems.push(`package-lock.json has no checksum for ${name}`);
  }
  return problems;
}

/**
 * Adds the entries that are missing, for platform and processor as the package's name says.
 * @returns the names of the packages added
 */
export function completeLockfile(lockfile: Lockfile): string[] {
  const missing = missingFrom(lockfile);
  for (const { name, version } of missing) {
    const [, os, cpu] = /-(darwin|linux|win32)-(amd64|x64|arm64)$/.exec(name) ?? [];
    if (os === undefined || cpu === undefined || !withoutChecksum.test(name)) continue;
    lockfile.packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu === 'amd64' ? 'x64' : cpu],
      optional: true,
      os: [os],
    };
  }
  const inOrder = Object.entries(lockfile.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  lockfile.packages = Object.fromEntries(inOrder);
  return missing.map(({ name }) => name).filter((name) => lockfile.packages[`node_modules/${name}`] !== undefined);
}

interface Missing {
  parent: string;
  name: string;
  version: string;
}

function missingFrom({ packages }: Lockfile): Missing[] {
  return Object.entries(packages).flatMap(([parent, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !resolves(packages, parent, name))
      .map(([name, version]) => ({ parent: nameOf(parent), name, version })),
  );
}

/** Looks for a package where Node.js would: beside its parent, then upwards. */
function resolves(packages: Lockfile['packages'], parent: string, name: string): boolean {
  for (let place = parent; ; place = upwards(place)) {
    if (packages[place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`] !== undefined) return true;
    if (place === '') return false;
  }
}

function upwards(place: string): string {
  const end = place.lastIndexOf('/node_modules/');
  return end === -1 ? '' : place.slice(0, end);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + (path.includes('node_modules/') ? 'node_modules/'.length : 1));
}
