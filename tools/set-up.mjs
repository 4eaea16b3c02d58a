/**
 * Set-up for `npm start` and `npm test`: dependencies, the pinned Node.js, the web app's build. Needs nothing but Node.js 20
 * and npm, so it uses Node's own modules only; what is up to date is not done again.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
// As a whole, and without `?.` and `??`, because an old Node.js lacks them and should still get as far as being told so.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
export const cache = join(root, '.cache');
const stampFile = join(cache, 'setup.json');

const OLDEST_NODE = 20;
const NODE_TO_RUN = 24;
const SPACE_NEEDED_GB = 1.5;

/** A foreseen reason not to start; its message is one sentence for a person. */
class SetUpFailure extends Error {}

/** @returns {number} */
function hostNodeMajor() {
  return Number(process.versions.node.split('.')[0]);
}

function refuseUnsuitableHost() {
  if (hostNodeMajor() < OLDEST_NODE) {
    throw new SetUpFailure(
      `Causeway needs Node.js ${OLDEST_NODE} or newer to set itself up; this is ${process.versions.node}.`,
    );
  }
  const isKnown = ['linux', 'darwin'].includes(process.platform) && ['x64', 'arm64'].includes(process.arch);
  if (!isKnown) {
    throw new SetUpFailure(
      `Causeway's sandbox runs on Linux and macOS (x64 or arm64), not on ${process.platform} ${process.arch}.`,
    );
  }
}

/** @returns {{ lock?: string, web?: string }} */
function readStamp() {
  try {
    return JSON.parse(fs.readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}

/** @param {{ lock?: string, web?: string }} stamp */
function writeStamp(stamp) {
  fs.mkdirSync(cache, { recursive: true });
  fs.writeFileSync(stampFile, JSON.stringify(stamp));
}

function refuseFullDisk() {
  const { bavail, bsize } = fs.statfsSync(root);
  const freeGb = (bavail * bsize) / 1e9;
  if (freeGb >= SPACE_NEEDED_GB) return;
  throw new SetUpFailure(
    `The disk that holds ${root} has ${freeGb.toFixed(1)} GB free; the set-up needs ${SPACE_NEEDED_GB} GB.`,
  );
}

/**
 * Installs exactly what package-lock.json names (tools/check-lockfile.ts keeps the file complete for every platform).
 * @param {string} lock
 */
function install(lock) {
  const stamp = readStamp();
  if (stamp.lock === lock && fs.existsSync(join(root, 'node_modules'))) return;
  refuseFullDisk();
  console.log('Installing dependencies (about a minute the first time) ...');
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const result = spawnSync('npm', args, { cwd: root, stdio: ['ignore', 'inherit', 'pipe'], encoding: 'utf8' });
  if (result.status !== 0) throw installFailure(result.error ? result.error.message : result.stderr);
  writeStamp({ ...readStamp(), lock });
}

/** @param {string} said */
function installFailure(said) {
  if (/ENOSPC/.test(said)) return new SetUpFailure(`The disk that holds ${root} became full while installing.`);
  if (/EROFS|EACCES|EPERM/.test(said))
    return new SetUpFailure(`This user may not write in ${root}, where the dependencies go.`);
  process.stderr.write(said);
  return new SetUpFailure('The dependencies could not be installed; what npm said is above.');
}

/** @returns {string} */
function nodeToRun() {
  if (hostNodeMajor() >= NODE_TO_RUN) return process.execPath;
  const pinned = join(root, 'node_modules', '.bin', 'node');
  if (fs.existsSync(pinned)) return pinned;
  throw new SetUpFailure(
    `Causeway runs on Node.js ${NODE_TO_RUN}, which npm has no package of for this machine: please install it.`,
  );
}

/**
 * A fingerprint of sources by name, size and time, quick enough for every start.
 * @param {string[]} directories
 * @param {string} seed
 */
function fingerprint(directories, seed) {
  const hash = createHash('sha256').update(seed);
  /** @param {string} directory */
  const walk = (directory) => {
    for (const entry of fs.readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name === 'node_modules' || entry.name.startsWith('dist')) continue;
      const path = join(directory, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) {
        const { size, mtimeMs } = fs.statSync(path);
        hash.update(`${path} ${size} ${mtimeMs}\n`);
      }
    }
  };
  for (const directory of directories) walk(join(root, directory));
  return hash.digest('hex');
}

/**
 * Both consoles at once, since one build does not use two cores.
 * @param {string} node
 * @param {string} lock
 */
async function buildWeb(node, lock) {
  const web = fingerprint(['web', 'contract'], lock);
  const isBuilt = ['dist', 'dist-operator'].every((dist) => fs.existsSync(join(root, 'web', dist, 'index.html')));
  if (readStamp().web === web && isBuilt) return;
  console.log('Building the web app ...');
  const built = await Promise.all(
    ['vite.config.ts', 'vite.operator.config.ts'].map((config) => isBuiltBy(node, config)),
  );
  if (built.includes(false)) throw new SetUpFailure('The web app could not be built; what the build said is above.');
  writeStamp({ ...readStamp(), web });
}

/**
 * @param {string} node
 * @param {string} config
 * @returns {Promise<boolean>}
 */
function isBuiltBy(node, config) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [vite, 'build', '--config', config, '--logLevel', 'warn'];
  return new Promise((resolve) => {
    const child = spawn(node, args, { cwd: join(root, 'web'), stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

/**
 * Sets up what is missing.
 * @param {{ build?: boolean }} [options] build: the web app too (default)
 * @returns {Promise<string>} the Node.js to run the product with
 */
export async function setUp({ build = true } = {}) {
  refuseUnsuitableHost();
  const lock = createHash('sha256')
    .update(fs.readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  install(lock);
  const node = nodeToRun();
  if (build) await buildWeb(node, lock);
  return node;
}

/**
 * Says a foreseen failure in one sentence, any other in full, and ends.
 * @param {unknown} error
 */
export function fail(error) {
  if (error instanceof SetUpFailure) console.error(error.message);
  else if (error instanceof Error && /ENOSPC/.test(error.message))
    console.error(`The disk that holds ${root} is full.`);
  else if (error instanceof Error && /EROFS|EACCES|EPERM/.test(error.message))
    console.error(`This user may not write in ${root}, where the dependencies and the web build go: ${error.message}`);
  else console.error(error);
  process.exit(1);
}
