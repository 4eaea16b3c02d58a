/**
 * Moves the sandbox's data aside, so that the next start begins afresh. Nothing is deleted: the user may do
 * that by hand.
 */
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isTaken } from './data-directory.ts';
import { hasCode } from './failure.ts';
import { homeElsewhere } from './postgres-place.ts';
import { readSettings } from './settings.ts';

async function moveAside(dir: string, suffix: string): Promise<void> {
  try {
    await stat(dir);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  try {
    await rename(dir, `${dir}-${suffix}`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    console.error(
      `${dir} could not be moved to ${dir}-${suffix} (${code}): move it by hand; it is a mount point or belongs to another user.`,
    );
    process.exit(1);
  }
  console.log(`${dir} is now ${dir}-${suffix}`);
}

const { dataDir } = readSettings(process.env);
if (await isTaken(dataDir)) {
  console.error(`A sandbox is running on ${dataDir}: end it with Ctrl-C first.`);
  process.exit(1);
}
const suffix = new Date().toISOString().replaceAll(/[-:]|\..*/g, '');
await moveAside(dataDir, suffix);
await moveAside(homeElsewhere(join(dataDir, 'database')), suffix);
console.log('The next npm start begins afresh.');
